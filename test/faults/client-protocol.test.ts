import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { JsonValueError } from '../../src/base/index.js'
import { ContentEncodingError, RedirectError } from '../../src/client/index.js'
import { ApiError, isExpired, isRequestEntityTooLarge, isTooManyRequests } from '../../src/objects/index.js'
import { type Answer, expired, htmlPage, json, raw, refuse, statusBody } from './api-server/answers.js'
import { keyOf, type ObjectStore } from './api-server/object-store.js'
import { until } from './event-loop.js'
import { failureOf, watched } from './outcome.js'
import { createRig, type Rig } from './rig.js'
import { followWatch, type WatchFollower } from './watch-follower.js'
import { Widget } from './widgets.js'

const key = { namespace: 'default', name: 'a' }

function addWidgets(store: ObjectStore, names: string): void {
  for (const name of names) store.create('widgets', { metadata: { name } })
}

/** A watch from the beginning, open and in the hands of the test. */
async function openWatch(rig: Rig): Promise<WatchFollower> {
  const follower = followWatch(rig.client, { resourceVersion: '100' })
  await until(() => rig.server.watches.length === 1)
  return follower
}

describe('versions that are gone', () => {
  test('P1: the ERROR event 410 of a watch is an error that says so', async () => {
    const rig = await createRig()
    const follower = await openWatch(rig)
    addWidgets(rig.server.store, 'a')
    rig.server.watches[0]?.error(expired)
    await until(() => follower.end !== undefined)
    expect(follower.seen).toEqual(['added a 101'])
    expect(isExpired(follower.end)).toBe(true)
  })

  test('P2: so is HTTP 410 at its start', async () => {
    const { client, server } = await createRig()
    server.watching.expiredAs = 'http-410'
    addWidgets(server.store, 'a')
    server.store.compact()
    const follower = followWatch(client, { resourceVersion: '100' })
    await until(() => follower.end !== undefined)
    expect(isExpired(follower.end)).toBe(true)
    expect(server.count('watch')).toBe(1)
  })

  test('P3: a list that expires between two pages is read once more, whole, and never mixed', async () => {
    const { client, server } = await createRig()
    addWidgets(server.store, 'abcde')
    server.intercept({ verb: 'list' }, ({ query }) => {
      if (query['continue'] === undefined || server.store.compactedRevision > 0) return undefined
      // Between the first page and the second the world changes, and is compacted.
      server.store.delete('widgets', 'default/a')
      addWidgets(server.store, 'f')
      server.store.compact()
      return undefined
    })
    const list = await client.listAll(Widget, { pageSize: 2 })
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(['b', 'c', 'd', 'e', 'f'])
    expect(server.requests.map(({ query }) => [query['limit'], query['continue'] !== undefined])).toEqual([
      ['2', false],
      ['2', true],
      [undefined, false],
    ])
  })

  test('P3: pages that were handed out are not followed by pages of another snapshot', async () => {
    const { client, server } = await createRig()
    addWidgets(server.store, 'abc')
    const pages = client.pages(Widget, { pageSize: 2 })
    await pages.next()
    server.lists.tokensExpired = true
    expect(isExpired(await failureOf(pages.next()))).toBe(true)
  })
})

