import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineKind } from '../define-kind.js'
import { InvalidKindError, type KindProblem } from '../problem.js'
import { listMap, listSet, quantity } from '../schema-meta.js'

/** Why a kind with this field is refused. */
function problemsOf(field: z.ZodType): readonly KindProblem[] {
  try {
    defineKind({ group: 'example.com', version: 'v1', kind: 'Foo', spec: z.object({ field }) })
  } catch (error) {
    if (error instanceof InvalidKindError) return error.problems
    throw error
  }
  return []
}

interface Tree {
  name: string
  children: Tree[]
}

const tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get children() {
    return z.array(tree)
  },
})

describe('what a schema can say and a structural schema cannot', () => {
  test.each<[string, z.ZodType, string, RegExp]>([
    ['a date', z.date(), 'spec.field', /z\.iso\.datetime\(\)/],
    ['a bigint', z.bigint(), 'spec.field', /z\.int\(\)/],
    ['an int64 that is a bigint', z.int64(), 'spec.field', /z\.int\(\)/],
    ['a set', z.set(z.string()), 'spec.field', /listSet\(\)/],
    ['a map', z.map(z.string(), z.string()), 'spec.field', /z\.record/],
    ['undefined', z.undefined(), 'spec.field', /optional/],
    ['a symbol', z.symbol(), 'spec.field', /types that exist in JSON/],
    ['a function', z.custom<() => void>(), 'spec.field', /types that exist in JSON/],
    ['a file', z.file(), 'spec.field', /base64/],
    ['only null', z.null(), 'spec.field', /always null/],
    ['never', z.never(), 'spec.field', /No value would ever be valid/],
    ['any', z.any(), 'spec.field', /preserveUnknownFields\(\)/],
    [
      'unknown values in a record',
      z.record(z.string(), z.unknown()),
      'spec.field[*]',
      /preserveUnknownFields\(\)/,
    ],
    ['unknown items of a list', z.array(z.unknown()), 'spec.field[]', /preserveUnknownFields\(\)/],
    ['a tuple', z.tuple([z.string(), z.int()]), 'spec.field', /a named field for each position/],
    ['a recursive schema', tree, 'spec.field.children[]', /cannot contain itself/],
    ['any JSON', z.json(), 'spec.field', /one type in Kubernetes/],
    ['a union of two scalars', z.union([z.string(), z.boolean()]), 'spec.field', /string, boolean/],
    [
      'a number or a string',
      z.union([z.number(), z.string()]),
      'spec.field',
      /z\.union\(\[z\.int\(\), z\.string\(\)\]\)/,
    ],
    [
      'a union of objects',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      'spec.field',
      /an optional field for each variant, and a CEL rule/,
    ],
    [
      'a discriminated union',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      'spec.field',
      /told apart by "kind"/,
    ],
    [
      'listed integers beside free strings',
      z.union([z.literal(1), z.string()]),
      'spec.field',
      /List the strings too/,
    ],
    ['values of several types', z.literal(['a', true]), 'spec.field', /several types/],
    ['a nullable enum', z.enum(['a']).nullable(), 'spec.field', /accepts null for no enum/],
    [
      'an intersection that contradicts itself',
      z.intersection(z.object({ a: z.string() }), z.object({ a: z.int() })),
      'spec.field.a',
      /disagree about type/,
    ],
    ['a transform', z.string().transform(Number), 'spec.field', /runs no transform/],
    ['a codec', z.stringbool(), 'spec.field', /runs no transform/],
    ['a preprocess step', z.preprocess(String, z.string()), 'spec.field', /runs no transform/],
    ['a coercion', z.coerce.number(), 'spec.field', /converts nothing/],
    ['a fallback', z.string().catch('x'), 'spec.field', /\.default\(\)/],
    ['a refinement', z.string().refine((text) => text !== 'x'), 'spec.field', /\.meta\(cel\(/],
    ['trimming', z.string().trim(), 'spec.field', /does not trim/],
    [
      'keys that are numbers',
      z.record(z.number(), z.string()),
      'spec.field',
      /keys of a map are plain strings/,
    ],
    [
      'keys with a pattern',
      z.record(z.string().regex(/^a/), z.string()),
      'spec.field',
      /key\.matches\(r'\^a'\)/,
    ],
    [
      'fields and free keys',
      z.object({ a: z.string() }).catchall(z.int()),
      'spec.field',
      /either named fields or free keys/,
    ],
    ['look-ahead', z.string().regex(/(?=a)/), 'spec.field', /no look-around/],
    ['a back-reference', z.string().regex(/(a)\1/), 'spec.field', /no back-references/],
    ['an ISO duration', z.iso.duration(), 'spec.field', /format: "duration"/],
    ['emoji', z.emoji(), 'spec.field', /cannot compile the pattern/],
    ['a format that nobody checks', z.jwt(), 'spec.field', /does not check format "jwt"/],
    ['a fractional factor', z.number().multipleOf(0.5), 'spec.field', /multipleOf of 0\.5/],
    [
      'a default that is invalid',
      z.string().max(2).default('abc'),
      'spec.field',
      /Too long: may not be more than 2 bytes/,
    ],
    [
      'a default that misses the pattern',
      z.string().regex(/^a/).default('b'),
      'spec.field',
      /should match '\^a'/,
    ],
    [
      'a misspelt extension',
      z.string().meta({ 'x-kubernetes-lst-type': 'set' }),
      'spec.field',
      /is not known/,
    ],
    ['a string that claims to be either', z.string().meta(quantity()), 'spec.field', /neither alone/],
    [
      'a list map with a key that may be absent',
      z.array(z.object({ name: z.string().optional() })).meta(listMap('name')),
      'spec.field',
      /may be absent/,
    ],
    [
      'a list map with a key that is no field',
      z.array(z.object({ name: z.string() })).meta(listMap('nmae')),
      'spec.field',
      /is not a field of the items/,
    ],
    [
      'a set of objects',
      z.array(z.object({ a: z.string() })).meta(listSet()),
      'spec.field',
      /scalars or atomic/,
    ],
  ])('%s is refused with its path and advice', (_, schema, path, advice) => {
    expect(problemsOf(schema)).toEqual([{ path, message: expect.stringMatching(advice) }])
  })

  test('all problems of a kind are listed at once', () => {
    const problems = problemsOf(
      z.object({ a: z.date(), b: z.object({ c: z.any(), d: z.array(z.bigint()) }) }),
    )
    expect(problems.map(({ path }) => path)).toEqual(['spec.field.a', 'spec.field.b.c', 'spec.field.b.d[]'])
  })
})
