import {
  assertNever,
  type Backoff,
  type Clock,
  createBackoff,
  isKubewrightError,
  type Random,
  sleep,
  toError,
} from '../base/index.js'
import { ApiError, isExpired, isResourceVersionTooLarge, parseStatus } from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import { type CachedObject, ObjectReader } from './cached-object.js'
import { scanList, scanWatchLine } from './metadata-scan.js'
import {
  initialReflectorState,
  type ListQuery,
  type ReflectorEffect,
  type ReflectorFailure,
  type ReflectorInput,
  type ReflectorRules,
  type ReflectorState,
  step,
} from './reflector-machine.js'
import type { ResourceSource } from './resource-source.js'

/** Where a reflector puts what it learns. Calls come one after the other. */
export interface ReflectorSink {
  /** A complete state of the resource. The reflector reads on when this has resolved. */
  replace(snapshot: Map<string, CachedObject>, resourceVersion: string): Promise<void>
  put(object: CachedObject): void
  remove(object: CachedObject): void
  /** Everything up to this version has been put or removed. */
  reached(resourceVersion: string): void
  historyWentBack(): void
  /** The resource answered, with whatever: it is alive. */
  active(): void
  failed(failure: ReflectorFailure | 'short-watch', error: Error | undefined): void
}

export interface ReflectorOptions {
  readonly source: ResourceSource
  readonly sink: ReflectorSink
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly rules: ReflectorRules
  readonly stripManagedFields: boolean
}

// A watch is asked to end after 5 to 10 minutes, at random, so that a fleet does not return together.
const shortestWatchSeconds = 300
const watchSecondsSpread = 300
// Bookmarks come about each 60 s: a silence longer than this means that nobody is there.
const idleWithBookmarksMs = 70_000
const idleMarginMs = 30_000
// A streaming list that sends nothing, or that goes on without its end mark, is given up for a plain one.
const streamingListIdleMs = 30_000
const streamingListEndMs = 60_000

/** Follows a resource until the signal aborts: the machine decides, this lists, watches and sleeps. */
export async function runReflector(options: ReflectorOptions, signal: AbortSignal): Promise<void> {
  await new Reflector(options, signal).run()
}

class Reflector {
  readonly #options: ReflectorOptions
  readonly #signal: AbortSignal
  readonly #backoff: Backoff
  #state: ReflectorState = initialReflectorState
  readonly #reader: ObjectReader
  #snapshot = new Map<string, CachedObject>()
  #lastError: Error | undefined

