import { createLogger } from 'kubewright'
import { parseJson, type Random, seededRandom } from 'kubewright/base'
import { readText } from 'kubewright/client'
import type { TransportRequest } from 'kubewright/objects'
import { expect, test } from 'vitest'
import { createEmbeddedRig } from './embedded-rig.js'

// A longer run: KUBEWRIGHT_FUZZ_REQUESTS=100000 npx vitest run --project embedded test/embedded/fuzz.test.ts
const requests = Number(process.env['KUBEWRIGHT_FUZZ_REQUESTS'] ?? 1_500)
const seed = Number(process.env['KUBEWRIGHT_FUZZ_SEED'] ?? 1)

interface Sample {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: unknown
}

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.fuzz.example.com' },
  spec: {
    group: 'fuzz.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', minimum: 0, default: 1 },
                  name: { type: 'string', pattern: '^(a+)+$', maxLength: 50 },
                  list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
                },
                'x-kubernetes-validations': [{ rule: 'self.size < 100', message: 'too large' }],
              },
            },
          },
        },
      },
    ],
  },
}
const thing = {
  apiVersion: 'fuzz.example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec: { size: 1, name: 'aaa', list: ['x'] },
}
const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels: { app: 'x' } },
  data: { key: 'value' },
}
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
}
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: pod.spec },
  },
}
const things = '/apis/fuzz.example.com/v1/namespaces/default/things'
const configMaps = '/api/v1/namespaces/default/configmaps'
const deployments = '/apis/apps/v1/namespaces/default/deployments'

const samples: readonly Sample[] = [
  { method: 'POST', path: configMaps, body: configMap },
  { method: 'PUT', path: `${configMaps}/a`, body: configMap },
  {
    method: 'PATCH',
    path: `${configMaps}/a`,
    type: 'application/merge-patch+json',
    body: { data: { key: 'other' } },
  },
  {
    method: 'PATCH',
    path: `${configMaps}/a`,
    type: 'application/json-patch+json',
    body: [{ op: 'add', path: '/data/x', value: 'y' }],
  },
  {
    method: 'PATCH',
    path: `${configMaps}/a`,
    type: 'application/strategic-merge-patch+json',
    body: { metadata: { finalizers: ['a.b/c'] } },
  },
  {
    method: 'PATCH',
    path: `${configMaps}/b?fieldManager=fuzz&force=true`,
    type: 'application/apply-patch+yaml',
    body: { ...configMap, metadata: { name: 'b' } },
  },
  { method: 'GET', path: `${configMaps}?limit=2&labelSelector=app%3Dx` },
  { method: 'GET', path: `${configMaps}?fieldSelector=metadata.name%3Da&resourceVersion=0` },
  { method: 'GET', path: `${configMaps}/a` },
  { method: 'DELETE', path: `${configMaps}/a?propagationPolicy=Background` },
  {
    method: 'DELETE',
    path: `${configMaps}?labelSelector=app%3Dx`,
    body: { kind: 'DeleteOptions', apiVersion: 'v1' },
  },
  { method: 'POST', path: '/api/v1/namespaces/default/pods', body: pod },
  { method: 'POST', path: deployments, body: deployment },
  {
    method: 'PATCH',
    path: `${deployments}/a`,
    type: 'application/strategic-merge-patch+json',
    body: { spec: { template: { spec: { containers: [{ name: 'c', image: 'j' }] } } } },
  },
  {
    method: 'PUT',
    path: `${deployments}/a/scale`,
    body: { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 2 } },
  },
  { method: 'POST', path: things, body: thing },
  { method: 'PUT', path: `${things}/a/status`, body: thing },
  {
    method: 'PATCH',
    path: `${things}/a?fieldManager=fuzz`,
    type: 'application/apply-patch+yaml',
    body: thing,
  },
  { method: 'GET', path: `${things}?watch=1&timeoutSeconds=1&resourceVersion=1` },
  {
    method: 'PUT',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.fuzz.example.com',
    body: crd,
  },
  {
    method: 'POST',
    path: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'n-' } },
  },
  {
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
    },
  },
  { method: 'GET', path: '/apis' },
  { method: 'GET', path: '/openapi/v3' },
]

const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  'a/b',
  'a.b',
  '$ref',
  '$patch',
  '$setElementOrder/x',
]
const hostileValues: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  9007199254740993n,
  0.1,
  '',
  'a'.repeat(100),
  '\u0000',
  '\ud800',
  '${x}',
  '../..',
  [],
  {},
  [[]],
  [null],
  { __proto__: { polluted: true } },
  'a'.repeat(30) + '!',
  '%00',
  '2026-13-45T99:99:99Z',
  '1Gi',
  '-0',
  'NaN',
]
const mediaTypes = [
  'application/json',
  'application/yaml',
  'text/plain',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  '*/*',
  'x',
  '',
]

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

