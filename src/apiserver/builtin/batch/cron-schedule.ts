import { goQuote } from '../field-errors.js'
import { timeZoneProblem } from './time-zone.js'

interface Bounds {
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  {
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]

const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']
const every = '@every '

/** What is wrong with the schedule of a CronJob, in the server's words; nothing when it is right. */
export function scheduleProblem(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=([^ ]*) /.exec(schedule)
  if (zone !== null) {
    const problem = timeZoneProblem(zone[1] ?? '')
    if (problem !== undefined) return `provided bad location ${zone[1] ?? ''}: ${problem}`
  }
  const spec = zone === null ? schedule : schedule.slice(zone[0].length).trim()
  if (spec.startsWith('@')) return descriptorProblem(spec)
  const parts = spec.split(/\s+/).filter((part) => part !== '')
  if (parts.length !== fields.length)
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(' ')}]`
  for (const [index, bounds] of fields.entries()) {
    for (const range of (parts[index] ?? '').split(',').filter((text) => text !== '')) {
      const problem = rangeProblem(range, bounds)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function descriptorProblem(descriptor: string): string | undefined {
  if (descriptors.includes(descriptor)) return undefined
  if (!descriptor.startsWith(every)) return `unrecognized descriptor: ${descriptor}`
  const problem = durationProblem(descriptor.slice(every.length))
  return problem === undefined ? undefined : `failed to parse duration ${descriptor}: ${problem}`
}

const units = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'])

/** What Go says against the text of a duration. */
function durationProblem(text: string): string | undefined {
  let rest = text.replace(/^[-+]/, '')
  if (rest === '0') return undefined
  const invalid = `time: invalid duration ${goQuote(text)}`
  if (rest === '') return invalid
  while (rest !== '') {
    const [, whole = '', dot = '', fraction = '', unit = ''] = /^(\d*)(\.?)(\d*)([^.\d]*)/.exec(rest) ?? []
    const digits = dot === '' ? whole : `${whole}${fraction}`
    if (digits === '') return invalid
    if (unit === '') return `time: missing unit in duration ${goQuote(text)}`
    if (!units.has(unit)) return `time: unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`
    rest = rest.slice(whole.length + dot.length + (dot === '' ? 0 : fraction.length) + unit.length)
  }
  return undefined
}

function rangeProblem(range: string, bounds: Bounds): string | undefined {
  const [span = '', ...steps] = range.split('/')
  const limits = span.split('-')
  const [low = '', high = ''] = limits
  const isAny = low === '*' || low === '?'
  const start = isAny ? bounds.min : readNumber(low, bounds)
  if (typeof start === 'string') return start
  let end: number | string = isAny ? bounds.max : start
  if (!isAny && limits.length === 2) end = readNumber(high, bounds)
  if (typeof end === 'string') return end
  if (!isAny && limits.length > 2) return `too many hyphens: ${range}`
  if (steps.length > 1) return `too many slashes: ${range}`
  const step = steps[0] === undefined ? 1 : readNumber(steps[0], { ...bounds, names: [] })
  if (typeof step === 'string') return step
  // `5/10` is short for `5-59/10`.
  if (steps.length === 1 && limits.length === 1) end = bounds.max
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${range}`
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${range}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`
  return step === 0 ? `step of range should be a positive number: ${range}` : undefined
}

/** The number, or what is wrong with it. */
function readNumber(text: string, { names, min }: Bounds): number | string {
  const name = names.indexOf(text.toLowerCase())
  if (name !== -1) return name + min
  const fail = (why: string): string =>
    `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${why}`
  if (!/^[+-]?\d+$/.test(text)) return fail('invalid syntax')
  const value = BigInt(text.replace('+', ''))
  if (BigInt.asIntN(64, value) !== value) return fail('value out of range')
  return value < 0n ? `negative number (${value}) not allowed: ${text}` : Number(value)
}
