import { describe, expect, test } from 'vitest'
import { parseAccept } from './media-type.js'
import { type Endpoint, negotiate, negotiatePlain } from './negotiate.js'
import type { ProtobufCodec } from './protobuf-codec.js'

const protobuf: ProtobufCodec = { knows: () => true, encode: () => new Uint8Array() }
const builtin: Endpoint = {
  isCustom: false,
  isCollection: false,
  hasTransformations: true,
  protobuf,
  apiVersion: 'v1',
  kind: 'ConfigMap',
}
const custom: Endpoint = { ...builtin, isCustom: true, apiVersion: 'example.com/v1', kind: 'Widget' }

const request = (accept: string | undefined, { query = '', userAgent = 'probe' } = {}) => ({
  headers: { ...(accept !== undefined && { accept }), 'user-agent': userAgent },
  query: new URLSearchParams(query),
})
const chosen = (accept: string | undefined, endpoint = builtin): string => {
  const { mediaType, transformation } = negotiate(request(accept), endpoint)
  return transformation === undefined
    ? mediaType
    : `${mediaType} as ${transformation.kind} ${transformation.version}`
}
const refused = (accept: string, endpoint = builtin): string => {
  try {
    return chosen(accept, endpoint)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

// The answers of kube-apiserver 1.36.3.
describe('the first clause that can be served decides', () => {
  const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io'
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/yaml', 'application/yaml'],
    ['application/json ;q=0.9', 'application/json'],
    ['application/json;charset=utf-8', 'application/json'],
    ['application/*;q=0.5, application/yaml', 'application/yaml'],
    ['application/json;q=0.1, application/yaml;q=0.2', 'application/yaml'],
    ['text/html, */*;q=0.1', 'application/json'],
    ['*/*, application/yaml;q=0.1', 'application/yaml'],
    ['application/vnd.kubernetes.protobuf,application/json', 'application/vnd.kubernetes.protobuf'],
    [tables, 'application/json as Table v1'],
    [
      `${tables},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`,
      'application/json as Table v1',
    ],
    ['application/json;as=Table;v=v2;g=meta.k8s.io,application/json', 'application/json'],
    ['application/json;as=Foo;v=v1;g=meta.k8s.io,application/yaml', 'application/yaml'],
    [
      'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io',
      'application/json as PartialObjectMetadata v1beta1',
    ],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json', 'application/json'],
    ['application/json;stream=watch', 'application/json'],
    ['application/yaml;stream=watch,application/json', 'application/json'],
    ['application/json;sv=v1', 'application/json'],
    ['application/json;sv=v2,application/yaml', 'application/yaml'],
  ])('%s', (accept, expected) => {
    expect(chosen(accept)).toBe(expected)
  })

  test('custom resources have no protobuf, but their metadata has', () => {
    expect(chosen('application/vnd.kubernetes.protobuf,application/json', custom)).toBe('application/json')
    expect(chosen('application/*', custom)).toBe('application/json')
    expect(
      chosen('application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', custom),
    ).toBe('application/vnd.kubernetes.protobuf as PartialObjectMetadata v1')
  })

  test('without a codec there is no protobuf', () => {
    const plain = { ...builtin, protobuf: undefined }
    expect(chosen('application/vnd.kubernetes.protobuf,application/json', plain)).toBe('application/json')
    expect(refused('application/vnd.kubernetes.protobuf', plain)).toMatch(/^only the following media types/)
  })
})

describe('what cannot be served is refused in the words of the real server', () => {
  const all = 'application/json, application/yaml, application/vnd.kubernetes.protobuf'
  test.each([
    ['text/html', `406: Not Acceptable\n\nAvailable representations: ${all}`],
    ['application/cbor', `406: Not Acceptable\n\nAvailable representations: ${all}`],
    ['application/*', `406: Not Acceptable\n\nAvailable representations: ${all}`],
    ['APPLICATION/JSON', `406: Not Acceptable\n\nAvailable representations: ${all}`],
    ['application/json;as=Table;v=v2;g=meta.k8s.io', `only the following media types are accepted: ${all}`],
    ['application/json;stream=foo', `only the following media types are accepted: ${all}`],
    [
      'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io',
      `only the following media types are accepted: ${all}`,
    ],
  ])('%s', (accept, message) => {
    expect(refused(accept)).toBe(message)
  })

  test('a collection names its streams, a custom resource its media types', () => {
    expect(refused('text/html', { ...builtin, isCollection: true })).toBe(
      `406: Not Acceptable\n\nAvailable representations: ${all}, application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch`,
    )
    expect(refused('text/html', custom)).toBe(`only the following media types are accepted: ${all}`)
    expect(refused('application/vnd.kubernetes.protobuf', custom)).toBe(
      `only the following media types are accepted: ${all}`,
    )
  })
})

test('failures are never transformed', () => {
  const status = { apiVersion: 'v1', kind: 'Status' }
  expect(
    negotiatePlain(request('application/json;as=Table;v=v1;g=meta.k8s.io'), undefined, status),
  ).toBeUndefined()
  expect(negotiatePlain(request('text/html'), undefined, status)).toBeUndefined()
  expect(
    negotiatePlain(
      request('application/json;as=Table;v=v1;g=meta.k8s.io,application/yaml'),
      undefined,
      status,
    )?.mediaType,
  ).toBe('application/yaml')
})

test('people get indented answers, and who asks for them', () => {
  const isPretty = (query: string, userAgent: string, accept = 'application/json'): boolean =>
    negotiate(request(accept, { query, userAgent }), builtin).isPretty
  expect(isPretty('', 'curl/8.1')).toBe(true)
  expect(isPretty('', 'Wget/1.2')).toBe(true)
  expect(isPretty('', 'Mozilla/5.0 (X11)')).toBe(true)
  expect(isPretty('', 'kubectl/v1.36.3')).toBe(false)
  expect(isPretty('', 'probe')).toBe(false)
  expect(isPretty('pretty=true', 'probe')).toBe(true)
  expect(isPretty('pretty=1', 'probe')).toBe(true)
  expect(isPretty('pretty=yes', 'curl')).toBe(false)
  expect(isPretty('pretty=', 'curl')).toBe(true)
  expect(isPretty('pretty=0', 'curl')).toBe(false)
  expect(isPretty('', 'probe', 'application/json;pretty=1')).toBe(true)
})

test('clauses that are none are left out', () => {
  expect(
    parseAccept('a, b/c/d, ,*, x/y;z;q=w;k=v=u;k=v').map(({ type, subtype }) => `${type}/${subtype}`),
  ).toEqual(['x/y', '*/*'])
})