/** A copy with something wrong somewhere in it. */
function spoilt(random: Random, value: unknown): unknown {
  if (random() < 0.15) return pick(random, hostileValues)
  if (Array.isArray(value)) {
    const copy = value.map((each) => (random() < 0.4 ? spoilt(random, each) : each))
    if (random() < 0.2) copy.push(pick(random, hostileValues))
    if (random() < 0.2) copy.push(...copy)
    return copy
  }
  if (typeof value !== 'object' || value === null) return random() < 0.5 ? pick(random, hostileValues) : value
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    random() < 0.4 ? spoilt(random, each) : each,
  ])
  if (random() < 0.3) entries.splice(Math.floor(random() * entries.length), 1)
  if (random() < 0.3) entries.push([pick(random, hostileKeys), pick(random, hostileValues)])
  const copy: Record<string, unknown> = {}
  for (const [key, each] of entries)
    Object.defineProperty(copy, String(key), {
      value: each,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return copy
}

/** A text with a character lost, doubled, or replaced. */
function garbled(random: Random, text: string): string {
  const at = Math.floor(random() * (text.length + 1))
  const insert = pick(random, ['', '', '%', '/', '..', '\\', '"', '{', '}', '&', '=', '\u0000', ' ', ','])
  return text.slice(0, at) + insert + text.slice(at + (random() < 0.5 ? 1 : 0))
}

function json(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? Number(each) : each)) ?? 'null'
  )
}

function requestFrom(random: Random): TransportRequest {
  const sample = pick(random, samples)
  let body =
    sample.body === undefined ? undefined : json(random() < 0.7 ? spoilt(random, sample.body) : sample.body)
  if (body !== undefined && random() < 0.15) body = garbled(random, body)
  if (body !== undefined && random() < 0.05) body = body.slice(0, Math.floor(random() * body.length))
  const path = random() < 0.2 ? garbled(random, sample.path) : sample.path
  const method =
    random() < 0.05
      ? pick(random, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
      : sample.method
  return {
    // Methods that no client of ours has are part of the hostility.
    method: method as TransportRequest['method'],
    path: path.startsWith('/') ? path : `/${path}`,
    headers: {
      accept: random() < 0.1 ? pick(random, mediaTypes) : 'application/json',
      ...(body !== undefined && {
        'content-type': random() < 0.1 ? pick(random, mediaTypes) : (sample.type ?? 'application/json'),
      }),
    },
    ...(body !== undefined && { body }),
  }
}

test('mutated requests leave the server alive, with nothing half-written', async () => {
  const rejections: unknown[] = []
  const onRejection = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  // A bare 500 is what the real server answers to some nonsense; a failure of our own is logged as an error.
  const failures: string[] = []
  const log = createLogger({ format: 'json', level: 'error', write: (line) => void failures.push(line) })
  const rig = await createEmbeddedRig({ seed, log })
  const { transport, server } = rig.cluster
  const send = async (request: TransportRequest): Promise<{ status: number; text: string }> => {
    const abort = new AbortController()
    const response = await transport({ ...request, signal: abort.signal })
    // A watch goes on until its time is over, which stands still here.
    const isStream = response.headers['content-length'] === undefined
    const text = isStream ? '' : await readText(response.body)
    abort.abort()
    return { status: response.status, text }
  }
  await send({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    headers: { 'content-type': 'application/json' },
    body: json(crd),
  })
  await rig.settle()

  const random = seededRandom(seed)
  const broken: string[] = []
  for (let count = 0; count < requests; count++) {
    const request = requestFrom(random)
    const { status } = await send(request)
    if (status < 200 || status > 599) broken.push(`${request.method} ${request.path}: ${status}`)
  }
  await rig.pass(2_000)

  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  for (const resource of [
    'configmaps',
    'pods',
    'deployments.apps',
    'things.fuzz.example.com',
    'namespaces',
    'replicasets.apps',
  ]) {
    for (const { key, json: bytes, revision } of server.store.scan(resource)) {
      const { metadata } = parseJson(bytes.toString()) as { metadata: Record<string, string> }
      expect(
        metadata['namespace'] === undefined
          ? metadata['name']
          : `${metadata['namespace']}/${metadata['name']}`,
      ).toBe(key)
      expect(metadata['resourceVersion']).toBe(String(revision))
      expect(metadata['uid']).toMatch(/^[0-9a-f-]{36}$/)
    }
  }
  const healthy = await send({
    method: 'POST',
    path: configMaps,
    headers: { 'content-type': 'application/json' },
    body: json({ ...configMap, metadata: { name: 'still-alive' } }),
  })
  process.off('unhandledRejection', onRejection)
  expect(broken).toEqual([])
  expect(failures).toEqual([])
  expect(rejections).toEqual([])
  expect(healthy.status).toBe(201)
}, 3_600_000)
