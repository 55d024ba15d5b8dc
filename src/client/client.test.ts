import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Clock } from '../base/index.js'
import { Deployment } from '../kinds/apps/v1.js'
import { ConfigMap, Namespace, Pod } from '../kinds/core/v1.js'
import type { KubeList, Transport, TransportRequest, TransportResponse } from '../objects/index.js'
import type { Client } from './client.js'
import { type ClientOptions, createClient } from './create-client.js'
import type { PartialObjectMetadata } from './object-access.js'
import { ConnectionError, ConnectionLostError } from './transport/connection-errors.js'
import type { ServerWarning } from './warnings.js'
import type { WatchEvent } from './watch.js'

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

function respond({ status = 200, headers = {}, body = {} }: Answer): TransportResponse {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  return { status, headers, body: chunks() }
}

interface Recorded {
  readonly client: Client
  readonly requests: TransportRequest[]
}

/** A client whose server answers from a list, the last answer again and again. An Error is a failed connection. */
function clientOf(answers: readonly (Answer | Error)[], options: ClientOptions = {}): Recorded {
  const requests: TransportRequest[] = []
  const transport: Transport = (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? {}
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(respond(answer))
  }
  return {
    client: createClient({ transport, clock: hastyClock().clock, random: () => 0, ...options }),
    requests,
  }
}

/** A clock on which every wait is over at once, and remembered. */
function hastyClock(): { readonly clock: Clock; readonly waitsMs: number[] } {
  let nowMs = 0
  const waitsMs: number[] = []
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback) {
      waitsMs.push(delayMs)
      nowMs += delayMs
      queueMicrotask(callback)
      return { cancel: () => {} }
    },
  }
  return { clock, waitsMs }
}

const configMap: ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    namespace: 'default',
    uid: 'u',
    resourceVersion: '7',
    creationTimestamp: '2026-11-15T12:00:00Z',
  },
}
const key = { namespace: 'default', name: 'a' }
const failure = (code: number, reason: string, more: object = {}): object => ({
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message: `no: ${reason}`,
  ...more,
})

async function sent(
  use: (client: Client) => Promise<unknown>,
  options: ClientOptions & { readonly answer?: unknown } = {},
): Promise<{ method: string; path: string; body: unknown; headers: Readonly<Record<string, string>> }> {
  const { answer = configMap, ...rest } = options
  const { client, requests } = clientOf([{ body: answer }], rest)
  await use(client)
  const [request] = requests
  if (request === undefined) throw new Error('nothing was sent')
  const { method, path, headers, body } = request
  return { method, path, headers, body: typeof body === 'string' ? JSON.parse(body) : body }
}

describe('reading', () => {
  test('an object', async () => {
    const { client } = clientOf([{ body: configMap }])
    expect(await client.get(ConfigMap, key)).toEqual(configMap)
  })

  test('a list gives its items the apiVersion and kind that the server leaves out', async () => {
    const { apiVersion: _a, kind: _k, ...bare } = configMap
    const { client } = clientOf([
      {
        body: { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: '9' }, items: [bare] },
      },
    ])
    const list = await client.list(ConfigMap)
    expect(list.metadata.resourceVersion).toBe('9')
    expect(list.items).toEqual([configMap])
  })

  test('an empty list that Go writes as null', async () => {
    const { client } = clientOf([{ body: { metadata: {}, items: null } }])
    expect((await client.list(ConfigMap)).items).toEqual([])
  })

  test('metadata alone asks for it in the header', async () => {
    const { headers } = await sent((client) => client.get(ConfigMap, key, { metadataOnly: true }))
    expect(headers['accept']).toBe('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1')
  })

  test('integers beyond 2^53 survive reading, changing and writing', async () => {
    const text = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default"},"big":9007199254740993}`
    const { client, requests } = clientOf([{ body: text }])
    const object = await client.get(ConfigMap, key)
    object.metadata.labels = { changed: 'yes' }
    await client.update(ConfigMap, object)
    expect(requests[1]?.body).toContain('"big":9007199254740993')
  })

  test('what is not JSON is an error that points at what stands between', async () => {
    const { client } = clientOf([{ body: '<html>please log in</html>' }])
    await expect(client.get(ConfigMap, key)).rejects.toMatchObject({ code: 'KW_UNEXPECTED_RESPONSE' })
  })

  test.each([['text'], [[]], [{ kind: 'Table' }]])('what is no object (%j) is an error', async (body) => {
    const { client } = clientOf([{ body: JSON.stringify(body) }])
    await expect(client.get(ConfigMap, key)).rejects.toMatchObject({ code: 'KW_UNEXPECTED_RESPONSE' })
    await expect(client.list(ConfigMap)).rejects.toMatchObject({ code: 'KW_UNEXPECTED_RESPONSE' })
  })
})

