import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { StructuralSchema } from '../../structural-schema.js'
import { defineKind } from '../define-kind.js'
import {
  atomic,
  cel,
  embeddedResource,
  listMap,
  listSet,
  preserveUnknownFields,
  quantity,
} from '../schema-meta.js'

function specOf(spec: z.ZodType): StructuralSchema {
  const kind = defineKind({ group: 'example.com', version: 'v1', kind: 'Foo', spec })
  return kind.schema.properties?.['spec'] ?? {}
}

/** The schema of one field. */
function field(schema: z.ZodType): StructuralSchema | undefined {
  return specOf(z.object({ field: schema })).properties?.['field']
}

describe('numbers', () => {
  test.each<[string, z.ZodType, StructuralSchema]>([
    ['an integer has no bounds but those of its format', z.int(), { type: 'integer', format: 'int64' }],
    ['an int32 has its format instead of bounds', z.int32(), { type: 'integer', format: 'int32' }],
    [
      'bounds of an int32 are kept',
      z.int32().min(1).max(10),
      { type: 'integer', format: 'int32', minimum: 1, maximum: 10 },
    ],
    [
      'a uint32 keeps its upper bound',
      z.uint32(),
      { type: 'integer', format: 'int64', minimum: 0, maximum: 4_294_967_295 },
    ],
    [
      'a positive integer is above zero',
      z.int().positive(),
      { type: 'integer', format: 'int64', minimum: 0, exclusiveMinimum: true },
    ],
    [
      'fractional bounds of integers are rounded inwards',
      z.int().min(0.5).lt(4.5),
      { type: 'integer', format: 'int64', minimum: 1, maximum: 4 },
    ],
    ['a whole factor is kept', z.int().multipleOf(5), { type: 'integer', format: 'int64', multipleOf: 5 }],
    ['a number is a number', z.number(), { type: 'number' }],
    [
      'exclusive bounds are marked as such',
      z.number().gt(3).lt(5.5),
      { type: 'number', minimum: 3, exclusiveMinimum: true, maximum: 5.5, exclusiveMaximum: true },
    ],
    ['a float32 has its format', z.float32(), { type: 'number', format: 'float' }],
  ])('%s', (_, schema, expected) => {
    expect(field(schema)).toEqual(expected)
  })
})

describe('strings', () => {
  test.each<[string, z.ZodType, StructuralSchema]>([
    ['lengths are kept', z.string().min(1).max(5), { type: 'string', minLength: 1, maxLength: 5 }],
    ['a description is kept', z.string().describe('Name.'), { type: 'string', description: 'Name.' }],
    ['a pattern is kept', z.string().regex(/^a+$/), { type: 'string', pattern: '^a+$' }],
    [
      'flags of a pattern move into it',
      z.string().regex(/^a.b$/is),
      { type: 'string', pattern: '(?is)^a.b$' },
    ],
    [
      'further patterns become branches',
      z.string().regex(/^a/).regex(/b$/i),
      { type: 'string', pattern: '^a', allOf: [{ pattern: '(?i)b$' }] },
    ],
    ['formats that the server checks are kept', z.url(), { type: 'string', format: 'uri' }],
    [
      'host names lose only the pattern that RE2 cannot run',
      z.hostname(),
      { type: 'string', format: 'hostname' },
    ],
    [
      'of a format that it does not check, the pattern is kept',
      z.nanoid(),
      { type: 'string', pattern: '^[a-zA-Z0-9_-]{21}$' },
    ],
    ['a template has a pattern', z.templateLiteral(['v', z.int()]), { type: 'string', pattern: '^v-?\\d+$' }],
  ])('%s', (_, schema, expected) => {
    expect(field(schema)).toEqual(expected)
  })

  test('times have both format and pattern', () => {
    expect(field(z.iso.datetime())).toMatchObject({ type: 'string', format: 'date-time' })
    expect(field(z.email())).toMatchObject({ type: 'string', format: 'email', pattern: expect.any(String) })
  })
})

