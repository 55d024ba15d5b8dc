import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type {
  InputOf,
  KeyOf,
  Kind,
  NamespacedObjectMeta,
  ObjectMeta,
  ObjectMetaInput,
  ObjectOf,
} from '../../objects/index.js'
import { defineKind, type KindOptions } from './define-kind.js'
import { InvalidKindError, type KindProblem } from './problem.js'
import { type StandardJsonSchema, structural } from './standard-schema.js'

const Foo = defineKind({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Foo',
  spec: z.object({
    deploymentName: z.string(),
    replicas: z.int32().min(1).max(10).default(1),
    note: z.string().optional(),
  }),
  status: z.object({ availableReplicas: z.int32().optional() }),
})
type Foo = ObjectOf<typeof Foo>

const Settings = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Settings',
  plural: 'settings',
  listKind: 'SettingsList',
  scope: 'Cluster',
  spec: z.object({ color: z.string().default('red') }).prefault({}),
  fields: z.object({ data: z.record(z.string(), z.string()), more: z.string().optional() }),
})

const TestResource = defineKind({
  group: 'example.com',
  version: 'v1beta1',
  kind: 'TestResource',
  spec: structural<{ command: string }>({
    type: 'object',
    required: ['command'],
    properties: { command: { type: 'string', pattern: '^echo' } },
  }),
  status: z.string(),
  statusSubresource: false,
})

function problemsOf(options: Partial<KindOptions>): readonly KindProblem[] {
  try {
    defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Foo',
      spec: z.object({ field: z.string() }),
      ...options,
    })
  } catch (error) {
    if (error instanceof InvalidKindError) return error.problems
    throw error
  }
  return []
}

describe('the types of a kind', () => {
  test('a stored object has literal type fields, metadata with a namespace, and the output of its schemas', () => {
    expectTypeOf<Foo['apiVersion']>().toEqualTypeOf<'example.com/v1alpha1'>()
    expectTypeOf<Foo['kind']>().toEqualTypeOf<'Foo'>()
    expectTypeOf<Foo['metadata']>().toEqualTypeOf<NamespacedObjectMeta>()
    expectTypeOf<Foo['spec']>().toEqualTypeOf<{
      deploymentName: string
      replicas: number
      note?: string | undefined
    }>()
    expectTypeOf<Foo>()
      .toHaveProperty('status')
      .toEqualTypeOf<{ availableReplicas?: number | undefined } | undefined>()
    expectTypeOf<KeyOf<Foo>>().toEqualTypeOf<{ readonly namespace: string; readonly name: string }>()
  })

  test('an object to be sent may leave out what the server fills in', () => {
    type Input = InputOf<typeof Foo>
    expectTypeOf<Input['metadata']>().toEqualTypeOf<ObjectMetaInput>()
    expectTypeOf<Input['spec']>().toEqualTypeOf<{
      deploymentName: string
      replicas?: number | undefined
      note?: string | undefined
    }>()
    expectTypeOf<{ metadata: { name: string }; spec: { deploymentName: string } }>().toExtend<Input>()
    expectTypeOf<{ metadata: { name: string } }>().not.toExtend<Input>()
    expectTypeOf<{ kind: 'Bar'; metadata: object; spec: { deploymentName: string } }>().not.toExtend<Input>()
  })

  test('a kind of the cluster has no namespace, and a defaulted spec may be left out', () => {
    type Settings = ObjectOf<typeof Settings>
    expectTypeOf<Settings['metadata']>().toEqualTypeOf<ObjectMeta>()
    expectTypeOf<Settings['spec']>().toEqualTypeOf<{ color: string }>()
    expectTypeOf<Settings['data']>().toEqualTypeOf<Record<string, string>>()
    expectTypeOf<{ metadata: object; data: Record<string, string> }>().toExtend<InputOf<typeof Settings>>()
    expectTypeOf<Settings>().not.toHaveProperty('status')
  })

  test('a status may be a scalar, and a schema may be written by hand', () => {
    type TestResource = ObjectOf<typeof TestResource>
    expectTypeOf<TestResource['status']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<TestResource['spec']>().toEqualTypeOf<{ command: string }>()
  })

  test('it is a Kind for everybody who needs one', () => {
    expectTypeOf(Foo).toExtend<Kind<Foo, InputOf<typeof Foo>>>()
    expectTypeOf(Foo).toExtend<Kind>()
    expectTypeOf(Foo.kind).toEqualTypeOf<'Foo'>()
  })
})

