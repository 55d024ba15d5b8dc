import { expect, test } from 'vitest'
import { ImportError } from './import-error.js'
import { readCrd } from './read-crd.js'

interface Change {
  readonly [path: string]: unknown
}

/** A small valid CRD with some of its fields replaced; `undefined` removes one. */
function crd(change: Change = {}): unknown {
  const base = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  }
  for (const [path, value] of Object.entries(change)) {
    const keys = path.split('.')
    let parent: Record<string, unknown> = base
    for (const key of keys.slice(0, -1)) parent = parent[key] as Record<string, unknown>
    parent[keys.at(-1) ?? ''] = value
  }
  return base
}

const read = (value: unknown): ReturnType<typeof readCrd> => readCrd({ value, source: 'crds.yaml' })

function failure(value: unknown): ImportError {
  try {
    read(value)
  } catch (error) {
    if (error instanceof ImportError) return error
  }
  throw new Error('no ImportError')
}

test('singular and list kind have the defaults of the API server', () => {
  expect(read(crd())).toEqual({
    name: 'foos.example.com',
    group: 'example.com',
    kind: 'Foo',
    plural: 'foos',
    singular: 'foo',
    listKind: 'FooList',
    scope: 'Namespaced',
    versions: [{ version: 'v1', schema: { type: 'object' }, subresources: [], deprecation: undefined }],
  })
})

test('a version that is not served is left out', () => {
  const schema = { openAPIV3Schema: { type: 'object' } }
  const versions = [
    { name: 'v2', served: true, schema },
    { name: 'v1', served: false, schema },
  ]
  expect(read(crd({ 'spec.versions': versions }))?.versions.map(({ version }) => version)).toEqual(['v2'])
})

test('subresources and deprecation are read', () => {
  const version = {
    name: 'v1',
    served: true,
    deprecated: true,
    schema: { openAPIV3Schema: {} },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.replicas' } },
  }
  expect(read(crd({ 'spec.versions': [version] }))?.versions[0]).toMatchObject({
    subresources: ['scale', 'status'],
    deprecation: 'v1 of foos.example.com is deprecated.',
  })
})

test.each([
  ['null', null],
  ['text', 'CustomResourceDefinition'],
  ['another kind', { apiVersion: 'v1', kind: 'ConfigMap' }],
  ['the same kind of another group', { apiVersion: 'example.com/v1', kind: 'CustomResourceDefinition' }],
])('%s is no CRD', (_name, value) => {
  expect(read(value)).toBeUndefined()
})

test('a CRD of v1beta1 is refused, with the way out', () => {
  const error = failure(crd({ apiVersion: 'apiextensions.k8s.io/v1beta1' }))
  expect(error.code).toBe('KW_IMPORT_OLD_CRD')
  expect(error.message).toContain('--from-cluster')
})

test('a version without a schema is refused by name', () => {
  const error = failure(crd({ 'spec.versions': [{ name: 'v1', served: true }] }))
  expect(error.code).toBe('KW_IMPORT_NO_SCHEMA')
  expect(error.subject).toBe('foos.example.com, version v1')
})

const deep = (levels: number): unknown => (levels === 0 ? {} : { items: deep(levels - 1) })

test.each<[string, Change, string]>([
  ['no spec', { spec: undefined }, 'spec.group is missing'],
  ['a group that climbs', { 'spec.group': '../../etc' }, 'spec.group is "../../etc"'],
  ['a group that is a path', { 'spec.group': 'a/b' }, 'spec.group'],
  ['a group of dots', { 'spec.group': '..' }, 'spec.group'],
  ['a group with a line break', { 'spec.group': 'example.com\n' }, 'spec.group'],
  ['a kind that is code', { 'spec.names.kind': 'Foo {} export' }, 'spec.names.kind'],
  ['a kind that is a number', { 'spec.names.kind': 7 }, 'spec.names.kind is missing'],
  ['a plural with capitals', { 'spec.names.plural': 'Foos' }, 'spec.names.plural'],
  ['an unknown scope', { 'spec.scope': 'Galaxy' }, 'spec.scope'],
  ['no versions', { 'spec.versions': [] }, 'spec.versions is empty'],
  ['versions that are no list', { 'spec.versions': { v1: {} } }, 'spec.versions is empty'],
  ['a version that climbs', { 'spec.versions': [{ name: '../v1', served: true }] }, 'spec.versions[0].name'],
  [
    'a version twice',
    { 'spec.versions': [{ name: 'v1' }, { name: 'v1' }] },
    'spec.versions[1].name repeats v1',
  ],
  [
    'a schema without a floor',
    { 'spec.versions': [{ name: 'v1', served: true, schema: { openAPIV3Schema: deep(5000) } }] },
    'nested deeper than 100 levels',
  ],
])('%s is refused with the field', (_name, change, message) => {
  const error = failure(crd(change))
  expect(error.code).toBe('KW_IMPORT_INVALID_CRD')
  expect(error.message).toContain(message)
})
