import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepCopy, deepFreeze } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { applyServerSide, type FieldManagerContext, trackUpdate } from './field-manager.js'

const text: ApiSchema = { type: 'string' }
const schema: ApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        labels: { type: 'object', additionalProperties: text },
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        list: { type: 'array', items: text },
        map: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, v: text, w: text } },
        },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}

const start = '2026-01-01T00:00:00Z'
const later = '2026-01-01T00:01:00Z'

function by(manager: string, changes: Partial<FieldManagerContext> = {}): FieldManagerContext {
  return {
    manager,
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    subresource: '',
    timestamp: start,
    schemaOf: (apiVersion) => (apiVersion === 'example.com/v1' ? schema : undefined),
    convert: async (object) => object,
    resetFields: [['status']],
    ...changes,
  }
}

function thing(spec: unknown): ApiObject {
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a', namespace: 'b' }, spec }
}

async function applied(
  live: StoredApiObject | undefined,
  spec: unknown,
  manager: string,
): Promise<StoredApiObject> {
  return deepFreeze(await applyServerSide(live, thing(spec), false, by(manager)))
}

const value = fc.constantFrom('1', '2')
const key = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x/y', '')
const dictionary = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.array(fc.tuple(key, values), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))

/** What one applier may say about everything that it alone speaks of. */
const specOf = (owner: string): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    {
      labels: dictionary(value).map((labels) =>
        Object.fromEntries(Object.entries(labels).map(([name, label]) => [owner + name, label])),
      ),
      set: fc.uniqueArray(fc.constantFrom('p', 'q', 'r').map((item) => owner + item)),
      map: fc.uniqueArray(
        fc.record(
          { name: fc.constantFrom('p', 'q').map((name) => owner + name), v: value, w: value },
          { requiredKeys: ['name'] },
        ),
        { selector: ({ name }) => name },
      ),
      free: fc.record({ [owner]: dictionary(fc.oneof(value, dictionary(value))) }),
    },
    { requiredKeys: [] },
  )

describe('applying', () => {
  test('the same twice is the same as once, times included', async () => {
    await fc.assert(
      fc.asyncProperty(specOf('x'), specOf('y'), async (first, second) => {
        const live = await applied(await applied(undefined, first, 'x'), second, 'y')
        const again = await applyServerSide(live, thing(second), false, by('y', { timestamp: later }))
        expect(again).toEqual(live)
      }),
    )
  })

  test('disjoint fields never conflict, and leave what each applied', async () => {
    await fc.assert(
      fc.asyncProperty(specOf('x'), specOf('y'), specOf('x'), async (mine, yours, changed) => {
        const both = await applied(await applied(undefined, mine, 'x'), yours, 'y')
        const after = await applied(both, changed, 'x')
        const yoursAlone = await applied(undefined, yours, 'y')
        const dropped = await applied(after, {}, 'x')
        expect(withoutEmpty(dropped['spec'] ?? {})).toEqual(withoutEmpty(yoursAlone['spec']))
      }),
    )
  })

  test('without a field that was applied before removes it', async () => {
    await fc.assert(
      fc.asyncProperty(specOf('x'), specOf('x'), async (before, after) => {
        const once = await applied(undefined, after, 'x')
        const both = await applied(await applied(undefined, before, 'x'), after, 'x')
        expect(sorted(withoutEmpty(both['spec'] ?? {}))).toEqual(sorted(withoutEmpty(once['spec'])))
      }),
    )
  })

  test('shares nothing that may change with what it was given', async () => {
    await fc.assert(
      fc.asyncProperty(specOf('x'), specOf('y'), async (first, second) => {
        const live = await applied(undefined, first, 'x')
        const body = thing(deepCopy(second))
        const copy = deepCopy(body)
        const merged = await applyServerSide(live, body, false, by('y'))
        for (const container of containersOf(merged)) {
          expect(Object.isFrozen(container) || !containersOf(body).has(container)).toBe(true)
        }
        merged['spec'] = { ...(merged['spec'] as object), n: 7 }
        expect(body).toEqual(copy)
      }),
    )
  })

  test('nested deeper than the stack is refused, not crashed on', async () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 20_000; level++) deep = { a: deep }
    await expect(applyServerSide(undefined, thing({ free: deep }), false, by('x'))).rejects.toMatchObject({
      status: { code: 400 },
    })
  })

  test('a version that is gone ends the ownership of a built-in kind and stops a custom one', async () => {
    const live = await applied(undefined, { n: 1 }, 'x')
    const other = deepFreeze({
      ...live,
      metadata: {
        ...live.metadata,
        managedFields: live.metadata.managedFields?.map((entry) => ({
          ...entry,
          apiVersion: 'example.com/v0',
          operation: 'Update' as const,
        })),
      },
    }) as StoredApiObject
    await expect(applyServerSide(other, thing({ n: 2 }), false, by('y'))).rejects.toMatchObject({
      status: { code: 500, message: 'request to convert CR to an invalid group/version: example.com/v0' },
    })
    const builtIn: ApiSchema = {
      ...schema,
      goType: 'Thing',
      properties: { ...schema.properties, ...objectFields },
    }
    const schemaOf = (apiVersion: string): ApiSchema | undefined =>
      apiVersion === 'example.com/v1' ? builtIn : undefined
    const merged = await applyServerSide(other, thing({ n: 2 }), false, by('y', { schemaOf }))
    expect(merged.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['y'])
  })
})

