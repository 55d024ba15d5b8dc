import {
  assertNever,
  type Backoff,
  type Clock,
  createBackoff,
  isKubewrightError,
  type Random,
  sleep,
  type Timer,
  toError,
  yieldToEventLoop,
} from '../base/index.js'
import { ApiError, isExpired, isResourceVersionTooLarge, parseStatus } from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import { type CachedObject, ObjectReader } from './cached-object.js'
import { scanList, scanWatchLine } from './metadata-scan.js'
import { step } from './reflector-machine.js'
import {
  initialReflectorState,
  type ListQuery,
  type ReflectorEffect,
  type ReflectorFailure,
  type ReflectorInput,
  type ReflectorRules,
  type ReflectorState,
} from './reflector-state.js'
import type { ResourceSource } from './resource-source.js'
import { Snapshot } from './snapshot.js'

/** Where a reflector puts what it learns. Calls come one after the other. */
export interface ReflectorSink {
  /** A complete state of the resource. The reflector reads on when this has resolved. */
  replace(snapshot: Snapshot, resourceVersion: string): Promise<void>
  /** There is no such resource. The reflector goes on asking for it. */
  missing(): Promise<void>
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
  /** What is kept of each object. Never throws. */
  readonly transform?: ((object: CachedObject) => CachedObject) | undefined
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
  #snapshot = new Snapshot()
  #lastError: Error | undefined
  #lastObjectVersion: string | undefined

