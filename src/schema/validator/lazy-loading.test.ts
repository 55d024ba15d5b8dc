import { expect, test, vi } from 'vitest'
import { defineKind, loadValidator, structural, toCrd } from '../index.js'

const loaded = vi.hoisted(() => ({ re2js: 0, zod: 0 }))

// The packages stay what they are; only their loading is noticed.
vi.mock('re2js', async (original) => {
  loaded.re2js++
  return original()
})
vi.mock('zod', async (original) => {
  loaded.zod++
  return original()
})

const spec = structural<object>({ type: 'object', properties: { f: { type: 'string' } } })

test('kinds and validators without patterns load no engine and no library', async () => {
  const kind = defineKind({ group: 'example.com', version: 'v1', kind: 'Foo', spec })
  toCrd(kind)
  const validator = await loadValidator(kind)
  validator.validate({ metadata: { name: 'a' }, spec: { f: 'x' } })
  expect(loaded).toEqual({ re2js: 0, zod: 0 })
})

test('a pattern loads the engine when a validator is loaded', async () => {
  await loadValidator({ type: 'string', pattern: '^a' })
  expect(loaded).toEqual({ re2js: 1, zod: 0 })
})
