import { describe, expect, test } from 'vitest'
import { schemaOf } from '../builtin/schema-of.js'
import { convertTyped, decodeTyped } from './decode-typed.js'
import { parseJsonSource } from './json-source.js'

const deployment = schemaOf('apps', 'v1', 'Deployment')
const decodeSpec = (spec: string): ReturnType<typeof decodeTyped> =>
  decodeTyped(parseJsonSource(`{"spec":${spec}}`), deployment)

describe('what is of another type', () => {
  // What kube-apiserver 1.36 answered, behind `Deployment in version "v1" cannot be handled as a Deployment: `.
  const path = 'Go struct field'
  const quantities =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
  const pod = (spec: string): string => `{"template":{"spec":${spec}}}`
  const container = (fields: string): string => pod(`{"containers":[${fields}]}`)
  const port = (value: string): string => container(`{"livenessProbe":{"httpGet":{"port":${value}}}}`)
  const inPort = 'HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.port'
  const created = (time: string): string => `{"template":{"metadata":{"creationTimestamp":${time}}}}`
  test.each([
    [
      '{"replicas":"a"}',
      `json: cannot unmarshal string into ${path} DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      '{"replicas":1.5}',
      `json: cannot unmarshal number 1.5 into ${path} DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      '{"replicas":1.0}',
      `json: cannot unmarshal number 1.0 into ${path} DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      '{"replicas":1e2}',
      `json: cannot unmarshal number 1e2 into ${path} DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      '{"replicas":3000000000}',
      `json: cannot unmarshal number 3000000000 into ${path} DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      '{"replicas":true}',
      `json: cannot unmarshal bool into ${path} DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      '{"replicas":{}}',
      `json: cannot unmarshal object into ${path} DeploymentSpec.spec.replicas of type int32`,
    ],
    ['[]', `json: cannot unmarshal array into ${path} Deployment.spec of type v1.DeploymentSpec`],
    [
      '{"paused":"true"}',
      `json: cannot unmarshal string into ${path} DeploymentSpec.spec.paused of type bool`,
    ],
    [
      pod('{"containers":{}}'),
      `json: cannot unmarshal object into ${path} PodSpec.spec.template.spec.containers of type []v1.Container`,
    ],
    [
      container('"a"'),
      `json: cannot unmarshal string into ${path} PodSpec.spec.template.spec.containers of type v1.Container`,
    ],
    [
      container('{"env":[{"value":1}]}'),
      `json: cannot unmarshal number into ${path} EnvVar.spec.template.spec.containers.env.value of type string`,
    ],
    [container('{"resources":{"limits":{"cpu":"abc"}}}'), quantities],
    [container('{"resources":{"limits":{"cpu":true}}}'), quantities],
    [container('{"resources":{"limits":{"cpu":"1KK"}}}'), "unable to parse quantity's suffix"],
    [
      container('{"resources":{"limits":"a"}}'),
      `json: cannot unmarshal string into ${path} ResourceRequirements.spec.template.spec.containers.resources.limits of type v1.ResourceList`,
    ],
    [port('true'), `json: cannot unmarshal bool into ${path} ${inPort} of type int32`],
    [port('1.5'), `json: cannot unmarshal number 1.5 into ${path} ${inPort} of type int32`],
    [
      pod('{"volumes":[{"emptyDir":"a"}]}'),
      `json: cannot unmarshal string into ${path} Volume.spec.template.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource`,
    ],
    [
      pod('{"restartPolicy":1}'),
      `json: cannot unmarshal number into ${path} PodSpec.spec.template.spec.restartPolicy of type v1.RestartPolicy`,
    ],
    [
      pod('{"nodeSelector":{"a":1}}'),
      `json: cannot unmarshal number into ${path} PodSpec.spec.template.spec.nodeSelector of type string`,
    ],
    [
      pod('{"nodeSelector":[]}'),
      `json: cannot unmarshal array into ${path} PodSpec.spec.template.spec.nodeSelector of type map[string]string`,
    ],
    [
      created('5'),
      `json: cannot unmarshal number into ${path} ObjectMeta.spec.template.metadata.creationTimestamp of type string`,
    ],
    [created('"2020-13-01T00:00:00Z"'), 'parsing time "2020-13-01T00:00:00Z": month out of range'],
  ])('%s', (spec, problem) => {
    expect(() => decodeSpec(spec)).toThrow(problem)
  })

  test('the first mismatch is told, unless a time or a quantity behind it is wrong', () => {
    expect(() => decodeSpec('{"replicas":"a","paused":1}')).toThrow('spec.replicas')
    expect(() => decodeSpec('{"replicas":"a","template":{"metadata":{"creationTimestamp":"abc"}}}')).toThrow(
      'parsing time "abc" as "2006-01-02T15:04:05Z07:00": cannot parse "abc" as "2006"',
    )
  })

  test('after a strategic merge patch the server has other words', () => {
    const convert = (value: unknown): unknown => convertTyped(value, deployment)
    expect(() => convert({ spec: { replicas: 'abc' } })).toThrow('unrecognized type: int32')
    expect(() => convert({ spec: { replicas: 1.5 } })).toThrow('cannot convert float64 to int32')
    expect(() => convert({ spec: { paused: 'x' } })).toThrow('unrecognized type: bool')
    expect(() => convert({ spec: 'x' })).toThrow('cannot restore struct from: string')
    expect(() => convert({ spec: { template: { spec: { containers: 'x' } } } })).toThrow(
      'cannot restore slice from string',
    )
  })
})

