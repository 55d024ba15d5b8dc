import { expect, test } from 'vitest'
import { isKnownKind } from './known-kinds.js'

const kind = (apiVersion: string, name: string): { group: string; version: string; kind: string } => {
  const [first = '', second] = apiVersion.split('/')
  return second === undefined
    ? { group: '', version: first, kind: name }
    : { group: first, version: second, kind: name }
}

test.each([
  ['v1', 'ConfigMap', true],
  ['v1', 'ConfigMapList', true],
  ['v1', 'BindingList', false],
  ['v1', 'Nothing', false],
  ['apps/v1beta1', 'Deployment', true],
  ['apps/v1beta1', 'DaemonSet', false],
  ['policy/v1beta1', 'Eviction', true],
  ['apps/v1', 'DeleteOptions', true],
  ['made.up/v9', 'Status', true],
  ['made.up/v9', 'DeleteOptions', false],
  ['apiextensions.k8s.io/v1', 'CustomResourceDefinition', false],
])('what serves config maps knows %s %s: %s', (apiVersion, name, isKnown) => {
  expect(isKnownKind(kind(apiVersion, name), '')).toBe(isKnown)
})

test('what serves CRDs knows its own kinds and no others', () => {
  const served = 'apiextensions.k8s.io'
  expect(isKnownKind(kind('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition'), served)).toBe(true)
  expect(isKnownKind(kind('v1', 'ConfigMap'), served)).toBe(false)
})
