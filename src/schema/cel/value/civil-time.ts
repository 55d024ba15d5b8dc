/** A moment in the proleptic Gregorian calendar, as clocks and calendars of one zone show it. */
export interface CivilTime {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const secondsPerDay = 86_400

/** Days since 1970-01-01. Years are counted from March, so that the leap day comes last. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The civil time of a moment given in seconds since 1970, in UTC plus an offset. */
export function civilFromSeconds(seconds: number, offsetSeconds = 0): CivilTime {
  const local = seconds + offsetSeconds
  const days = Math.floor(local / secondsPerDay)
  const ofDay = local - days * secondsPerDay
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor((ofDay % 3600) / 60),
    second: ofDay % 60,
  }
}

/** 0 for Sunday. */
export function dayOfWeek(time: CivilTime): number {
  return (((daysFromCivil(time.year, time.month, time.day) + 4) % 7) + 7) % 7
}

/** 0 for the first of January. */
export function dayOfYear(time: CivilTime): number {
  return daysFromCivil(time.year, time.month, time.day) - daysFromCivil(time.year, 1, 1)
}

/** Seconds since 1970 of a time in UTC. */
export function secondsFromCivil(time: CivilTime): number {
  return (
    daysFromCivil(time.year, time.month, time.day) * secondsPerDay +
    time.hour * 3600 +
    time.minute * 60 +
    time.second
  )
}

/** 28 to 31. */
export function daysInMonth(year: number, month: number): number {
  const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1)
  return next - daysFromCivil(year, month, 1)
}
