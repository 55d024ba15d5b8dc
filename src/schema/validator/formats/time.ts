/** Format `date`: `2006-01-02`, a day that exists. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (match === null) return false
  const [, year, month, day] = match.map(Number)
  return day !== undefined && day >= 1 && day <= daysIn(year ?? 0, month ?? 0)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  if (month < 1 || month > 12) return 0
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(?:[^\n]\d+)?(?:z|[+-]\d{2}:\d{2})$/u

/** Format `date-time`. Looser than RFC 3339 where the API server is: any character may stand before the fraction. */
export function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t')
  const match = timeOfDay.exec(time)
  if (match === null || !isDate(date)) return false
  const [, hours = '', minutes = '', seconds = ''] = match
  return hours <= '23' && minutes <= '59' && seconds <= '59'
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/
const digits = /\d+/g
const unitAfter = /[\t\n\f\r ]*([A-Za-zµ]+)/y
const unit = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i

/** Format `duration`: Go's `1h30m`, or anything that holds numbers with units, `3 days` for one. Not ISO 8601's `P1Y`. */
export function isDuration(text: string): boolean {
  if (goDuration.test(text) && (text.match(/(?<![\d.])\d+/g) ?? []).every(fitsInt64)) return true
  let found = false
  // Number and unit are looked for one after the other: in one expression, a long number would be tried digit by digit.
  for (const match of text.matchAll(digits)) {
    unitAfter.lastIndex = match.index + match[0].length
    const name = unitAfter.exec(text)?.[1]
    if (name === undefined) continue
    if (!fitsInt64(match[0])) return false
    found ||= unit.test(name)
  }
  return found
}

function fitsInt64(digits: string): boolean {
  return digits.length < 19 || BigInt(digits) < 2n ** 63n
}
