import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { createMetrics, metricsContentType } from './metrics.js'

const refusal = expect.objectContaining({ code: 'KW_METRIC_INVALID' })
const values = (text: string): string[] =>
  text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('counters', () => {
  test('start at zero without labels and go up', () => {
    const metrics = createMetrics()
    const counter = metrics.counter({ name: 'adds_total', help: 'Adds.' })
    expect(values(metrics.expose())).toEqual(['adds_total 0'])
    counter.inc()
    counter.inc(2.5)
    expect(metrics.expose()).toBe('# HELP adds_total Adds.\n# TYPE adds_total counter\nadds_total 3.5\n')
  })

  test('have one series for each combination of labels', () => {
    const metrics = createMetrics()
    const counter = metrics.counter({ name: 'runs_total', help: 'Runs.', labels: ['controller', 'result'] })
    expect(values(metrics.expose())).toEqual([])
    counter.inc({ controller: 'foo', result: 'success' })
    counter.inc({ result: 'error', controller: 'foo' }, 2)
    const series = counter.series({ controller: 'bar', result: 'success' })
    series.inc()
    series.inc(4)
    expect(counter.series({ controller: 'bar', result: 'success' })).toBe(series)
    expect(values(metrics.expose())).toEqual([
      'runs_total{controller="foo",result="success"} 1',
      'runs_total{controller="foo",result="error"} 2',
      'runs_total{controller="bar",result="success"} 5',
    ])
  })

  test('ignore what would make them go down or lose their value', () => {
    const metrics = createMetrics()
    const counter = metrics.counter({ name: 'a_total', help: 'A.' })
    counter.inc(1)
    for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY]) counter.inc(amount)
    expect(values(metrics.expose())).toEqual(['a_total 1'])
  })

  test('know their labels at compile time', () => {
    const counter = createMetrics().counter({ name: 'b_total', help: 'B.', labels: ['queue'] })
    expectTypeOf<Parameters<typeof counter.inc>[0]>().toEqualTypeOf<Readonly<Record<'queue', string>>>()
    const plain = createMetrics().counter({ name: 'b_total', help: 'B.' })
    expectTypeOf<Parameters<typeof plain.inc>[0]>().toEqualTypeOf<number | undefined>()
  })
})

describe('gauges', () => {
  test('go up and down', () => {
    const metrics = createMetrics()
    const gauge = metrics.gauge({ name: 'depth', help: 'Depth.', labels: ['queue'] })
    gauge.set({ queue: 'a' }, 5)
    gauge.add({ queue: 'a' }, -7)
    gauge.series({ queue: 'b' }).set(Number.NEGATIVE_INFINITY)
    gauge.series({ queue: 'c' }).add(1)
    gauge.set({ queue: 'd' }, Number.NaN)
    expect(values(metrics.expose())).toEqual([
      'depth{queue="a"} -2',
      'depth{queue="b"} -Inf',
      'depth{queue="c"} 1',
      'depth{queue="d"} NaN',
    ])
  })

  test('can be asked at the moment of exposition, and then forget what is gone', () => {
    const metrics = createMetrics()
    let queues = ['a', 'b']
    metrics.gauge({
      name: 'depth',
      help: 'Depth.',
      labels: ['queue'],
      collect: (gauge) => {
        for (const queue of queues) gauge.set({ queue }, queue.length)
      },
    })
    expect(values(metrics.expose())).toHaveLength(2)
    queues = ['b']
    expect(values(metrics.expose())).toEqual(['depth{queue="b"} 1'])
  })

  test('that cannot be read are left out with the reason, and the others stay', () => {
    const metrics = createMetrics()
    metrics.gauge({
      name: 'broken',
      help: 'Broken.',
      collect: () => {
        throw new Error('no\nanswer')
      },
    })
    metrics.gauge({ name: 'fine', help: 'Fine.' })
    expect(metrics.expose()).toBe(
      '# broken is left out: no\\nanswer\n# HELP fine Fine.\n# TYPE fine gauge\nfine 0\n',
    )
  })
})

describe('histograms', () => {
  test('count observations in cumulative buckets, up to infinity', () => {
    const metrics = createMetrics()
    const histogram = metrics.histogram({
      name: 'took_seconds',
      help: 'Took.',
      labels: ['verb'],
      buckets: [0.1, 1, 5],
    })
    for (const value of [0.05, 0.1, 0.5, 5, 7, Number.NaN]) histogram.observe({ verb: 'get' }, value)
    expect(values(metrics.expose())).toEqual([
      'took_seconds_bucket{verb="get",le="0.1"} 2',
      'took_seconds_bucket{verb="get",le="1"} 3',
      'took_seconds_bucket{verb="get",le="5"} 4',
      'took_seconds_bucket{verb="get",le="+Inf"} 5',
      'took_seconds_sum{verb="get"} 12.65',
      'took_seconds_count{verb="get"} 5',
    ])
  })

  test('have a line for each bucket also without labels and without observations', () => {
    const metrics = createMetrics()
    metrics
      .histogram({ name: 'h', help: 'H.', buckets: [1e-8] })
      .series()
      .observe(0)
    expect(values(metrics.expose())).toEqual([
      'h_bucket{le="1e-8"} 1',
      'h_bucket{le="+Inf"} 1',
      'h_sum 0',
      'h_count 1',
    ])
  })

  test('agree with a count by hand', () => {
    const bounds = [-1, 0, 0.5, 10]
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -100, max: 100 })), (observations) => {
        const metrics = createMetrics()
        const series = metrics.histogram({ name: 'h', help: 'H.', buckets: bounds }).series()
        for (const value of observations) series.observe(value)
        const expected = [...bounds, Number.POSITIVE_INFINITY].map(
          (bound) => observations.filter((value) => value <= bound).length,
        )
        const counts = values(metrics.expose())
          .slice(0, -2)
          .map((line) => Number(line.split(' ')[1]))
        expect(counts).toEqual(expected)
      }),
    )
  })
})

