import { compareResourceVersions, type KubeObject } from '../objects/index.js'
import type { CachedObject } from './cached-object.js'

/** What a write of our own left behind: an object, or the absence of one. */
export type OwnWrite<T extends KubeObject> =
  | { readonly kind: 'object'; readonly cached: CachedObject<T> }
  | { readonly kind: 'gone'; readonly uid: string }

/** Which object, and which of its states. */
export interface ObjectVersion {
  readonly uid: string
  readonly resourceVersion: string
}

/** Whether the watch has shown a written state, or a later one. `shown` is the object as the watch has shown it. */
export function isShown(
  written: ObjectVersion,
  shown: ObjectVersion | undefined,
  shownVersion: string,
): boolean {
  if (isReached(written.resourceVersion, shownVersion)) return true
  return shown?.uid === written.uid && isReached(written.resourceVersion, shown.resourceVersion)
}

/**
 * Our own writes that the watch has not shown yet. A reader looks here first, so that it sees what it has just written;
 * an entry goes when the watch has caught up with it.
 */
export class OwnWrites<T extends KubeObject> {
  readonly #writes = new Map<string, OwnWrite<T>>()

  get size(): number {
    return this.#writes.size
  }

  get(key: string): OwnWrite<T> | undefined {
    return this.#writes.get(key)
  }

  entries(): IterableIterator<[string, OwnWrite<T>]> {
    return this.#writes.entries()
  }

  /** The server answered a write with this object. `shown` is what the watch has shown so far. */
  wrote(cached: CachedObject<T>, shown: ObjectVersion | undefined, shownVersion: string): void {
    if (isShown(cached, shown, shownVersion)) return
    const earlier = this.#writes.get(cached.key)
    // Two answers may overtake each other; the newer version stays.
    if (
      earlier?.kind === 'object' &&
      compareResourceVersions(earlier.cached.resourceVersion, cached.resourceVersion) === 1
    )
      return
    this.#writes.set(cached.key, { kind: 'object', cached })
  }

  /** The server confirmed that the object of this uid is gone. */
  deleted(key: string, uid: string, shown: ObjectVersion | undefined): void {
    const write = this.#writes.get(key)
    // The watch will still show it, alive, if it shows it now or has not come to its creation yet.
    const isToBeShown = shown?.uid === uid || (write?.kind === 'object' && write.cached.uid === uid)
    if (isToBeShown) this.#writes.set(key, { kind: 'gone', uid })
  }

  /** The watch has shown an event for this key. */
  caughtUpWith(key: string, event: ObjectVersion, deleted: boolean): void {
    const write = this.#writes.get(key)
    if (write === undefined) return
    const done =
      write.kind === 'gone'
        ? deleted || event.uid !== write.uid
        : // An older event is on its way to what was written: what we know is newer. Where versions cannot be compared,
          // the watch is believed.
          compareResourceVersions(event.resourceVersion, write.cached.resourceVersion) !== -1
    if (done) this.#writes.delete(key)
  }

  /** The watch has shown everything up to this version: entries not newer than it have been superseded. */
  caughtUpTo(resourceVersion: string): void {
    for (const [key, write] of this.#writes) {
      if (write.kind === 'object' && isReached(write.cached.resourceVersion, resourceVersion))
        this.#writes.delete(key)
    }
  }

  /** A complete list was taken: deletions in it are known. */
  relisted(resourceVersion: string): void {
    this.caughtUpTo(resourceVersion)
    for (const [key, write] of this.#writes) if (write.kind === 'gone') this.#writes.delete(key)
  }

  /** The server's history went back: versions written before mean nothing any more. */
  clear(): void {
    this.#writes.clear()
  }
}

function isReached(version: string, by: string): boolean {
  const order = compareResourceVersions(by, version)
  return order === 0 || order === 1
}
