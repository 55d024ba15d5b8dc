import { formatPlain } from './double.js'
import { maxInt } from './int64.js'

const nanosPerUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const part = /([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)/y

/** Nanoseconds of `1h30m`, `-1.5s`, `0`; `undefined` for anything else, days included. */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-')
  const body = negative || text.startsWith('+') ? text.slice(1) : text
  if (body === '0') return 0n
  if (body === '') return undefined
  let total = 0n
  let at = 0
  while (at < body.length) {
    part.lastIndex = at
    const match = part.exec(body)
    if (match === null) return undefined
    const [piece, whole = '', fraction = '', unit = ''] = match
    if (whole === '' && fraction === '') return undefined
    if (whole.length > 30) return undefined
    total += durationPart(whole, fraction, nanosPerUnit[unit] ?? 0n)
    at += piece.length
  }
  if (total > maxInt + (negative ? 1n : 0n)) return undefined
  return negative ? -total : total
}

function durationPart(whole: string, fraction: string, unit: bigint): bigint {
  const digits = fraction.slice(0, 18)
  return (
    BigInt(whole === '' ? '0' : whole) * unit + (BigInt(`0${digits}`) * unit) / 10n ** BigInt(digits.length)
  )
}

const words: readonly (readonly [bigint, readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1000n, ['us', 'µs', 'micro']],
  [1_000_000n, ['ms', 'milli']],
  [1_000_000_000n, ['s', 'sec']],
  [60_000_000_000n, ['m', 'min']],
  [3_600_000_000_000n, ['h', 'hr', 'hour']],
  [86_400_000_000_000n, ['d', 'day']],
  [604_800_000_000_000n, ['w', 'wk', 'week']],
]

/**
 * A duration of a field with `format: duration`. Beyond `1h30m` the server reads words there: `3 days 2 hours`.
 * `undefined` when no part of the text is a duration.
 */
export function parseWordyDuration(text: string): bigint | undefined {
  const exact = parseDuration(text)
  if (exact !== undefined) return exact
  let total: bigint | undefined
  for (const [, factor = '0', name = ''] of text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g)) {
    if (factor.length > 19) return undefined
    const unit = name.toLowerCase()
    for (const [nanos, variants] of words) {
      const last = variants.at(-1)
      for (const variant of variants) {
        if (variant === unit || (variant === last && unit.startsWith(variant)))
          total = BigInt.asIntN(64, (total ?? 0n) + BigInt(factor) * nanos)
      }
    }
  }
  return total
}

/** Seconds as a double, rounded as on the server. */
export function durationSeconds(nanos: bigint): number {
  return Number(nanos / 1_000_000_000n) + Number(nanos % 1_000_000_000n) / 1e9
}

/** As `string(duration)` writes it: seconds, `90s`, `0.5s`. */
export function formatDuration(nanos: bigint): string {
  return `${formatPlain(durationSeconds(nanos))}s`
}
