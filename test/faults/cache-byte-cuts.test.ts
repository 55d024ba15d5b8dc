import { expect, test } from 'vitest'
import { type Clock, seededRandom } from '../../src/base/index.js'
import { createClientSource, Informer } from '../../src/cache/index.js'
import { ConnectionLostError, createClient } from '../../src/client/index.js'
import type { Transport } from '../../src/objects/index.js'
import { until } from './event-loop.js'
import { expectSame, followWidgets, isSame, recordInto, synced } from './followed-widgets.js'
import { createRig, type Rig } from './rig.js'
import { Widget } from './widgets.js'

/** What a server said, byte for byte: a list, and a watch from its version on. */
interface Recording {
  readonly list: Buffer
  readonly stream: Buffer
  /** Behind the line of each version. */
  readonly offsets: ReadonlyMap<string, number>
}

async function record(rig: Rig, path: string, change: () => void, lines: number): Promise<Recording> {
  const { client, server } = rig
  const list = await client.request({ method: 'GET', path: '/apis/faults.example.com/v1/widgets' })
  const listed: Uint8Array[] = []
  for await (const chunk of list.body) listed.push(chunk)
  const abort = new AbortController()
  const watch = await client.request({ method: 'GET', path, signal: abort.signal })
  await until(() => server.watches.length === 1)
  change()
  const chunks: Uint8Array[] = []
  let seen = 0
  for await (const chunk of watch.body) {
    chunks.push(chunk)
    seen += chunk.filter((byte) => byte === 0x0a).length
    if (seen === lines) break
  }
  abort.abort()
  const stream = Buffer.concat(chunks)
  const offsets = new Map<string, number>()
  for (let start = 0; start < stream.length; ) {
    const end = stream.indexOf(0x0a, start) + 1
    const event = JSON.parse(stream.toString('utf8', start, end))
    offsets.set(event.object.metadata.resourceVersion, end)
    start = end
  }
  return { list: Buffer.concat(listed), stream, offsets }
}

function changeMuch({ server }: Rig): void {
  const { store } = server
  store.create('widgets', {
    metadata: { name: 'b', annotations: { note: 'ä€😀"\\\n' } },
    spec: { note: '日本' },
  })
  store.edit('widgets', 'default/a', (widget) => {
    widget['spec'] = { size: 2 }
  })
  store.delete('widgets', 'default/b')
  store.create('widgets', { metadata: { name: 'b' } })
  store.tick()
  server.watches[0]?.bookmark()
  store.delete('widgets', 'default/a')
  store.create('widgets', { metadata: { name: 'c' } })
}

/** Pauses are over at once; limits never come. */
const hastyClock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  setTimer(_, callback, options) {
    const handle = options?.background === true ? undefined : setImmediate(callback)
    return { cancel: () => clearImmediate(handle) }
  },
}

type Cut = { readonly at: number; readonly how: 'end' | 'reset' }

/** A server that says what was recorded, and breaks off once. */
function replay({ list, stream, offsets }: Recording, cut: Cut, chunkBytes: number): Transport {
  let isCut = false
  async function* bodyFrom(start: number, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    const end = isCut ? stream.length : Math.max(start, cut.at)
    for (let at = start; at < end; at += chunkBytes) yield stream.subarray(at, Math.min(at + chunkBytes, end))
    if (!isCut) {
      isCut = true
      if (cut.how === 'end') return
      throw new ConnectionLostError('http://recorded', 'in the middle of the answer')
    }
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
  }
  return (request) => {
    const query = new URL(request.path, 'http://recorded').searchParams
    async function* whole(): AsyncGenerator<Uint8Array> {
      yield list
    }
    const start =
      query.get('sendInitialEvents') === 'true' ? 0 : (offsets.get(query.get('resourceVersion') ?? '') ?? 0)
    const body = query.get('watch') === 'true' ? bodyFrom(start, request.signal) : whole()
    return Promise.resolve({ status: 200, headers: {}, body })
  }
}

async function followReplay(
  recording: Recording,
  cut: Cut,
  options: { streamingList: boolean; lastVersion: string },
) {
  // Pieces of seven bytes are no lines, those of 700 hold several.
  const transport = replay(recording, cut, cut.at % 25 === 0 ? 7 : 700)
  const client = createClient({ transport, clock: hastyClock })
  const told: string[] = []
  const informer = new Informer<Widget>({
    source: createClientSource(client, Widget),
    rules: { streamingList: options.streamingList },
    clock: hastyClock,
    random: seededRandom(1),
  })
  informer.addHandler(recordInto(told))
  const stop = new AbortController()
  const ended = informer.run(stop.signal)
  await until(() => informer.health.resourceVersion === options.lastVersion, `cut at ${cut.at} (${cut.how})`)
  stop.abort()
  await ended
  const cached = [...informer.view.values()]
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ object }) => object)
  return { cached, told }
}

const watchPath = '/apis/faults.example.com/v1/widgets?watch=true&allowWatchBookmarks=true'

test('T2, P12: a watch that is cut at any byte ends in the same cache and tells the same', async () => {
  const rig = await createRig()
  const { server } = rig
  server.store.create('widgets', { metadata: { name: 'a' } })
  const recording = await record(rig, `${watchPath}&resourceVersion=101`, () => changeMuch(rig), 7)
  const lastVersion = server.store.versionAt(server.store.revision)
  const expected = JSON.stringify({
    cached: server.store.objects('widgets'),
    told: ['initial a', 'add b', 'update a', 'delete b', 'add b', 'delete a', 'add c'],
  })
  for (let at = 0; at <= recording.stream.length; at++) {
    const cut = { at, how: at % 2 === 0 ? 'end' : 'reset' } as const
    const found = await followReplay(recording, cut, { streamingList: false, lastVersion })
    expect(JSON.stringify(found), `cut at ${at}`).toBe(expected)
  }
})

test('P16: so does a streaming list', async () => {
  const rig = await createRig()
  const { server } = rig
  for (const name of 'axy') server.store.create('widgets', { metadata: { name } })
  const path = `${watchPath}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`
  const recording = await record(rig, path, () => changeMuch(rig), 11)
  const lastVersion = server.store.versionAt(server.store.revision)
  const first = ['initial a', 'initial x', 'initial y']
  const later = ['add b', 'update a', 'delete b', 'add b', 'delete a', 'add c']
  const expected = JSON.stringify({ cached: server.store.objects('widgets'), told: [...first, ...later] })
  for (let at = 0; at <= recording.stream.length; at++) {
    const cut = { at, how: at % 2 === 0 ? 'end' : 'reset' } as const
    const found = await followReplay(recording, cut, { streamingList: true, lastVersion })
    expect(JSON.stringify(found), `cut at ${at}`).toBe(expected)
  }
})

test.each([40, 120, 190, 240, 290, 340, 390, 450, 520, 600, 700, 800, 950])(
  'T2: the same through sockets, cut by a RST behind byte %i of HTTP itself',
  async (bytes) => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    server.store.create('widgets', { metadata: { name: 'a' } })
    proxy.resetNextAfter(bytes)
    const followed = followWidgets(rig, { cache: { rules: { streamingList: bytes % 100 === 0 } } })
    await rig.settle()
    changeMuch(rig)
    await pass(5_000)
    await synced(followed)
    await until(() => isSame(followed.widgets, server))
    expectSame(followed.widgets, server)
    expect(followed.told.filter((line) => line === 'add c' || line === 'initial c')).toHaveLength(1)
  },
)