describe('the text format', () => {
  test('escapes what would break a line', () => {
    const metrics = createMetrics()
    metrics.counter({ name: 'x_total', help: 'A \\ and\na "quote".', labels: ['l'] }).inc({ l: 'a"b\\c\nd' })
    expect(metrics.expose()).toBe(
      '# HELP x_total A \\\\ and\\na "quote".\n# TYPE x_total counter\nx_total{l="a\\"b\\\\c\\nd"} 1\n',
    )
    expect(metricsContentType).toContain('version=0.0.4')
  })

  test('has one line for each series, whatever the label values', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(fc.string({ maxLength: 50 }), fc.string({ maxLength: 50 })), {
          selector: ([a, b]) => JSON.stringify([a, b]),
        }),
        (pairs) => {
          const metrics = createMetrics()
          const counter = metrics.counter({ name: 'x_total', help: 'X.', labels: ['a', 'b'] })
          for (const [a, b] of pairs) counter.inc({ a, b })
          const lines = values(metrics.expose())
          expect(lines).toHaveLength(pairs.length)
          for (const line of lines)
            expect(line).toMatch(/^x_total\{a="(?:[^"\\]|\\[\\"n])*",b="(?:[^"\\]|\\[\\"n])*"\} 1$/)
        },
      ),
    )
  })
})

describe('the number of series', () => {
  test('is bounded: what is too much is counted together', () => {
    const metrics = createMetrics({ maxSeries: 3 })
    const counter = metrics.counter({ name: 'x_total', help: 'X.', labels: ['pod', 'node'] })
    for (let index = 0; index < 1000; index++) counter.inc({ pod: `pod-${index}`, node: 'n' })
    counter.inc({ pod: 'pod-0', node: 'n' })
    expect(values(metrics.expose())).toEqual([
      'x_total{pod="pod-0",node="n"} 2',
      'x_total{pod="pod-1",node="n"} 1',
      'x_total{pod="pod-2",node="n"} 1',
      'x_total{pod="overflow",node="overflow"} 997',
    ])
  })

  test('label values are cut, and a missing one is empty', () => {
    const metrics = createMetrics()
    const counter = metrics.counter({ name: 'x_total', help: 'X.', labels: ['l'] })
    counter.inc({ l: 'x'.repeat(10_000) })
    counter.inc({ l: 'x'.repeat(10_001) })
    counter.inc({} as never)
    expect(values(metrics.expose())).toEqual([`x_total{l="${'x'.repeat(200)}"} 2`, 'x_total{l=""} 1'])
  })
})

describe('registration', () => {
  test('a name is taken once, also by what a histogram writes', () => {
    const metrics = createMetrics()
    metrics.counter({ name: 'a', help: 'A.' })
    expect(() => metrics.gauge({ name: 'a', help: 'A.' })).toThrow(refusal)
    metrics.histogram({ name: 'h', help: 'H.', buckets: [1] })
    expect(() => metrics.counter({ name: 'h_count', help: 'H.' })).toThrow(refusal)
    expect(createMetrics().counter({ name: 'a', help: 'A.' })).toBeDefined()
  })

  test.each([[''], ['1a'], ['a-b'], ['a b'], ['\u00e4']])('%o is no name', (name) => {
    expect(() => createMetrics().counter({ name, help: 'X.' })).toThrow(refusal)
  })

  test.each([[['1a']], [['__name']], [['a-b']], [['a', 'a']]])('%o are no labels', (labels) => {
    expect(() => createMetrics().counter({ name: 'x', help: 'X.', labels })).toThrow(refusal)
  })

  test('le belongs to histograms', () => {
    expect(() => createMetrics().histogram({ name: 'x', help: 'X.', labels: ['le'], buckets: [1] })).toThrow(
      refusal,
    )
  })

  test.each([[[]], [[2, 1]], [[1, 1]], [[1, Number.POSITIVE_INFINITY]], [[Number.NaN]]])(
    '%o are no buckets',
    (buckets) => {
      expect(() => createMetrics().histogram({ name: 'x', help: 'X.', buckets })).toThrow(refusal)
    },
  )
})
