import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../testing/index.js'
import {
  createTestReader as createReaderAt,
  type OpenOptions,
  type TestReader as ReaderOnly,
  type TestReaderOptions,
  widgetResource,
} from './test-reader.js'

interface TestReader extends ReaderOnly {
  readonly clock: FakeClock
}

function createTestReader(options?: TestReaderOptions): TestReader {
  const clock = createFakeClock()
  return { ...createReaderAt(clock, options), clock }
}

const path = '/api/v1/namespaces/default/configmaps'
const mapsOf = (query: string): string => `${path}?watch=1&${query}`

interface WatchEvent {
  readonly type: string
  readonly object: {
    readonly kind: string
    readonly metadata: { readonly name?: string; readonly resourceVersion: string }
    readonly [field: string]: unknown
  }
}

/** A watch that is read as it comes. */
class Watch {
  readonly events: WatchEvent[] = []
  text = ''
  isOver = false
  readonly body: AsyncIterator<Uint8Array>

  constructor(body: AsyncIterable<Uint8Array>) {
    this.body = body[Symbol.asyncIterator]()
  }

  /** Reads what is there by now. */
  async read(): Promise<this> {
    let rest = ''
    for (;;) {
      const next = this.body.next()
      const step = await Promise.race([next, nothingMore()])
      if (step === undefined) {
        // Asked for in vain; the answer comes with the next read.
        this.body.next = () => {
          this.body.next = Object.getPrototypeOf(this.body).next
          return next
        }
        break
      }
      if (step.done === true) {
        this.isOver = true
        break
      }
      rest += Buffer.from(step.value).toString()
    }
    this.text += rest
    this.events.push(
      ...rest
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as WatchEvent),
    )
    return this
  }

  get summary(): string[] {
    return this.events.map(
      ({ type, object: { metadata } }) => `${type} ${metadata.name ?? ''}@${metadata.resourceVersion}`,
    )
  }
}

async function nothingMore(): Promise<undefined> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  return undefined
}

async function watch(reader: TestReader, target: string, options?: OpenOptions): Promise<Watch> {
  const { status, headers, body } = await reader.open(target, options)
  expect([status, String(headers['content-type']).split(';')[0]]).toEqual([
    200,
    options?.accept?.includes('protobuf') === true
      ? 'application/vnd.kubernetes.protobuf'
      : 'application/json',
  ])
  return new Watch(body)
}

test('changes come as they happen, from the version that is asked for, each on a line', async () => {
  const reader = createTestReader()
  const start = reader.put('default/a', { data: { n: '1' } })
  reader.put('default/b')
  const watched = await watch(reader, mapsOf(`resourceVersion=${start}`))
  reader.put('default/a', { data: { n: '2' } })
  reader.put('other/x')
  reader.remove('default/b')
  await watched.read()
  expect(watched.summary).toEqual(['ADDED b@3', 'MODIFIED a@4', 'DELETED b@6'])
  expect(watched.text.split('\n')[1]).toBe(
    '{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","resourceVersion":"4"},"data":{"n":"2"}}}',
  )
  expect(watched.isOver).toBe(false)
  reader.put('default/c')
  expect((await watched.read()).summary.at(-1)).toBe('ADDED c@7')
})

test('without a version it begins with what is there, in the order of names', async () => {
  const reader = createTestReader()
  reader.put('default/b')
  reader.put('default/a')
  reader.put('other/x')
  for (const version of ['', 'resourceVersion=0', 'resourceVersion=']) {
    const watched = await watch(reader, mapsOf(version))
    expect((await watched.read()).summary).toEqual(['ADDED a@3', 'ADDED b@2'])
  }
  const all = await watch(reader, '/api/v1/configmaps?watch=true')
  expect((await all.read()).summary).toEqual(['ADDED a@3', 'ADDED b@2', 'ADDED x@4'])
})

test('what changes while the beginning is sent comes after it', async () => {
  const reader = createTestReader()
  reader.put('default/a')
  reader.put('default/b')
  const watched = await watch(reader, mapsOf('allowWatchBookmarks=true'))
  reader.put('default/a', { data: {} })
  reader.remove('default/b')
  expect((await watched.read()).summary).toEqual([
    'ADDED a@2',
    'ADDED b@3',
    'BOOKMARK @3',
    'MODIFIED a@4',
    'DELETED b@5',
  ])
})

