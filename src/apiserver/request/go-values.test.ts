import { describe, expect, test } from 'vitest'
import { normalizeBase64 } from './go-bytes.js'
import { normalizeTime } from './go-time.js'

// All texts are what kube-apiserver 1.36 answered.
describe('normalizeTime', () => {
  test.each([
    ['2020-02-30T00:00:00Z', 'parsing time "2020-02-30T00:00:00Z": day out of range'],
    ['2020-02-20T25:00:00Z', 'parsing time "2020-02-20T25:00:00Z": hour out of range'],
    ['2020-01-01', 'parsing time "2020-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    [
      '2020-02-20T00:00:00',
      'parsing time "2020-02-20T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    ['2020-02-20T00:00:00ZZ', 'parsing time "2020-02-20T00:00:00ZZ": extra text: "Z"'],
    [
      '2020-2-20T00:00:00Z',
      'parsing time "2020-2-20T00:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "2-20T00:00:00Z" as "01"',
    ],
    ['20', 'parsing time "20" as "2006-01-02T15:04:05Z07:00": cannot parse "20" as "2006"'],
  ])('%s', (text, problem) => {
    expect(() => normalizeTime(text, 'seconds')).toThrow(problem)
  })

  test('microseconds have six digits, no less', () => {
    const layout = '"2006-01-02T15:04:05.000000Z07:00"'
    expect(() => normalizeTime('2020-01-01T00:00:00Z', 'micro')).toThrow(
      `parsing time "2020-01-01T00:00:00Z" as ${layout}: cannot parse "Z" as ".000000"`,
    )
    expect(() => normalizeTime('2020-01-01T00:00:00.1234567Z', 'micro')).toThrow(
      `parsing time "2020-01-01T00:00:00.1234567Z" as ${layout}: cannot parse "7Z" as "Z07:00"`,
    )
    expect(normalizeTime('2020-01-01T00:00:00.123456+02:00', 'micro')).toBe('2019-12-31T22:00:00.123456Z')
  })
})

describe('normalizeBase64', () => {
  test.each([
    ['x!', 1],
    ['YQ', 0],
    ['YQ=', 3],
    ['YQ==x', 4],
    ['Y', 0],
    ['=', 0],
    ['abcd====', 4],
  ])('%s stumbles at %i', (text, illegalAt) => {
    expect(normalizeBase64(text)).toEqual({ illegalAt })
  })

  test.each([
    ['YWJj', 'YWJj'],
    ['YW\nJj', 'YWJj'],
    ['YQ==', 'YQ=='],
    ['YR==', 'YQ=='],
    ['', ''],
  ])('%j is kept as %s', (text, value) => {
    expect(normalizeBase64(text)).toEqual({ value })
  })
})
