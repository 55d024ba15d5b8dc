import { describe, expect, test } from 'vitest'
import { deepFreeze } from '../base/index.js'
import {
  controllerOf,
  type Dependent,
  isOwnedBy,
  type Owner,
  ownerReferenceTo,
  setControllerReference,
  setOwnerReference,
} from './owner-references.js'

const foo = (metadata: Partial<Owner['metadata']> = {}): Owner =>
  deepFreeze({
    apiVersion: 'example.com/v1',
    kind: 'Foo',
    metadata: { name: 'sample', namespace: 'default', uid: 'uid-1', ...metadata },
  })
const clusterFoo: Owner = { ...foo(), metadata: { name: 'sample', uid: 'uid-1' } }
const deployment = (metadata: Dependent['metadata'] = { name: 'web', namespace: 'default' }): Dependent => ({
  kind: 'Deployment',
  metadata,
})

describe('ownerReferenceTo', () => {
  test('names the owner by kind, name and uid', () => {
    expect(ownerReferenceTo(foo())).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Foo',
      name: 'sample',
      uid: 'uid-1',
    })
    expect(ownerReferenceTo(foo(), { controller: true, blockOwnerDeletion: false })).toMatchObject({
      controller: true,
      blockOwnerDeletion: false,
    })
  })

  test.each([
    [{ ...foo(), metadata: { name: 'sample', uid: '' } }],
    [{ ...foo(), metadata: { name: '', uid: 'uid-1' } }],
    [{ ...foo(), apiVersion: '' }],
    [{ ...foo(), kind: '' }],
    [{ ...foo(), metadata: { name: 'sample' } }],
  ])('an owner that is not from the server is refused', (owner) => {
    // The last one lacks what its type demands, as an object of a test may.
    expect(() => ownerReferenceTo(owner as Owner)).toThrow(
      expect.objectContaining({ code: 'KW_OWNER_INVALID', reason: 'incomplete-owner' }),
    )
  })

  test('an Event cannot own anything', () => {
    expect(() => ownerReferenceTo({ ...foo(), apiVersion: 'v1', kind: 'Event' })).toThrow(
      expect.objectContaining({ code: 'KW_OWNER_INVALID', reason: 'event-owner' }),
    )
  })
})

describe('setControllerReference', () => {
  test('adds a controller that blocks the deletion of its owner', () => {
    const dependent = deployment()
    setControllerReference(foo(), dependent)
    expect(dependent.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'example.com/v1',
        kind: 'Foo',
        name: 'sample',
        uid: 'uid-1',
        controller: true,
        blockOwnerDeletion: true,
      },
    ])
  })

  test('changes nothing when set twice, and replaces an older form of the same reference', () => {
    const dependent = deployment()
    setOwnerReference(foo(), dependent)
    setControllerReference(foo(), dependent)
    const once = structuredClone(dependent.metadata.ownerReferences)
    setControllerReference(foo(), dependent)
    expect(dependent.metadata.ownerReferences).toEqual(once)
    expect(once).toHaveLength(1)
  })

  test('keeps the other owners', () => {
    const dependent = deployment()
    setOwnerReference(foo({ name: 'other', uid: 'uid-2' }), dependent)
    setControllerReference(foo(), dependent)
    expect(dependent.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['uid-2', 'uid-1'])
  })

  test('a second controller is refused, and named', () => {
    const dependent = deployment()
    setControllerReference(foo({ name: 'first', uid: 'uid-2' }), dependent)
    expect(() => setControllerReference(foo(), dependent)).toThrow(
      expect.objectContaining({
        code: 'KW_ALREADY_CONTROLLED',
        controller: expect.objectContaining({ uid: 'uid-2' }),
        message: expect.stringContaining('Foo first'),
      }),
    )
    expect(dependent.metadata.ownerReferences).toHaveLength(1)
  })

  test('a dependent of an earlier object of the same name is not taken over', () => {
    const dependent = deployment()
    setControllerReference(foo({ uid: 'uid-0' }), dependent)
    expect(() => setControllerReference(foo(), dependent)).toThrow('earlier Foo sample (uid uid-0)')
  })

  test('an owner in another namespace is refused', () => {
    const dependent = deployment({ name: 'web', namespace: 'prod' })
    expect(() => setControllerReference(foo(), dependent)).toThrow(
      expect.objectContaining({ code: 'KW_OWNER_INVALID', reason: 'cross-namespace' }),
    )
    expect(dependent.metadata.ownerReferences).toBeUndefined()
  })

  test('a namespaced owner of a dependent without a namespace is refused, with both ways out', () => {
    expect(() => setControllerReference(foo(), deployment({ name: 'web' }))).toThrow(
      expect.objectContaining({
        code: 'KW_OWNER_INVALID',
        reason: 'cluster-scoped-dependent',
        message: expect.stringMatching(/Set metadata.namespace to "default".*finalizer/),
      }),
    )
  })

  test('a cluster-scoped owner may own anything', () => {
    setControllerReference(clusterFoo, deployment())
    const dependent = deployment({ name: 'cluster-thing' })
    setControllerReference(clusterFoo, dependent)
    expect(isOwnedBy(dependent, clusterFoo)).toBe(true)
  })

  test('does not write into the array of owners that it was given', () => {
    const dependent = deployment({
      name: 'web',
      namespace: 'default',
      ownerReferences: Object.freeze([]) as never,
    })
    setControllerReference(foo(), dependent)
    expect(controllerOf(dependent)?.uid).toBe('uid-1')
  })
})

describe('controllerOf and isOwnedBy', () => {
  test('an owner that is not a controller is no controller', () => {
    const dependent = deployment()
    expect(controllerOf(dependent)).toBeUndefined()
    setOwnerReference(foo(), dependent)
    expect(controllerOf(dependent)).toBeUndefined()
    expect(isOwnedBy(dependent, foo())).toBe(true)
  })

  test('ownership goes by uid, not by name', () => {
    const dependent = deployment()
    setOwnerReference(foo({ uid: 'uid-0' }), dependent)
    expect(isOwnedBy(dependent, foo())).toBe(false)
    expect(isOwnedBy(dependent, { metadata: { uid: '' } })).toBe(false)
  })
})
