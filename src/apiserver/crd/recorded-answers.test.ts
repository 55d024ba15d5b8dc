import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { definitionOf, schemaCases } from '../../../test/conformance/schema-cases.js'
import { deepCopy } from '../../base/index.js'
import type { FieldError } from '../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Strategy, WriteContext } from '../resource.js'
import { customTable } from './columns.js'
import type { ConversionDependencies } from './conversion.js'
import { customResource } from './custom-resource.js'
import { type Crd, type CrdColumn, type CrdNames, type CrdStatus, crdOf } from './definition.js'
import { crdStrategy, lazyEngines } from './definition-strategy.js'
import { acceptedNamesStatus, establishedStatus } from './status.js'

// What a kube-apiserver v1.36.3 answered to the cases of the conformance suite and to those in the files themselves.
function recorded<T>(file: string): T {
  const url = new URL(`../../../test/conformance/recorded/${file}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as T
}

type Cause = readonly [reason: string, field: string, message: string]

interface RecordedAnswer {
  readonly accepted?: unknown
  readonly causes?: readonly Cause[]
  readonly warnings?: string
}

const engines = lazyEngines()
const strategy = crdStrategy(engines)
beforeAll(() => engines.load())

/** Nothing that judges schemas looks at anything but this. */
function contextOf(warnings: string[] = []): WriteContext {
  const context: Pick<WriteContext, 'warn'> = {
    warn: (text) => warnings.push(`299 - ${JSON.stringify(text)}`),
  }
  return context as WriteContext
}

/** Go visits maps at random: the order of causes says nothing. */
function sorted(errors: readonly FieldError[]): readonly string[] {
  return errors.map(({ reason, field, message }) => `${reason} ${field}: ${message}`).sort()
}

function sortedCauses(causes: readonly Cause[] = []): readonly string[] {
  return causes.map(([reason, field, message]) => `${reason} ${field}: ${message}`).sort()
}

function nameErrors(by: Strategy, { metadata }: ApiObject): FieldError[] {
  return by.nameProblems(metadata.name ?? '', false).map((problem) => ({
    reason: 'FieldValueInvalid',
    field: 'metadata.name',
    message: `Invalid value: ${JSON.stringify(metadata.name)}: ${problem}`,
  }))
}

function casesOf(): { readonly id: string; readonly each: (typeof schemaCases)[string][string] }[] {
  return Object.entries(schemaCases).flatMap(([area, cases]) =>
    Object.entries(cases).map(([name, each]) => ({ id: `${area}: ${name}`, each })),
  )
}

describe('a CRD is accepted or refused as the server does it', () => {
  const answers = recorded<Record<string, RecordedAnswer>>('definitions')

  test.each(casesOf())('$id', ({ id, each }) => {
    const answer = answers[id]
    const names = { group: 'things.e.example.com', plural: 'things', kind: 'Thing' }
    const draft = deepCopy(definitionOf(each, names)) as ApiObject
    const { spec } = draft as unknown as { spec: { group: string; names: { plural?: string } } }
    // Names that no object could have were not tried with the name that follows from them.
    const isNameable = /^[a-z]+$/.test(spec.names.plural ?? '') && spec.names.plural !== 'others'
    draft.metadata.name = `${isNameable ? spec.names.plural : 'things'}.${spec.group}`
    const warnings: string[] = []
    strategy.applyDefaults(draft)
    strategy.prepareForCreate(draft, contextOf())
    const errors = [...nameErrors(strategy, draft), ...strategy.validateCreate(draft, contextOf(warnings))]
    expect(sorted(errors)).toEqual(sortedCauses(answer?.causes))
    if (errors.length === 0) expect(draft['spec']).toEqual(answer?.accepted)
    expect(warnings.join(', ')).toEqual(answer?.warnings ?? '')
  })
})

describe('objects are accepted, refused, pruned and defaulted as the server does it', () => {
  const answers = recorded<Record<string, readonly RecordedAnswer[]>>('objects')
  const withObjects = casesOf().filter(({ each }) => each.objects !== undefined)
  // None of the cases converts anything.
  const dependencies = {} as ConversionDependencies

  test.each(withObjects)('$id', ({ id, each }) => {
    const draft = deepCopy(
      definitionOf(each, { group: 'g.example.com', plural: 'things', kind: 'Thing' }),
    ) as ApiObject
    strategy.applyDefaults(draft)
    const crd = crdOf(draft)
    const named = { ...crd, status: { ...crd.status, acceptedNames: crd.spec.names } }
    const { current } = engines
    if (current === undefined) throw new Error('not loaded')
    const [version] = customResource(named, { ...dependencies, engines: current }).versions
    for (const [index, body] of (each.objects ?? []).entries()) {
      const object = {
        apiVersion: 'g.example.com/v1',
        kind: 'Thing',
        metadata: { name: 'x', namespace: 'default' },
        ...deepCopy(body),
      } as ApiObject
      version?.strategy.prune?.(object)
      version?.strategy.applyDefaults(object)
      version?.strategy.prepareForCreate(object, contextOf())
      const errors = version?.strategy.validateCreate(object, contextOf()) ?? []
      const answer = answers[id]?.[index]
      expect(sorted(errors)).toEqual(sortedCauses(answer?.causes))
      const { metadata: _metadata, apiVersion: _apiVersion, kind: _kind, ...content } = object
      if (errors.length === 0) expect(content).toEqual(answer?.accepted)
    }
  })
})

/** A CRD as its controller leaves it, beside others. */
function live(draft: ApiObject, others: readonly Crd[] = []): Crd {
  strategy.applyDefaults(draft)
  strategy.prepareForCreate(draft, contextOf())
  const steps = [
    (crd: Crd): CrdStatus | undefined => acceptedNamesStatus(crd, [...others, crd], 'now'),
    (crd: Crd): CrdStatus | undefined => establishedStatus(crd, 'now'),
  ]
  for (const step of steps) {
    const status = step(crdOf(draft))
    if (status !== undefined) draft['status'] = status
  }
  return crdOf(draft)
}

describe('an update of a CRD is judged as the server does it', () => {
  interface UpdateCase {
    readonly before: { readonly spec: object }
    readonly after: { readonly spec: object }
    readonly status?: object
    readonly answer: RecordedAnswer
  }

  const draftOf = ({ spec }: { readonly spec: object }): ApiObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'updateds.updates.e.example.com', generation: 1 },
    spec: {
      group: 'updates.e.example.com',
      scope: 'Namespaced',
      names: { plural: 'updateds', kind: 'Updated' },
      ...spec,
    },
  })

  test.each(Object.entries(recorded<Record<string, UpdateCase>>('updates')))('%s', (_, each) => {
    const created = live(draftOf(each.before))
    const old = { ...created, status: { ...created.status, ...each.status } }
    const draft = draftOf(each.after)
    const warnings: string[] = []
    strategy.applyDefaults(draft)
    strategy.prepareForUpdate(draft, old, contextOf())
    const errors = strategy.validateUpdate(draft, old, contextOf(warnings))
    expect(sorted(errors)).toEqual(sortedCauses(each.answer.causes))
    if (errors.length > 0) return
    const { generation } = draft.metadata
    const { storedVersions } = crdOf(draft).status
    const found = {
      generation,
      storedVersions,
      ...(warnings.length > 0 && { warnings: warnings.join(', ') }),
    }
    expect(found).toEqual(each.answer.accepted)
  })
})

describe('names in use are refused as the server does it', () => {
  interface NameCase {
    readonly first: CrdNames
    readonly second: CrdNames
    readonly answer: { readonly acceptedNames: unknown; readonly conditions: unknown }
  }

  const draftOf = (names: CrdNames): ApiObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${names.plural}.g.example.com` },
    spec: { group: 'g.example.com', scope: 'Namespaced', names: { ...names }, versions: [] },
  })

  test.each(Object.entries(recorded<Record<string, NameCase>>('names')))(
    '%s',
    (_, { first, second, answer }) => {
      const { status } = live(draftOf(second), [live(draftOf(first))])
      const conditions = status.conditions?.map(({ lastTransitionTime: _time, ...condition }) => condition)
      expect({ acceptedNames: status.acceptedNames, conditions }).toEqual(answer)
    },
  )
})

describe('columns show what the server shows', () => {
  interface ColumnCase extends Omit<CrdColumn, 'name'> {
    readonly answer: { readonly columns: unknown; readonly cells: unknown }
  }
  const { object, columns } = recorded<{
    readonly object: object
    readonly columns: Readonly<Record<string, ColumnCase>>
  }>('columns')

  test.each(Object.entries(columns))('%s', (_, { answer, ...column }) => {
    const table = customTable([
      { name: 'C', ...column },
      { name: 'Last', type: 'string', jsonPath: '.spec.s' },
    ])
    const stored = { apiVersion: 'a/v1', kind: 'A', metadata: { name: 'x' }, ...object } as StoredApiObject
    expect({
      columns: table.columns.slice(1).map(({ name }) => name),
      cells: table.cells(stored, 0).slice(1),
    }).toEqual(answer)
  })
})
