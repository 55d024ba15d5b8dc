import { type Clock, type DeepReadonly, type Random, sleep, systemClock, toError } from '../../base/index.js'
import type { Client } from '../../client/index.js'
import { Event } from '../../kinds/core/v1.js'
import {
  formatTime,
  type InputOf,
  isAlreadyExists,
  isApiError,
  isNamespaceTerminating,
  isNotFound,
  type KubeObject,
} from '../../objects/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { EventCorrelator, type EventDecision, type EventReport } from './event-correlator.js'

type AnyObject = KubeObject | DeepReadonly<KubeObject>

/** Writes Events about objects, for people: `kubectl describe` and `kubectl get events` show them. */
export interface ObjectEvents {
  /** Something went as it should. Returns at once; the Event is written in the background. */
  normal(object: AnyObject, reason: string, message: string): void
  /** Something needs attention. */
  warning(object: AnyObject, reason: string, message: string): void
}

/** A recorder writes while it runs. What is recorded before waits; what is left when it stops is written or dropped. */
export interface EventRecorder extends ObjectEvents {
  /** Writes until the signal aborts, then what is left, as far as that works at once. */
  run(signal: AbortSignal): Promise<void>
}

export interface EventRecorderOptions {
  readonly client: Client
  /** Who speaks: `foo-controller`. Shown as the source of the Events. */
  readonly component: string
  /** Which of its replicas: the host name of the pod. */
  readonly instance?: string
  readonly clock?: Clock
  readonly random?: Random
  readonly log?: Logger
}

const longestQueue = 1000
const tries = 12
const retryDelayMs = 10_000
// The server refuses longer ones.
const longestMessage = 1024

interface Recorded extends EventReport {
  readonly object: AnyObject
  readonly atMs: number
}

export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { client, component, clock = systemClock, random = Math.random, log = silentLogger } = options
  const correlator = new EventCorrelator()
  const waiting: Recorded[] = []
  let wake: () => void = () => {}
  let names = 0

  // oxlint-disable-next-line max-params -- one private function behind two public ones
  const record = (object: AnyObject, type: 'Normal' | 'Warning', reason: string, message: string): void => {
    const { kind, apiVersion, metadata } = object
    if (waiting.length >= longestQueue) {
      log.warn('Too many events wait to be written; one was dropped.', { reason, object: metadata.name })
      return
    }
    waiting.push({
      object,
      objectId: [apiVersion, kind, metadata.namespace, metadata.name, metadata.uid].join('|'),
      type,
      reason,
      message: message.slice(0, longestMessage),
      atMs: clock.now(),
    })
    wake()
  }

  // The time in nanoseconds, as client-go names its events; the last digits count, since the clock has none for them.
  const uniqueSuffix = (): string =>
    (BigInt(Math.trunc(clock.now())) * 1_000_000n + BigInt(names++ % 1_000_000)).toString(16)

  const write = async (recorded: Recorded, decision: EventDecision): Promise<void> => {
    if (decision.kind === 'drop') return
    if (decision.kind === 'count') {
      const { written, sameAs, message } = decision
      const count = written.count + 1
      const merge = { count, message, lastTimestamp: formatTime(recorded.atMs) }
      try {
        await client.patch(Event, written, { merge }, { fieldManager: component })
        return correlator.wrote(sameAs, { ...written, count })
      } catch (error) {
        // Events live an hour; the one that was counted on is gone.
        if (!isNotFound(error)) throw error
        correlator.lost(sameAs)
      }
    }
    const event = eventFor(recorded, decision.message, options, uniqueSuffix())
    const { metadata } = await client.create(Event, event, { fieldManager: component })
    correlator.wrote(decision.sameAs, { namespace: metadata.namespace, name: metadata.name, count: 1 })
  }

  const writeWithRetries = async (recorded: Recorded, signal: AbortSignal): Promise<void> => {
    const decision = correlator.decide(recorded, recorded.atMs)
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(recorded, decision)
      } catch (error) {
        if (isAlreadyExists(error) || isNamespaceTerminating(error)) return
        if (isApiError(error) || attempt === tries || signal.aborted) {
          log.warn('An event could not be written; it is dropped.', {
            reason: recorded.reason,
            error: toError(error),
          })
          return
        }
        // The first delay is random, so that a fleet does not return together when the server does.
        await sleep(clock, attempt === 1 ? random() * retryDelayMs : retryDelayMs, signal).catch(() => {})
      }
    }
  }

  return {
    normal: (object, reason, message) => record(object, 'Normal', reason, message),
    warning: (object, reason, message) => record(object, 'Warning', reason, message),
    async run(signal) {
      signal.addEventListener('abort', () => wake(), { once: true })
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) await writeWithRetries(next, signal)
        else if (signal.aborted) return
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
            if (signal.aborted) resolve()
          })
        }
      }
    },
  }
}

function eventFor(
  recorded: Recorded,
  message: string,
  { component, instance = '' }: EventRecorderOptions,
  suffix: string,
): InputOf<typeof Event> {
  const { object, type, reason, atMs } = recorded
  const { namespace = 'default', name, uid, resourceVersion } = object.metadata
  const time = formatTime(atMs)
  return {
    metadata: { namespace, name: `${name}.${suffix}` },
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: object.kind,
      name,
      uid,
      resourceVersion,
      ...(object.metadata.namespace !== undefined && { namespace }),
    },
    type,
    reason,
    message,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component, ...(instance !== '' && { host: instance }) },
    reportingComponent: component,
    reportingInstance: instance,
  }
}
