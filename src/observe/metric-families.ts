import { toError } from '../base/index.js'
import { SeriesTree } from './metric-series.js'

/** A metric with all its series. */
export interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  readonly labels: readonly string[]
  /** Its lines in the text format of Prometheus. */
  expose(): string
}

export interface FamilyOptions {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  readonly maxSeries: number
}

type Values = Readonly<Record<string, string>>

class CountedValue {
  value = 0

  inc(by = 1): void {
    if (by >= 0 && by < Number.POSITIVE_INFINITY) this.value += by
  }
}

export class CounterFamily implements Family {
  readonly type = 'counter'
  readonly name: string
  readonly labels: readonly string[]
  readonly #help: string
  readonly #tree: SeriesTree<CountedValue>

  constructor({ name, help, labels, maxSeries }: FamilyOptions) {
    this.name = name
    this.labels = labels
    this.#help = help
    this.#tree = new SeriesTree(labels, maxSeries, () => new CountedValue())
    // Without labels there is one series, and zero is worth knowing.
    if (labels.length === 0) this.#tree.find(undefined)
  }

  inc(...args: readonly (Values | number | undefined)[]): void {
    const [values, by] = splitArgs(this.labels, args)
    this.#tree.find(values).inc(by)
  }

  series(values?: Values): CountedValue {
    return this.#tree.find(values)
  }

  expose(): string {
    return header(this, this.#help) + exposeValues(this, this.#tree)
  }
}

class GaugedValue {
  value = 0

  set(value: number): void {
    this.value = value
  }

  add(by: number): void {
    this.value += by
  }
}

export class GaugeFamily implements Family {
  readonly type = 'gauge'
  readonly name: string
  readonly labels: readonly string[]
  readonly #help: string
  readonly #tree: SeriesTree<GaugedValue>
  readonly #collect: ((gauge: GaugeFamily) => void) | undefined

  constructor(
    { name, help, labels, maxSeries }: FamilyOptions,
    collect: ((gauge: GaugeFamily) => void) | undefined,
  ) {
    this.name = name
    this.labels = labels
    this.#help = help
    this.#collect = collect
    this.#tree = new SeriesTree(labels, maxSeries, () => new GaugedValue())
    if (labels.length === 0 && collect === undefined) this.#tree.find(undefined)
  }

  set(...args: readonly (Values | number | undefined)[]): void {
    const [values, value = 0] = splitArgs(this.labels, args)
    this.#tree.find(values).set(value)
  }

  add(...args: readonly (Values | number | undefined)[]): void {
    const [values, by = 0] = splitArgs(this.labels, args)
    this.#tree.find(values).add(by)
  }

  series(values?: Values): GaugedValue {
    return this.#tree.find(values)
  }

  expose(): string {
    if (this.#collect !== undefined) {
      this.#tree.clear()
      try {
        this.#collect(this)
      } catch (error) {
        // The rest of the metrics is worth more than this one.
        return `# ${this.name} is left out: ${oneLine(toError(error).message)}\n`
      }
    }
    return header(this, this.#help) + exposeValues(this, this.#tree)
  }
}

class ObservedValues {
  readonly bounds: readonly number[]
  /** Not cumulative; the last one is beyond all bounds. */
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    if (Number.isNaN(value)) return
    const { bounds } = this
    let index = 0
    // Bounds are few, and most observations are small: no search is faster than this walk.
    while (index < bounds.length && value > (bounds[index] ?? 0)) index++
    this.counts[index] = (this.counts[index] ?? 0) + 1
    this.sum += value
  }
}

export class HistogramFamily implements Family {
  readonly type = 'histogram'
  readonly name: string
  readonly labels: readonly string[]
  readonly #help: string
  readonly #tree: SeriesTree<ObservedValues>

  constructor({ name, help, labels, maxSeries }: FamilyOptions, buckets: readonly number[]) {
    this.name = name
    this.labels = labels
    this.#help = help
    const bounds = [...buckets]
    this.#tree = new SeriesTree(labels, maxSeries, () => new ObservedValues(bounds))
    if (labels.length === 0) this.#tree.find(undefined)
  }

  observe(...args: readonly (Values | number | undefined)[]): void {
    const [values, value = Number.NaN] = splitArgs(this.labels, args)
    this.#tree.find(values).observe(value)
  }

  series(values?: Values): ObservedValues {
    return this.#tree.find(values)
  }

  expose(): string {
    let text = header(this, this.#help)
    for (const { values, series } of this.#tree.entries()) {
      const labels = labelText(this.labels, values)
      const prefix = labels === '' ? '' : `${labels},`
      let count = 0
      for (const [index, inBucket] of series.counts.entries()) {
        count += inBucket
        const bound = numberText(series.bounds[index] ?? Number.POSITIVE_INFINITY)
        text += `${this.name}_bucket{${prefix}le="${bound}"} ${count}\n`
      }
      text += line(`${this.name}_sum`, labels, series.sum) + line(`${this.name}_count`, labels, count)
    }
    return text
  }
}

/** The labels come first, and only where there are any. */
function splitArgs(
  labels: readonly string[],
  args: readonly (Values | number | undefined)[],
): [values: Values | undefined, amount: number | undefined] {
  const [first, second] = args
  if (labels.length === 0) return [undefined, typeof first === 'number' ? first : undefined]
  return [typeof first === 'object' ? first : undefined, typeof second === 'number' ? second : undefined]
}

function exposeValues(family: Family, tree: SeriesTree<{ readonly value: number } & object>): string {
  let text = ''
  for (const { values, series } of tree.entries())
    text += line(family.name, labelText(family.labels, values), series.value)
  return text
}

function header({ name, type }: Family, help: string): string {
  return `# HELP ${name} ${oneLine(help)}\n# TYPE ${name} ${type}\n`
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${numberText(value)}\n`
}

function labelText(labels: readonly string[], values: readonly string[]): string {
  return labels.map((label, index) => `${label}="${escapeValue(values[index] ?? '')}"`).join(',')
}

function escapeValue(value: string): string {
  return oneLine(value).replaceAll('"', '\\"')
}

function oneLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