describe('what is kept', () => {
  test('unknown fields and nulls are gone, and the former are told', () => {
    const { value, strictErrors } = decodeSpec(
      '{"foo":1,"replicas":null,"template":{"spec":{"containers":[{"x":1},{"name":"a","y":{}}]}}}',
    )
    expect(value).toEqual({ spec: { template: { spec: { containers: [{}, { name: 'a' }] } } } })
    expect(strictErrors).toEqual([
      'unknown field "spec.foo"',
      'unknown field "spec.template.spec.containers[0].x"',
      'unknown field "spec.template.spec.containers[1].y"',
    ])
  })

  test('repeated fields are told where they repeat, among the unknown ones', () => {
    const { strictErrors } = decodeSpec(
      '{"paused":true,"foo":1,"paused":false,"selector":{"matchLabels":{"a":"1","a":"2"}}}',
    )
    expect(strictErrors).toEqual([
      'unknown field "spec.foo"',
      'duplicate field "spec.paused"',
      'duplicate field "spec.selector.matchLabels.a"',
    ])
  })

  test('times are cut to seconds in UTC, quantities are canonical', () => {
    const { value } = decodeSpec(
      '{"template":{"metadata":{"creationTimestamp":"2020-01-01T02:00:00.9+02:00"},"spec":{"containers":[{"resources":{"limits":{"cpu":"0.5","memory":1024,"x":"1.50"}}}]}}}',
    )
    expect(value).toEqual({
      spec: {
        template: {
          metadata: { creationTimestamp: '2020-01-01T00:00:00Z' },
          spec: { containers: [{ resources: { limits: { cpu: '500m', memory: '1024', x: '1500m' } } }] },
        },
      },
    })
  })

  test('labels may be called whatever they like', () => {
    const { value } = decodeSpec('{"selector":{"matchLabels":{"__proto__":"a","constructor":"b"}}}')
    expect(JSON.stringify(value)).toBe(
      '{"spec":{"selector":{"matchLabels":{"__proto__":"a","constructor":"b"}}}}',
    )
  })

  test('a kind that contains itself does not overflow the stack', () => {
    const deep = `${'{"openAPIV3Schema":{"properties":{"a":'.repeat(1)}${'{"properties":{"a":'.repeat(4000)}{}${'}}'.repeat(4000)}}}}`
    const crd = schemaOf('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')
    expect(() => decodeTyped(parseJsonSource(`{"spec":{"versions":[{"schema":${deep}}]}}`), crd)).toThrow(
      'exceeded max depth',
    )
  })
})

test('of a structure or map that is there twice, the second adds to the first', () => {
  const { value } = decodeSpec(
    '{"replicas":1,"template":{"metadata":{"labels":{"a":"1","b":"1"}},"spec":{"hostname":"h"}},' +
      '"template":{"metadata":{"labels":{"b":"2"}}}}',
  )
  expect(value).toEqual({
    spec: {
      replicas: 1,
      template: { metadata: { labels: { a: '1', b: '2' } }, spec: { hostname: 'h' } },
    },
  })
})
