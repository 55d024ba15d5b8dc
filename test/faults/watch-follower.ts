import type { Client, WatchEvent, WatchOptions } from '../../src/client/index.js'
import { Widget } from './widgets.js'

/** A watch that is being read, in the way a program without a cache reads one. */
export interface WatchFollower {
  /** `added a 101`, `bookmark 102`. */
  readonly seen: string[]
  readonly objects: Widget[]
  /** The version to go on from. */
  readonly version: string
  /** How the watch ended: undefined while it runs, null after a normal end. */
  readonly end: unknown
  stop(): Promise<void>
}

/** Reads one watch to its end. */
export function followWatch(client: Client, options: WatchOptions<false>): WatchFollower {
  const stop = new AbortController()
  const state = {
    seen: [] as string[],
    objects: [] as Widget[],
    version: options.resourceVersion ?? '',
    end: undefined as unknown,
  }
  const read = async (): Promise<void> => {
    try {
      for await (const event of client.watch(Widget, { ...options, signal: stop.signal })) {
        state.seen.push(describeEvent(event))
        if (event.type !== 'bookmark') state.objects.push(event.object)
        state.version =
          event.type === 'bookmark' ? event.resourceVersion : event.object.metadata.resourceVersion
      }
      state.end = null
    } catch (error) {
      state.end = error
    }
  }
  const reading = read()
  return Object.assign(state, {
    async stop() {
      stop.abort()
      await reading
    },
  })
}

function describeEvent(event: WatchEvent<Widget>): string {
  return event.type === 'bookmark'
    ? `bookmark ${event.resourceVersion}${event.initialEventsEnd ? ' end' : ''}`
    : `${event.type} ${event.object.metadata.name} ${event.object.metadata.resourceVersion}`
}