test('the end of the beginning is marked for those who take bookmarks', async () => {
  const reader = createTestReader()
  reader.put('default/a')
  const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
  const marked = await watch(reader, mapsOf(`${query}&allowWatchBookmarks=true`))
  await marked.read()
  expect(marked.text.split('\n').slice(1)).toEqual([
    '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2","annotations":{"k8s.io/initial-events-end":"true"}}}}',
    '',
  ])
  const unmarked = await watch(reader, mapsOf(query))
  expect((await unmarked.read()).summary).toEqual(['ADDED a@2'])
  const none = await watch(reader, mapsOf('sendInitialEvents=false&resourceVersionMatch=NotOlderThan'))
  reader.put('default/b')
  expect((await none.read()).summary).toEqual(['ADDED b@3'])
})

test('the old path of a watch begins without a mark, and may name one object', async () => {
  const reader = createTestReader()
  reader.put('default/a')
  reader.put('default/b')
  const all = await watch(reader, '/api/v1/watch/namespaces/default/configmaps?allowWatchBookmarks=true')
  expect((await all.read()).summary).toEqual(['ADDED a@2', 'ADDED b@3'])
  const one = await watch(reader, '/api/v1/watch/namespaces/default/configmaps/b')
  reader.put('default/a')
  reader.remove('default/b')
  expect((await one.read()).summary).toEqual(['ADDED b@3', 'DELETED b@5'])
  const { status, text } = await reader.read(
    '/api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name%3Dx',
  )
  expect([status, JSON.parse(text).message]).toEqual([
    400,
    "fieldSelector metadata.name doesn't match requested name",
  ])
})

test('to come into a selection is to be added, to leave it is to be deleted as it was, at the version of the change', async () => {
  const reader = createTestReader()
  reader.put('default/a', { data: { n: '1' } })
  const watched = await watch(reader, mapsOf(`resourceVersion=${reader.store.revision}&labelSelector=x%3Dy`))
  reader.put('default/a', { data: { n: '2' } }, { x: 'y' })
  reader.put('default/a', { data: { n: '3' } }, { x: 'y' })
  reader.put('default/a', { data: { n: '4' } }, { x: 'z' })
  reader.put('default/a', { data: { n: '5' } })
  reader.remove('default/a')
  reader.put('default/b', { data: { n: '6' } }, { x: 'y' })
  reader.remove('default/b')
  await watched.read()
  expect(watched.summary).toEqual(['ADDED a@3', 'MODIFIED a@4', 'DELETED a@5', 'ADDED b@8', 'DELETED b@9'])
  expect(watched.events[2]?.object).toEqual({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'default', resourceVersion: '5', labels: { x: 'y' } },
    data: { n: '3' },
  })
})

test('a selector narrows the beginning and the past, too', async () => {
  const reader = createTestReader()
  const start = reader.store.revision
  reader.put('default/a', {}, { x: 'y' })
  reader.put('default/b')
  reader.put('default/a')
  expect(
    (await (await watch(reader, mapsOf(`resourceVersion=${start}&labelSelector=x`))).read()).summary,
  ).toEqual(['ADDED a@2', 'DELETED a@4'])
  expect((await (await watch(reader, mapsOf('labelSelector=!x'))).read()).summary).toEqual([
    'ADDED a@4',
    'ADDED b@3',
  ])
  const named = await watch(reader, mapsOf('fieldSelector=metadata.name%3Db'))
  reader.put('default/a')
  reader.put('default/b')
  expect((await named.read()).summary).toEqual(['ADDED b@3', 'MODIFIED b@6'])
})

