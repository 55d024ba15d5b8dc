import { LruMap } from '../../base/index.js'

/** An event as somebody reports it. */
export interface EventReport {
  /** What it is about, as one text: kind, namespace, name, uid, version. */
  readonly objectId: string
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** What to write for a report: a new Event, one more of an Event that exists, or nothing. */
export type EventDecision =
  | { readonly kind: 'create'; readonly message: string; readonly sameAs: string }
  | {
      readonly kind: 'count'
      readonly message: string
      readonly sameAs: string
      readonly written: WrittenEvent
    }
  | { readonly kind: 'drop' }

/** An Event on the server, as far as counting needs it. */
export interface WrittenEvent {
  readonly namespace: string
  readonly name: string
  readonly count: number
}

// The numbers of client-go's correlator, so that a cluster sees no more events of us than of a Go controller.
const remembered = 4096
const differentMessages = 10
const aggregationWindowMs = 600_000
const spamBurst = 25
const spamRefillMs = 300_000
const combinedPrefix = '(combined from similar events): '

interface Similar {
  readonly messages: Set<string>
  lastMs: number
}

interface Bucket {
  tokens: number
  refilledMs: number
}

/**
 * Keeps a controller from flooding the cluster with Events, in three steps:
 * - many different messages of one reason about one object become one combined Event;
 * - the same Event again is a higher count of the one that exists;
 * - an object about which too much is said is not talked about for a while.
 *
 * Pure but for its memory: the time is a parameter.
 */
export class EventCorrelator {
  readonly #similar = new LruMap<string, Similar>(remembered)
  readonly #written = new LruMap<string, WrittenEvent>(remembered)
  readonly #buckets = new LruMap<string, Bucket>(remembered)

  decide(report: EventReport, nowMs: number): EventDecision {
    const { message, sameAs } = this.#aggregate(report, nowMs)
    if (!this.#hasTokens(`${report.objectId}|${report.type}`, nowMs)) return { kind: 'drop' }
    const written = this.#written.get(sameAs)
    return written === undefined
      ? { kind: 'create', message, sameAs }
      : { kind: 'count', message, sameAs, written }
  }

  /** The server has this Event now; further ones that are the same are counted on it. */
  wrote(sameAs: string, event: WrittenEvent): void {
    this.#written.set(sameAs, event)
  }

  /** The Event that was counted on is gone. */
  lost(sameAs: string): void {
    this.#written.delete(sameAs)
  }

  #aggregate(report: EventReport, nowMs: number): { message: string; sameAs: string } {
    const { objectId, type, reason, message } = report
    const alike = `${objectId}|${type}|${reason}`
    const known = this.#similar.get(alike)
    const similar =
      known === undefined || nowMs - known.lastMs > aggregationWindowMs
        ? { messages: new Set<string>(), lastMs: nowMs }
        : known
    similar.lastMs = nowMs
    if (similar.messages.size < differentMessages) similar.messages.add(message)
    this.#similar.set(alike, similar)
    return similar.messages.size < differentMessages
      ? { message, sameAs: `${alike}|${message}` }
      : { message: combinedPrefix + message, sameAs: alike }
  }

  #hasTokens(source: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(source) ?? { tokens: spamBurst, refilledMs: nowMs }
    const refills = Math.floor((nowMs - bucket.refilledMs) / spamRefillMs)
    if (refills > 0) {
      bucket.tokens = Math.min(spamBurst, bucket.tokens + refills)
      bucket.refilledMs += refills * spamRefillMs
    }
    this.#buckets.set(source, bucket)
    if (bucket.tokens === 0) return false
    bucket.tokens--
    return true
  }
}
