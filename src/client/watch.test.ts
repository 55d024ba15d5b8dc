import { describe, expect, test } from 'vitest'
import { ConfigMap } from '../kinds/core/v1.js'
import { isExpired, type Transport, type TransportRequest } from '../objects/index.js'
import type { LogFields, Logger } from '../observe/index.js'
import type { WatchOptions } from './call-options.js'
import { createClient } from './create-client.js'
import { ConnectionLostError } from './transport/connection-errors.js'
import type { WatchEvent } from './watch.js'

const object = (name: string, resourceVersion = '1'): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', resourceVersion },
})
const line = (type: string, content: unknown): string => `${JSON.stringify({ type, object: content })}\n`

interface Watched {
  readonly events: string[]
  readonly all: WatchEvent<ConfigMap>[]
  readonly error: unknown
  readonly requests: TransportRequest[]
  readonly logged: LogFields[]
  readonly isClosed: boolean
}

/** Watches a stream of chunks to its end. An Error in it breaks the connection. */
async function watch(
  chunks: readonly (string | Uint8Array | Error)[],
  options: WatchOptions = {},
): Promise<Watched> {
  const requests: TransportRequest[] = []
  let isClosed = false
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of chunks) {
        if (chunk instanceof Error) throw chunk
        yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      }
    } finally {
      isClosed = true
    }
  }
  const transport: Transport = (request) => {
    requests.push(request)
    return Promise.resolve({ status: 200, headers: {}, body: body() })
  }
  const logged: LogFields[] = []
  const log: Logger = {
    debug: () => {},
    info: () => {},
    warn: (_message, fields = {}) => void logged.push(fields),
    error: () => {},
    with: () => log,
  }
  const all: WatchEvent<ConfigMap>[] = []
  let error: unknown
  try {
    for await (const event of createClient({ transport, log }).watch(ConfigMap, {
      ...options,
      metadataOnly: false,
    }))
      all.push(event)
  } catch (thrown) {
    error = thrown
  }
  const events = all.map((event) =>
    event.type === 'bookmark'
      ? `bookmark ${event.resourceVersion}${event.initialEventsEnd ? ' end' : ''}`
      : `${event.type} ${event.object.metadata.name}`,
  )
  return { events, all, error, requests, logged, isClosed }
}

describe('events', () => {
  test('come typed and in order, and the iteration ends with the stream', async () => {
    const watched = await watch([
      line('ADDED', object('a')) + line('MODIFIED', object('a')),
      line('DELETED', object('a')),
    ])
    expect(watched.events).toEqual(['added a', 'modified a', 'deleted a'])
    expect(watched.error).toBeUndefined()
    expect(watched.all[0]).toEqual({ type: 'added', object: object('a') })
  })

  test('survive a stream that is cut at every byte', async () => {
    const whole = Buffer.from(line('ADDED', object('größe-𝄞')) + line('DELETED', object('日本')))
    for (let at = 0; at <= whole.length; at++) {
      const watched = await watch([whole.subarray(0, at), whole.subarray(at)])
      expect(watched.events).toEqual(['added größe-𝄞', 'deleted 日本'])
    }
    expect((await watch([...whole].map((byte) => Uint8Array.of(byte)))).events).toHaveLength(2)
  })

  test('of bookmarks tell the version, and the end of the present objects only for exactly "true"', async () => {
    const bookmark = (annotations?: object): string =>
      line('BOOKMARK', { kind: 'ConfigMap', metadata: { resourceVersion: '12', annotations } })
    const watched = await watch([
      bookmark(),
      bookmark({ 'k8s.io/initial-events-end': 'false' }),
      bookmark({ other: 'true' }),
      bookmark({ 'k8s.io/initial-events-end': 'true' }),
    ])
    expect(watched.events).toEqual(['bookmark 12', 'bookmark 12', 'bookmark 12', 'bookmark 12 end'])
  })

  test('of unknown form are logged and skipped', async () => {
    const watched = await watch([
      line('NEWTYPE', object('a')),
      line('ADDED', { kind: 'Table' }),
      line('ADDED', null),
      '[]\n"text"\nnull\n{}\n',
      line('ADDED', object('b')),
    ])
    expect(watched.events).toEqual(['added b'])
    expect(watched.logged).toHaveLength(7)
    expect(watched.logged[0]).toMatchObject({ request: 'watch configmaps', type: 'NEWTYPE' })
  })

  test('keep keys that are traps for JavaScript', async () => {
    const watched = await watch([
      '{"type":"ADDED","object":{"metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}}}}\n',
    ])
    const [event] = watched.all
    const labels = event?.type === 'added' ? event.object.metadata.labels : undefined
    expect(Object.keys(labels ?? {})).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(labels)).toBe(Object.prototype)
  })
})