test('a list and the watch from its version add up to what is there, for every selector and every moment', async () => {
  const change = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    kind: fc.constantFrom('remove', 'x', 'y', 'none'),
  })
  const selectors = [
    '',
    'labelSelector=l%3Dx',
    'labelSelector=l',
    'labelSelector=!l',
    'fieldSelector=metadata.name%3Db',
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 12 }),
      fc.nat(12),
      fc.constantFrom(...selectors),
      async (changes, moment, selector) => {
        const reader = createTestReader()
        let listedAt = reader.store.revision
        for (const [index, { name, kind }] of changes.entries()) {
          if (index === moment) listedAt = reader.store.revision
          if (kind !== 'remove')
            reader.put(`default/${name}`, { data: { index } }, kind === 'none' ? undefined : { l: kind })
          else if (reader.store.get('configmaps', `default/${name}`) !== undefined)
            reader.remove(`default/${name}`)
        }
        const list = async (query: string): Promise<Map<string, unknown>> => {
          const { text } = await reader.read(`${path}?${selector}&${query}`)
          const { items } = JSON.parse(text) as { items: WatchEvent['object'][] }
          return new Map(items.map((item) => [item.metadata.name ?? '', item]))
        }
        const state = await list(`resourceVersion=${listedAt}&resourceVersionMatch=Exact`)
        const watched = await watch(reader, mapsOf(`resourceVersion=${listedAt}&${selector}`))
        for (const { type, object } of (await watched.read()).events) {
          const { kind: _kind, apiVersion: _apiVersion, ...item } = object
          const name = object.metadata.name ?? ''
          expect(state.has(name)).toBe(type !== 'ADDED')
          if (type === 'DELETED') state.delete(name)
          else state.set(name, item)
        }
        expect(state).toEqual(await list(''))
      },
    ),
    { numRuns: 60 },
  )
})

test('a version that is forgotten is answered by one error event', async () => {
  const reader = createTestReader()
  for (let count = 0; count < 5; count++) reader.put('default/a')
  reader.store.compact(4)
  const watched = await (await watch(reader, mapsOf('resourceVersion=3'))).read()
  expect(watched.text).toBe(
    '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 3 (4)","reason":"Expired","code":410}}\n',
  )
  expect(watched.isOver).toBe(true)
  expect((await (await watch(reader, mapsOf('resourceVersion=4'))).read()).summary).toEqual([
    'MODIFIED a@5',
    'MODIFIED a@6',
  ])
})

test('a version of the future is waited for without a word, and with the beginning for three seconds', async () => {
  const reader = createTestReader()
  const silent = await watch(reader, mapsOf('resourceVersion=3'))
  for (let count = 0; count < 4; count++) reader.put('default/a')
  expect((await silent.read()).summary).toEqual(['MODIFIED a@4', 'MODIFIED a@5'])

  const query = 'resourceVersion=99999999&sendInitialEvents=true&resourceVersionMatch=NotOlderThan'
  const opening = watch(reader, mapsOf(query))
  await reader.clock.advance(3000)
  const refused = await (await opening).read()
  expect(refused.text).toBe(
    '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Timeout: Too large resource version: 99999999, current: 5","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504}}\n',
  )
})