describe('a library that speaks Standard JSON Schema', () => {
  const describing = (target: string): StandardJsonSchema<{ a: string }> => {
    const jsonSchema = (request: { readonly target: string }): Record<string, unknown> => {
      if (request.target !== target) throw new Error(`no ${request.target} here.`)
      return { type: 'object', properties: { a: { type: ['string', 'null'] } }, required: ['a'] }
    }
    return { '~standard': { vendor: 'some', jsonSchema: { input: jsonSchema, output: jsonSchema } } }
  }

  test.each(['draft-2020-12', 'draft-07', 'openapi-3.0'])('may know only %s', (target) => {
    const kind = defineKind({ group: 'example.com', version: 'v1', kind: 'Foo', spec: describing(target) })
    expect(kind.schema.properties?.['spec']?.properties).toEqual({ a: { type: 'string', nullable: true } })
  })

  test('is quoted when it can describe nothing', () => {
    expect(problemsOf({ spec: describing('draft-04') })).toEqual([
      {
        path: 'spec',
        message: expect.stringContaining('some cannot describe it as JSON Schema: no draft-2020-12 here.'),
      },
    ])
  })
})

describe('the value of a kind', () => {
  test('names are derived from the kind', () => {
    const { plural, singular, listKind, scope, subresources } = Foo
    expect({ plural, singular, listKind, scope, subresources }).toEqual({
      plural: 'foos',
      singular: 'foo',
      listKind: 'FooList',
      scope: 'Namespaced',
      subresources: ['status'],
    })
  })

  test('its schema describes the whole object', () => {
    expect(Foo.schema).toEqual({
      type: 'object',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec: {
          type: 'object',
          required: ['deploymentName'],
          properties: {
            deploymentName: { type: 'string' },
            replicas: { type: 'integer', format: 'int32', minimum: 1, maximum: 10, default: 1 },
            note: { type: 'string' },
          },
        },
        status: { type: 'object', properties: { availableReplicas: { type: 'integer', format: 'int32' } } },
      },
    })
  })

  test('a spec with a default is not required, fields of one’s own stand beside it', () => {
    expect(Settings.schema.required).toEqual(['data'])
    expect(Object.keys(Settings.schema.properties ?? {})).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
      'data',
      'more',
    ])
  })

  test('the status subresource can be switched off, and scale switches itself on', () => {
    expect(TestResource.subresources).toEqual([])
    const kind = defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Scaled',
      spec: z.object({ replicas: z.int32() }),
      status: z.object({ replicas: z.int32(), selector: z.string() }),
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    })
    expect(kind.subresources).toEqual(['status', 'scale'])
  })

  test('it is frozen, and what was passed to it is not', () => {
    const labels = { app: 'demo' }
    const kind = defineKind({ group: 'example.com', version: 'v1', kind: 'Foo', labels })
    expect(Object.isFrozen(kind.schema.properties)).toBe(true)
    expect(Object.isFrozen(kind.definition.labels)).toBe(true)
    expect(Object.isFrozen(labels)).toBe(false)
  })
})

