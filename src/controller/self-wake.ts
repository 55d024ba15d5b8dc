/** So many runs in a row, each caused by nothing but the run before it, are a loop and not a chain of steps. */
const runsToWarn = 10

/** Nobody writes so many objects in one run: what is beyond it came from others. */
const mostVersionsSeen = 200

interface OwnFootprint {
  /** Versions that the current or last run wrote, of whatever object, and those of the run before it. */
  written: Set<string>
  writtenBefore: Set<string>
  /** Versions that have woken it since the last run began. */
  seen: Set<string>
  /** Consecutive runs that nobody else caused. */
  streak: number
}

/**
 * Notices a controller that wakes itself for ever: a run writes something that wakes the same object, whose run writes
 * again. A timestamp in the status is enough for that.
 *
 * Whose an event is, is known only when the next run begins: the watch may show a write before its answer arrives, and a
 * run may begin before the watch has shown what the last one wrote.
 */
export class SelfWakeDetector {
  readonly #footprints = new Map<string, OwnFootprint>()

  /** A run for this key wrote an object of this version. */
  wrote(key: string, resourceVersion: string): void {
    let footprint = this.#footprints.get(key)
    if (footprint === undefined) {
      footprint = { written: new Set(), writtenBefore: new Set(), seen: new Set(), streak: 0 }
      this.#footprints.set(key, footprint)
    }
    footprint.written.add(resourceVersion)
  }

  /** An event of this version wakes the key. */
  woken(key: string, resourceVersion: string): void {
    const seen = this.#footprints.get(key)?.seen
    if (seen !== undefined && seen.size < mostVersionsSeen) seen.add(resourceVersion)
  }

  /** A run for this key begins. True once, when it has woken itself too often in a row. */
  begins(key: string): boolean {
    const footprint = this.#footprints.get(key)
    if (footprint === undefined) return false
    const { written, writtenBefore, seen } = footprint
    const isOwn = (version: string): boolean => written.has(version) || writtenBefore.has(version)
    // A run that no event caused, as after `again`, was not woken by anybody.
    const bySelf = seen.size > 0 && seen.size < mostVersionsSeen && [...seen].every(isOwn)
    footprint.streak = bySelf ? footprint.streak + 1 : 0
    footprint.writtenBefore = written
    footprint.written = new Set()
    footprint.seen = new Set()
    return footprint.streak === runsToWarn
  }

  /** A run has ended; one that wrote nothing cannot wake itself. */
  ended(key: string): void {
    if (this.#footprints.get(key)?.written.size === 0) this.#footprints.delete(key)
  }

  forget(key: string): void {
    this.#footprints.delete(key)
  }
}