describe('a server that says "later"', () => {
  const later = (retryAfter?: string): Answer =>
    refuse(429, 'TooManyRequests', retryAfter === undefined ? {} : { 'retry-after': retryAfter })

  test.each(['list', 'get', 'create'] as const)(
    'P6: 429 with Retry-After on %s: it waits at least that long',
    async (verb) => {
      const { client, server, pass } = await createRig()
      if (verb !== 'create') addWidgets(server.store, 'a')
      server.fault({ verb }, later('7'), 2)
      const call = watched<unknown>(
        verb === 'list'
          ? client.list(Widget)
          : verb === 'get'
            ? client.get(Widget, key)
            : client.create(Widget, { metadata: key }),
      )
      await until(() => server.count(verb) === 1)
      await pass(6_900)
      expect(server.count(verb)).toBe(1)
      await pass(20_000)
      await until(() => call.isSettled)
      expect(call.error).toBeUndefined()
      const [first, second, third] = server.requests.map(({ atMs }) => atMs)
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(7_000)
      expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(7_000)
      // A fleet that was sent away together does not come back together.
      expect((second ?? 0) - (first ?? 0)).not.toBe(7_000)
    },
  )

  test('P6: after ten tries the answer is the error', async () => {
    const { client, server, pass } = await createRig()
    server.fault({}, later('1'))
    const call = watched(client.get(Widget, key))
    await pass(120_000)
    await until(() => call.isSettled)
    expect(isTooManyRequests(call.error)).toBe(true)
    expect(server.count('get')).toBe(10)
  })

  test('P6: "Retry-After: 0" for ever is no hot loop', async () => {
    const { client, server, pass } = await createRig()
    server.fault({}, later('0'))
    const call = watched(client.get(Widget, key))
    await pass(120_000)
    await until(() => call.isSettled)
    const times = server.requests.map(({ atMs }) => atMs)
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(10_000)
  })

  test('P7: 429 at the start of a watch is waited out; as an event it ends the watch', async () => {
    const rig = await createRig()
    const { client, server, pass } = rig
    server.fault({ verb: 'watch' }, later('3'), 1)
    const follower = followWatch(client, { resourceVersion: '100' })
    await until(() => server.count('watch') === 1)
    await pass(4_000)
    await until(() => server.watches.length === 1)
    server.watches[0]?.error(statusBody(429, 'TooManyRequests'))
    await until(() => follower.end !== undefined)
    expect(isTooManyRequests(follower.end)).toBe(true)
  })

  test('P8: without Retry-After the error goes to the caller at once', async () => {
    const { client, server } = await createRig()
    server.fault({}, later())
    expect(isTooManyRequests(await failureOf(client.get(Widget, key)))).toBe(true)
    expect(server.count('get')).toBe(1)
  })

  // The fake clock begins at noon of the first day of 2026.
  test.each([
    ['an HTTP date', 'Thu, 01 Jan 2026 12:00:20 GMT', 20_000],
    ['a date in the past', 'Thu, 01 Jan 2026 11:00:00 GMT', 100],
    ['a negative number', '-5', 100],
    ['a thousand million seconds', '1000000000', 120_000],
  ])('P8: Retry-After as %s is read and kept within reason', async (_, header, expectedMs) => {
    const { client, server, pass } = await createRig()
    addWidgets(server.store, 'a')
    server.fault({}, later(header), 1)
    const call = watched(client.get(Widget, key))
    await until(() => server.count('get') === 1)
    await pass(expectedMs * 1.1 + 10)
    await until(() => call.isSettled)
    const [first, second] = server.requests.map(({ atMs }) => atMs)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(expectedMs)
    expect((second ?? 0) - (first ?? 0)).toBeLessThanOrEqual(expectedMs * 1.1)
  })

  test.each([500, 502, 503, 504])(
    'P9: HTTP %i with a page of HTML is an API error with a short message',
    async (code) => {
      const { client, server } = await createRig()
      server.fault({}, htmlPage(code))
      const failure = await failureOf(client.get(Widget, key))
      expect(failure).toBeInstanceOf(ApiError)
      expect(failure).toMatchObject({ httpStatus: code })
      expect((failure as ApiError).message.length).toBeLessThan(1_000)
      expect(server.count('get')).toBe(1)
    },
  )

  test('P9: a burst of 503 with Retry-After passes by', async () => {
    const { client, server, pass } = await createRig()
    addWidgets(server.store, 'a')
    server.fault({}, htmlPage(503, { 'retry-after': '1' }), 3)
    const call = watched(client.get(Widget, key))
    await pass(10_000)
    await until(() => call.isSettled)
    expect(call.value?.metadata.name).toBe('a')
    expect(server.count('get')).toBe(4)
  })
})

