import { type CivilTime, civilFromSeconds, secondsFromCivil } from '../value/civil-time.js'
import { quoteText } from '../value/text.js'
import type { CelTimestamp } from '../value/value.js'

/** The civil time of a moment in a zone (`America/New_York`, `+02:00`, `UTC`), or what is wrong with the zone. */
export function timeInZone(moment: CelTimestamp, zone: string): CivilTime | string {
  const colon = zone.indexOf(':')
  if (colon === -1) return timeInNamedZone(moment, zone)
  const hours = wholeNumber(zone.slice(0, colon))
  if (typeof hours === 'string') return hours
  const minutes = wholeNumber(zone.slice(colon + 1))
  if (typeof minutes === 'string') return minutes
  const offsetMinutes = zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes
  return civilFromSeconds(moment.seconds, offsetMinutes * 60)
}

function wholeNumber(text: string): number | string {
  if (/^[+-]?[0-9]{1,9}$/.test(text)) return Number(text)
  return `strconv.Atoi: parsing ${quoteText(text)}: invalid syntax`
}

function timeInNamedZone(moment: CelTimestamp, zone: string): CivilTime | string {
  if (zone === '' || zone === 'UTC') return civilFromSeconds(moment.seconds)
  // Offsets like `+0200` are zones to JavaScript, but not to the server.
  if (!/^[A-Za-z]/.test(zone)) return `unknown time zone ${zone}`
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return `unknown time zone ${zone}`
  }
  const fields = new Map(format.formatToParts(moment.seconds * 1000).map(({ type, value }) => [type, value]))
  const field = (name: Intl.DateTimeFormatPartTypes): number => Number(fields.get(name) ?? 0)
  const year = fields.get('era') === 'BC' ? 1 - field('year') : field('year')
  const local = {
    year,
    month: field('month'),
    day: field('day'),
    hour: field('hour'),
    minute: field('minute'),
    second: field('second'),
  }
  return civilFromSeconds(secondsFromCivil(local))
}