describe('a definition that no server would accept', () => {
  test.each<[string, Partial<KindOptions>, string, RegExp]>([
    ['a group without a dot', { group: 'example' }, 'group', /at least one dot/],
    ['a group in capitals', { group: 'Example.com' }, 'group', /lower case/],
    ['a group of the Kubernetes project', { group: 'foo.k8s.io' }, 'group', /api-approved\.kubernetes\.io/],
    ['a version with a dot', { version: 'v1.0' }, 'version', /v1alpha1, v1beta1, v1/],
    ['a plural in capitals', { plural: 'Foos' }, 'plural', /lower case/],
    ['a singular with a space', { singular: 'a foo' }, 'singular', /lower case/],
    ['a list that is called as its items', { listKind: 'Foo' }, 'listKind', /FooList/],
    ['a short name in capitals', { shortNames: ['ok', 'FO'] }, 'shortNames[1]', /lower case/],
    ['a category with a dot', { categories: ['a.b'] }, 'categories[0]', /lower case/],
    ['a label that is none', { labels: { 'a b': 'c' } }, 'labels[a b]', /not valid/],
    ['an annotation that is none', { annotations: { 'a/b/c': '' } }, 'annotations[a/b/c]', /not valid/],
    ['an empty warning', { deprecated: '' }, 'deprecated', /1 to 256 printable/],
    ['a warning of two lines', { deprecated: 'a\nb' }, 'deprecated', /1 to 256 printable/],
    [
      'a status subresource without a status',
      { statusSubresource: true },
      'statusSubresource',
      /option status/,
    ],
    ['an empty rule', { rules: [{ rule: ' ' }] }, 'rules', /is empty/],
    [
      'a rule about a field that is not there',
      { rules: [{ rule: 'true', fieldPath: '.spec.x' }] },
      'rules',
      /no field/,
    ],
    ['a spec that is no object', { spec: z.string() }, 'spec', /z\.object\(\{ value/],
    ['a spec that is no schema', { spec: { type: 'object' } as never }, 'spec', /structural\(\{/],
    ['fields that are no object', { fields: z.string() }, 'fields', /listed by name/],
    [
      'a field that exists already',
      { fields: z.object({ status: z.string() }) },
      'fields.status',
      /the option status/,
    ],
    [
      'a column with an unknown type',
      { columns: [{ name: 'A', type: 'int' as never, jsonPath: '.spec.field' }] },
      'columns[0].type',
      /integer/,
    ],
    [
      'a column with an unknown format',
      { columns: [{ name: 'A', type: 'string', format: 'x' as never, jsonPath: '.spec.field' }] },
      'columns[0].format',
      /date-time/,
    ],
    [
      'a column that begins nowhere',
      { columns: [{ name: 'A', type: 'string', jsonPath: 'spec.field' }] },
      'columns[0].jsonPath',
      /\.spec\.replicas/,
    ],
    [
      'a column of a field that is not there',
      { columns: [{ name: 'A', type: 'string', jsonPath: '.spec.feild' }] },
      'columns[0].jsonPath',
      /no field \.spec\.feild/,
    ],
    [
      'two columns of one name',
      {
        columns: [
          { name: 'A', type: 'string', jsonPath: '.spec.field' },
          { name: 'A', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
      'columns[1].name',
      /two columns "A"/,
    ],
    [
      'a scale of strings',
      {
        status: z.object({ replicas: z.int32() }),
        scale: { specReplicasPath: '.spec.field', statusReplicasPath: '.status.replicas' },
      },
      'scale.specReplicasPath',
      /type string/,
    ],
    [
      'a scale outside of spec and status',
      {
        spec: z.object({ replicas: z.int32() }),
        status: z.object({ replicas: z.int32() }),
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.spec.replicas' },
      },
      'scale.statusReplicasPath',
      /\.status\.replicas/,
    ],
    [
      'a selectable list',
      { spec: z.object({ l: z.array(z.string()) }), selectableFields: ['.spec.l'] },
      'selectableFields[0]',
      /cannot be selected/,
    ],
    [
      'a selectable label',
      { selectableFields: ['.metadata.labels'] },
      'selectableFields[0]',
      /other metadata cannot/,
    ],
    [
      'a selectable field that is not there',
      { selectableFields: ['.spec.x'] },
      'selectableFields[0]',
      /no field/,
    ],
  ])('%s', (_, options, path, advice) => {
    expect(problemsOf(options)).toEqual([{ path, message: expect.stringMatching(advice) }])
  })

  test('columns may look into lists, maps and metadata', () => {
    const columns = [
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      { name: 'App', type: 'string', jsonPath: '.spec.labels.app' },
    ] as const
    const spec = z.object({ labels: z.record(z.string(), z.string()) })
    const status = z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })) })
    expect(problemsOf({ spec, status, columns })).toEqual([])
  })

  test('the error says which kind, where and what to do', () => {
    const define = (): unknown => defineKind({ group: 'example', version: 'v1', kind: 'Foo' })
    expect(define).toThrow(InvalidKindError)
    expect(define).toThrow(
      'The definition of kind Foo is not valid. Change what is listed:\n  group: "example" is not a domain of your own. Use lower case and at least one dot: example.com.',
    )
  })
})