describe('writing', () => {
  test('create posts to the namespace of the object, with its apiVersion and kind', async () => {
    expect(
      await sent((client) =>
        client.create(ConfigMap, { metadata: { name: 'a', namespace: 'default' }, data: {} }),
      ),
    ).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {} },
    })
  })

  test("create uses the client's namespace where the object names none", async () => {
    const { path } = await sent((client) => client.create(ConfigMap, { metadata: { generateName: 'a-' } }), {
      namespace: 'home',
    })
    expect(path).toBe('/api/v1/namespaces/home/configmaps')
  })

  test("a list never takes the client's namespace: absent means all", async () => {
    const { path } = await sent((client) => client.list(ConfigMap), {
      namespace: 'home',
      answer: { metadata: {}, items: [] },
    })
    expect(path).toBe('/api/v1/configmaps')
  })

  test('update puts the whole object', async () => {
    expect(await sent((client) => client.update(ConfigMap, configMap))).toMatchObject({
      method: 'PUT',
      path: '/api/v1/namespaces/default/configmaps/a',
      body: configMap,
    })
  })

  test.each([
    ['merge', { merge: { data: { a: null } } }, 'application/merge-patch+json', { data: { a: null } }],
    ['strategic', { strategic: { data: {} } }, 'application/strategic-merge-patch+json', { data: {} }],
    [
      'json',
      { json: [{ op: 'remove', path: '/data/a' }] },
      'application/json-patch+json',
      [{ op: 'remove', path: '/data/a' }],
    ],
  ] as const)('a %s patch has its media type', async (_name, patch, contentType, body) => {
    const request = await sent((client) => client.patch(ConfigMap, key, patch))
    expect(request).toMatchObject({ method: 'PATCH', body })
    expect(request.headers['content-type']).toBe(contentType)
  })

  test('apply needs a field manager and says where to set it', async () => {
    const { client, requests } = clientOf([{ body: configMap }])
    await expect(client.apply(ConfigMap, { metadata: key })).rejects.toMatchObject({
      code: 'KW_FIELD_MANAGER_REQUIRED',
    })
    expect(requests).toEqual([])
  })

  test('apply sends only what is given, as its field manager', async () => {
    const request = await sent(
      (client) => client.apply(ConfigMap, { metadata: key, data: { a: '1' } }, { force: true }),
      { fieldManager: 'me' },
    )
    expect(request.path).toBe('/api/v1/namespaces/default/configmaps/a?fieldManager=me&force=true')
    expect(request.headers['content-type']).toBe('application/apply-patch+yaml')
    expect(request.body).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { a: '1' } })
  })

  test('delete returns the object that lives on, and nothing when it is gone', async () => {
    const { client } = clientOf([{ body: configMap }, { body: { kind: 'Status', status: 'Success' } }])
    expect(await client.delete(ConfigMap, key)).toEqual(configMap)
    expect(await client.delete(ConfigMap, key)).toBeUndefined()
  })

  test('status, scale and other subresources end the path', async () => {
    const scale = { metadata: { name: 'a' }, spec: {}, status: { replicas: 2, selector: 'app=a' } }
    expect((await sent((client) => client.updateStatus(Pod, podOf('a')))).path).toMatch(/\/pods\/a\/status$/)
    const { client } = clientOf([{ body: scale }])
    expect(await client.getScale(Deployment, key)).toMatchObject({
      spec: { replicas: 0 },
      status: { replicas: 2, selector: 'app=a' },
    })
    expect(await sent((c) => c.subresource(Pod, key, 'resize').patch({ merge: { spec: {} } }))).toMatchObject(
      { method: 'PATCH', path: '/api/v1/namespaces/default/pods/a/resize' },
    )
  })

  test('defaults of the client hold unless the call says otherwise', async () => {
    const options: ClientOptions = { fieldManager: 'me', fieldValidation: 'Strict', dryRun: true }
    const query = '?dryRun=All&fieldManager=me&fieldValidation=Strict'
    expect((await sent((client) => client.update(ConfigMap, configMap), options)).path).toContain(query)
    expect(
      (
        await sent(
          (client) => client.update(ConfigMap, configMap, { dryRun: false, fieldManager: 'you' }),
          options,
        )
      ).path,
    ).toMatch(/\?fieldManager=you&fieldValidation=Strict$/)
    expect((await sent((client) => client.delete(ConfigMap, key), options)).body).toMatchObject({
      dryRun: ['All'],
    })
  })

  test('an object without metadata is refused before it is sent', async () => {
    const { client, requests } = clientOf([{}])
    // As from JavaScript, or from data that was not checked.
    await expect(client.create(ConfigMap, {} as never)).rejects.toMatchObject({
      code: 'KW_INCOMPLETE_TARGET',
    })
    expect(requests).toEqual([])
  })
})

