import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../objects/index.js'
import { CachedObject } from './cached-object.js'
import { InvalidTransformError, transformed } from './transform.js'

interface Noted extends KubeObject {
  data?: Record<string, string>
}

const noted: Noted = {
  apiVersion: 'v1',
  kind: 'Noted',
  metadata: { name: 'a', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: '' },
  data: { long: 'text' },
}
const cached = CachedObject.of<Noted>(noted)

describe('a transform', () => {
  it('decides what of an object is kept', () => {
    const kept = transformed(cached, ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata }))
    expect(kept.object).toEqual({ apiVersion: 'v1', kind: 'Noted', metadata: noted.metadata })
    expect(kept.key).toBe('default/a')
  })

  it('may change the copy that it is given, and nothing else', () => {
    const kept = transformed(cached, (copy) => {
      delete copy.data
      return copy
    })
    expect(kept.object.data).toBeUndefined()
    expect(cached.object.data).toEqual({ long: 'text' })
  })

  it('may not make another object of it', () => {
    const renamed = (object: Noted): Noted => ({ ...object, metadata: { ...object.metadata, name: 'b' } })
    const older = (object: Noted): Noted => ({
      ...object,
      metadata: { ...object.metadata, resourceVersion: '6' },
    })
    // A transform without types can return anything.
    const nothing = (() => undefined) as unknown as (object: Noted) => Noted
    for (const transform of [renamed, older, nothing])
      expect(() => transformed(cached, transform)).toThrow(InvalidTransformError)
  })
})
