import { abortReason } from '../../src/base/index.js'
import { type Client, createClient, createTransport } from '../../src/client/index.js'
import { configFor, load, type Rig } from './rig.js'

/** Where the process dies: before a write has left it, or after the server has done it and before the answer is read. */
export interface Death {
  /** Counted from zero; beyond the last write it lives. */
  readonly atWrite: number
  readonly when: 'before' | 'after'
}

/** A client of a process that dies in the middle of its work: from then on, nothing of it reaches the server. */
export interface MortalClient {
  readonly client: Client
  readonly isDead: boolean
  /** Writes that reached the server. */
  readonly writes: number
}

export async function createMortalClient(
  { proxy, clock, random, log }: Rig,
  death: Death,
): Promise<MortalClient> {
  const network = createTransport(configFor(`http://127.0.0.1:${proxy.port}`), { clock, log })
  const state = { isDead: false, writes: 0 }
  // Nothing comes of it any more; only whoever clears the remains away can end the waiting.
  const wait = (signal: AbortSignal | undefined): Promise<never> =>
    new Promise((_, reject) => {
      if (signal?.aborted === true) reject(abortReason(signal))
      signal?.addEventListener('abort', () => reject(abortReason(signal)), { once: true })
    })
  const die = (signal: AbortSignal | undefined): Promise<never> => {
    state.isDead = true
    network.close()
    return wait(signal)
  }
  const client = createClient({
    clock,
    random,
    log,
    transport: async (request) => {
      if (state.isDead) return wait(request.signal)
      const isWrite = request.method !== 'GET'
      const isLast = isWrite && state.writes === death.atWrite
      if (isLast && death.when === 'before') return die(request.signal)
      if (isWrite) state.writes++
      const response = await network(request)
      return isLast ? die(request.signal) : response
    },
  })
  await load(client)
  return {
    client: { ...client, close: () => network.close() },
    get isDead() {
      return state.isDead
    },
    get writes() {
      return state.writes
    },
  }
}
