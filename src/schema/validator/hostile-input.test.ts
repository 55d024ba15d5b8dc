import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StructuralSchema } from '../structural-schema.js'
import { NestingTooDeepError } from './depth.js'
import { InvalidPatternError, loadValidator } from './validator.js'

const string = { type: 'string' } as const
const integer = { type: 'integer' } as const

describe('hostile input', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'a']
  const json = fc.letrec<{ value: unknown; object: object }>((tie) => ({
    object: fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 3 })
      .map(Object.fromEntries),
    value: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      fc.string(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 2 }),
      tie('object'),
    ),
  }))

  test('names that mean something to JavaScript are data, in objects and in schemas', async () => {
    const leaf: StructuralSchema = { type: 'object', additionalProperties: integer }
    const open: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
    const schema: StructuralSchema = {
      type: 'object',
      properties: Object.fromEntries<StructuralSchema>([
        ...names.map((name): [string, StructuralSchema] => [name, leaf]),
        ['open', open],
      ]),
    }
    const validator = await loadValidator(schema)
    await fc.assert(
      fc.asyncProperty(json.object, async (object) => {
        const pruned = validator.prune({ ...object, open: object })
        validator.validate(pruned, { old: pruned })
        expect(JSON.stringify(Reflect.get(pruned, 'open'))).toBe(JSON.stringify(object))
        expect(Object.getPrototypeOf(pruned)).toBe(Object.prototype)
        expect(Reflect.get({}, 'a')).toBeUndefined()
      }),
    )
    expect(validator.validate(JSON.parse('{"__proto__":{"x":"y"}}')).map(({ field }) => field)).toEqual([
      '__proto__.x',
    ])
  })

  test('a pattern that would stop another engine for hours is answered at once', async () => {
    const validator = await loadValidator({
      type: 'object',
      properties: { f: { ...string, pattern: '^(a+)+$' } },
    })
    expect(validator.validate({ f: `${'a'.repeat(20_000)}!` })).toHaveLength(1)
  })

  test('a pattern that RE2 does not know is refused by name', async () => {
    const load = loadValidator({ ...string, pattern: '(?=a)' })
    await expect(load).rejects.toThrow(InvalidPatternError)
    await expect(load).rejects.toMatchObject({ code: 'KW_INVALID_PATTERN', pattern: '(?=a)' })
  })

  test('data that is nested without end is refused with an error of ours', async () => {
    const validator = await loadValidator({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })
    const deep = JSON.parse(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`) as object
    expect(() => validator.prune(deep)).toThrow(NestingTooDeepError)
    expect(() => validator.applyDefaults(deep)).toThrow(NestingTooDeepError)
    expect(validator.validate(deep)).toEqual([])
  })
})