  constructor(options: ReflectorOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#reader = new ObjectReader({
      stripManagedFields: options.stripManagedFields,
      typeMeta: options.source.typeMeta,
    })
    this.#backoff = createBackoff({
      initialMs: 800,
      maxMs: 30_000,
      factor: 2,
      jitter: 1,
      resetAfterMs: 120_000,
      random: options.random,
    })
  }

  async run(): Promise<void> {
    let input: ReflectorInput | undefined = { type: 'start' }
    while (input !== undefined && !this.#signal.aborted) {
      let next: ReflectorInput | undefined
      for (const effect of this.#advance(input)) next = await this.#perform(effect)
      input = next
    }
  }

  #advance(input: ReflectorInput): readonly ReflectorEffect[] {
    const { clock, rules } = this.#options
    const [state, effects] = step(this.#state, input, clock.monotonic(), rules)
    this.#state = state
    return effects
  }

  /** Does what an effect says; the input that came of it, if it waited for something. */
  async #perform(effect: ReflectorEffect): Promise<ReflectorInput | undefined> {
    const { sink, clock, log, source } = this.#options
    switch (effect.type) {
      case 'list':
        return this.#list(effect.query)
      case 'stream-list':
        return this.#follow({
          resourceVersion: effect.resourceVersion,
          initialEvents: true,
          expectBookmarks: true,
        })
      case 'watch':
        return this.#follow({ ...effect, initialEvents: false })
      case 'wait': {
        const delayMs = this.#backoff.next(clock.monotonic())
        sink.failed(effect.failure, this.#lastError)
        log.warn(`Following ${source.description} was interrupted; trying again.`, {
          failure: effect.failure,
          delayMs: Math.round(delayMs),
          ...(this.#lastError !== undefined && { error: this.#lastError }),
        })
        this.#lastError = undefined
        await sleep(clock, delayMs, this.#signal).catch(() => {})
        return this.#signal.aborted ? undefined : { type: 'waited' }
      }
      case 'commit': {
        const snapshot = this.#snapshot
        this.#snapshot = new Map()
        await sink.replace(snapshot, effect.resourceVersion)
        return undefined
      }
      case 'discard':
        this.#snapshot = new Map()
        return undefined
      case 'clear':
        await sink.replace(new Map(), '')
        return undefined
      case 'history-went-back':
        log.warn(`The history of ${source.description} went back; everything is read anew.`, {
          from: effect.from,
          to: effect.to,
        })
        sink.historyWentBack()
        return undefined
      default:
        return assertNever(effect)
    }
  }

  async #list(query: ListQuery): Promise<ReflectorInput | undefined> {
    const { source, sink } = this.#options
    try {
      const bytes = await source.list(query, this.#signal)
      sink.active()
      const reader = this.#reader
      const { resourceVersion, continueToken } = scanList(bytes, (start) => {
        const end = reader.readAt(bytes, start)
        if (reader.last !== undefined) this.#snapshot.set(reader.last.key, reader.last)
        return end
      })
      return continueToken === undefined
        ? { type: 'page', resourceVersion }
        : { type: 'page', resourceVersion, continueToken }
    } catch (error) {
      if (this.#signal.aborted) return undefined
      return { type: 'list-failed', failure: this.#classify(error, 'answer') }
    }
  }

  async #follow(watch: {
    readonly resourceVersion: string
    readonly initialEvents: boolean
    readonly expectBookmarks: boolean
  }): Promise<ReflectorInput | undefined> {
    const { source, clock, random, sink } = this.#options
    const timeoutSeconds = Math.round(shortestWatchSeconds + random() * watchSecondsSpread)
    const query = {
      resourceVersion: watch.resourceVersion,
      initialEvents: watch.initialEvents,
      timeoutSeconds,
      idleTimeoutMs: watch.initialEvents
        ? streamingListIdleMs
        : watch.expectBookmarks
          ? idleWithBookmarksMs
          : timeoutSeconds * 1000 + idleMarginMs,
    }
    // Timed from before the request: some proxies hold the headers back until the first event.
    const sinceMs = clock.monotonic()
    const stream = new AbortController()
    const stop = (): void => stream.abort()
    this.#signal.addEventListener('abort', stop, { once: true })
    const endMark = new EndMarkDeadline(clock, () => stream.abort(new StalledError()))
    if (watch.initialEvents) endMark.restart()
    let events = 0
    try {
      for await (const lines of source.watch(query, stream.signal)) {
        sink.active()
        for (const line of lines) {
          events++
          const effects = this.#onLine(line)
          for (const effect of effects) await this.#perform(effect)
        }
        if (this.#state.phase.kind === 'streaming-list') endMark.restart()
        else endMark.cancel()
        sink.reached(this.#state.resourceVersion)
      }
      if (this.#signal.aborted) return undefined
      return { type: 'watch-ended', lastedMs: clock.monotonic() - sinceMs, events }
    } catch (error) {
      if (this.#signal.aborted) return undefined
      return { type: 'watch-failed', failure: this.#classify(error, 'stream') }
    } finally {
      endMark.cancel()
      this.#signal.removeEventListener('abort', stop)
      stream.abort()
    }
  }

  #onLine(line: Buffer): readonly ReflectorEffect[] {
    const { sink, log, source } = this.#options
    const reader = this.#reader
    let start = -1
    let end = -1
    const type = scanWatchLine(line, (objectStart) => {
      start = objectStart
      end = reader.readAt(line, objectStart)
      return end
    })
    if (start === -1) throw new UndecodableError(line)
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED': {
        const object = reader.last
        if (object === undefined) {
          log.warn(`An event of ${source.description} has no object with a name; it is skipped.`, {
            event: type,
          })
          return []
        }
        if (this.#state.phase.kind === 'streaming-list') {
          if (type === 'DELETED') this.#snapshot.delete(object.key)
          else this.#snapshot.set(object.key, object)
        } else if (type === 'DELETED') sink.remove(object)
        else sink.put(object)
        return this.#advance({ type: 'object', resourceVersion: object.resourceVersion })
      }
      case 'BOOKMARK':
        return this.#advance({ type: 'bookmark', ...readBookmark(line.toString('utf8', start, end)) })
      case 'ERROR':
        throw statusError(JSON.parse(line.toString('utf8', start, end)), source.description)
      default:
        log.warn(`An event of ${source.description} has an unknown type; it is skipped.`, { event: type })
        return []
    }
  }

  #classify(error: unknown, where: 'answer' | 'stream'): ReflectorFailure {
    this.#lastError = toError(error)
    if (error instanceof StalledError || isKubewrightError(error, 'KW_IDLE_TIMEOUT')) return 'stalled'
    if (error instanceof RangeError || error instanceof UndecodableError) return 'undecodable'
    if (!(error instanceof ApiError)) return 'unreachable'
    if (isExpired(error)) return 'expired'
    if (isResourceVersionTooLarge(error)) return 'too-large'
    if (error.httpStatus === 429) return 'throttled'
    if (error.httpStatus === 404) return 'missing'
    if (error.reason === 'StoreReadError') return 'store-read'
    if (where === 'stream' && error.httpStatus === 500) return 'internal'
    return 'rejected'
  }
}

class StalledError extends Error {}

class UndecodableError extends Error {
  constructor(line: Buffer) {
    super(`A line of a watch is no event: ${JSON.stringify(line.toString('utf8', 0, 200))}`)
  }
}

/** Fires when a streaming list has sent nothing for too long although its end mark is still owed. */
class EndMarkDeadline {
  readonly #clock: Clock
  readonly #onPassed: () => void
  #timer: { cancel(): void } | undefined

  constructor(clock: Clock, onPassed: () => void) {
    this.#clock = clock
    this.#onPassed = onPassed
  }

  restart(): void {
    this.cancel()
    this.#timer = this.#clock.setTimer(streamingListEndMs, this.#onPassed, { background: true })
  }

  cancel(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }
}

function readBookmark(json: string): { resourceVersion: string; initialEventsEnd: boolean } {
  const { metadata } = JSON.parse(json) as {
    metadata?: { resourceVersion?: unknown; annotations?: Record<string, unknown> }
  }
  return {
    resourceVersion: typeof metadata?.resourceVersion === 'string' ? metadata.resourceVersion : '',
    // The value counts, not the presence: "false" is not an end.
    initialEventsEnd: metadata?.annotations?.['k8s.io/initial-events-end'] === 'true',
  }
}

function statusError(value: unknown, description: string): ApiError {
  const status = parseStatus(value) ?? {
    kind: 'Status',
    reason: 'Unknown',
    message: 'The watch failed.',
    code: 500,
  }
  return new ApiError({ request: `watch ${description}`, status, httpStatus: status.code ?? 500 })
}