  constructor(options: ReflectorOptions, signal: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#reader = new ObjectReader({
      stripManagedFields: options.stripManagedFields,
      typeMeta: options.source.typeMeta,
      transform: options.transform,
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
      const effects = this.#advance(input)
      if (input.type === 'list-failed' || input.type === 'watch-failed')
        this.#tellFailure(input.failure, effects)
      let next: ReflectorInput | undefined
      for (const effect of effects) next = await this.#perform(effect)
      input = next
    }
  }

  /** A failure that is followed by a pause is told with the pause; the others must not go unseen either. */
  #tellFailure(failure: ReflectorFailure, effects: readonly ReflectorEffect[]): void {
    if (effects.some((effect) => effect.type === 'wait')) return
    const error = this.#takeLastError()
    this.#options.sink.failed(failure, error)
    this.#options.log.info(`Following ${this.#options.source.description} goes on at once.`, {
      failure,
      ...(error !== undefined && { error }),
    })
  }

  #takeLastError(): Error | undefined {
    const error = this.#lastError
    this.#lastError = undefined
    return error
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
      case 'probe':
        return this.#probe(effect.resourceVersion)
      case 'wait': {
        const error = this.#takeLastError()
        const askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0
        const delayMs = Math.max(askedMs, this.#backoff.next(clock.monotonic()))
        sink.failed(effect.failure, error)
        // A server that asks for patience is not out of order: it does so right after a CRD was installed.
        const level = effect.failure === 'throttled' ? 'info' : 'warn'
        log[level](describeWait(source.description, effect.failure), {
          failure: effect.failure,
          delayMs: Math.round(delayMs),
          ...(error !== undefined && { error }),
        })
        await sleep(clock, delayMs, this.#signal).catch(() => {})
        return this.#signal.aborted ? undefined : { type: 'waited' }
      }
      case 'commit': {
        const snapshot = this.#snapshot
        this.#snapshot = new Snapshot()
        await sink.replace(snapshot, effect.resourceVersion)
        return undefined
      }
      case 'discard':
        this.#snapshot = new Snapshot()
        return undefined
      case 'clear':
        await sink.missing()
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
      const scan = scanList(bytes, (start) => {
        const end = reader.readAt(bytes, start)
        if (reader.last !== undefined) this.#snapshot.set(reader.last)
        return end
      })
      let read = scan.next()
      // A list in one piece may be hundreds of megabytes long: leases and probes must not wait for all of it.
      for (; read.done !== true; read = scan.next()) await yieldToEventLoop()
      const { resourceVersion, continueToken } = read.value
      return continueToken === undefined
        ? { type: 'page', resourceVersion }
        : { type: 'page', resourceVersion, continueToken }
    } catch (error) {
      if (this.#signal.aborted) return undefined
      return { type: 'list-failed', failure: this.#classify(error, 'answer') }
    }
  }

  async #probe(resourceVersion: string): Promise<ReflectorInput | undefined> {
    try {
      await this.#options.source.list({ resourceVersion, limit: 1 }, this.#signal)
      return { type: 'probed' }
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
      idleTimeoutMs: watch.expectBookmarks ? idleWithBookmarksMs : timeoutSeconds * 1000 + idleMarginMs,
    }
    // Timed from before the request: some proxies hold the headers back until the first event.
    const sinceMs = clock.monotonic()
    const stream = new AbortController()
    const stop = (): void => stream.abort()
    this.#signal.addEventListener('abort', stop, { once: true })
    const initialEvents = new InitialEventsDeadline(clock, () => stream.abort(new StalledError()))
    if (watch.initialEvents) initialEvents.begin()
    let events = 0
    try {
      for await (const lines of source.watch(query, stream.signal)) {
        sink.active()
        const known = this.#snapshot.size
        for (const line of lines) {
          events++
          for (const effect of this.#onLine(line)) await this.#perform(effect)
        }
        this.#reachLastObject()
        if (this.#state.phase.kind === 'streaming-list') initialEvents.received(this.#snapshot.size > known)
        else initialEvents.end()
        sink.reached(this.#state.resourceVersion)
      }
      if (this.#signal.aborted) return undefined
      return { type: 'watch-ended', lastedMs: clock.monotonic() - sinceMs, events }
    } catch (error) {
      this.#reachLastObject()
      if (this.#signal.aborted) return undefined
      return { type: 'watch-failed', failure: this.#classify(error, 'stream'), events }
    } finally {
      initialEvents.end()
      this.#signal.removeEventListener('abort', stop)
      stream.abort()
    }
  }

  /** Of the objects that came together only the last moves the state: it says how far the others are. */
  #reachLastObject(): void {
    const resourceVersion = this.#lastObjectVersion
    this.#lastObjectVersion = undefined
    if (resourceVersion !== undefined) this.#advance({ type: 'object', resourceVersion })
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
    // Where an object is due, its absence is a broken line. What a newer server may say besides is not for us to judge.
    if (start === -1 && knownTypes.has(type)) throw new UndecodableError(line)
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED': {
        const object = reader.last
        if (object === undefined) {
          log.warn(`An event of ${source.description} has no named object of its kind; it is skipped.`, {
            event: type,
          })
          return nothing
        }
        if (this.#state.phase.kind === 'streaming-list') {
          if (type === 'DELETED') this.#snapshot.delete(object.key)
          else this.#snapshot.set(object)
        } else if (type === 'DELETED') sink.remove(object)
        else sink.put(object)
        if (object.resourceVersion !== '') this.#lastObjectVersion = object.resourceVersion
        return nothing
      }
      case 'BOOKMARK':
        this.#reachLastObject()
        return this.#advance({ type: 'bookmark', ...readBookmark(line.toString('utf8', start, end)) })
      case 'ERROR':
        throw statusError(JSON.parse(line.toString('utf8', start, end)), source.description)
      default:
        if (start === -1 && type === '') throw new UndecodableError(line)
        log.warn(`An event of ${source.description} has an unknown type; it is skipped.`, { event: type })
        return nothing
    }
  }

  #classify(error: unknown, where: 'answer' | 'stream'): ReflectorFailure {
    this.#lastError = toError(error)
    if (error instanceof StalledError || isKubewrightError(error, 'KW_IDLE_TIMEOUT')) return 'stalled'
    if (isKubewrightError(error, 'KW_RESPONSE_TIMEOUT')) return 'unanswered'
    if (isUndecodable(error)) return 'undecodable'
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

function describeWait(description: string, failure: ReflectorFailure | 'short-watch'): string {
  return failure === 'missing'
    ? `The server has no ${description}; waiting for it. Install its CRD, or correct its group and version.`
    : `Following ${description} was interrupted; trying again.`
}

const nothing: readonly ReflectorEffect[] = []

const knownTypes = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR'])

class StalledError extends Error {
  constructor() {
    super('A streaming list did not come to its end in time.')
  }
}

/** Scanning throws a RangeError, parsing a SyntaxError. */
function isUndecodable(error: unknown): boolean {
  return (
    error instanceof UndecodableError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    isKubewrightError(error, 'KW_LINE_TOO_LONG')
  )
}

class UndecodableError extends Error {
  constructor(line: Buffer) {
    super(`A line of a watch is no event: ${JSON.stringify(line.toString('utf8', 0, 200))}`)
  }
}

/**
 * Fires when a streaming list has sent nothing for too long, or nothing new for too long although its end mark is still
 * owed: later changes and bookmarks are no reason to go on waiting for it.
 */
class InitialEventsDeadline {
  readonly #clock: Clock
  readonly #onPassed: () => void
  #silence: Timer | undefined
  #endMark: Timer | undefined

  constructor(clock: Clock, onPassed: () => void) {
    this.#clock = clock
    this.#onPassed = onPassed
  }

  begin(): void {
    this.received(true)
  }

  received(hasNewObjects: boolean): void {
    this.#silence?.cancel()
    this.#silence = this.#clock.setTimer(streamingListIdleMs, this.#onPassed, { background: true })
    if (!hasNewObjects) return
    this.#endMark?.cancel()
    this.#endMark = this.#clock.setTimer(streamingListEndMs, this.#onPassed, { background: true })
  }

  end(): void {
    this.#silence?.cancel()
    this.#endMark?.cancel()
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
  const retryAfterSeconds = status.details?.retryAfterSeconds
  return new ApiError({
    request: `watch ${description}`,
    status,
    httpStatus: status.code ?? 500,
    ...(retryAfterSeconds !== undefined && { retryAfterMs: retryAfterSeconds * 1000 }),
  })
}
