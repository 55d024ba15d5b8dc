import { formatUtcTime, parseUtcTime } from '../../base/index.js'
import { goQuote } from '../../schema/internal.js'
import { GoDecodeError } from './go-decode-error.js'

/** How a time is written: whole seconds, or exactly six digits behind them. */
export type TimePrecision = 'seconds' | 'micro'

const layouts: Readonly<Record<TimePrecision, string>> = {
  seconds: '2006-01-02T15:04:05Z07:00',
  micro: '2006-01-02T15:04:05.000000Z07:00',
}

/** A time as the server keeps it: in UTC, to the second or the microsecond. Throws {@link GoDecodeError} with Go's words. */
export function normalizeTime(text: string, precision: TimePrecision): string {
  const problem = timeProblem(text, precision)
  if (problem !== undefined) throw new GoDecodeError(problem)
  const epochMs = parseUtcTime(text)
  const normalized = epochMs === undefined ? undefined : formatUtcTime(epochMs, precision === 'micro' ? 6 : 0)
  if (normalized === undefined) throw new GoDecodeError(`parsing time ${goQuote(text)}: year out of range`)
  return normalized
}

interface Element {
  /** As the layout writes it. */
  readonly layout: string
  readonly digits: number
  /** What a value out of bounds is called, and the bounds. */
  readonly range?: readonly [name: string, least: number, most: number]
  /** The layout's text in front of it. */
  readonly before: string
}

const elements: readonly Element[] = [
  { layout: '2006', digits: 4, before: '' },
  { layout: '01', digits: 2, before: '-', range: ['month', 1, 12] },
  { layout: '02', digits: 2, before: '-' },
  { layout: '15', digits: 2, before: 'T', range: ['hour', 0, 23] },
  { layout: '04', digits: 2, before: ':', range: ['minute', 0, 59] },
  { layout: '05', digits: 2, before: ':', range: ['second', 0, 59] },
]

/** What Go's time.Parse says, walking along the layout as it does. */
function timeProblem(text: string, precision: TimePrecision): string | undefined {
  const shown = goQuote(text)
  const mismatch = (rest: string, element: string): string =>
    `parsing time ${shown} as ${goQuote(layouts[precision])}: cannot parse ${goQuote(rest)} as ${goQuote(element)}`
  let rest = text
  for (const { layout, digits, range, before } of elements) {
    if (!rest.startsWith(before)) return mismatch(rest, before)
    rest = rest.slice(before.length)
    const number = rest.slice(0, digits)
    if (number.length < digits || !/^\d+$/.test(number)) return mismatch(rest, layout)
    rest = rest.slice(digits)
    if (range !== undefined && (Number(number) < range[1] || Number(number) > range[2]))
      return `parsing time ${shown}: ${range[0]} out of range`
  }
  if (precision === 'micro') {
    if (!/^[.,]\d{6}/.test(rest)) return mismatch(rest, '.000000')
    rest = rest.slice(7)
  } else rest = rest.replace(/^[.,]\d+/, '')
  const zone = /^(?:Z|[+-](\d\d):(\d\d))/.exec(rest)
  if (zone === null) return mismatch(rest, 'Z07:00')
  if (zone[1] !== undefined && Number(zone[1]) > 24)
    return `parsing time ${shown}: time zone offset hour out of range`
  if (zone[2] !== undefined && Number(zone[2]) > 59)
    return `parsing time ${shown}: time zone offset minute out of range`
  rest = rest.slice(zone[0].length)
  if (rest !== '') return `parsing time ${shown}: extra text: ${goQuote(rest)}`
  return parseUtcTime(text) === undefined ? `parsing time ${shown}: day out of range` : undefined
}