describe('the end', () => {
  test('in the middle of a line discards the half', async () => {
    const watched = await watch([line('ADDED', object('a')), line('ADDED', object('b')).slice(0, -10)])
    expect(watched.events).toEqual(['added a'])
    expect(watched.error).toBeUndefined()
  })

  test('by a broken connection is an error, after what had come', async () => {
    const lost = new ConnectionLostError('https://server', 'in the middle of the answer')
    const watched = await watch([line('ADDED', object('a')), '{"type":', lost])
    expect(watched.events).toEqual(['added a'])
    expect(watched.error).toBe(lost)
  })

  test('by an ERROR event is an ApiError, after the events before it', async () => {
    const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' }
    const watched = await watch([
      line('ADDED', object('a')) + line('ERROR', status) + line('ADDED', object('b')),
    ])
    expect(watched.events).toEqual(['added a'])
    expect(isExpired(watched.error)).toBe(true)
    expect(watched.isClosed).toBe(true)
  })

  test('by an ERROR event without a Status is an error too', async () => {
    expect((await watch([line('ERROR', 'odd')])).error).toMatchObject({
      code: 'KW_API_ERROR',
      httpStatus: 500,
    })
  })

  test('by a line that cannot be read is an error: no line is ever skipped', async () => {
    const watched = await watch([
      `${line('ADDED', object('a'))}{"type":"ADDED","obj\n${line('ADDED', object('b'))}`,
    ])
    expect(watched.events).toEqual(['added a'])
    expect(watched.error).toMatchObject({ code: 'KW_WATCH_DECODE', request: 'watch configmaps' })
    expect(watched.isClosed).toBe(true)
  })

  test('by the reader closes the stream', async () => {
    let isClosed = false
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from(line('ADDED', object('a')))
      } finally {
        isClosed = true
      }
    }
    const transport: Transport = () => Promise.resolve({ status: 200, headers: {}, body: body() })
    for await (const _ of createClient({ transport }).watch(ConfigMap)) break
    expect(isClosed).toBe(true)
  })
})

describe('the request', () => {
  test('asks for bookmarks, and counts on them to notice a dead connection', async () => {
    const { requests } = await watch([], { namespace: 'default', resourceVersion: '5' })
    expect(requests[0]).toMatchObject({
      path: '/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=5&allowWatchBookmarks=true',
      idleTimeoutMs: 75_000,
      headersTimeoutMs: 75_000,
    })
  })

  test('waits for ever where no bookmarks come', async () => {
    const { requests } = await watch([], { allowBookmarks: false })
    expect(requests[0]).toMatchObject({
      path: '/api/v1/configmaps?watch=true',
      idleTimeoutMs: 0,
      headersTimeoutMs: 0,
    })
  })

  test('is never compressed', async () => {
    const requests: TransportRequest[] = []
    const transport: Transport = (request) => {
      requests.push(request)
      return Promise.resolve({ status: 200, headers: {}, body: (async function* () {})() })
    }
    for await (const _ of createClient({ transport, compression: true }).watch(ConfigMap));
    expect(requests[0]?.headers['accept-encoding']).toBeUndefined()
  })

  test('that the server refuses is an ApiError', async () => {
    const transport: Transport = () =>
      Promise.resolve({
        status: 410,
        headers: {},
        body: (async function* () {
          yield Buffer.from('{"kind":"Status","code":410,"reason":"Expired"}')
        })(),
      })
    const iterator = createClient({ transport }).watch(ConfigMap)
    await expect(iterator.next()).rejects.toSatisfy(isExpired)
  })
})
