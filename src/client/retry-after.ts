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
const httpDate = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/

function parseHttpDate(text: string, nowMs: number): number | undefined {
  const match = httpDate.exec(text)
  const month = months.indexOf(match?.[2] ?? '')
  if (match === null || month === -1) return undefined
  const [day, year, hour, minute, second] = [match[1], match[3], match[4], match[5], match[6]].map(Number)
  if (day === undefined || year === undefined || hour === undefined) return undefined
  if (minute === undefined || second === undefined) return undefined
  const days = daysSince1970(year, month + 1, day)
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 - nowMs
}

/** Days between 1970-01-01 and a date of the Gregorian calendar. */
function daysSince1970(year: number, month: number, day: number): number {
  // Years that begin in March put the leap day at their end, so each month's offset is a formula.
  const marchYear = month > 2 ? year : year - 1
  const marchMonth = (month + 9) % 12
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  const dayOfYear = Math.floor((153 * marchMonth + 2) / 5) + day - 1
  return marchYear * 365 + leapDays + dayOfYear - 719_468
}
