import type { DeepReadonly } from '../../../base/index.js'
import type { Nature, SystemClient } from '../../cluster-state.js'

/** What an event is about. */
export interface EventSubject {
  apiVersion: string
  kind: string
  metadata: { name?: string; namespace?: string; uid?: string; resourceVersion?: string }
}

export interface EventText {
  readonly component: string
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** Tells people what the controllers do, as Events. The same event again only counts up. */
export class EventWriter {
  readonly #system: SystemClient
  readonly #nature: Nature
  /** Names of events by what they say. */
  readonly #known = new Map<string, string>()

  constructor(system: SystemClient, nature: Nature) {
    this.#system = system
    this.#nature = nature
  }

  /** Never fails: an event is not worth it. */
  async write(subject: DeepReadonly<EventSubject>, text: EventText): Promise<void> {
    try {
      await this.#writeEvent(subject, text)
    } catch {
      // Its namespace is going, or somebody has deleted it meanwhile.
    }
  }

  async #writeEvent(subject: DeepReadonly<EventSubject>, text: EventText): Promise<void> {
    const { name = '', namespace = 'default', uid = '', resourceVersion = '' } = subject.metadata
    const { component, type, reason, message } = text
    const now = this.#nature.timestamp()
    const id = JSON.stringify([uid, component, type, reason, message])
    const known = this.#system.get('events', namespace, this.#known.get(id) ?? '')
    if (known !== undefined) {
      const count = Number(known['count'] ?? 1) + 1
      await this.#system.patch('events', namespace, known.metadata.name ?? '', { count, lastTimestamp: now })
      return
    }
    // As client-go names them: the object, and the time in nanoseconds in hexadecimal digits.
    const suffix = (BigInt(Math.floor(this.#nature.random() * 2 ** 44)) * 65_536n)
      .toString(16)
      .padStart(16, '0')
    const eventName = `${name}.${suffix}`
    this.#known.set(id, eventName)
    await this.#system.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName, namespace },
      involvedObject: {
        apiVersion: subject.apiVersion,
        kind: subject.kind,
        name,
        namespace,
        uid,
        resourceVersion,
      },
      reason,
      message,
      type,
      source: { component },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    })
  }
}
