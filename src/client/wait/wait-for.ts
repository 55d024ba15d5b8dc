import {
  abortReason,
  type Clock,
  createBackoff,
  KubewrightError,
  type Random,
  sleep,
  systemClock,
  throwIfAborted,
} from '../../base/index.js'
import {
  formatKey,
  isApiError,
  isExpired,
  isNotFound,
  isTooManyRequests,
  type KeyOf,
  type Kind,
  type KubeObject,
  resourceNameOf,
} from '../../objects/index.js'
import type { Client } from '../client.js'
import {
  ConnectionError,
  ConnectionLostError,
  IdleTimeoutError,
  ResponseTimeoutError,
} from '../transport/connection-errors.js'
import { WatchDecodeError } from '../watch.js'
import type { DeletedCondition, WaitCondition, WaitVerdict } from './wait-condition.js'

/** What to wait for, and how long. */
export interface WaitOptions<C> {
  /** What to wait for. */
  readonly until: C
  /** 60 seconds unless said otherwise. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock
  readonly random?: Random
}

/** The time is up. */
export class WaitTimeoutError extends KubewrightError {
  /** What the object showed last. */
  readonly lastSeen: string

  constructor(what: string, timeoutMs: number, lastSeen: string) {
    super(`Waited ${timeoutMs} ms for ${what}; last seen: ${lastSeen}. Look at the object and its events.`, {
      code: 'KW_WAIT_TIMEOUT',
    })
    this.lastSeen = lastSeen
  }
}

/** The condition can no longer come true. */
export class WaitHopelessError extends KubewrightError {
  constructor(what: string, why: string) {
    super(`Waiting for ${what} is in vain: ${why}. Look at the object and its events.`, {
      code: 'KW_WAIT_HOPELESS',
    })
  }
}

/**
 * Waits, on a watch, until an object meets a condition, and returns it as it then is. An object that does not exist yet
 * may still come, and so may its kind. Broken connections are mended. Throws {@link WaitTimeoutError},
 * {@link WaitHopelessError}, or what the server answers when it will never let us see the object.
 */
export function waitFor<T extends KubeObject, I>(
  client: Client,
  kind: Kind<T, I>,
  key: KeyOf<T>,
  options: WaitOptions<WaitCondition<NoInfer<T>> | ((object: NoInfer<T>) => boolean)>,
): Promise<T>
/** Waits until an object is gone. */
export function waitFor<T extends KubeObject, I>(
  client: Client,
  kind: Kind<T, I>,
  key: KeyOf<T>,
  options: WaitOptions<DeletedCondition>,
): Promise<undefined>
export async function waitFor<T extends KubeObject, I>(
  client: Client,
  kind: Kind<T, I>,
  key: KeyOf<T>,
  options: WaitOptions<WaitCondition<T> | DeletedCondition | ((object: T) => boolean)>,
): Promise<T | undefined> {
  const { until, timeoutMs = 60_000, signal, clock = systemClock, random = Math.random } = options
  throwIfAborted(signal)
  const name = typeof until === 'function' ? 'as wanted' : until.name
  const what = `${resourceNameOf(kind)} ${formatKey(key)} to be ${name}`
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(abortReason(signal))
  signal?.addEventListener('abort', onAbort)
  let lastSeen = 'nothing yet'
  const timer = clock.setTimer(timeoutMs, () => stop.abort(new WaitTimeoutError(what, timeoutMs, lastSeen)))

  const judge = (object: T | undefined): boolean => {
    const verdict = judgeObject(until, object)
    if (verdict.state === 'hopeless') throw new WaitHopelessError(what, verdict.why)
    if (verdict.state === 'pending') lastSeen = verdict.seen
    return verdict.state === 'met'
  }
  const backoff = createBackoff({
    initialMs: 200,
    maxMs: 10_000,
    factor: 2,
    jitter: 1,
    resetAfterMs: 30_000,
    random,
  })
  try {
    for (;;) {
      try {
        const seen = await observe(client, kind, key, { judge, signal: stop.signal, clock })
        // Another object of the same name is not the one that was waited for.
        if (seen !== 'ended') return isDeletedCondition(until) ? undefined : seen.object
      } catch (error) {
        throwIfAborted(stop.signal)
        if (!isPassing(error)) throw error
        if (isNotFound(error)) lastSeen = `no such kind as ${resourceNameOf(kind)} on the server`
      }
      await sleep(clock, backoff.next(clock.monotonic()), stop.signal)
    }
  } finally {
    timer.cancel()
    signal?.removeEventListener('abort', onAbort)
  }
}

/** Lists and watches one object until it is judged right, or the server ends a watch at once. Throws what breaks it. */
async function observe<T extends KubeObject, I>(
  client: Client,
  kind: Kind<T, I>,
  key: KeyOf<T>,
  options: {
    readonly judge: (object: T | undefined) => boolean
    readonly signal: AbortSignal
    readonly clock: Clock
  },
): Promise<{ readonly object: T | undefined } | 'ended'> {
  const { judge, signal, clock } = options
  const one = { namespace: key.namespace, fieldSelector: { 'metadata.name': key.name }, signal }
  const list = await client.list(kind, one)
  const [present] = list.items
  if (judge(present)) return { object: present }
  let { resourceVersion } = list.metadata
  for (;;) {
    const startedMs = clock.monotonic()
    let events = 0
    for await (const event of client.watch(kind, { ...one, resourceVersion })) {
      events++
      if (event.type === 'bookmark') {
        if (event.resourceVersion !== '') resourceVersion = event.resourceVersion
        continue
      }
      resourceVersion = event.object.metadata.resourceVersion
      const object = event.type === 'deleted' ? undefined : event.object
      if (judge(object)) return { object }
    }
    // A watch that ends at once and empty would make this loop a storm: leave it to the back-off.
    if (events === 0 && clock.monotonic() - startedMs < 1_000) return 'ended'
  }
}

function judgeObject<T extends KubeObject>(
  until: WaitCondition<T> | DeletedCondition | ((object: T) => boolean),
  object: T | undefined,
): WaitVerdict {
  if (!isDeletedCondition(until)) {
    if (object === undefined) return { state: 'pending', seen: 'no such object' }
    if (typeof until !== 'function') return until.judge(object)
    return until(object) ? { state: 'met' } : { state: 'pending', seen: versionOf(object) }
  }
  const isGone = object === undefined || (until.uid !== undefined && object.metadata.uid !== until.uid)
  if (isGone) return { state: 'met' }
  const { deletionTimestamp, finalizers = [] } = object.metadata
  const held = finalizers.length === 0 ? '' : `, held by the finalizers ${finalizers.join(', ')}`
  return {
    state: 'pending',
    seen:
      deletionTimestamp === undefined ? 'the object, not being deleted' : `the object, being deleted${held}`,
  }
}

function isDeletedCondition<T extends KubeObject>(
  until: WaitCondition<T> | DeletedCondition | ((object: T) => boolean),
): until is DeletedCondition {
  return typeof until === 'object' && !('judge' in until)
}

function versionOf(object: KubeObject): string {
  return `the object at version ${object.metadata.resourceVersion}`
}

/** Failures that may go away by themselves. A missing kind is one: its CRD may be on its way. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof ConnectionLostError ||
    error instanceof IdleTimeoutError ||
    error instanceof ResponseTimeoutError ||
    error instanceof WatchDecodeError ||
    isExpired(error) ||
    isNotFound(error) ||
    isTooManyRequests(error) ||
    (isApiError(error) && error.httpStatus >= 500)
  )
}
