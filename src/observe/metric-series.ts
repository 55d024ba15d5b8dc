/** Label values are for dashboards: nothing of this length is read there. */
const longestValue = 200
const overflowValue = 'overflow'

/** One label: the last one leads to series, the others to the next label. */
interface Level<S> {
  readonly next: Map<string, Level<S>>
  readonly series: Map<string, S>
}

/**
 * The series of one metric by their label values, in a tree with one level for each label: no key is built to find one,
 * and no two combinations can be taken for each other.
 */
export class SeriesTree<S extends object> {
  readonly #labels: readonly string[]
  readonly #maxSeries: number
  readonly #create: () => S
  #root: Level<S> = newLevel()
  #all: { readonly values: readonly string[]; readonly series: S }[] = []

  constructor(labels: readonly string[], maxSeries: number, create: () => S) {
    // A metric without labels is one with a single, empty value.
    this.#labels = labels.length === 0 ? [''] : labels
    this.#maxSeries = maxSeries
    this.#create = create
  }

  /** The series of these label values, created where there is none. A missing value counts as empty. */
  find(values: Readonly<Record<string, string>> | undefined): S {
    const labels = this.#labels
    const last = labels.length - 1
    let level: Level<S> | undefined = this.#root
    for (let index = 0; index < last && level !== undefined; index++)
      level = level.next.get(values?.[labels[index] ?? ''] ?? '')
    return (
      level?.series.get(values?.[labels[last] ?? ''] ?? '') ??
      this.#findOrAdd(labels.map((label) => String(values?.[label] ?? '').slice(0, longestValue)))
    )
  }

  clear(): void {
    this.#root = newLevel()
    this.#all = []
  }

  entries(): readonly { readonly values: readonly string[]; readonly series: S }[] {
    return this.#all
  }

  #findOrAdd(values: readonly string[]): S {
    const existing = this.#get(values)
    if (existing !== undefined) return existing
    const isOverflow = values.every((value) => value === overflowValue)
    if (this.#all.length >= this.#maxSeries && !isOverflow)
      return this.#findOrAdd(values.map(() => overflowValue))
    const series = this.#create()
    this.#levelOf(values).series.set(values.at(-1) ?? '', series)
    this.#all.push({ values, series })
    return series
  }

  #get(values: readonly string[]): S | undefined {
    let level: Level<S> | undefined = this.#root
    for (const value of values.slice(0, -1)) level = level?.next.get(value)
    return level?.series.get(values.at(-1) ?? '')
  }

  /** Creates what is missing on the way, so it is only for a series that will be there. */
  #levelOf(values: readonly string[]): Level<S> {
    let level = this.#root
    for (const value of values.slice(0, -1)) {
      let next = level.next.get(value)
      if (next === undefined) {
        next = newLevel()
        level.next.set(value, next)
      }
      level = next
    }
    return level
  }
}

function newLevel<S>(): Level<S> {
  return { next: new Map(), series: new Map() }
}
