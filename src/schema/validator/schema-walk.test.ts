import { describe, expect, test } from 'vitest'
import type { FieldError } from '../field-error.js'
import type { StructuralSchema } from '../structural-schema.js'
import { loadValidator } from './validator.js'

/** What is wrong with `{ f: value }`, in short. */
async function complaints(field: StructuralSchema, value: unknown): Promise<string[]> {
  const validator = await loadValidator({ type: 'object', properties: { f: field } })
  return validator.validate({ f: value }).map(short)
}

function short({ field, reason, message }: FieldError): string {
  return `${field} ${reason.replace('FieldValue', '')}: ${message}`
}

const string = { type: 'string' } as const
const integer = { type: 'integer' } as const
const number = { type: 'number' } as const
const intOrString = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
} as const

describe('a value that breaks its schema is reported in the words of the server', () => {
  test.each<[string, StructuralSchema, unknown, string[]]>([
    [
      'type',
      integer,
      'x',
      ['f TypeInvalid: Invalid value: "string": f in body must be of type integer: "string"'],
    ],
    [
      'null',
      string,
      null,
      ['f TypeInvalid: Invalid value: "null": f in body must be of type string: "null"'],
    ],
    [
      'a fraction for an integer',
      integer,
      1.5,
      [
        'f TypeInvalid: Invalid value: "number": f in body must be of type integer: "number"',
        '<nil> Invalid: Invalid value: "": Checked value must be of type integer (default format) in f',
      ],
    ],
    [
      'maximum',
      { ...integer, maximum: 10 },
      11,
      ['f Invalid: Invalid value: 11: f in body should be less than or equal to 10'],
    ],
    [
      'minimum',
      { ...integer, minimum: 1 },
      0,
      ['f Invalid: Invalid value: 0: f in body should be greater than or equal to 1'],
    ],
    [
      'exclusiveMaximum',
      { ...number, maximum: 2.5, exclusiveMaximum: true },
      2.5,
      ['f Invalid: Invalid value: 2.5: f in body should be less than 2.5'],
    ],
    [
      'exclusiveMinimum',
      { ...number, minimum: 2.5, exclusiveMinimum: true },
      2.5,
      ['f Invalid: Invalid value: 2.5: f in body should be greater than 2.5'],
    ],
    [
      'multipleOf',
      { ...integer, multipleOf: 5 },
      7,
      ['f Invalid: Invalid value: 7: f in body should be a multiple of 5'],
    ],
    [
      'int32',
      { ...integer, format: 'int32' },
      2 ** 31,
      ['<nil> Invalid: Invalid value: "": Checked value must be of type integer with format int32 in f'],
    ],
    [
      'float',
      { ...number, format: 'float' },
      1e39,
      ['<nil> Invalid: Invalid value: "": Checked value must be of type number with format float in f'],
    ],
    ['maxLength', { ...string, maxLength: 2 }, 'abc', ['f TooLong: Too long: may not be more than 2 bytes']],
    [
      'maxLength of one',
      { ...string, maxLength: 1 },
      'abc',
      ['f TooLong: Too long: may not be more than 1 byte'],
    ],
    [
      'minLength',
      { ...string, minLength: 2 },
      'a',
      ['f Invalid: Invalid value: "a": f in body should be at least 2 chars long'],
    ],
    [
      'pattern',
      { ...string, pattern: '^a' },
      'b',
      ['f Invalid: Invalid value: "b": f in body should match \'^a\''],
    ],
    [
      'format',
      { ...string, format: 'date' },
      'x',
      ['f TypeInvalid: Invalid value: "x": f in body must be of type date: "x"'],
    ],
    [
      'a number for a format',
      { ...string, format: 'date' },
      5,
      ['f TypeInvalid: Invalid value: "int64": f in body must be of type date: "int64"'],
    ],
    [
      'enum',
      { ...string, enum: ['a', 'b'] },
      'c',
      ['f NotSupported: Unsupported value: "c": supported values: "a", "b"'],
    ],
    [
      'enum of numbers',
      { ...integer, enum: [1, 2] },
      3,
      ['f NotSupported: Unsupported value: 3: supported values: "1", "2"'],
    ],
    [
      'null for an enum',
      { ...string, nullable: true, enum: ['a'] },
      null,
      ['f NotSupported: Unsupported value: null: supported values: "a"'],
    ],
    ['required', { type: 'object', required: ['a'] }, {}, ['f.a Required: Required value']],
    [
      'maxProperties',
      { type: 'object', maxProperties: 1, additionalProperties: integer },
      { a: 1, b: 2 },
      ['f TooMany: Too many: 2: must have at most 1 item'],
    ],
    [
      'minProperties',
      { type: 'object', minProperties: 1 },
      {},
      ['f Invalid: Invalid value: 0: f in body should have at least 1 properties'],
    ],
    [
      'a forbidden key',
      { type: 'object', additionalProperties: false },
      { a: 1 },
      ['f Invalid: Invalid value: "a": f.a in body is a forbidden property'],
    ],
    [
      'values of a map',
      { type: 'object', additionalProperties: integer },
      { 'a.b': 'x' },
      ['f.a.b TypeInvalid: Invalid value: "string": f.a.b in body must be of type integer: "string"'],
    ],
    [
      'maxItems',
      { type: 'array', maxItems: 2, items: integer },
      [1, 2, 3],
      ['f TooMany: Too many: 3: must have at most 2 items'],
    ],
    [
      'minItems',
      { type: 'array', minItems: 1, items: integer },
      [],
      ['f Invalid: Invalid value: 0: f in body should have at least 1 items'],
    ],
    [
      'items',
      { type: 'array', items: string },
      ['a', true],
      ['f[1] TypeInvalid: Invalid value: "boolean": f[1] in body must be of type string: "boolean"'],
    ],
    [
      'a set',
      { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
      ['a', 'b', 'a', 'a'],
      ['f[2] Duplicate: Duplicate value: "a"'],
    ],
    [
      'a list map',
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['a', 'b'],
        items: { type: 'object' },
      },
      [{ a: 1, b: 2 }, { a: 1 }, { b: 2, a: 1 }],
      ['f[2] Duplicate: Duplicate value: {"a":1,"b":2}'],
    ],
    [
      'anyOf: the branch that matched most',
      { ...string, anyOf: [{ maxLength: 1 }, { pattern: '^a' }] },
      'bc',
      [
        '<nil> Invalid: Invalid value: "": "f" must validate at least one schema (anyOf)',
        'f TooLong: Too long: may not be more than 1 byte',
      ],
    ],
    [
      'oneOf: none',
      { ...integer, oneOf: [{ minimum: 5 }, { maximum: -5 }] },
      0,
      [
        '<nil> Invalid: Invalid value: "": "f" must validate one and only one schema (oneOf). Found none valid',
        'f Invalid: Invalid value: 0: f in body should be greater than or equal to 5',
      ],
    ],
    [
      'oneOf: two',
      { ...integer, oneOf: [{ minimum: 5 }, { multipleOf: 5 }] },
      10,
      [
        '<nil> Invalid: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives',
      ],
    ],
    [
      'allOf',
      { ...string, allOf: [{ minLength: 2 }, { pattern: '^a' }] },
      'ba',
      [
        'f Invalid: Invalid value: "ba": f in body should match \'^a\'',
        '<nil> Invalid: Invalid value: "": "f" must validate all the schemas (allOf)',
      ],
    ],
    [
      'not',
      { ...string, not: { enum: ['a'] } },
      'a',
      ['<nil> Invalid: Invalid value: "": "f" must not validate the schema (not)'],
    ],
    [
      'integer or string',
      intOrString,
      true,
      [
        'f TypeInvalid: Invalid value: "boolean": f in body must be of type integer,string: "boolean"',
        '<nil> Invalid: Invalid value: "": "f" must validate at least one schema (anyOf)',
        'f TypeInvalid: Invalid value: "boolean": f in body must be of type integer: "boolean"',
      ],
    ],
  ])('%s', async (_, schema, value, expected) => {
    expect(await complaints(schema, value)).toEqual(expected)
  })

  test.each<[string, StructuralSchema, unknown]>([
    ['null where it is allowed', { ...string, nullable: true, maxLength: 1 }, null],
    ['an integer for a number', number, 5],
    ['an integer and a string for either', intOrString, 'http'],
    ['characters, not UTF-16 units, are counted', { ...string, maxLength: 4 }, '🦓🦓🦓🦓'],
    ['a pattern anywhere in the text', { ...string, pattern: 'b' }, 'abc'],
    ['a format that the server ignores', { ...string, format: 'jwt' }, 'x'],
    ['integers beyond 2^53', { ...integer, format: 'int64' }, 9_007_199_254_740_993n],
    ['an undefined field is an absent one', string, undefined],
  ])('%s is fine', async (_, schema, value) => {
    expect(await complaints(schema, value)).toEqual([])
  })
})

