import type { FunctionDeclaration, Overload } from '../check/declaration.js'
import { type CivilTime, dayOfWeek, dayOfYear } from '../value/civil-time.js'
import { durationSeconds } from '../value/duration.js'
import { durationType, intType, stringType, timestampType } from '../value/type.js'
import { type CelTimestamp, type CelValue, failure, noSuchOverload, ofKind } from '../value/value.js'
import { declare, member } from './signature.js'
import { timeInZone } from './time-zone.js'

type Read = (time: CivilTime, moment: CelTimestamp) => number

function ofTimestamp(read: Read): (moment: CelValue, zone: CelValue) => CelValue {
  return (value, zone) => {
    const moment = ofKind(value, 'timestamp')
    if (moment === undefined || typeof zone !== 'string') return noSuchOverload()
    const time = timeInZone(moment, zone)
    return typeof time === 'string' ? failure(time) : BigInt(read(time, moment))
  }
}

function getter(
  name: string,
  id: string,
  read: Read,
  ofDuration?: (nanos: bigint) => bigint,
): FunctionDeclaration {
  const get = ofTimestamp(read)
  const overloads: Overload[] = [
    member(`timestamp_to_${id}`, [timestampType], intType, ([moment = null]) => get(moment, 'UTC')),
    member(
      `timestamp_to_${id}_with_tz`,
      [timestampType, stringType],
      intType,
      ([moment = null, zone = null]) => get(moment, zone),
    ),
  ]
  if (ofDuration !== undefined) {
    overloads.push(
      member(`duration_to_${id}`, [durationType], intType, ([value = null]) => {
        const time = ofKind(value, 'duration')
        return time === undefined ? noSuchOverload() : ofDuration(time.nanos)
      }),
    )
  }
  return declare(name, overloads)
}

// The server divides seconds as doubles and cuts off the rest.
const inUnits = (secondsPerUnit: number) => (nanos: bigint) =>
  BigInt(Math.trunc(durationSeconds(nanos) / secondsPerUnit))

/** `getFullYear()` and its kin, in UTC or in a zone; hours to milliseconds also of durations, as totals. */
export const timeGetters: readonly FunctionDeclaration[] = [
  getter('getFullYear', 'year', (time) => time.year),
  getter('getMonth', 'month', (time) => time.month - 1),
  getter('getDayOfYear', 'day_of_year', dayOfYear),
  getter('getDayOfMonth', 'day_of_month', (time) => time.day - 1),
  getter('getDate', 'day_of_month_1_based', (time) => time.day),
  getter('getDayOfWeek', 'day_of_week', dayOfWeek),
  getter('getHours', 'hours', (time) => time.hour, inUnits(3600)),
  getter('getMinutes', 'minutes', (time) => time.minute, inUnits(60)),
  getter('getSeconds', 'seconds', (time) => time.second, inUnits(1)),
  getter(
    'getMilliseconds',
    'milliseconds',
    (_time, moment) => Math.floor(moment.nanos / 1_000_000),
    (nanos) => nanos / 1_000_000n,
  ),
]
