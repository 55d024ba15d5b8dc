// Writes docs/reference/embedded-differences.md: node scripts/run.mjs test/conformance/write-differences.ts
import { writeFileSync } from 'node:fs'
import { differencesPage } from './differences-page.js'

writeFileSync('docs/reference/embedded-differences.md', differencesPage())