describe('oddities of the server are kept', () => {
  test.each<[string, StructuralSchema, unknown, string[]]>([
    ['an array passes for a string with a format', { ...string, format: 'date' }, [1], []],
    ['a fraction is cut off before an enum is searched', { ...number, enum: [1] }, 1.5, []],
    ['an integer may be the code of a listed letter', { ...intOrString, enum: ['a'] }, 97, []],
    ['fractional bounds are cut off for integers', { ...number, minimum: 4.5 }, 4, []],
    [
      'a fractional bound of an integer is wrong for every value',
      { ...integer, maximum: 10.5 },
      3,
      [
        '<nil> Invalid: Invalid value: "": Maximum boundary value must be of type integer (default format) in f',
      ],
    ],
    [
      'a fractional factor is zero for integers',
      { ...number, multipleOf: 0.5 },
      1,
      ['f Invalid: Invalid value: 0: factor MultipleOf declared for f must be positive: 0'],
    ],
    [
      'large floats have an exponent',
      { ...number, maximum: 4.5 },
      1_234_567.5,
      ['f Invalid: Invalid value: 1.2345675e+06: f in body should be less than or equal to 4.5'],
    ],
  ])('%s', async (_, schema, value, expected) => {
    expect(await complaints(schema, value)).toEqual(expected)
  })
})
