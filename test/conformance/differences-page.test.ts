import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { differencesPage } from './differences-page.js'

test('docs/reference/embedded-differences.md says what the suite knows', () => {
  // If not: node scripts/run.mjs test/conformance/write-differences.ts
  expect(readFileSync('docs/reference/embedded-differences.md', 'utf8')).toBe(differencesPage())
})
