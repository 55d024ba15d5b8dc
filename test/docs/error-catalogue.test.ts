import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const codes = /'(KW_[A-Z0-9_]+)'/g

function codesInSource(): Set<string> {
  const found = new Set<string>()
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.includes('.test')) continue
    for (const [, code] of readFileSync(join('src', file), 'utf8').matchAll(codes))
      if (code !== undefined) found.add(code)
  }
  return found
}

function codesInDocs(): Set<string> {
  const page = readFileSync('docs/reference/errors.md', 'utf8')
  return new Set([...page.matchAll(/^\| `(KW_[A-Z0-9_]+)`/gm)].flatMap(([, code]) => code ?? []))
}

test('every error code has its line in docs/reference/errors.md', () => {
  const documented = codesInDocs()
  expect([...codesInSource()].filter((code) => !documented.has(code))).toEqual([])
})

test('no documented error code has ceased to exist', () => {
  const thrown = codesInSource()
  expect([...codesInDocs()].filter((code) => !thrown.has(code))).toEqual([])
})