// The answers of kube-apiserver 1.36.3.
describe('bad parameters are refused in the words of the real server', () => {
  const forbidden = 'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden:'
  test.each([
    [
      'sendInitialEvents=true',
      422,
      `${forbidden} sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`,
    ],
    [
      'resourceVersionMatch=NotOlderThan',
      422,
      `${forbidden} resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided`,
    ],
    [
      'resourceVersionMatch=Exact',
      422,
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    ],
    [
      'resourceVersion=abc',
      500,
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
  ])('%s', async (query, code, message) => {
    const { status, text } = await createTestReader().read(mapsOf(query))
    expect([status, JSON.parse(text).message]).toEqual([code, message])
  })
})

test('a watch ends at its deadline, and leaves no timer', async () => {
  const reader = createTestReader()
  const watched = await watch(reader, mapsOf('timeoutSeconds=10'))
  await reader.clock.advance(9999)
  reader.put('default/a')
  await reader.clock.advance(1)
  reader.put('default/b')
  await watched.read()
  expect(watched.summary).toEqual(['ADDED a@2'])
  expect(watched.isOver).toBe(true)
  expect(reader.clock.pendingTimers).toBe(0)
})

test('without a deadline of its own it lasts from half an hour to an hour', async () => {
  const reader = createTestReader()
  const watches = await Promise.all(Array.from({ length: 20 }, () => watch(reader, mapsOf(''))))
  const over = async (): Promise<number> => {
    for (const each of watches) if (!each.isOver) await each.read()
    return watches.filter(({ isOver }) => isOver).length
  }
  await reader.clock.advance(1_799_999)
  expect(await over()).toBe(0)
  await reader.clock.advance(900_000)
  const half = await over()
  expect(half).toBeGreaterThan(2)
  expect(half).toBeLessThan(18)
  await reader.clock.advance(900_001)
  expect(await over()).toBe(20)
})

test('bookmarks come about every minute and shortly before the end, with what has happened elsewhere', async () => {
  const reader = createTestReader()
  const watched = await watch(
    reader,
    mapsOf(`allowWatchBookmarks=true&resourceVersion=${reader.store.revision}&timeoutSeconds=150`),
  )
  await reader.clock.advance(62_000)
  expect((await watched.read()).summary).toEqual([])
  reader.put('other/x')
  await reader.clock.advance(58_000)
  expect((await watched.read()).summary).toEqual([])
  await reader.clock.advance(3000)
  expect((await watched.read()).summary).toEqual(['BOOKMARK @2'])
  expect(watched.text).toBe(
    '{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"2"}}}\n',
  )
  reader.put('other/x')
  await reader.clock.advance(24_999)
  expect((await watched.read()).summary).toHaveLength(1)
  await reader.clock.advance(1)
  expect((await watched.read()).summary).toEqual(['BOOKMARK @2', 'BOOKMARK @3'])
  await reader.clock.advance(2000)
  expect((await watched.read()).isOver).toBe(true)
})

test('nobody gets bookmarks who does not ask for them', async () => {
  const reader = createTestReader()
  const watched = await watch(reader, mapsOf(`resourceVersion=${reader.store.revision}&timeoutSeconds=300`))
  reader.put('other/x')
  await reader.clock.advance(299_000)
  expect((await watched.read()).events).toEqual([])
})

test('a reader that leaves takes its subscription and its timers with it', async () => {
  const reader = createTestReader()
  const { body } = await reader.open(mapsOf('allowWatchBookmarks=true'))
  expect(reader.clock.pendingTimers).toBe(2)
  for await (const chunk of body) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
  expect(reader.clock.pendingTimers).toBe(0)
})

test('a reader that waits when it leaves is let go', async () => {
  const reader = createTestReader()
  const { body } = await reader.open(mapsOf(''))
  const iterator = body[Symbol.asyncIterator]()
  const waiting = iterator.next()
  await iterator.return?.()
  expect(await waiting).toEqual({ done: true, value: undefined })
  expect(reader.clock.pendingTimers).toBe(0)
})

test('an abort fails the body at once and leaves nothing', async () => {
  const reader = createTestReader()
  const controller = new AbortController()
  const { body } = await reader.open(mapsOf('allowWatchBookmarks=true'), { signal: controller.signal })
  const iterator = body[Symbol.asyncIterator]()
  await iterator.next()
  const waiting = iterator.next().catch((error: unknown) => error)
  controller.abort()
  expect(await waiting).toMatchObject({ code: 'KW_ABORTED' })
  expect(reader.clock.pendingTimers).toBe(0)
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

test('the end of the server and of the resource end watches after what they have', async () => {
  const shutdown = new AbortController()
  const retired = new AbortController()
  const reader = createTestReader({
    resources: [widgetResource({ retired: retired.signal })],
    parts: { shutdown: shutdown.signal },
  })
  const target = '/apis/example.com/v1/namespaces/default/widgets?watch=1'
  for (const ending of [retired, shutdown]) {
    const watched = await watch(reader, target)
    reader.put('default/w')
    ending.abort()
    reader.put('default/late')
    await watched.read()
    expect(watched.isOver).toBe(true)
    expect(watched.text).not.toContain('late')
    expect(watched.text).toContain('"name":"w"')
    reader.remove('default/late')
  }
  expect(reader.clock.pendingTimers).toBe(0)
})

test('a watch of a server that has ended is over when it begins, and leaves nothing', async () => {
  const shutdown = new AbortController()
  shutdown.abort()
  const reader = createTestReader({ parts: { shutdown: shutdown.signal } })
  reader.put('default/a')
  const watched = await watch(reader, mapsOf('allowWatchBookmarks=true'))
  expect(reader.clock.pendingTimers).toBe(0)
  expect((await watched.read()).isOver).toBe(true)
})

test('many watches on one signal are one listener of it', async () => {
  const warnings: Error[] = []
  const onWarning = (warning: Error): number => warnings.push(warning)
  process.on('warning', onWarning)
  const controller = new AbortController()
  const reader = createTestReader({ parts: { shutdown: controller.signal } })
  const watches = await Promise.all(
    Array.from({ length: 50 }, () => watch(reader, mapsOf(''), { signal: controller.signal })),
  )
  controller.abort()
  for (const { body } of watches) await body.next().catch(() => {})
  await nothingMore()
  process.off('warning', onWarning)
  expect(warnings).toEqual([])
  expect(reader.clock.pendingTimers).toBe(0)
})

test('a reader that does not read loses its watch, by count and by bytes', async () => {
  for (const watchBacklog of [{ events: 10 }, { bytes: 2000 }]) {
    const reader = createTestReader({ parts: { watchBacklog } })
    const watched = await watch(reader, mapsOf(`resourceVersion=${reader.store.revision}`))
    for (let count = 0; count < 10; count++) reader.put('default/a')
    expect((await watched.read()).events).toHaveLength(10)
    for (let count = 0; count < 30; count++) reader.put('default/a')
    await watched.read()
    expect(watched.isOver).toBe(true)
    expect(watched.events).toHaveLength(10)
    expect(reader.clock.pendingTimers).toBe(0)
  }
})

test('the past and the beginning count as no backlog', async () => {
  const reader = createTestReader({ parts: { watchBacklog: { events: 10 } } })
  const start = reader.store.revision
  for (let count = 0; count < 500; count++) reader.put(`default/c${count}`)
  const past = await watch(reader, mapsOf(`resourceVersion=${start}`))
  const beginning = await watch(reader, mapsOf(''))
  expect((await past.read()).events).toHaveLength(500)
  expect((await beginning.read()).events).toHaveLength(500)
})

test('a hundred watchers of one shape get the same bytes, made once', async () => {
  const reader = createTestReader()
  const bodies = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const { body } = await reader.open(mapsOf(`resourceVersion=${reader.store.revision}`))
      return body[Symbol.asyncIterator]()
    }),
  )
  reader.put('default/a')
  const chunks = await Promise.all(bodies.map(async (body) => (await body.next()).value as Uint8Array))
  expect(new Set(chunks).size).toBe(1)
})