describe('the lines of a watch', () => {
  test.each([
    ['no JSON', 'garbage\n'],
    ['JSON that was cut', '{"type":"ADDED","object":{"metadata":{"name":"b"\n'],
  ])('P12: %s ends the watch behind the last good line; nothing is skipped', async (_, bytes) => {
    const rig = await createRig()
    const follower = await openWatch(rig)
    addWidgets(rig.server.store, 'a')
    await until(() => follower.seen.length === 1)
    rig.server.watches[0]?.write(bytes)
    addWidgets(rig.server.store, 'c')
    await until(() => follower.end !== undefined)
    expect(follower.end).toMatchObject({ code: 'KW_WATCH_DECODE' })
    expect(follower.seen).toEqual(['added a 101'])
  })

  test('P13: characters cut in two, marks, blank lines and other line ends arrive as they were sent', async () => {
    const rig = await createRig()
    const follower = await openWatch(rig)
    const object = (name: string): object => ({
      metadata: { name, resourceVersion: '101', uid: name },
      spec: { note: 'ä€😀\u2028' },
    })
    const line = (name: string): string => JSON.stringify({ type: 'ADDED', object: object(name) })
    const bytes = Buffer.from(`\ufeff${line('a')}\r\n\n\r\n${line('b')}\n${line('c')}\n`)
    for (let at = 0; at < bytes.byteLength; at++) {
      rig.server.watches[0]?.write(bytes.subarray(at, at + 1))
      // Each byte in a chunk of its own, and in a packet of its own.
      if (at % 10 === 0) await rig.settle()
    }
    await until(() => follower.objects.length === 3)
    expect(follower.objects).toEqual([object('a'), object('b'), object('c')])
    await follower.stop()
  })

  test('P13: an event in a thousand pieces is one event', async () => {
    const rig = await createRig()
    rig.proxy.drip(true)
    const follower = await openWatch(rig)
    rig.server.store.create('widgets', { metadata: { name: 'a' }, spec: { note: '€'.repeat(1_000) } })
    await until(() => follower.objects.length === 1)
    expect(follower.objects[0]?.spec?.note).toBe('€'.repeat(1_000))
    await follower.stop()
  })

  test('P14: events of an unknown form are told and passed over', async () => {
    const rig = await createRig()
    const follower = await openWatch(rig)
    const [open] = rig.server.watches
    open?.event('SURPRISE', { metadata: { name: 'x' } })
    open?.event('ADDED', { spec: {} })
    open?.write('{"type":"MODIFIED"}\n')
    open?.event('ADDED', { kind: 'Table', rows: [] })
    addWidgets(rig.server.store, 'a')
    await until(() => follower.seen.length === 1)
    expect(follower.seen).toEqual(['added a 101'])
    expect(rig.log.find('warn', 'unknown form')).toHaveLength(4)
    await follower.stop()
  })

  test('P15: bookmarks are told apart from objects, and only the mark itself ends the initial events', async () => {
    const rig = await createRig()
    const follower = await openWatch(rig)
    const [open] = rig.server.watches
    open?.bookmark({ version: '200' })
    open?.bookmark({ version: '201', annotations: { 'k8s.io/initial-events-end': 'false', other: 'true' } })
    open?.bookmark({ version: '202', annotations: { 'k8s.io/initial-events-end': 'true' } })
    await until(() => follower.seen.length === 3)
    expect(follower.seen).toEqual(['bookmark 200', 'bookmark 201', 'bookmark 202 end'])
    await follower.stop()
  })

  test('P18: versions beyond 2^53 come and go as they are', async () => {
    const rig = await createRig()
    const version = '18446744073709551617'
    rig.server.fault(
      { verb: 'get' },
      json(200, { metadata: { name: 'a', namespace: 'default', resourceVersion: version } }),
    )
    rig.server.fault({ verb: 'update' }, json(200, { metadata: {} }))
    const widget = await rig.client.get(Widget, key)
    expect(widget.metadata.resourceVersion).toBe(version)
    await rig.client.update(Widget, widget)
    expect(rig.server.requests.at(-1)?.body).toContain(`"resourceVersion":"${version}"`)
  })

  test('P19: a line of 3 MiB is one event', async () => {
    const rig = await createRig()
    const follower = await openWatch(rig)
    const note = 'n'.repeat(3 * 1024 * 1024)
    rig.server.store.create('widgets', { metadata: { name: 'a' }, spec: { note } })
    await until(() => follower.objects.length === 1)
    expect(follower.objects[0]?.spec?.note?.length).toBe(note.length)
    await follower.stop()
  })
})

