import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../../src/base/index.js'
import { type Answer, refuse } from './api-server/answers.js'
import { answerList, type ListSwitches } from './api-server/lists.js'
import { ObjectStore } from './api-server/object-store.js'
import { type PeerRequest, type PeerVerb, readRequest } from './api-server/request.js'
import { createWatchHall, type OpenWatch, type WatchSwitches } from './api-server/watches.js'
import { answerObject } from './api-server/writes.js'

/** Which requests a fault hits: those that match everything that is named. */
export interface FaultMatch {
  readonly verb?: PeerVerb | readonly PeerVerb[]
  readonly plural?: string
  readonly subresource?: string
  /** Only watches with, or without, initial events. */
  readonly streaming?: boolean
}

/** Decides what to answer in place of the server; undefined lets the request through after all. */
export type Interceptor = (request: PeerRequest) => Answer | undefined

/**
 * The other side of the network, for faults: speaks enough of the Kubernetes API for a few namespaced resources, and does
 * whatever a test wants instead. Not part of what is tested, and it shares no code with it.
 */
export interface ApiServer {
  readonly port: number
  readonly store: ObjectStore
  readonly lists: ListSwitches
  readonly watching: WatchSwitches
  /** Every request that was understood, oldest first. */
  readonly requests: PeerRequest[]
  readonly watches: readonly OpenWatch[]
  /** Sockets that are open. */
  readonly sockets: number
  /** Requests of some verbs, of one resource unless that does not matter. */
  count(verb: PeerVerb, plural?: string): number
  /** Gives this answer to the requests that match, so many times; always unless said otherwise. Returns the way back. */
  fault(match: FaultMatch, answer: Answer, times?: number): () => void
  /** The same with an answer that depends on the request. Those that are let through count, too. */
  intercept(match: FaultMatch, interceptor: Interceptor, times?: number): () => void
  /** Holds events back from open watches; `false` sends them. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

export interface ApiServerOptions {
  /** Front ends of one cluster share its store. */
  readonly store?: ObjectStore
  /** Ends watches at their time limit, and stamps requests. */
  readonly clock: Clock
  readonly tls?: { readonly cert: string; readonly key: string }
}

interface Fault {
  readonly match: FaultMatch
  readonly interceptor: Interceptor
  left: number
}

export const apiVersion = 'faults.example.com/v1'

/** Listens on a free port of the loopback; has `widgets` and `gadgets`. */
export async function createApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const store = options.store ?? new ObjectStore()
  if (options.store === undefined) {
    store.addResource('widgets', { kind: 'Widget', apiVersion })
    store.addResource('gadgets', { kind: 'Gadget', apiVersion })
  }
  const lists: ListSwitches = { frozenAt: undefined, tokensExpired: false }
  const watching: WatchSwitches = {
    initialEvents: 'honoured',
    expiredAs: 'error-event',
    futureAs: 'silence',
    bookmarks: true,
    held: false,
  }
  const hall = createWatchHall(store, watching, options.clock)
  const requests: PeerRequest[] = []
  const sockets = new Set<Socket>()
  const faults: Fault[] = []

  const answerTo = (request: PeerRequest): Answer => {
    for (const fault of faults) {
      if (fault.left <= 0 || !matches(fault.match, request)) continue
      fault.left--
      const answer = fault.interceptor(request)
      if (answer !== undefined) return answer
    }
    if (store.typeOf(request.plural) === undefined) return refuse(404, 'NotFound')
    if (request.verb === 'list') return answerList(store, lists, request)
    if (request.verb === 'watch') return hall.answer(request)
    return answerObject(store, request)
  }
  const intercept: ApiServer['intercept'] = (match, interceptor, times = Number.POSITIVE_INFINITY) => {
    const fault: Fault = { match, interceptor, left: times }
    faults.push(fault)
    return () => {
      fault.left = 0
    }
  }
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming, options.clock.monotonic()).catch(() => undefined)
    if (request === undefined) return refuse(404, 'NotFound')(response)
    requests.push(request)
    answerTo(request)(response)
  }
  const onRequest = (incoming: IncomingMessage, response: ServerResponse): void => {
    void serve(incoming, response)
  }
  const server =
    options.tls === undefined ? createServer(onRequest) : createSecureServer(options.tls, onRequest)
  server.on('connection', (socket: Socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    // A TCP server's address is an object once it listens.
    port: (server.address() as AddressInfo).port,
    store,
    lists,
    watching,
    requests,
    get watches() {
      return hall.open
    },
    get sockets() {
      return sockets.size
    },
    count: (verb, plural) =>
      requests.filter((request) => request.verb === verb && (plural ?? request.plural) === request.plural)
        .length,
    fault: (match, answer, times) => intercept(match, () => answer, times),
    intercept,
    hold(isHeld) {
      watching.held = isHeld
      if (!isHeld) hall.flush()
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}

function matches({ verb, plural, subresource, streaming }: FaultMatch, request: PeerRequest): boolean {
  return (
    (verb === undefined || [verb].flat().includes(request.verb)) &&
    (plural ?? request.plural) === request.plural &&
    (subresource ?? request.subresource) === request.subresource &&
    (streaming === undefined || streaming === (request.query['sendInitialEvents'] === 'true'))
  )
}
