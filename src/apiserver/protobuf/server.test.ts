import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../base/index.js'
import { type ApiServer, createApiServer } from '../api-server.js'
import type { ProtobufSource } from '../output/protobuf-codec.js'
import { createMessageCodec } from './message-codec.js'

const protobuf = 'application/vnd.kubernetes.protobuf'
const codec = createMessageCodec()
const noType = { group: '', version: '', kind: '' }
const configMaps = '/api/v1/namespaces/default/configmaps'
let server: ApiServer

beforeAll(async () => {
  server = await createApiServer({ simulation: false, controllers: false, random: seededRandom(1) })
})

afterAll(() => server.stop())

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly accept?: string
  readonly contentType?: string
  readonly body?: Uint8Array | string
}

async function send({ method = 'GET', path, accept = protobuf, contentType = protobuf, body }: Sent) {
  const response = await server.transport()({
    method,
    path,
    headers: { accept, 'user-agent': 'tester', ...(body !== undefined && { 'content-type': contentType }) },
    ...(body !== undefined && { body }),
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const type = response.headers['content-type']
  const object: unknown = type === protobuf ? codec.decode(bytes, noType) : undefined
  return { status: response.status, type, bytes, object }
}

async function json(path: string): Promise<unknown> {
  const { bytes } = await send({ path, accept: 'application/json' })
  return JSON.parse(bytes.toString())
}

function configMap(name: string, data: Readonly<Record<string, string>> = {}): ProtobufSource {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }
}

test('an object that is sent in protobuf is there in JSON, and comes back in protobuf', async () => {
  const body = codec.encode(configMap('sent', { a: 'ä' }))
  const created = await send({ method: 'POST', path: configMaps, body })
  expect(created).toMatchObject({ status: 201, type: protobuf, object: { data: { a: 'ä' } } })
  expect(created.object).toEqual(await json(`${configMaps}/sent`))
})

test('an object that goes back as it came changes nothing', async () => {
  const claim = {
    metadata: { name: 'd' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'set' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      volumeClaimTemplates: [claim],
    },
  }
  const path = '/apis/apps/v1/namespaces/default/statefulsets'
  await send({ method: 'POST', path, contentType: 'application/json', body: JSON.stringify(set) })
  const before = await json(`${path}/set`)
  const { bytes } = await send({ path: `${path}/set` })
  expect(await send({ method: 'PUT', path: `${path}/set`, body: bytes })).toMatchObject({ status: 200 })
  expect(await json(`${path}/set`)).toEqual(before)
})

test('a list has its items without their kinds', async () => {
  await send({ method: 'POST', path: configMaps, body: codec.encode(configMap('listed')) })
  const { object } = await send({ path: `${configMaps}?fieldSelector=metadata.name=listed` })
  expect(object).toMatchObject({ kind: 'ConfigMapList', items: [{ metadata: { name: 'listed' } }] })
})

test('a watch is a stream of frames', async () => {
  await send({ method: 'POST', path: configMaps, body: codec.encode(configMap('watched')) })
  const stop = new AbortController()
  const response = await server.transport()({
    method: 'GET',
    path: `${configMaps}?watch=1&resourceVersion=0&fieldSelector=metadata.name=watched`,
    headers: { accept: `${protobuf};stream=watch` },
    signal: stop.signal,
  })
  expect(response.headers['content-type']).toBe(`${protobuf};stream=watch`)
  const { bytes } = await send({ path: `${configMaps}/watched` })
  // The tag and the length of the object, and of the RawExtension around it: two bytes for a length above 127.
  const head = Buffer.concat([Buffer.from([0x0a, 5]), Buffer.from('ADDED')])
  for await (const chunk of response.body) {
    const frame = Buffer.from(chunk)
    expect(frame.readUInt32BE()).toBe(frame.length - 4)
    expect(frame.subarray(4, 4 + head.length)).toEqual(head)
    expect(frame.subarray(-bytes.length)).toEqual(bytes)
    break
  }
  stop.abort()
})

test('a deletion takes its options in protobuf, whatever group they are of', async () => {
  await send({ method: 'POST', path: configMaps, body: codec.encode(configMap('gone')) })
  const options = { apiVersion: 'apps/v1', kind: 'DeleteOptions', preconditions: { uid: 'another' } }
  const deletion = { method: 'DELETE', path: `${configMaps}/gone` } as const
  expect(await send({ ...deletion, body: codec.encode(options) })).toMatchObject({ status: 409 })
  const { preconditions: _, ...plain } = options
  expect(await send({ ...deletion, body: codec.encode(plain) })).toMatchObject({
    status: 200,
    object: { kind: 'Status', status: 'Success' },
  })
})

test('metadata alone is written from the object', async () => {
  await send({ method: 'POST', path: configMaps, body: codec.encode(configMap('partial', { a: 'b' })) })
  const accept = `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`
  expect((await send({ path: `${configMaps}/partial`, accept })).object).toEqual({
    ...(await send({ path: `${configMaps}/partial`, accept: 'application/json' }).then(({ bytes }) => {
      const { metadata } = JSON.parse(bytes.toString()) as { metadata: object }
      return { metadata }
    })),
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
  })
})

test('a failure is a Status in protobuf', async () => {
  expect(await send({ path: `${configMaps}/nobody` })).toMatchObject({
    status: 404,
    object: { kind: 'Status', reason: 'NotFound', message: 'configmaps "nobody" not found', code: 404 },
  })
})

test('bytes that are no protobuf are refused in the words of the real server', async () => {
  const messages = ['{}', codec.encode(configMap('cut')).subarray(0, -20)].map(async (body) => {
    const { object } = await send({ method: 'POST', path: configMaps, body })
    return object
  })
  expect(await Promise.all(messages)).toMatchObject([
    {
      code: 400,
      message:
        'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})',
    },
    { code: 400, reason: 'BadRequest', message: expect.stringContaining('unexpected EOF') },
  ])
})

test('custom resources take no protobuf', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Foo', plural: 'foos' },
      scope: 'Namespaced',
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  }
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  expect(await send({ method: 'POST', path: definitions, body: codec.encode(definition) })).toMatchObject({
    status: 201,
  })
  const foo = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'foo' } }
  const path = '/apis/example.com/v1/namespaces/default/foos'
  const accept = 'application/json'
  await expect
    .poll(async () => {
      const { status } = await send({ path, accept })
      return status
    })
    .toBe(200)
  const body = Buffer.concat([codec.encode(configMap('x')).subarray(0, 4), Buffer.from(JSON.stringify(foo))])
  const refused = await send({ method: 'POST', path, accept, body })
  expect(JSON.parse(refused.bytes.toString())).toMatchObject({
    code: 415,
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
  })
})