describe('what an object holds', () => {
  /** Reads an object that the server sends as this text, writes it back, and returns what was sent. */
  async function roundTrip(fields: string): Promise<{ sent: string; widget: Widget }> {
    const { client, server } = await createRig()
    const text = `{"apiVersion":"faults.example.com/v1","kind":"Widget","metadata":{"name":"a","namespace":"default","resourceVersion":"7"},${fields}}`
    server.fault({ verb: 'get' }, raw(200, { 'content-type': 'application/json' }, text))
    server.fault({ verb: 'update' }, json(200, { metadata: {} }))
    const widget = await client.get(Widget, key)
    await client.update(Widget, widget)
    return { sent: server.requests.at(-1)?.body ?? '', widget }
  }

  test('P19: a request that is too large is refused once and not repeated', async () => {
    const { client, server, pass } = await createRig()
    server.fault({ verb: 'create' }, refuse(413, 'RequestEntityTooLarge', { 'retry-after': '1' }))
    const call = watched(
      client.create(Widget, { metadata: key, spec: { note: 'n'.repeat(4 * 1024 * 1024) } }),
    )
    await until(() => call.isSettled)
    await pass(60_000)
    expect(isRequestEntityTooLarge(call.error)).toBe(true)
    expect(server.count('create')).toBe(1)
  })

  test('P21: nesting beyond what a stack can hold can be read, and is refused by us when it would be sent', async () => {
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    await expect(roundTrip(`"spec":{"deep":${nested}}`)).rejects.toThrow(JsonValueError)
  })

  test('P21: ten thousand levels less one pass in both directions', async () => {
    const nested = `${'['.repeat(9_000)}${']'.repeat(9_000)}`
    const { sent } = await roundTrip(`"spec":{"deep":${nested}}`)
    expect(sent).toContain(nested)
  })

  test('P21: a hundred thousand keys and a key that comes twice', async () => {
    const members = Array.from({ length: 100_000 }, (_, index) => `"k${index}":${index}`).join(',')
    const { sent } = await roundTrip(`"spec":{"size":1,"size":2,"many":{${members}}}`)
    expect(sent).toContain(members)
    expect(sent).toContain('"size":2')
  })

  test('P22: integers beyond 2^53 survive a read and a write', async () => {
    const { sent } = await roundTrip(
      '"spec":{"big":9007199254740993,"small":-9223372036854775808},"status":{"n":1.5}',
    )
    expect(sent).toContain('"big":9007199254740993')
    expect(sent).toContain('"small":-9223372036854775808')
    expect(sent).toContain('"n":1.5')
  })

  test('P22: a number that no program can hold is refused when it would be sent, not turned into null', async () => {
    await expect(roundTrip('"spec":{"size":1e400}')).rejects.toThrow(JsonValueError)
  })

  test('P23: keys that mean something to JavaScript are only data', async () => {
    const spec = '{"__proto__":{"polluted":true},"constructor":1,"toString":"x","":"empty","a.b/c":2}'
    const { sent, widget } = await roundTrip(`"spec":${spec}`)
    expect(sent).toContain(`"spec":${spec}`)
    expect((widget.spec as unknown as { polluted?: boolean }).polluted).toBeUndefined()
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('P24: fields that our types do not know survive a read and a write', async () => {
    const { sent } = await roundTrip('"spec":{"size":1,"fromTheFuture":{"a":[null,{}]}},"alsoNew":"x"')
    expect(sent).toContain('"fromTheFuture":{"a":[null,{}]}')
    expect(sent).toContain('"alsoNew":"x"')
  })
})

describe('P25: what HTTP allows', () => {
  const body = JSON.stringify({ metadata: { name: 'a', namespace: 'default' } })

  test('a compressed body is decoded where it was asked for', async () => {
    const rig = await createRig()
    rig.server.fault({}, raw(200, { 'content-encoding': 'gzip' }, gzipSync(body)))
    await expect(rig.client.get(Widget, key)).resolves.toMatchObject({ metadata: { name: 'a' } })
  })

  test('one in an encoding that was not asked for is refused with a reason', async () => {
    const { client, server } = await createRig()
    server.fault({}, raw(200, { 'content-encoding': 'br' }, body))
    await expect(client.get(Widget, key)).rejects.toThrow(ContentEncodingError)
  })

  test('one that is damaged is refused with a reason', async () => {
    const { client, server } = await createRig()
    server.fault({}, raw(200, { 'content-encoding': 'gzip' }, gzipSync(body).fill(7, 12)))
    await expect(client.get(Widget, key)).rejects.toThrow(ContentEncodingError)
  })

  test('informational answers and chunk extensions are passed over', async () => {
    const { client, server } = await createRig()
    server.fault({}, (response) => {
      response.writeProcessing()
      response.writeEarlyHints({ link: '</x>; rel=preload' })
      const size = Buffer.byteLength(body).toString(16)
      response.socket?.end(
        `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${size};name=value\r\n${body}\r\n0\r\n\r\n`,
      )
    })
    await expect(client.get(Widget, key)).resolves.toMatchObject({ metadata: { name: 'a' } })
  })

  test.each([301, 302, 307, 308])(
    'a redirect (%i) is not followed, and the token goes nowhere else',
    async (code) => {
      const rig = await createRig()
      const stranger = await createRig()
      const location = `http://127.0.0.1:${stranger.proxy.port}/apis/faults.example.com/v1/widgets`
      rig.server.fault({}, raw(code, { location }, ''))
      const client = await rig.connect({
        credentials: { get: () => Promise.resolve({ authorization: 'Bearer secret' }), refused: () => false },
      })
      const failure = await failureOf(client.get(Widget, key))
      expect(failure).toBeInstanceOf(RedirectError)
      expect(rig.server.requests[0]?.headers.authorization).toBe('Bearer secret')
      expect(stranger.proxy.accepted).toBe(0)
      expect(String(failure)).not.toContain('secret')
    },
  )
})

test('P26: warnings in bulk are told once each, short and without control characters', async () => {
  const { connect, server } = await createRig()
  addWidgets(server.store, 'a')
  const bulk = Array.from({ length: 50 }, (_, index) => `299 - "field ${index % 2} is \\"old\\""`)
  const long = `299 - "\t${'w'.repeat(5_000)}"`
  server.fault({ verb: 'get' }, (response) => {
    response.setHeader('warning', [...bulk, long, '199 - "not for us"'])
    json(200, server.store.get('widgets', keyOf(key)))(response)
  })
  const told: string[] = []
  const client = await connect({}, { onWarning: ({ text }) => told.push(text) })
  for (let call = 0; call < 5; call++) await client.get(Widget, key)
  expect(told.slice(0, 2)).toEqual(['field 0 is "old"', 'field 1 is "old"'])
  expect(told).toHaveLength(3)
  expect(told[2]?.length).toBeLessThan(1_100)
  expect(told[2]).not.toContain('\t')
})
