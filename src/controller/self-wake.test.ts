import { expect, test } from 'vitest'
import { SelfWakeDetector } from './self-wake.js'

/** One run that writes a version, and the event of that write, which wakes the next. Returns whether it warned. */
function selfCausedRun(detector: SelfWakeDetector, version: string): boolean {
  const warned = detector.begins('a')
  detector.wrote('a', version)
  detector.ended('a')
  detector.woken('a', version)
  return warned
}

test('a controller that only ever wakes itself is noticed once, at its tenth run in a row', () => {
  const detector = new SelfWakeDetector()
  const warnings = Array.from({ length: 30 }, (_, index) => selfCausedRun(detector, String(index)))
  expect(warnings.indexOf(true)).toBe(10)
  expect(warnings.filter(Boolean)).toHaveLength(1)
})

test('a change by somebody else starts the count anew', () => {
  const detector = new SelfWakeDetector()
  for (let run = 0; run < 9; run++) selfCausedRun(detector, String(run))
  detector.woken('a', 'foreign')
  const warnings = Array.from({ length: 9 }, (_, index) => selfCausedRun(detector, `x${index}`))
  expect(warnings).not.toContain(true)
})

test('runs that write nothing leave no trace', () => {
  const detector = new SelfWakeDetector()
  for (let run = 0; run < 30; run++) {
    expect(detector.begins('a')).toBe(false)
    detector.ended('a')
    detector.woken('a', String(run))
  }
})

test('an event that is faster than the answer to its write counts as our own', () => {
  const detector = new SelfWakeDetector()
  const warnings: boolean[] = []
  for (let run = 0; run < 30; run++) {
    warnings.push(detector.begins('a'))
    detector.woken('a', String(run))
    detector.wrote('a', String(run))
    detector.ended('a')
  }
  expect(warnings.filter(Boolean)).toHaveLength(1)
})

test('so does one that is so slow that it wakes the run after the next', () => {
  const detector = new SelfWakeDetector()
  const warnings: boolean[] = []
  for (let run = 0; run < 30; run++) {
    warnings.push(detector.begins('a'))
    detector.woken('a', String(run - 1))
    detector.wrote('a', String(run))
    detector.ended('a')
  }
  expect(warnings.filter(Boolean)).toHaveLength(1)
})

test('a controller that writes each time it looks again, and is woken by nobody, is no loop', () => {
  const detector = new SelfWakeDetector()
  for (let run = 0; run < 30; run++) {
    expect(detector.begins('a')).toBe(false)
    detector.wrote('a', String(run))
    detector.ended('a')
  }
})
