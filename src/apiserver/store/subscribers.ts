import { toError } from '../../base/index.js'
import type { GroupResource } from '../api-object.js'
import type { StoreEvent, SubscribeOptions } from './store.js'

interface Subscriber {
  readonly listener: (event: StoreEvent) => void
  /** Of the last event that it was told, or need not be told. */
  position: number
  /** While it is told the past: what happens meanwhile. */
  backlog: StoreEvent[] | undefined
  isActive: boolean
}

/**
 * Tells everybody every event in the order of revisions, within the write. A listener that writes is told of its own
 * write after everybody has been told of the event that it is reacting to.
 */
export class Subscribers {
  readonly #byResource = new Map<GroupResource, Set<Subscriber>>()
  readonly #ofAll = new Set<Subscriber>()
  readonly #waiting: StoreEvent[] = []
  #isDelivering = false

  /** `past` are the events that it has missed, `now` the revision of the last of all events. */
  add(
    { resource, after }: SubscribeOptions,
    past: readonly StoreEvent[],
    now: number,
    listener: (event: StoreEvent) => void,
  ): () => void {
    const subscriber: Subscriber = { listener, position: Math.max(now, after), backlog: [], isActive: true }
    const group = resource === undefined ? this.#ofAll : this.#groupOf(resource)
    group.add(subscriber)
    for (const event of past) {
      if (resource === undefined || event.resource === resource) tell(subscriber, event)
    }
    for (let event = subscriber.backlog?.shift(); event !== undefined; event = subscriber.backlog?.shift())
      tell(subscriber, event)
    subscriber.backlog = undefined
    return () => {
      subscriber.isActive = false
      group.delete(subscriber)
      if (resource !== undefined && group.size === 0 && this.#byResource.get(resource) === group)
        this.#byResource.delete(resource)
    }
  }

  deliver(event: StoreEvent): void {
    this.#waiting.push(event)
    if (this.#isDelivering) return
    this.#isDelivering = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      for (const subscriber of this.#ofAll) pass(subscriber, next)
      const group = this.#byResource.get(next.resource)
      if (group !== undefined) for (const subscriber of group) pass(subscriber, next)
    }
    this.#isDelivering = false
  }

  clear(): void {
    for (const group of [this.#ofAll, ...this.#byResource.values()]) {
      for (const subscriber of group) subscriber.isActive = false
      group.clear()
    }
    this.#byResource.clear()
  }

  #groupOf(resource: GroupResource): Set<Subscriber> {
    const known = this.#byResource.get(resource)
    if (known !== undefined) return known
    const group = new Set<Subscriber>()
    this.#byResource.set(resource, group)
    return group
  }
}

function pass(subscriber: Subscriber, event: StoreEvent): void {
  if (event.revision <= subscriber.position) return
  subscriber.position = event.revision
  if (subscriber.backlog === undefined) tell(subscriber, event)
  else subscriber.backlog.push(event)
}

function tell({ isActive, listener }: Subscriber, event: StoreEvent): void {
  if (!isActive) return
  try {
    listener(event)
  } catch (error) {
    // The write has happened and others wait for it: what a listener throws is its own affair, but never silent.
    queueMicrotask(() => {
      throw toError(error)
    })
  }
}
