import { expect, test } from 'vitest'
import { formatTime, parseTime } from '../../../objects/index.js'
import { cronTimes } from './cron-times.js'

const from = parseTime('2026-03-10T10:17:30Z')

test.each([
  ['*/5 * * * *', 'UTC', '2026-03-10T10:20:00Z', '2026-03-10T10:15:00Z'],
  ['30 4 * * 1', 'UTC', '2026-03-16T04:30:00Z', '2026-03-09T04:30:00Z'],
  ['0 0 29 2 *', 'UTC', '2028-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['0 0 13 * FRI', 'UTC', '2026-03-13T00:00:00Z', '2026-03-06T00:00:00Z'],
  ['15-45/15 9-17 * jan,mar mon-fri', 'UTC', '2026-03-10T10:30:00Z', '2026-03-10T10:15:00Z'],
  ['@hourly', 'UTC', '2026-03-10T11:00:00Z', '2026-03-10T10:00:00Z'],
  ['@yearly', 'UTC', '2027-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['0 9 * * *', 'Asia/Tokyo', '2026-03-11T00:00:00Z', '2026-03-10T00:00:00Z'],
  ['0 12 * * *', 'America/New_York', '2026-03-10T16:00:00Z', '2026-03-09T16:00:00Z'],
  // The night in which clocks go forward has no such time.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-11T01:30:00Z', '2026-03-10T01:30:00Z'],
])('%s in %s', (schedule, zone, next, latest) => {
  const times = cronTimes(schedule, zone)
  expect(formatTime(times.next(from) ?? 0)).toBe(next)
  expect(formatTime(times.latest(from - 5 * 366 * 86_400_000, from) ?? 0)).toBe(latest)
})

test('a time that is skipped by summer time does not come', () => {
  const times = cronTimes('30 2 * * *', 'Europe/Berlin')
  expect(formatTime(times.next(parseTime('2026-03-28T12:00:00Z')) ?? 0)).toBe('2026-03-30T00:30:00Z')
})

test('a constant delay counts from the last time', () => {
  const times = cronTimes('@every 1h30m', 'UTC')
  expect(formatTime(times.next(from) ?? 0)).toBe('2026-03-10T11:47:30Z')
  expect(times.latest(from, from + 5_399_000)).toBeUndefined()
  expect(times.latest(from, from + 11_000_000)).toBe(from + 10_800_000)
})

test('a day that never comes is not waited for', () => {
  expect(cronTimes('0 0 31 2 *', 'UTC').next(from)).toBeUndefined()
})
