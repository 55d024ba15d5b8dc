import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  apiVersionOf,
  type KeyOf,
  type Kind,
  type ObjectOf,
  parseApiVersion,
  resourceNameOf,
} from './kind.js'
import type { KubeObject, NamespacedObjectMeta } from './metadata.js'

describe('apiVersionOf and parseApiVersion', () => {
  test.each([
    [{ group: '', version: 'v1' }, 'v1'],
    [{ group: 'apps', version: 'v1' }, 'apps/v1'],
    [{ group: 'example.com', version: 'v1alpha1' }, 'example.com/v1alpha1'],
  ])('%o is %s, and back', (kind, text) => {
    expect(apiVersionOf(kind)).toBe(text)
    expect(parseApiVersion(text)).toEqual(kind)
  })
})

test('resourceNameOf writes the core group without a dot', () => {
  expect(resourceNameOf({ group: '', plural: 'pods' })).toBe('pods')
  expect(resourceNameOf({ group: 'apps', plural: 'deployments' })).toBe('deployments.apps')
})

test('a key needs a namespace exactly where the kind has one', () => {
  interface Foo extends KubeObject {
    metadata: NamespacedObjectMeta
    spec: { size: number }
  }
  expectTypeOf<ObjectOf<Kind<Foo>>>().toEqualTypeOf<Foo>()
  expectTypeOf<KeyOf<Foo>>().toEqualTypeOf<{ readonly namespace: string; readonly name: string }>()
  expectTypeOf<KeyOf<KubeObject>['namespace']>().toEqualTypeOf<string | undefined>()
})
