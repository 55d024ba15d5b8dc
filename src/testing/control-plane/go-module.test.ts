import { expect, test } from 'vitest'
import { isGoAtLeast, readKubernetesModule } from './go-module.js'

const goMod = `// comment
module k8s.io/kubernetes

go 1.26.0

godebug default=go1.26

require (
	go.etcd.io/etcd/api/v3 v3.6.7
	go.etcd.io/etcd/client/v3 v3.6.8
	k8s.io/api v0.0.0
)

replace (
	k8s.io/api => ./staging/src/k8s.io/api
	k8s.io/client-go => ./staging/src/k8s.io/client-go
	example.com/other => ./elsewhere
)
`

test('the module of our own repeats Go and etcd, and replaces each staging module by its release', () => {
  const module = readKubernetesModule('v1.36.3', goMod)
  expect(module.goVersion).toBe('1.26.0')
  expect(module.moduleFile).toBe(`module kubewright.invalid/control-plane

go 1.26.0

godebug default=go1.26

require (
	k8s.io/kubernetes v1.36.3
	go.etcd.io/etcd/server/v3 v3.6.8
)

replace (
	k8s.io/api => k8s.io/api v0.36.3
	k8s.io/client-go => k8s.io/client-go v0.36.3
)
`)
})

test('a module file of an unknown shape is refused with what is missing', () => {
  const refused = expect.objectContaining({ code: 'KW_GO_MODULE_UNKNOWN_SHAPE' })
  expect(() => readKubernetesModule('v1.36.3', 'module k8s.io/kubernetes\n')).toThrow(refused)
  expect(() => readKubernetesModule('v1.36.3', goMod.replaceAll('./staging/', './'))).toThrow(refused)
})

test.each([
  ['1.26.8', '1.26.0', true],
  ['1.26', '1.26.0', true],
  ['1.26rc1', '1.26.0', true],
  ['1.25.9', '1.26.0', false],
  ['1.9', '1.26.0', false],
  ['2.0', '1.26.0', true],
  ['devel', '1.26.0', false],
])('Go %s is at least %s: %s', (installed, required, expected) => {
  expect(isGoAtLeast(installed, required)).toBe(expected)
})
