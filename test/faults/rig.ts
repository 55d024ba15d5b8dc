import { getEventListeners } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { type Clock, type Random, seededRandom } from '../../src/base/index.js'
import { createSharedCache, type SharedCache, type SharedCacheOptions } from '../../src/cache/index.js'
import { type Client, type ClientOptions, type ClusterConfig, createClient } from '../../src/client/index.js'
import { type ApiServer, type ApiServerOptions, createApiServer } from './api-server.js'
import { until } from './event-loop.js'
import { createRecordedLog, type RecordedLog } from './recorded-log.js'
import { createTcpProxy, type TcpProxy } from './tcp-proxy.js'
import { createVirtualTime, type VirtualTime } from './virtual-time.js'

/**
 * A client of ours, a server that is not, and a wire between them that fails on demand, in virtual time. Whatever a test
 * does with it, some things must hold in the end, and the rig checks them when the test has finished: nobody was left with
 * a rejected promise, no timer, socket or listener outlives the client, and no log line repeats itself without a pause.
 */
export interface Rig extends Pick<VirtualTime, 'pass' | 'settle'> {
  readonly server: ApiServer
  readonly proxy: TcpProxy
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: RecordedLog
  readonly time: VirtualTime
  /** Another client of the same server, over the same wire. */
  connect(overrides?: Partial<ClusterConfig>, options?: ClientOptions): Promise<Client>
  /** A cache that runs until the test ends, or until `stop`. */
  startCache(options?: Partial<SharedCacheOptions>): RunningCache
  /** Runs something until the test ends; the rig waits for its end. */
  start(work: (signal: AbortSignal) => Promise<void>): RunningWork
}

export interface RunningWork {
  readonly signal: AbortSignal
  readonly ended: Promise<void>
  stop(reason?: Error): Promise<void>
}

export interface RunningCache extends RunningWork {
  readonly cache: SharedCache
}

export type RigOptions = Omit<ApiServerOptions, 'clock'> & { readonly seed?: number }

/** Everything that listens, works and waits in it ends with the test. */
export async function createRig(options: RigOptions = {}): Promise<Rig> {
  const rejections: unknown[] = []
  const onRejection = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', onRejection)

  // Each part is made after what counts its activity; until then there is none.
  const counters: (() => number)[] = []
  const time = createVirtualTime(() => counters.reduce((sum, count) => sum + count(), 0))
  const { clock } = time
  const log = createRecordedLog(clock)
  const random = seededRandom(options.seed ?? 1)
  const server = await createApiServer({ ...options, clock })
  const proxy = await createTcpProxy(server.port)
  counters.push(
    () => proxy.bytesToClient + proxy.bytesToServer + proxy.accepted + proxy.open,
    () => server.requests.length + server.sockets + log.lines.length,
  )

  const clients: Client[] = []
  const connect: Rig['connect'] = async (overrides = {}, clientOptions = {}) => {
    const config = configFor(
      `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${proxy.port}`,
      overrides,
    )
    const client = createClient({ config, clock, random, log, ...clientOptions })
    clients.push(client)
    await load(client)
    return client
  }

  const works: RunningWork[] = []
  const start = (work: (signal: AbortSignal) => Promise<void>): RunningWork => {
    const controller = new AbortController()
    const ended = work(controller.signal)
    const running: RunningWork = {
      signal: controller.signal,
      ended,
      async stop(reason) {
        controller.abort(reason)
        await ended
      },
    }
    works.push(running)
    return running
  }

  const client = await connect()
  const startCache = (cacheOptions: Partial<SharedCacheOptions> = {}): RunningCache => {
    const cache = createSharedCache({ client, clock, random, log, ...cacheOptions })
    return { cache, ...start((signal) => cache.run(signal)) }
  }

  onTestFinished(async () => {
    for (const work of works.toReversed()) {
      await work.stop()
      expect(getEventListeners(work.signal, 'abort'), 'listeners that outlive their work').toEqual([])
    }
    for (const each of clients) each.close()
    await until(() => time.pendingTimers === 0, 'no timer outlives the work that set it')
    await until(() => proxy.open === 0, 'no socket outlives the client that opened it')
    await proxy.close()
    await server.close()
    await time.settle()
    process.off('unhandledRejection', onRejection)
    expect(rejections, 'unhandled rejections').toEqual([])
    expectNoLogStorm(log)
  })

  return {
    server,
    proxy,
    client,
    clock,
    random,
    log,
    time,
    connect,
    startCache,
    start,
    pass: time.pass,
    settle: time.settle,
  }
}

/**
 * A client loads its network code with the first request, in time that no clock of ours counts. This request is given up
 * before anything is sent.
 */
export async function load(client: Client): Promise<void> {
  const abort = new AbortController()
  const request = client.request({ method: 'GET', path: '/', signal: abort.signal, isStream: true })
  abort.abort()
  await request.catch(() => {})
}

export function configFor(server: string, overrides: Partial<ClusterConfig> = {}): ClusterConfig {
  return {
    server,
    trust: { ca: () => Promise.resolve(undefined), insecureSkipVerify: false },
    credentials: { get: () => Promise.resolve({}), refused: () => false },
    namespace: 'default',
    origin: 'a test',
    ...overrides,
  }
}

/** A fault that lasts shows once in each pause, not once in each turn of a loop. */
function expectNoLogStorm(log: RecordedLog): void {
  const last = new Map<string, number>()
  for (const { level, message, fields, atMs } of log.lines) {
    if (level !== 'warn' || fields['failure'] === undefined) continue
    const id = `${message} ${JSON.stringify(fields['failure'])}`
    expect(
      atMs - (last.get(id) ?? Number.NEGATIVE_INFINITY),
      `pause between two lines: ${id}`,
    ).toBeGreaterThanOrEqual(800)
    last.set(id, atMs)
  }
}
