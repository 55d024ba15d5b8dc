import { formatMicroTime, formatTime, parseTime } from '../../objects/index.js'

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{6}Z$/

/** A time as the server writes it again: in UTC, cut to seconds or to microseconds. Other texts stay as they are. */
export function canonicalTime(text: string, isMicro: boolean): string {
  // The form that nearly all have already.
  if ((isMicro ? microTime : time).test(text)) return text
  try {
    return isMicro ? formatMicroTime(parseTime(text)) : formatTime(parseTime(text))
  } catch {
    return text
  }
}