test('watchers of another version get converted events in order, between which selectors choose', async () => {
  let delays = 3
  const reader = createTestReader({
    resources: [
      widgetResource({
        convert: async (object, version) => {
          // Earlier conversions take longer: the order must not depend on it.
          for (let turn = delays--; turn > 0; turn--) await Promise.resolve()
          return {
            ...object,
            apiVersion: `example.com/${version}`,
            size: (object['spec'] as { size: string }).size,
          }
        },
      }),
    ],
  })
  const target = '/apis/example.com/v2/namespaces/default/widgets?watch=1'
  reader.put('default/a', { spec: { size: '1' } })
  const all = await watch(reader, `${target}&resourceVersion=1`)
  const ones = await watch(reader, `${target}&resourceVersion=1&fieldSelector=spec.size%3D1`)
  reader.put('default/b', { spec: { size: '2' } })
  reader.put('default/a', { spec: { size: '2' } })
  reader.remove('default/b')
  expect((await all.read()).summary).toEqual(['ADDED a@2', 'ADDED b@3', 'MODIFIED a@4', 'DELETED b@5'])
  expect(new Set(all.events.map(({ object }) => object['apiVersion']))).toEqual(new Set(['example.com/v2']))
  expect((await ones.read()).summary).toEqual(['ADDED a@2', 'DELETED a@4'])
  expect(ones.events[1]?.object['size']).toBe('1')
})

