// Date is not for us (time is a parameter, and Date is where it would creep in), so here is the calendar.

const secondsPerDay = 86_400
const usPerSecond = 1_000_000

/**
 * `2026-08-20T09:30:00Z` with no, three or six fraction digits, from milliseconds since 1970. Digits that are not asked
 * for are dropped; six digits are exact from 1840 to 2100, where a double holds milliseconds finely enough.
 * Undefined outside the years 0 to 9999.
 */
export function formatUtcTime(epochMs: number, fractionDigits: 0 | 3 | 6): string | undefined {
  const us = Math.round(epochMs * 1000)
  const seconds = Math.floor(us / usPerSecond)
  const days = Math.floor(seconds / secondsPerDay)
  const { year, month, day } = dateOf(days)
  if (!(year >= 0 && year <= 9999)) return undefined
  const second = seconds - days * secondsPerDay
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
  const time = `${digits(Math.floor(second / 3600), 2)}:${digits(Math.floor(second / 60) % 60, 2)}:${digits(second % 60, 2)}`
  if (fractionDigits === 0) return `${date}T${time}Z`
  return `${date}T${time}.${digits(us - seconds * usPerSecond, 6).slice(0, fractionDigits)}Z`
}

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/**
 * Milliseconds since 1970 of a time in RFC 3339, with any offset and any number of fraction digits; what is below a
 * microsecond is dropped. Undefined when the text is no such time.
 */
export function parseUtcTime(text: string): number | undefined {
  const match = rfc3339.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match.slice(7)
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  if (Number(offsetHour) > 24 || Number(offsetMinute) > 59) return undefined
  const offset = (Number(offsetHour) * 3600 + Number(offsetMinute) * 60) * (sign === '-' ? -1 : 1)
  const seconds =
    daysSince1970(year, month, day) * secondsPerDay + hour * 3600 + minute * 60 + second - offset
  return seconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0')) / 1000
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

function daysInMonth(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  if (month === 2) return isLeapYear ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

// A year is counted from March: then the leap day is its last day, and the days before a month follow one line.
// The calendar repeats itself after an era of 400 years.
const daysPerEra = 146_097
const daysFromEraTo1970 = 719_468

function daysSince1970(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * daysPerEra + yearOfEra * 365 + leapDays + dayOfYear - daysFromEraTo1970
}

function dateOf(daysSinceEpoch: number): { year: number; month: number; day: number } {
  const days = daysSinceEpoch + daysFromEraTo1970
  const era = Math.floor(days / daysPerEra)
  const dayOfEra = days - era * daysPerEra
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / (daysPerEra - 1))
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}
