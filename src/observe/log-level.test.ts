import { expect, test } from 'vitest'
import { logLevelForVerbosity } from './log-level.js'

test.each([
  [-1, 'info'],
  [0, 'info'],
  [2, 'info'],
  [3, 'info'],
  [4, 'debug'],
  [10, 'debug'],
  [Number.NaN, 'info'],
] as const)('-v=%d means %s', (verbosity, level) => {
  expect(logLevelForVerbosity(verbosity)).toBe(level)
})