describe('listed values', () => {
  test.each<[string, z.ZodType, StructuralSchema]>([
    ['an enum has a type', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['a literal is an enum of one', z.literal('a'), { type: 'string', enum: ['a'] }],
    ['whole numbers are integers', z.literal([1, 2]), { type: 'integer', format: 'int64', enum: [1, 2] }],
    ['fractions are numbers', z.literal([0.5, 1]), { type: 'number', enum: [0.5, 1] }],
    ['booleans are booleans', z.literal(true), { type: 'boolean', enum: [true] }],
    [
      'a mixture of integers and strings is one',
      z.literal(['a', 1]),
      {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        enum: ['a', 1],
      },
    ],
    [
      'a union of literals is one enum',
      z.union([z.literal('a'), z.enum(['b', 'a'])]),
      { type: 'string', enum: ['a', 'b'] },
    ],
  ])('%s', (_, schema, expected) => {
    expect(field(schema)).toEqual(expected)
  })
})

describe('unions', () => {
  const intOrString = {
    'x-kubernetes-int-or-string': true,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
  } as const

  test.each<[string, z.ZodType, StructuralSchema]>([
    ['integer or string is recognized', z.union([z.int(), z.string()]), intOrString],
    [
      'the rules of both sides stand side by side',
      z.union([z.int().min(1).max(65_535), z.string().max(15)]),
      { ...intOrString, minimum: 1, maximum: 65_535, maxLength: 15 },
    ],
    [
      'listed strings beside free integers become a pattern',
      z.union([z.int(), z.enum(['auto', 'a.b'])]),
      { ...intOrString, pattern: '^(?:auto|a\\.b)$' },
    ],
    [
      'a quantity has the pattern of one',
      z.union([z.int(), z.string()]).meta(quantity()),
      { ...intOrString, pattern: quantity().pattern },
    ],
    [
      'several patterns of the strings become branches',
      z.union([z.int(), z.string().regex(/^a/).regex(/b$/)]),
      { ...intOrString, allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
    ],
    ['null makes it nullable', z.string().nullable(), { type: 'string', nullable: true }],
    [
      'null beside an object makes it nullable',
      z.object({ a: z.string() }).nullable(),
      { type: 'object', nullable: true, required: ['a'], properties: { a: { type: 'string' } } },
    ],
    [
      'rules inside a nullable are kept',
      z.string().regex(/^a/).regex(/b$/).nullable(),
      { type: 'string', nullable: true, pattern: '^a', allOf: [{ pattern: 'b$' }] },
    ],
    [
      'several rules for one type become branches',
      z.union([z.string().max(3), z.string().regex(/^long/)]),
      { type: 'string', anyOf: [{ maxLength: 3 }, { pattern: '^long' }] },
    ],
    ['anything or something narrower is anything', z.union([z.enum(['a']), z.string()]), { type: 'string' }],
    [
      'an exclusive union stays one',
      z.xor([z.int().min(5), z.int().multipleOf(2)]),
      { type: 'integer', format: 'int64', oneOf: [{ minimum: 5 }, { multipleOf: 2 }] },
    ],
  ])('%s', (_, schema, expected) => {
    expect(field(schema)).toEqual(expected)
  })
})

describe('objects', () => {
  test('optional and defaulted fields are not required', () => {
    const spec = specOf(z.object({ a: z.string(), b: z.string().optional(), c: z.int32().default(1) }))
    expect(spec.required).toEqual(['a'])
    expect(spec.properties?.['c']).toEqual({ type: 'integer', format: 'int32', default: 1 })
  })

  test.each<[string, z.ZodType, StructuralSchema]>([
    [
      'a strict object is a plain one: unknown fields are dropped anyway',
      z.strictObject({ a: z.string() }),
      { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    ],
    [
      'a loose object keeps unknown fields',
      z.looseObject({ a: z.string() }),
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string' } },
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    [
      'a loose object without fields has none',
      z.looseObject({}),
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'a record is a map',
      z.record(z.string(), z.boolean()),
      { type: 'object', additionalProperties: { type: 'boolean' } },
    ],
    [
      'a record over known keys is an object',
      z.record(z.enum(['a', 'b']), z.boolean()),
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
      },
    ],
    [
      'a partial record over known keys has optional fields',
      z.partialRecord(z.enum(['a', 'b']), z.boolean()),
      { type: 'object', properties: { a: { type: 'boolean' }, b: { type: 'boolean' } } },
    ],
    [
      'an intersection has the fields of both',
      z.intersection(z.object({ a: z.string().min(1) }), z.object({ a: z.string().max(5), b: z.boolean() })),
      {
        type: 'object',
        required: ['a', 'b'],
        properties: { a: { type: 'string', minLength: 1, maxLength: 5 }, b: { type: 'boolean' } },
      },
    ],
    [
      'a default for the whole object is kept beside those of its fields',
      z.object({ a: z.string().default('x') }).prefault({}),
      { type: 'object', default: {}, properties: { a: { type: 'string', default: 'x' } } },
    ],
    [
      'a schema with an id that is used twice is written out twice',
      (() => {
        const shared = z.object({ x: z.string() }).meta({ id: 'Shared' })
        return z.object({ a: shared, b: shared })
      })(),
      {
        type: 'object',
        required: ['a', 'b'],
        properties: {
          a: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } },
          b: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } },
        },
      },
    ],
    [
      'names that mean something to JavaScript are ordinary fields',
      z.object({ constructor: z.string(), toString: z.string() }),
      {
        type: 'object',
        required: ['constructor', 'toString'],
        properties: { constructor: { type: 'string' }, toString: { type: 'string' } } as never,
      },
    ],
  ])('%s', (_, schema, expected) => {
    expect(field(schema)).toEqual(expected)
  })
})

describe('what Kubernetes adds', () => {
  test.each<[string, z.ZodType, StructuralSchema]>([
    [
      'a list map',
      z.array(z.object({ name: z.string() })).meta(listMap('name')),
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      },
    ],
    [
      'a set',
      z.array(z.string()).max(3).meta(listSet()),
      { type: 'array', maxItems: 3, 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    ],
    [
      'an atomic list',
      z.array(z.string()).meta(atomic()),
      { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
    ],
    [
      'an atomic object',
      z.object({ a: z.string() }).meta(atomic()),
      {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        required: ['a'],
        properties: { a: { type: 'string' } },
      },
    ],
    [
      'anything, if one says so',
      z.any().meta(preserveUnknownFields()),
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
    [
      'a whole object of another kind',
      z.looseObject({}).meta(embeddedResource()),
      {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    ],
    [
      'rules at any depth',
      z
        .string()
        .meta({ ...cel('self != "x"', { message: 'not x', reason: 'FieldValueForbidden' }), title: 'T' }),
      {
        type: 'string',
        title: 'T',
        'x-kubernetes-validations': [
          { rule: 'self != "x"', message: 'not x', reason: 'FieldValueForbidden' },
        ],
      },
    ],
    [
      'several rules',
      z.string().meta(cel([{ rule: 'self != "x"' }, { rule: 'self != "y"' }])),
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self != "x"' }, { rule: 'self != "y"' }] },
    ],
    [
      'what other tools keep in metadata is left out',
      z.string().meta({ deprecated: true, widget: 'slider', examples: ['a'] }),
      { type: 'string' },
    ],
    ['a default of null is none', z.string().nullable().default(null), { type: 'string', nullable: true }],
  ])('%s', (_, schema, expected) => {
    expect(field(schema)).toEqual(expected)
  })
})
