import { civilFromSeconds, daysInMonth, secondsFromCivil } from './civil-time.js'
import { quoteText } from './text.js'
import { type CelDuration, type CelFailure, type CelTimestamp, failure } from './value.js'

// 0001-01-01 and 9999-12-31: what a timestamp may be.
const earliestSecond = -62_135_596_800
const latestSecond = 253_402_300_799
const nanosPerSecond = 1_000_000_000

type TimeLayout = 'date' | 'local' | 'rfc3339'

const layouts: Readonly<Record<TimeLayout, string>> = {
  date: '2006-01-02',
  local: '2006-01-02T15:04:05',
  rfc3339: '2006-01-02T15:04:05Z07:00',
}

/** A moment between the years 1 and 9999; a failure beyond. */
export function timestamp(seconds: number, nanos = 0, offsetSeconds = 0): CelTimestamp | CelFailure {
  if (seconds < earliestSecond || seconds > latestSecond) return failure('timestamp overflow')
  return { kind: 'timestamp', seconds, nanos, offsetSeconds }
}

/** A parsed moment, or the text of what is wrong with it in the words of the server. */
export function parseTimestamp(text: string, layout: TimeLayout): CelTimestamp | string {
  const reader = new TimeReader(text, layouts[layout])
  const year = reader.digits(4, '2006')
  reader.literal('-')
  const month = reader.inRange('month', 1, 12, reader.digits(2, '01'))
  reader.literal('-')
  const day = reader.digits(2, '02')
  let time = { hour: 0, minute: 0, second: 0, nanos: 0, offsetSeconds: 0 }
  if (layout !== 'date') {
    reader.literal('T')
    const hour = reader.inRange('hour', 0, 23, reader.hour())
    reader.literal(':')
    const minute = reader.inRange('minute', 0, 59, reader.digits(2, '04'))
    reader.literal(':')
    const second = reader.inRange('second', 0, 59, reader.digits(2, '05'))
    const nanos = reader.fraction()
    time = { hour, minute, second, nanos, offsetSeconds: layout === 'rfc3339' ? reader.zone() : 0 }
  }
  reader.end()
  if (reader.problem === undefined) reader.inRange('day', 1, daysInMonth(year, month), day)
  if (reader.problem !== undefined) return reader.problem
  return {
    kind: 'timestamp',
    seconds: secondsFromCivil({ year, month, day, ...time }) - time.offsetSeconds,
    nanos: time.nanos,
    offsetSeconds: time.offsetSeconds,
  }
}

/** Reads a layout piece by piece and remembers the first piece that did not fit. */
class TimeReader {
  readonly #text: string
  readonly #layout: string
  #at = 0
  problem: string | undefined

  constructor(text: string, layout: string) {
    this.#text = text
    this.#layout = layout
  }

  #fail(element: string): void {
    const rest = quoteText(this.#text.slice(this.#at))
    this.problem ??= `parsing time ${quoteText(this.#text)} as ${quoteText(this.#layout)}: cannot parse ${rest} as ${quoteText(element)}`
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    return this.problem === undefined ? pattern.exec(this.#text) : null
  }

  digits(count: 2 | 4, element: string): number {
    const match = this.#take(count === 2 ? /[0-9]{2}/y : /[0-9]{4}/y)
    if (match === null) {
      this.#fail(element)
      return 0
    }
    this.#at += count
    return Number(match[0])
  }

  /** Values are judged as they are read: a month that is none is reported before a missing day. */
  inRange(name: string, low: number, high: number, value: number): number {
    if (value < low || value > high)
      this.problem ??= `parsing time ${quoteText(this.#text)}: ${name} out of range`
    return value
  }

  hour(): number {
    // The server takes an hour of one digit.
    const match = this.#take(/[0-9]{1,2}/y)
    if (match === null) this.#fail('15')
    else this.#at += match[0].length
    return match === null ? 0 : Number(match[0])
  }

  literal(character: string): void {
    if (this.problem === undefined && this.#text[this.#at] === character) this.#at++
    else this.#fail(character)
  }

  fraction(): number {
    const match = this.#take(/[.,]([0-9]+)/y)
    if (match === null) return 0
    this.#at += match[0].length
    return Number((match[1] ?? '').slice(0, 9).padEnd(9, '0'))
  }

  zone(): number {
    const match = this.#take(/Z|([+-])([0-9]{2}):([0-9]{2})/y)
    if (match === null) {
      this.#fail('Z07:00')
      return 0
    }
    this.#at += match[0].length
    const hours = this.inRange('time zone offset hour', 0, 24, Number(match[2] ?? 0))
    const minutes = this.inRange('time zone offset minute', 0, 60, Number(match[3] ?? 0))
    const seconds = hours * 3600 + minutes * 60
    return match[1] === '-' ? -seconds : seconds
  }

  end(): void {
    if (this.problem !== undefined || this.#at === this.#text.length) return
    this.problem = `parsing time ${quoteText(this.#text)}: extra text: ${quoteText(this.#text.slice(this.#at))}`
  }
}

/** As `string(timestamp)` writes it: RFC 3339, with the zone it was written in and only the digits it needs. */
export function formatTimestamp(moment: CelTimestamp): string {
  const { year, month, day, hour, minute, second } = civilFromSeconds(moment.seconds, moment.offsetSeconds)
  const pad = (value: number, width = 2): string => String(value).padStart(width, '0')
  const fraction = moment.nanos === 0 ? '' : `.${pad(moment.nanos, 9).replace(/0+$/, '')}`
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}${fraction}`
  if (moment.offsetSeconds === 0) return `${date}Z`
  const minutes = Math.floor(Math.abs(moment.offsetSeconds) / 60)
  return `${date}${moment.offsetSeconds < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** A moment that much later, or earlier. */
export function addToTimestamp(moment: CelTimestamp, nanos: bigint): CelTimestamp | CelFailure {
  const total = BigInt(moment.nanos) + nanos
  const unit = BigInt(nanosPerSecond)
  let seconds = total / unit
  let rest = total % unit
  if (rest < 0n) {
    seconds -= 1n
    rest += unit
  }
  return timestamp(moment.seconds + Number(seconds), Number(rest), moment.offsetSeconds)
}

/** From the earlier to the later moment. */
export function timeBetween(later: CelTimestamp, earlier: CelTimestamp): CelDuration | CelFailure {
  const nanos =
    (BigInt(later.seconds) - BigInt(earlier.seconds)) * BigInt(nanosPerSecond) +
    BigInt(later.nanos - earlier.nanos)
  if (nanos >= 2n ** 63n || nanos < -(2n ** 63n)) return failure('integer overflow')
  return { kind: 'duration', nanos }
}

/** Below zero if the left moment is earlier. */
export function compareTimestamps(left: CelTimestamp, right: CelTimestamp): number {
  return left.seconds === right.seconds ? left.nanos - right.nanos : left.seconds - right.seconds
}
