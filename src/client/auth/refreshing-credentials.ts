import { type Clock, raceAbort, throwIfAborted } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { CredentialSource, Credentials } from '../config/cluster-config.js'
import { sameCredentials } from './credentials.js'

/** What one load brought. */
export interface LoadedCredentials {
  readonly credentials: Credentials
  /** False once they should be loaded again. */
  isFresh(): boolean
}

/** How credentials are loaded, and what happens when that fails. */
interface RefreshingCredentialsOptions {
  /** Brings new credentials. Called once at a time; its signal aborts when nobody waits for it any more. */
  load(signal: AbortSignal): Promise<LoadedCredentials>
  /** `keep`: what was loaded before outlives a failed load. `throw`: the failure reaches the caller. */
  readonly onFailure: 'keep' | 'throw'
  /** Served when the very first load fails, with `keep`. */
  readonly initial?: Credentials
  /**
   * When the server refuses credentials and loading brings the same again, they are not loaded anew before this has
   * passed: for loads that cost a process or a round trip. By default nothing.
   */
  readonly repeatPauseMs?: number
  /** What is loaded, for log lines: `token file /run/token`. */
  readonly what: string
  readonly clock: Clock
  readonly log: Logger
}

/** After a failed load that was survived, the next try waits this long. */
const retryMs = 1_000

interface Held extends LoadedCredentials {
  readonly loadedAtMs: number
  /** The server had already refused the same secret when this was loaded. */
  readonly isRepeat: boolean
}

interface Flight {
  readonly result: Promise<Credentials>
  readonly abandon: AbortController
  waiters: number
}

/**
 * Credentials that are loaded on demand and held until they are stale or refused. At most one load runs; everybody who
 * asks meanwhile shares it, and it is cancelled when all of them have gone.
 */
export function createRefreshingCredentials(options: RefreshingCredentialsOptions): CredentialSource {
  const { clock, log } = options
  let held: Held | undefined = options.initial && {
    credentials: options.initial,
    isFresh: () => false,
    loadedAtMs: 0,
    isRepeat: false,
  }
  let isRefused = false
  let failedAtMs: number | undefined
  let flight: Flight | undefined
  let previous: Promise<unknown> = Promise.resolve()

  const isUsable = (current: Held): boolean => {
    if (failedAtMs !== undefined && clock.monotonic() - failedAtMs < retryMs) return true
    return !isRefused && current.isFresh()
  }

  const hold = (loaded: LoadedCredentials): Credentials => {
    const same = held !== undefined && sameCredentials(held.credentials, loaded.credentials)
    // The same secret keeps its identity, so that connections opened with it stay in use; but a refused object must
    // not come back, or each of N parallel refusals would cause a load.
    const credentials = same && held !== undefined && !isRefused ? held.credentials : loaded.credentials
    held = {
      credentials,
      isFresh: () => loaded.isFresh(),
      loadedAtMs: clock.monotonic(),
      isRepeat: same && (isRefused || held?.isRepeat === true),
    }
    isRefused = false
    failedAtMs = undefined
    return credentials
  }

  const survive = (error: unknown): Credentials => {
    if (held === undefined || options.onFailure === 'throw') throw error
    if (failedAtMs === undefined)
      log.warn(`Cannot reload ${options.what}: the old one stays in use.`, { error })
    failedAtMs = clock.monotonic()
    return held.credentials
  }

  const takeOff = (): Flight => {
    const abandon = new AbortController()
    const earlier = previous
    const fly = async (): Promise<Credentials> => {
      await earlier
      try {
        const loaded = await options.load(abandon.signal)
        throwIfAborted(abandon.signal)
        return hold(loaded)
      } catch (error) {
        throwIfAborted(abandon.signal)
        return survive(error)
      } finally {
        if (flight === started) flight = undefined
      }
    }
    const started: Flight = { result: fly(), abandon, waiters: 0 }
    previous = started.result.catch(() => undefined)
    return started
  }

  return {
    async get(signal) {
      throwIfAborted(signal)
      if (held !== undefined && isUsable(held)) return held.credentials
      flight ??= takeOff()
      const joined = flight
      joined.waiters += 1
      try {
        return await raceAbort(joined.result, signal)
      } finally {
        joined.waiters -= 1
        if (joined.waiters === 0 && flight === joined) {
          flight = undefined
          joined.abandon.abort()
        }
      }
    },
    refused(credentials) {
      if (held === undefined || credentials !== held.credentials) return true
      if (held.isRepeat && clock.monotonic() - held.loadedAtMs < (options.repeatPauseMs ?? 0)) return false
      isRefused = true
      failedAtMs = undefined
      return true
    },
  }
}
