/** So many runs in a row, each caused by nothing but the run before it, are a loop and not a chain of steps. */
const runsToWarn = 10

interface OwnFootprint {
  /** Versions that the last run wrote, of whatever object. */
  versions: Set<string>
  /** Consecutive runs that nobody else caused. */
  streak: number
  /** Whether anything but our own writes has woken it since the last run. */
  foreign: boolean
}

/**
 * Notices a controller that wakes itself for ever: a run writes something that wakes the same object, whose run writes
 * again. A timestamp in the status is enough for that.
 */
export class SelfWakeDetector {
  readonly #footprints = new Map<string, OwnFootprint>()

  /** A run for this key wrote an object of this version. */
  wrote(key: string, resourceVersion: string): void {
    const footprint = this.#footprints.get(key)
    if (footprint === undefined) {
      this.#footprints.set(key, { versions: new Set([resourceVersion]), streak: 0, foreign: false })
    } else footprint.versions.add(resourceVersion)
  }

  /** An event of this version wakes the key. */
  woken(key: string, resourceVersion: string): void {
    const footprint = this.#footprints.get(key)
    if (footprint !== undefined && !footprint.versions.has(resourceVersion)) footprint.foreign = true
  }

  /** A run for this key begins. True once, when it has woken itself too often in a row. */
  begins(key: string): boolean {
    const footprint = this.#footprints.get(key)
    if (footprint === undefined) return false
    const bySelf = footprint.versions.size > 0 && !footprint.foreign
    footprint.streak = bySelf ? footprint.streak + 1 : 0
    footprint.versions = new Set()
    footprint.foreign = false
    return footprint.streak === runsToWarn
  }

  /** A run has ended; one that wrote nothing cannot wake itself. */
  ended(key: string): void {
    if (this.#footprints.get(key)?.versions.size === 0) this.#footprints.delete(key)
  }

  forget(key: string): void {
    this.#footprints.delete(key)
  }
}
