import { execFile } from 'node:child_process'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { writeSnippets } from './write-snippets.js'

const run = promisify(execFile)
const scratch = resolve('.cache/snippets')

function markdownIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file))
}

/**
 * What the compiler says about the files in the scratch folder, with the project's own settings. What it says about the
 * sources is the business of `npm run types`.
 */
async function problems(): Promise<string[]> {
  writeFileSync(
    join(scratch, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['**/*.ts'], exclude: [] }),
  )
  const compiler = ['node_modules/typescript7/bin/tsc', '--noEmit', '--pretty', 'false', '-p', scratch]
  try {
    await run(process.execPath, compiler)
    return []
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
    // No verdict at all: the compiler itself failed.
    if (!output.includes('error TS')) throw error
    return output.split('\n').filter((line) => line.startsWith('.cache/snippets'))
  }
}

test('every TypeScript block in the documentation type-checks', { timeout: 120_000 }, async () => {
  rmSync(scratch, { recursive: true, force: true })
  const pages = ['README.md', ...markdownIn('docs'), ...markdownIn('examples')]
  const files = pages.flatMap((page) =>
    writeSnippets(page, join(scratch, page.replaceAll(/[^a-z0-9]+/gi, '-'))),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(await problems()).toEqual([])
})
