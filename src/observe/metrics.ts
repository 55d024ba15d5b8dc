import { KubewrightError } from '../base/index.js'
import { CounterFamily, type Family, GaugeFamily, HistogramFamily } from './metric-families.js'

/** One value for each label of a metric. */
export type LabelValues<L extends string> = Readonly<Record<L, string>>

/** Only goes up. Amounts that are negative or not finite are ignored: a metric must never break what it measures. */
export interface Counter<L extends string> {
  inc(...args: LabelArgs<L, [by?: number]>): void
  /** The series of these labels, created at zero. Keep it: then counting is an addition and nothing more. */
  series(...args: LabelArgs<L, []>): CounterSeries
}

export interface CounterSeries {
  inc(by?: number): void
}

/** Goes up and down. */
export interface Gauge<L extends string> {
  set(...args: LabelArgs<L, [value: number]>): void
  add(...args: LabelArgs<L, [by: number]>): void
  /** The series of these labels, created at zero. */
  series(...args: LabelArgs<L, []>): GaugeSeries
}

export interface GaugeSeries {
  set(value: number): void
  add(by: number): void
}

/** Counts observations by size. NaN is ignored. */
export interface Histogram<L extends string> {
  observe(...args: LabelArgs<L, [value: number]>): void
  /** The series of these labels, created empty. */
  series(...args: LabelArgs<L, []>): HistogramSeries
}

export interface HistogramSeries {
  observe(value: number): void
}

/** The labels come first, and only where there are any. */
export type LabelArgs<L extends string, Rest extends readonly unknown[]> = [L] extends [never]
  ? [...Rest]
  : [labels: LabelValues<L>, ...Rest]

export interface MetricOptions<L extends string> {
  /** Snake case with the unit at the end; a counter ends in `_total`. */
  readonly name: string
  /** One sentence. */
  readonly help: string
  readonly labels?: readonly L[]
}

export interface GaugeOptions<L extends string> extends MetricOptions<L> {
  /** Called before each exposition with a gauge that has no series. Must be quick; a throw leaves the gauge out. */
  readonly collect?: (gauge: Gauge<L>) => void
}

export interface HistogramOptions<L extends string> extends MetricOptions<L> {
  /** Upper bounds, ascending, without infinity. */
  readonly buckets: readonly number[]
}

/** The metrics of one program. */
export interface Metrics {
  counter<const L extends string = never>(options: MetricOptions<L>): Counter<L>
  gauge<const L extends string = never>(options: GaugeOptions<L>): Gauge<L>
  histogram<const L extends string = never>(options: HistogramOptions<L>): Histogram<L>
  /** Everything in the text format of Prometheus; the media type is `metricsContentType`. */
  expose(): string
}

/** The media type of {@link Metrics.expose}. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** A metric cannot be registered: its name is taken or not valid, or its labels or buckets are. */
export class MetricError extends KubewrightError {
  readonly metric: string

  constructor(metric: string, why: string) {
    super(`The metric ${JSON.stringify(metric)} cannot be registered: ${why}.`, { code: 'KW_METRIC_INVALID' })
    this.metric = metric
  }
}

export interface MetricsOptions {
  /**
   * How many combinations of label values one metric may have; further ones are counted together under the value
   * `overflow`. 2,000 unless said otherwise. A label must never hold the name of an object.
   */
  readonly maxSeries?: number
}

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const labelPattern = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/

/** An empty registry. */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { maxSeries = 2_000 } = options
  const families = new Map<string, Family>()
  const taken = new Set<string>()

  const register = <F extends Family>(family: F, exposedNames: readonly string[]): F => {
    const { name, labels } = family
    if (!namePattern.test(name))
      throw new MetricError(name, 'use letters, digits and "_", and start with a letter')
    for (const exposed of exposedNames) {
      if (taken.has(exposed))
        throw new MetricError(name, `${exposed} exists already: register it once and pass it on`)
    }
    for (const label of labels) {
      if (!labelPattern.test(label) || (label === 'le' && family.type === 'histogram'))
        throw new MetricError(name, `${JSON.stringify(label)} cannot be the name of a label`)
    }
    if (new Set(labels).size !== labels.length) throw new MetricError(name, 'it has a label twice')
    families.set(name, family)
    for (const exposed of exposedNames) taken.add(exposed)
    return family
  }

  return {
    counter: ({ name, help, labels = [] }) =>
      register(new CounterFamily({ name, help, labels, maxSeries }), [name]),
    gauge: ({ name, help, labels = [], collect }) =>
      register(new GaugeFamily({ name, help, labels, maxSeries }, collect), [name]),
    histogram: ({ name, help, labels = [], buckets }) => {
      checkBuckets(name, buckets)
      const exposed = ['', '_bucket', '_sum', '_count'].map((suffix) => name + suffix)
      return register(new HistogramFamily({ name, help, labels, maxSeries }, buckets), exposed)
    },
    expose: () => {
      let text = ''
      for (const family of families.values()) text += family.expose()
      return text
    },
  }
}

function checkBuckets(name: string, buckets: readonly number[]): void {
  const isAscending = buckets.every(
    (bound, index) => Number.isFinite(bound) && (index === 0 || bound > (buckets[index - 1] ?? bound)),
  )
  if (buckets.length === 0 || !isAscending)
    throw new MetricError(name, 'its buckets must be finite numbers in ascending order')
}
