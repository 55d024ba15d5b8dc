import { describe, expect, test } from 'vitest'
import type { Patch } from '../client/index.js'
import { ConfigMap } from '../kinds/core/v1.js'
import { ApiError, isInvalid, type KubeObject, type StatusDetails } from '../objects/index.js'
import { addFinalizer, type FinalizerClient, hasFinalizer, removeFinalizer } from './finalizer.js'

const finalizer = 'example.com/finalizer'
const object = (finalizers?: string[]): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    namespace: 'default',
    uid: 'u',
    resourceVersion: '7',
    creationTimestamp: '',
    ...(finalizers && { finalizers }),
  },
})

const refusal = (code: number, reason: string, details: StatusDetails = {}): ApiError =>
  new ApiError({ request: 'patch', status: { kind: 'Status', code, reason, details }, httpStatus: code })

/** A server that takes every patch, or refuses it. */
function serverOf(
  answer: KubeObject | ApiError,
): FinalizerClient & { readonly patches: Patch<KubeObject>[] } {
  const patches: Patch<KubeObject>[] = []
  return {
    patches,
    patch(_kind, _key, patch) {
      patches.push(patch)
      return answer instanceof ApiError ? Promise.reject(answer) : Promise.resolve(answer)
    },
  }
}

describe('putting a finalizer on', () => {
  test('keeps those that are there, and is tied to the object that was read', async () => {
    const server = serverOf(object([finalizer]))
    const held = await addFinalizer(server, ConfigMap, object(['other']), finalizer)
    expect(held !== undefined && hasFinalizer(held, finalizer)).toBe(true)
    expect(server.patches).toEqual([
      { merge: { metadata: { uid: 'u', resourceVersion: '7', finalizers: ['other', finalizer] } } },
    ])
  })

  test('is too late for an object that is gone or being deleted', async () => {
    const causes = [{ reason: 'FieldValueForbidden', field: 'metadata.finalizers' }]
    for (const error of [refusal(404, 'NotFound'), refusal(422, 'Invalid', { causes })]) {
      expect(await addFinalizer(serverOf(error), ConfigMap, object(), finalizer)).toBeUndefined()
    }
  })

  test('does not take an object that the server finds invalid for one that is being deleted', async () => {
    const causes = [{ reason: 'FieldValueInvalid', field: 'spec.size' }]
    for (const details of [{ causes }, {}]) {
      const adding = addFinalizer(serverOf(refusal(422, 'Invalid', details)), ConfigMap, object(), finalizer)
      await expect(adding).rejects.toSatisfy(isInvalid)
    }
  })
})

describe('taking a finalizer off', () => {
  test('leaves the others', async () => {
    const server = serverOf(object())
    await removeFinalizer(server, ConfigMap, object(['other', finalizer]), finalizer)
    expect(server.patches).toEqual([
      { merge: { metadata: { uid: 'u', resourceVersion: '7', finalizers: ['other'] } } },
    ])
  })

  test('of an object that is gone is nothing, of one that has changed a conflict', async () => {
    await removeFinalizer(serverOf(refusal(404, 'NotFound')), ConfigMap, object([finalizer]), finalizer)
    const removing = removeFinalizer(
      serverOf(refusal(409, 'Conflict')),
      ConfigMap,
      object([finalizer]),
      finalizer,
    )
    await expect(removing).rejects.toMatchObject({ httpStatus: 409 })
  })
})
