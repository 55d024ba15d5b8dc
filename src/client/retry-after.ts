import { parseUtcTime } from '../base/index.js'

const longestMs = 120_000

/**
 * Reads a Retry-After header: seconds or an HTTP date. Clamped to 0-120 seconds, so that no header can stop a client for
 * a week. Undefined when there is none, or none that can be read.
 */
export function parseRetryAfter(
  header: string | readonly string[] | undefined,
  nowMs: number,
): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim()
  if (text === undefined || text === '') return undefined
  const delayMs = /^[+-]?\d+$/.test(text) ? Number(text) * 1000 : parseHttpDate(text, nowMs)
  return delayMs === undefined ? undefined : Math.min(Math.max(delayMs, 0), longestMs)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const httpDate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/

function parseHttpDate(text: string, nowMs: number): number | undefined {
  const [, day, month = '', year, time] = httpDate.exec(text) ?? []
  const number = months.indexOf(month) + 1
  const atMs = parseUtcTime(`${year}-${String(number).padStart(2, '0')}-${day}T${time}Z`)
  return atMs === undefined ? undefined : atMs - nowMs
}
