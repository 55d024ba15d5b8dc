import { expect, test } from 'vitest'
import { humanDuration } from './human-duration.js'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

// From k8s.io/apimachinery's duration package, called with the same spans.
test.each([
  [-2 * second, '<invalid>'],
  [-1.5 * second, '0s'],
  [-1, '0s'],
  [0, '0s'],
  [second - 1, '0s'],
  [119 * second, '119s'],
  [2 * minute, '2m'],
  [2 * minute + second, '2m1s'],
  [10 * minute - 1, '9m59s'],
  [10 * minute + 30 * second, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [3 * hour + minute, '3h1m'],
  [8 * hour - 1, '7h59m'],
  [8 * hour + 30 * minute, '8h'],
  [2 * day - 1, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day - 1, '7d23h'],
  [8 * day + 5 * hour, '8d'],
  [2 * year - 1, '729d'],
  [2 * year, '2y'],
  [2 * year + day, '2y1d'],
  [8 * year - 1, '7y364d'],
  [8 * year + 100 * day, '8y'],
])('a span of %d ms is shown as %s', (span, text) => {
  expect(humanDuration(span)).toBe(text)
})
