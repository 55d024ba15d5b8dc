import fc from 'fast-check'
import { absentOwner } from './cases/objects.js'
import { patchType } from './conversation.js'
import type { Request } from './exchange.js'

/** One thing done to one of a few objects; the same on every server. */
export type Operation =
  | {
      readonly kind: 'create'
      readonly name: string
      readonly finalizers: readonly string[]
      readonly isOwned: boolean
      readonly size: number
    }
  | { readonly kind: 'put'; readonly name: string; readonly size: number; readonly isStale: boolean }
  | { readonly kind: 'merge'; readonly name: string; readonly patch: object }
  | { readonly kind: 'json'; readonly name: string; readonly patch: readonly object[] }
  | {
      readonly kind: 'apply'
      readonly name: string
      readonly manager: string
      readonly spec: object
      readonly force: boolean
    }
  | { readonly kind: 'status'; readonly name: string; readonly phase: string }
  | { readonly kind: 'delete'; readonly name: string; readonly policy: string }
  | { readonly kind: 'get'; readonly name: string }
  | { readonly kind: 'list'; readonly query: string }

const name = fc.constantFrom('a', 'b', 'c')
const size = fc.integer({ min: -1, max: 3 })
const finalizers = fc.subarray(['example.com/f', 'example.com/g'])

/** Parts of a spec that merge in all the ways there are. */
const spec = fc.record(
  {
    size,
    title: fc.constantFrom('x', 'y'),
    set: fc.uniqueArray(fc.constantFrom('p', 'q', 'r')),
    parts: fc.uniqueArray(fc.record({ name: fc.constantFrom('x', 'y'), count: size }), {
      selector: (part) => part.name,
    }),
    labels: fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('1', '2')),
    atomicList: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    nested: fc.record({ a: fc.constantFrom('1', '2'), b: fc.constantFrom('1', '2') }, { requiredKeys: [] }),
    unknown: fc.constant(1),
  },
  { requiredKeys: [] },
)

const patch = fc.oneof(
  fc.record({ spec: fc.oneof(spec, fc.constant(null)) }),
  fc.record({ metadata: fc.record({ finalizers: fc.oneof(finalizers, fc.constant(null)) }) }),
  fc.record({
    metadata: fc.record({ labels: fc.dictionary(fc.constantFrom('k', 'l'), fc.constantFrom('1', null)) }),
  }),
)

const jsonPatch = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constantFrom('add', 'replace', 'test'),
      path: fc.constantFrom('/spec/size', '/spec/title', '/metadata/labels/k'),
      value: fc.constantFrom(1, 'x'),
    }),
    fc.record({
      op: fc.constant('remove'),
      path: fc.constantFrom('/spec/size', '/spec/labels', '/metadata/finalizers/0'),
    }),
  ),
  { maxLength: 3 },
)

/** Mostly writes; what is there in the end is read anyway. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      name,
      finalizers,
      isOwned: fc.boolean(),
      size,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('put' as const), name, size, isStale: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('merge' as const), name, patch }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('json' as const), name, patch: jsonPatch }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('apply' as const),
      name,
      manager: fc.constantFrom('one', 'two'),
      spec,
      force: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('status' as const), name, phase: fc.constantFrom('x', 'y') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      name,
      policy: fc.constantFrom('Background', ''),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('get' as const), name }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      query: fc.constantFrom('', '?limit=2', '?labelSelector=k', '?fieldSelector=metadata.name%3Da'),
    }),
  },
)

/** What is known of the objects when an operation is sent. */
export interface Known {
  readonly url: (rest: string) => string
  readonly apiVersion: string
  /** The versions that an object has had, oldest first. */
  readonly versions: ReadonlyMap<string, readonly string[]>
}

/** The operation as a request. */
export function requestOf(one: Operation, known: Known): Request {
  const { url, apiVersion } = known
  const json = { 'content-type': 'application/json' }
  const base = { apiVersion, kind: 'Widget' }
  switch (one.kind) {
    case 'create': {
      // Of a kind that the garbage collector does not know: it would come in at a time of its own.
      const ownerReferences = one.isOwned ? [absentOwner] : []
      const metadata = { name: one.name, finalizers: one.finalizers, ownerReferences }
      return {
        method: 'POST',
        path: url(''),
        headers: json,
        body: { ...base, metadata, spec: { size: one.size } },
      }
    }
    case 'put': {
      const versions = known.versions.get(one.name) ?? []
      const resourceVersion = (one.isStale ? versions[0] : versions.at(-1)) ?? '1'
      const metadata = { name: one.name, resourceVersion }
      return {
        method: 'PUT',
        path: url(`/${one.name}`),
        headers: json,
        body: { ...base, metadata, spec: { size: one.size } },
      }
    }
    case 'merge':
    case 'json':
      return {
        method: 'PATCH',
        path: url(`/${one.name}`),
        headers: { 'content-type': patchType[one.kind] },
        body: one.patch,
      }
    case 'apply':
      return {
        method: 'PATCH',
        path: url(`/${one.name}?fieldManager=${one.manager}${one.force ? '&force=true' : ''}`),
        headers: { 'content-type': patchType.apply },
        body: { ...base, metadata: { name: one.name }, spec: one.spec },
      }
    case 'status':
      return {
        method: 'PATCH',
        path: url(`/${one.name}/status`),
        headers: { 'content-type': patchType.merge },
        body: { status: { phase: one.phase } },
      }
    case 'delete':
      return {
        method: 'DELETE',
        path: url(`/${one.name}`),
        headers: json,
        body: one.policy === '' ? {} : { propagationPolicy: one.policy },
      }
    case 'get':
      return { method: 'GET', path: url(`/${one.name}`) }
    case 'list':
      return { method: 'GET', path: url(one.query) }
  }
}