describe('a no of the server', () => {
  test('is an ApiError that says what was asked', async () => {
    const { client } = clientOf([{ status: 404, body: failure(404, 'NotFound') }])
    await expect(client.get(ConfigMap, key)).rejects.toMatchObject({
      code: 'KW_API_ERROR',
      httpStatus: 404,
      reason: 'NotFound',
      message: 'get configmaps default/a: no: NotFound (NotFound, HTTP 404)',
    })
  })

  test('in HTML becomes a Status, cut and printable', async () => {
    const { client } = clientOf([{ status: 502, body: `<html>\u001b[31m${'x'.repeat(100_000)}</html>` }])
    const error: unknown = await client.get(ConfigMap, key).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ httpStatus: 502, reason: 'InternalError' })
    expect(String(error).length).toBeLessThan(1_000)
    expect(String(error)).not.toContain('\u001b')
  })

  test.each([
    ['create', 'AlreadyExists'],
    ['update', 'Conflict'],
  ] as const)('without a body is told from its code: 409 on %s', async (verb, reason) => {
    const { client } = clientOf([{ status: 409, body: '' }])
    await expect(client[verb](ConfigMap, configMap)).rejects.toMatchObject({ reason })
  })

  test('to a body that is too large is final', async () => {
    const { client, requests } = clientOf([{ status: 413, body: '', headers: { 'retry-after': '1' } }])
    await expect(client.create(ConfigMap, configMap)).rejects.toMatchObject({
      reason: 'RequestEntityTooLarge',
    })
    expect(requests).toHaveLength(1)
  })

  test('that sends us elsewhere is not followed, and names the host alone', async () => {
    const location = 'https://user:secret@evil.example/path?token=secret'
    const { client, requests } = clientOf([{ status: 307, headers: { location } }])
    const error: unknown = await client.get(ConfigMap, key).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'KW_REDIRECT', httpStatus: 307, locationHost: 'evil.example' })
    expect(String(error)).not.toContain('secret')
    expect(requests).toHaveLength(1)
  })
})

