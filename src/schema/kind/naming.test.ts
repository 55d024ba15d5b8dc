import { expect, test } from 'vitest'
import { pluralOf } from './naming.js'

test.each([
  ['foo', 'foos'],
  ['policy', 'policies'],
  ['proxy', 'proxies'],
  ['gateway', 'gateways'],
  ['class', 'classes'],
  ['box', 'boxes'],
  ['batch', 'batches'],
  ['mesh', 'meshes'],
  ['prometheus', 'prometheuses'],
  ['memcached', 'memcacheds'],
])('the plural of %s is %s', (singular, plural) => {
  expect(pluralOf(singular)).toBe(plural)
})
