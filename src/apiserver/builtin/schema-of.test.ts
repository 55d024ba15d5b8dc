import { describe, expect, test } from 'vitest'
import type { ApiSchema } from '../api-schema.js'
import { descriptionModules } from '../openapi/description-modules.js'
import { schemaTexts } from './data/schema-modules.js'
import { listedResources } from './listed-resources.js'
import { metaSchemaOf, schemaOf } from './schema-of.js'

function at(schema: ApiSchema, ...path: readonly string[]): ApiSchema {
  return path.reduce<ApiSchema>((node, step) => {
    const next = step === '[]' ? node.items : node.properties?.[step]
    if (next === undefined) throw new Error(`no ${step}`)
    return next
  }, schema)
}

const pod = schemaOf('', 'v1', 'Pod')

describe('schemas of built-in kinds', () => {
  test('every kind that the server lists has one', () => {
    for (const { group, version, kind } of listedResources())
      expect(schemaOf(group, version, kind).goType).toBe(kind)
  })

  test('lists say how they are merged', () => {
    expect(at(pod, 'spec', 'containers')).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    })
    expect(at(pod, 'spec', 'containers', '[]', 'ports')).toMatchObject({
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-merge-key': 'containerPort',
    })
  })

  test.each([
    [['spec', 'containers', '[]', 'imagePullPolicy'], 'v1.PullPolicy'],
    [['spec', 'containers'], '[]v1.Container'],
    [['spec', 'terminationGracePeriodSeconds'], 'int64'],
    [['spec', 'nodeSelector'], 'map[string]string'],
    [['spec', 'hostNetwork'], 'bool'],
    [['spec', 'containers', '[]', 'livenessProbe', 'httpGet', 'port'], 'intstr.IntOrString'],
    [['spec', 'containers', '[]', 'resources', 'limits'], 'v1.ResourceList'],
    [['metadata', 'uid'], 'types.UID'],
  ])('%j has the Go type that errors name: %s', (path, type) => {
    expect(at(pod, ...path).goValue).toBe(type)
  })

  test.each<[readonly string[], string]>([
    [['spec', 'containers'], 'null'],
    [['spec', 'volumes'], 'omit'],
    [['spec', 'hostNetwork'], 'omit'],
    [['spec', 'enableServiceLinks'], 'keep'],
    [['spec', 'securityContext'], 'keep'],
    [['spec', 'containers', '[]', 'name'], 'zero'],
    [['spec', 'containers', '[]', 'resources'], 'zero'],
    [['metadata', 'creationTimestamp'], 'omit'],
    [['metadata', 'deletionTimestamp'], 'keep'],
  ])('%j says what becomes of it when it is empty: %s', (path, form) => {
    expect(at(pod, ...path).empty).toBe(form)
  })

  test('quantities, times and numbers that may be texts are told apart', () => {
    expect(at(pod, 'spec', 'overhead').additionalProperties).toMatchObject({ format: 'quantity' })
    expect(at(pod, 'status', 'startTime')).toMatchObject({ format: 'date-time', goType: 'Time' })
    const lease = schemaOf('coordination.k8s.io', 'v1', 'Lease')
    expect(at(lease, 'spec', 'renewTime')).toMatchObject({ format: 'date-time', goType: 'MicroTime' })
    expect(at(schemaOf('', 'v1', 'Secret'), 'data').additionalProperties).toMatchObject({ format: 'byte' })
  })

  test('a type that contains itself leads back to itself', () => {
    const crd = schemaOf('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')
    const schema = at(crd, 'spec', 'versions', '[]', 'schema', 'openAPIV3Schema')
    expect(at(schema, 'not', 'not').properties).toBe(schema.properties)
  })

  test('types are shared by the kinds that use them', () => {
    const deployment = schemaOf('apps', 'v1', 'Deployment')
    expect(at(deployment, 'spec', 'template', 'spec').properties).toBe(at(pod, 'spec').properties)
  })

  test('types of metav1 are known by their names', () => {
    expect(at(metaSchemaOf('DeleteOptions'), 'gracePeriodSeconds').goValue).toBe('int64')
  })

  test('all have descriptions for people', () => {
    expect(Object.keys(descriptionModules).sort()).toEqual(Object.keys(schemaTexts).sort())
  })

  test('what is not built in is refused', () => {
    expect(() => schemaOf('example.com', 'v1', 'Foo')).toThrow(RangeError)
  })
})