describe('trying again', () => {
  const later = (seconds: string, status = 429): Answer => ({
    status,
    headers: { 'retry-after': seconds },
    body: failure(status, 'TooManyRequests'),
  })

  test.each([429, 500, 503])(
    'after as long as the server asks for, whatever the verb: HTTP %i',
    async (status) => {
      const { clock, waitsMs } = hastyClock()
      const { client, requests } = clientOf([later('3', status), later('1', status), { body: configMap }], {
        clock,
      })
      expect(await client.create(ConfigMap, configMap)).toEqual(configMap)
      expect(requests).toHaveLength(3)
      expect(waitsMs).toEqual([3_000, 1_000])
    },
  )

  test('not without Retry-After', async () => {
    const { client, requests } = clientOf([{ status: 429, body: failure(429, 'TooManyRequests') }])
    await expect(client.get(ConfigMap, key)).rejects.toMatchObject({ httpStatus: 429 })
    expect(requests).toHaveLength(1)
  })

  test('ten times at most, then the error; never in a hot loop', async () => {
    const { clock, waitsMs } = hastyClock()
    const { client, requests } = clientOf([later('0')], { clock })
    await expect(client.get(ConfigMap, key)).rejects.toMatchObject({ httpStatus: 429, retryAfterMs: 0 })
    expect(requests).toHaveLength(10)
    expect(waitsMs).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000])
  })

  test('with a part of chance, so that a fleet does not return at once', async () => {
    const { clock, waitsMs } = hastyClock()
    const { client } = clientOf([later('10'), { body: configMap }], { clock, random: () => 0.5 })
    await client.get(ConfigMap, key)
    expect(waitsMs).toEqual([10_500])
  })

  test('once, if the call wants it so', async () => {
    const { client, requests } = clientOf([later('1')])
    await expect(client.get(ConfigMap, key, { maxTries: 1 })).rejects.toMatchObject({ httpStatus: 429 })
    expect(requests).toHaveLength(1)
  })

  test('ends when the signal aborts during the wait', async () => {
    const controller = new AbortController()
    const clock: Clock = {
      ...hastyClock().clock,
      setTimer() {
        queueMicrotask(() => controller.abort(new Error('enough')))
        return { cancel: () => {} }
      },
    }
    const { client, requests } = clientOf([later('60')], { clock })
    await expect(client.get(ConfigMap, key, { signal: controller.signal })).rejects.toThrow('enough')
    expect(requests).toHaveLength(1)
  })
})

describe('a lost connection', () => {
  const lost = new ConnectionLostError('https://server', 'before it answered')

  test('is tried again for a read', async () => {
    const { client, requests } = clientOf([lost, { body: configMap }])
    expect(await client.get(ConfigMap, key)).toEqual(configMap)
    expect(requests).toHaveLength(2)
  })

  test('makes the outcome of a write unknown, and the write is not repeated', async () => {
    const { client, requests } = clientOf([lost])
    await expect(client.create(ConfigMap, configMap)).rejects.toMatchObject({
      code: 'KW_UNKNOWN_OUTCOME',
      request: 'create configmaps default/a',
      cause: lost,
    })
    expect(requests).toHaveLength(1)
  })

  test('in the middle of the answer to a write leaves its outcome unknown too', async () => {
    const brokenBody: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(lost) }),
    }
    const transport: Transport = () =>
      Promise.resolve({
        status: 201,
        headers: {},
        body: brokenBody,
      })
    await expect(createClient({ transport }).create(ConfigMap, configMap)).rejects.toMatchObject({
      code: 'KW_UNKNOWN_OUTCOME',
    })
  })

  test('that never was one leaves no doubt', async () => {
    const refused = new ConnectionError({
      server: 'https://server',
      reason: 'refused',
      explanation: 'refused.',
    })
    const { client, requests } = clientOf([refused])
    await expect(client.create(ConfigMap, configMap)).rejects.toBe(refused)
    expect(requests).toHaveLength(1)
  })
})

