/** The times of a schedule that validation has accepted: `30 4 * * 1`, `@daily`, `@every 1h30m`. */
export interface CronTimes {
  /** The last time that is not after `untilMs`, but after `sinceMs`; undefined if there is none. */
  latest(sinceMs: number, untilMs: number): number | undefined
  /** The first time after `sinceMs`; undefined if there is none within five years. */
  next(sinceMs: number): number | undefined
}

const minuteMs = 60_000
const farMs = 5 * 366 * 24 * 60 * minuteMs

const shortcuts: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Reads a schedule. Times are those of the zone. */
export function cronTimes(schedule: string, timeZone: string): CronTimes {
  const zone = /^(?:CRON_)?TZ=([^ ]*) +/.exec(schedule)
  const text = zone === null ? schedule : schedule.slice(zone[0].length)
  if (text.startsWith('@every ')) return constantTimes(text.slice('@every '.length))
  const [minutes = '', hours = '', days = '', months = '', weekdays = ''] = (shortcuts[text] ?? text)
    .split(/\s+/)
    .filter((part) => part !== '')
  const clock = zoneClock(zone?.[1] ?? timeZone)
  const minute = valuesOf(minutes, 0, 59, [])
  const hour = valuesOf(hours, 0, 23, [])
  const day = valuesOf(days, 1, 31, [])
  const month = valuesOf(months, 1, 12, monthNames)
  const weekday = valuesOf(weekdays, 0, 6, dayNames)
  // Where both say something, one of them is enough.
  const isAny = /^[*?]/.test(days) || /^[*?]/.test(weekdays)
  const isDay = (at: LocalTime): boolean =>
    month.has(at.month) &&
    (isAny ? day.has(at.day) && weekday.has(at.weekday) : day.has(at.day) || weekday.has(at.weekday))

  /** From minute to minute, and over hours that cannot be meant at once, until the limit is reached. */
  const search = (fromMs: number, limitMs: number, direction: 1 | -1): number | undefined => {
    for (let ms = fromMs; direction * (limitMs - ms) >= 0; ) {
      const at = clock(ms)
      if (isDay(at) && hour.has(at.hour)) {
        if (minute.has(at.minute)) return ms
        ms += direction * minuteMs
      } else ms += direction * (direction === 1 ? 60 - at.minute : at.minute + 1) * minuteMs
    }
    return undefined
  }
  const floor = (ms: number): number => Math.floor(ms / minuteMs) * minuteMs
  return {
    latest: (sinceMs, untilMs) => search(floor(untilMs), floor(sinceMs) + minuteMs, -1),
    next: (sinceMs) => search(floor(sinceMs) + minuteMs, sinceMs + farMs, 1),
  }
}

/** From whole second to whole second, counted from where one begins to look. */
function constantTimes(duration: string): CronTimes {
  const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: minuteMs, h: 60 * minuteMs }
  let delayMs = 0
  for (const [, number = '0', unit = ''] of duration.matchAll(/(\d+(?:\.\d*)?|\.\d+)(ms|[smh])/g))
    delayMs += Number(number) * (unitMs[unit] ?? 0)
  const stepMs = Math.max(1000, Math.floor(delayMs / 1000) * 1000)
  const start = (ms: number): number => Math.floor(ms / 1000) * 1000
  return {
    latest(sinceMs, untilMs) {
      const steps = Math.floor((untilMs - start(sinceMs)) / stepMs)
      return steps < 1 ? undefined : start(sinceMs) + steps * stepMs
    },
    next: (sinceMs) => start(sinceMs) + stepMs,
  }
}

function valuesOf(text: string, min: number, max: number, names: readonly string[]): ReadonlySet<number> {
  const numberOf = (word: string): number => {
    const named = names.indexOf(word.toLowerCase())
    return named === -1 ? Number(word) : named + min
  }
  const values = new Set<number>()
  for (const range of text.split(',')) {
    const [span = '', step] = range.split('/')
    const [low = '', high] = span.split('-')
    const isWhole = low === '*' || low === '?'
    const first = isWhole ? min : numberOf(low)
    const last = isWhole ? max : high !== undefined ? numberOf(high) : step === undefined ? first : max
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value)
  }
  return values
}

interface LocalTime {
  readonly minute: number
  readonly hour: number
  readonly day: number
  readonly month: number
  readonly weekday: number
}

function zoneClock(timeZone: string): (ms: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    weekday: 'short',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
    return {
      minute: number('minute'),
      hour: number('hour'),
      day: number('day'),
      month: number('month'),
      weekday: dayNames.indexOf((parts.get('weekday') ?? '').toLowerCase()),
    }
  }
}