test('a conversion that fails ends the watch with an error event', async () => {
  const reader = createTestReader({
    resources: [widgetResource({ convert: () => Promise.reject(new Error('the webhook is away')) })],
  })
  const watched = await watch(
    reader,
    '/apis/example.com/v2/namespaces/default/widgets?watch=1&resourceVersion=1',
  )
  reader.put('default/a')
  reader.put('default/b')
  await watched.read()
  expect(watched.events).toHaveLength(1)
  expect(watched.events[0]).toMatchObject({
    type: 'ERROR',
    object: { code: 500, reason: 'InternalError', message: 'Internal error occurred: the webhook is away' },
  })
  expect(watched.isOver).toBe(true)
  expect(reader.clock.pendingTimers).toBe(0)
})

describe('other shapes', () => {
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

  test('only the first event of a table names the columns', async () => {
    const reader = createTestReader()
    reader.put('default/a')
    const watched = await watch(reader, mapsOf('allowWatchBookmarks=true'), { accept: table })
    reader.put('default/b')
    await watched.read()
    expect(
      watched.events.map(({ type, object: { kind, columnDefinitions, rows } }) => [
        type,
        kind,
        columnDefinitions === null,
        rows,
      ]),
    ).toEqual([
      [
        'ADDED',
        'Table',
        false,
        [
          {
            cells: ['a', '<unknown>'],
            object: {
              kind: 'PartialObjectMetadata',
              apiVersion: 'meta.k8s.io/v1',
              metadata: { name: 'a', namespace: 'default', resourceVersion: '2' },
            },
          },
        ],
      ],
      [
        'BOOKMARK',
        'Table',
        true,
        [
          {
            cells: ['', '<unknown>'],
            object: {
              kind: 'PartialObjectMetadata',
              apiVersion: 'meta.k8s.io/v1',
              metadata: { resourceVersion: '2', annotations: { 'k8s.io/initial-events-end': 'true' } },
            },
          },
        ],
      ],
      ['ADDED', 'Table', true, expect.anything()],
    ])
    expect(watched.events[2]?.object.metadata).toEqual({ resourceVersion: '3' })
  })

  test('the end mark keeps its object in a table without objects', async () => {
    const reader = createTestReader()
    reader.put('default/a')
    const watched = await watch(reader, mapsOf('allowWatchBookmarks=true&includeObject=None'), {
      accept: table,
    })
    await watched.read()
    const objects = watched.events.map(({ object: { rows } }) => (rows as { object: unknown }[])[0]?.object)
    expect(objects[0]).toBeNull()
    expect(objects[1]).toMatchObject({ kind: 'PartialObjectMetadata' })
  })

  test('partial metadata comes without the rest', async () => {
    const reader = createTestReader()
    reader.put('default/a', { data: { n: '1' } })
    const watched = await watch(reader, mapsOf('resourceVersion=1'), {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    })
    expect((await watched.read()).text).toBe(
      '{"type":"ADDED","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"default","resourceVersion":"2"}}}\n',
    )
  })

  test('a list of metadata cannot be watched, and what is YAML neither', async () => {
    const reader = createTestReader()
    reader.put('default/a')
    const lists = await watch(reader, mapsOf(''), {
      accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    })
    await lists.read()
    expect([lists.text, lists.isOver]).toEqual(['', true])
    const { status, text } = await reader.read(mapsOf(''), { accept: 'application/yaml' })
    expect(status).toBe(406)
    expect(text).toContain('application/json;stream=watch')
  })

  test('protobuf events are framed', async () => {
    const reader = createTestReader({
      protobuf: { knows: () => true, encode: ({ kind }) => Buffer.from(`k8s\0${kind}`) },
    })
    reader.put('default/a')
    const { headers, body } = await reader.open(mapsOf('resourceVersion=1'), {
      accept: 'application/vnd.kubernetes.protobuf',
    })
    expect(headers['content-type']).toBe('application/vnd.kubernetes.protobuf;stream=watch')
    const { value } = await body[Symbol.asyncIterator]().next()
    const object = Buffer.from('k8s\0ConfigMap')
    const event = Buffer.concat([
      Buffer.from([0x0a, 5]),
      Buffer.from('ADDED'),
      Buffer.from([0x12, object.length + 2, 0x0a, object.length]),
      object,
    ])
    expect(value).toEqual(Buffer.concat([Buffer.from([0, 0, 0, event.length]), event]))
  })
})