describe('around every request', () => {
  test('warnings are told once, to the handler', async () => {
    const warnings: ServerWarning[] = []
    const { client } = clientOf([{ body: configMap, headers: { warning: '299 - "old"' } }], {
      onWarning: (warning) => warnings.push(warning),
    })
    await client.get(ConfigMap, key)
    await client.get(ConfigMap, key)
    expect(warnings).toEqual([{ text: 'old', request: 'get configmaps default/a' }])
  })

  test('a user agent names us, and compression is asked for only on demand', async () => {
    const plain = await sent((client) => client.get(ConfigMap, key))
    expect(plain.headers['user-agent']).toMatch(/^kubewright\//)
    expect(plain.headers['accept-encoding']).toBeUndefined()
    const packed = await sent((client) => client.get(ConfigMap, key), {
      compression: true,
      userAgent: 'mine/1',
    })
    expect(packed.headers).toMatchObject({ 'user-agent': 'mine/1', 'accept-encoding': 'gzip' })
  })

  test('reads wait 30 seconds for an answer, writes longer than the server does', async () => {
    const { client, requests } = clientOf([{ body: configMap }])
    await client.get(ConfigMap, key)
    await client.update(ConfigMap, configMap)
    await client.get(ConfigMap, key, { timeoutMs: 5 })
    expect(requests.map((request) => request.headersTimeoutMs)).toEqual([30_000, 65_000, 5])
  })

  test('a rate limit spaces them out', async () => {
    const { clock, waitsMs } = hastyClock()
    const { client } = clientOf([{ body: configMap }], { clock, rateLimit: { qps: 1, burst: 1 } })
    await client.get(ConfigMap, key)
    await client.get(ConfigMap, key)
    expect(waitsMs).toEqual([1_000])
  })

  test('a raw request reaches any path', async () => {
    const { client, requests } = clientOf([{ body: 'ok' }])
    const response = await client.request({ method: 'GET', path: '/readyz?verbose' })
    expect(response.status).toBe(200)
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/readyz?verbose' })
  })
})

describe('pods and service accounts', () => {
  test('evict posts an Eviction', async () => {
    expect(
      await sent((client) => client.evict(key, { gracePeriodSeconds: 5, dryRun: true }), { answer: {} }),
    ).toMatchObject({
      method: 'POST',
      path: '/api/v1/namespaces/default/pods/a/eviction?dryRun=All',
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: key,
        deleteOptions: { gracePeriodSeconds: 5, dryRun: ['All'] },
      },
    })
  })

  test('createToken returns the token alone', async () => {
    const { client, requests } = clientOf([
      { body: { status: { token: 't', expirationTimestamp: '2026-11-15T13:00:00Z' } } },
    ])
    expect(await client.createToken(key, { audiences: ['api'], expirationSeconds: 600 })).toEqual({
      token: 't',
      expirationTimestamp: '2026-11-15T13:00:00Z',
    })
    expect(JSON.parse(String(requests[0]?.body))).toMatchObject({
      spec: { audiences: ['api'], expirationSeconds: 600 },
    })
  })

  test('logs are text, and lines when they are followed', async () => {
    const { client, requests } = clientOf([{ body: 'one\ntwo\nhalf' }])
    expect(await client.logs(key, { container: 'c', tailLines: 3 })).toBe('one\ntwo\nhalf')
    const lines: string[] = []
    for await (const line of client.followLogs(key)) lines.push(line)
    expect(lines).toEqual(['one', 'two', 'half'])
    expect(requests.map((request) => request.path)).toEqual([
      '/api/v1/namespaces/default/pods/a/log?container=c&tailLines=3',
      '/api/v1/namespaces/default/pods/a/log?follow=true',
    ])
  })
})

function podOf(name: string): Pod {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...configMap.metadata, name } }
}

test('types follow the kind', () => {
  const use = async (client: Client): Promise<void> => {
    expectTypeOf(await client.get(Pod, key)).toEqualTypeOf<Pod>()
    expectTypeOf(await client.get(Pod, key, { metadataOnly: true })).toEqualTypeOf<
      PartialObjectMetadata<Pod>
    >()
    expectTypeOf(await client.list(Pod)).toEqualTypeOf<KubeList<Pod>>()
    expectTypeOf(await client.list(Pod, { metadataOnly: true })).toEqualTypeOf<
      KubeList<PartialObjectMetadata<Pod>>
    >()
    for await (const event of client.watch(Pod)) expectTypeOf(event).toEqualTypeOf<WatchEvent<Pod>>()
    expectTypeOf(await client.create(Pod, { metadata: { name: 'a' } })).toEqualTypeOf<Pod>()
    expectTypeOf(await client.delete(Pod, key)).toEqualTypeOf<Pod | undefined>()
    await client.get(Namespace, { name: 'default' })
    await client.apply(Deployment, { metadata: key, spec: { replicas: 2 } }, { fieldManager: 'me' })
    await client.patch(Deployment, key, { merge: { spec: { replicas: null } } })
    await client.get(Pod, podOf('a').metadata)

    // @ts-expect-error a pod lives in a namespace
    await client.get(Pod, { name: 'a' })
    // @ts-expect-error a deployment has no such field
    await client.create(Deployment, { metadata: { name: 'a' }, spek: {} })
    // @ts-expect-error replicas is a number
    await client.patch(Deployment, key, { merge: { spec: { replicas: 'two' } } })
    // @ts-expect-error an apply names its object
    await client.apply(Deployment, { metadata: {}, spec: { replicas: 2 } })
    // @ts-expect-error one of two notations, not both
    await client.patch(Deployment, key, { yaml: '' })
    // @ts-expect-error the kind decides what an update takes
    await client.update(Pod, configMap)
  }
  expectTypeOf(use).toBeFunction()
})
