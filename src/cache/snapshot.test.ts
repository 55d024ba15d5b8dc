import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { KubeObject } from '../objects/index.js'
import { CachedObject } from './cached-object.js'
import { Snapshot } from './snapshot.js'

const objectOf = (name: string, resourceVersion: string, text: string): KubeObject & { text: string } => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, uid: `uid of ${name}`, resourceVersion, creationTimestamp: '', labels: { of: name } },
  text,
})

const change = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  text: fc.oneof(fc.string(), fc.string({ unit: 'grapheme', minLength: 50, maxLength: 200 })),
  isDeleted: fc.boolean(),
})

test('a snapshot holds the last state of every object, and copies stay what they were', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const snapshot = new Snapshot()
      const expected = new Map<string, KubeObject>()
      const copies: { readonly copy: CachedObject; readonly was: KubeObject }[] = []
      changes.forEach(({ name, text, isDeleted }, index) => {
        const object = objectOf(name, String(index), text)
        if (isDeleted) {
          snapshot.delete(name)
          expected.delete(name)
        } else {
          const stored = snapshot.set(CachedObject.of<KubeObject>(object))
          expected.set(name, object)
          copies.push({ copy: stored.copy(), was: object })
        }
      })
      expect([...snapshot.keys()].sort()).toEqual([...expected.keys()].sort())
      for (const stored of snapshot.values()) {
        expect(stored.object).toEqual(expected.get(stored.key))
        expect(stored.labels).toEqual({ of: stored.key })
        expect([stored.uid, stored.resourceVersion]).toEqual([
          expected.get(stored.key)?.metadata.uid,
          expected.get(stored.key)?.metadata.resourceVersion,
        ])
      }
      for (const { copy, was } of copies) expect(copy.object).toEqual(was)
    }),
  )
})