describe('tracking an update', () => {
  test('that changes nothing changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(specOf('x'), specOf('y'), async (first, second) => {
        const live = await applied(await applied(undefined, first, 'x'), second, 'y')
        const draft = deepCopy(live)
        await trackUpdate(live, draft, by('z', { timestamp: later }))
        expect(draft).toEqual(live)
      }),
    )
  })

  test('gives every field that the writer changed to the writer alone', async () => {
    const live = await applied(undefined, { n: 1, labels: { a: '1', b: '1' } }, 'x')
    const draft = thing({ n: 2, labels: { b: '1', c: '1' } })
    await trackUpdate(live, draft, by('y', { timestamp: later }))
    expect(draft.metadata.managedFields).toEqual([
      entry('x', 'Apply', start, { 'f:spec': { 'f:labels': { 'f:b': {} } } }),
      entry('y', 'Update', later, { 'f:spec': { 'f:labels': { 'f:c': {} }, 'f:n': {} } }),
    ])
  })

  test('of an object that does not fit its schema leaves it without owners, and goes through', async () => {
    const live = await applied(undefined, { n: 1 }, 'x')
    const draft = thing({ n: 1, map: ['no object'] })
    await trackUpdate(live, draft, by('y'))
    expect(draft.metadata.managedFields).toBeUndefined()
    expect(draft['spec']).toEqual({ n: 1, map: ['no object'] })
  })
})

const objectFields = { apiVersion: text, kind: text, metadata: { type: 'object' } } satisfies Record<
  string,
  ApiSchema
>

function entry(manager: string, operation: string, time: string, fieldsV1: unknown): unknown {
  return { manager, operation, apiVersion: 'example.com/v1', time, fieldsType: 'FieldsV1', fieldsV1 }
}

/** Without empty and null members at any level: what loses its last member is null to the server, and was empty to the other. */
function withoutEmpty(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutEmpty)
  if (typeof data !== 'object' || data === null) return data
  const members = Object.entries(data)
    .map(([name, member]) => [name, withoutEmpty(member)] as const)
    .filter(([, member]) => typeof member !== 'object' || (member !== null && Object.keys(member).length > 0))
  return Object.fromEntries(members)
}

/** With the items of lists in one order. */
function sorted(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(sorted).toSorted((left, right) => compareJson(left, right))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([name, member]) => [name, sorted(member)]))
}

function compareJson(left: unknown, right: unknown): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}

function containersOf(data: unknown, found: Set<object> = new Set<object>()): Set<object> {
  if (typeof data === 'object' && data !== null) {
    found.add(data)
    for (const member of Object.values(data)) containersOf(member, found)
  }
  return found
}
