import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  difference,
  type FieldSet,
  intersection,
  pathsOf,
  recursiveDifference,
  setOf,
  union,
} from './field-set.js'
import { decodeFields, encodeFields } from './fields-v1.js'
import { compareElements, fieldElement, formatPath, keyElement, valueElement } from './path-element.js'

const scalar = fc.oneof(
  fc.constantFrom('a', 'b', '<&>', '"\\', 'é', '\u{1f600}', '\uffff', ''),
  fc.integer({ min: -2, max: 12 }),
  fc.boolean(),
)
const element = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', '.', 'f:x', 'a.b/c').map(fieldElement),
  scalar.map(valueElement),
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('name', 'port', 'Zone'), scalar), {
      minLength: 1,
      selector: ([name]) => name,
    })
    .map(keyElement),
  fc.nat({ max: 11 }).map((index) => `i:${index}`),
)
const fieldSet: fc.Arbitrary<FieldSet> = fc
  .array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 8 })
  .map(setOf)

const textOf = (set: FieldSet): string => JSON.stringify(encodeFields(set))
const members = (set: FieldSet): Set<string> => new Set([...pathsOf(set)].map((path) => JSON.stringify(path)))

describe('FieldsV1', () => {
  test('a set survives being written and read', () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        const read = decodeFields(JSON.parse(textOf(set)))
        expect(read).toBeDefined()
        expect(textOf(read ?? new Map())).toBe(textOf(set))
      }),
    )
  })

  test('elements are listed in the order of the server', () => {
    const set = setOf([
      ['i:10'],
      ['i:2'],
      ['v:true'],
      ['v:"b"'],
      ['v:10'],
      ['v:9'],
      [
        keyElement([
          ['port', 80],
          ['name', 'b'],
        ]),
      ],
      [keyElement([['port', 9]])],
      [keyElement([['name', 'a']])],
      [keyElement([['port', 10]])],
      ['f:b', 'f:c'],
      ['f:a'],
      ['f:B'],
      ['f:b'],
    ])
    expect(Object.keys(encodeFields(set))).toEqual([
      'f:B',
      'f:a',
      'f:b',
      'k:{"name":"a"}',
      'k:{"name":"b","port":80}',
      'k:{"port":9}',
      'k:{"port":10}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:2',
      'i:10',
    ])
    expect(encodeFields(set)['f:b']).toEqual({ '.': {}, 'f:c': {} })
  })

  test('other spellings of an element are the same element', () => {
    const set = decodeFields({ 'k:{"b": 1, "a":"<"}': {}, 'v: "x"': {}, 'i:007': {} })
    expect([...(set ?? [])].map(([key]) => key)).toEqual(['k:{"a":"\\u003c","b":1}', 'v:"x"', 'i:7'])
  })

  test('elements of newer servers are left out, and what is no set is none', () => {
    expect(textOf(decodeFields({ 'z:1': { 'f:a': {} }, 'f:b': {} }) ?? new Map())).toBe('{"f:b":{}}')
    expect(decodeFields({})?.size).toBe(0)
    expect(decodeFields(null)?.size).toBe(0)
    for (const broken of [
      { f: {} },
      { fa: {} },
      { 'f:a': 1 },
      { 'v:x': {} },
      { 'k:1': {} },
      { 'i:x': {} },
      [],
      'x',
    ]) {
      expect(decodeFields(broken)).toBeUndefined()
    }
  })

  test('the order of elements is an order', () => {
    fc.assert(
      fc.property(element, element, element, (first, second, third) => {
        expect(Math.sign(compareElements(first, second))).toBe(-Math.sign(compareElements(second, first)) + 0)
        expect(compareElements(first, second) === 0).toBe(first === second)
        if (compareElements(first, second) < 0 && compareElements(second, third) < 0) {
          expect(compareElements(first, third)).toBeLessThan(0)
        }
      }),
    )
  })

  test('a path reads as people write it', () => {
    expect(
      formatPath([
        fieldElement('spec'),
        keyElement([
          ['port', 80],
          ['name', 'a"b'],
        ]),
        valueElement('x'),
        'i:3',
      ]),
    ).toBe('.spec[name="a\\"b",port=80][="x"][3]')
  })
})

describe('sets of fields', () => {
  test('join, meet and differ as sets of paths do', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (left, right) => {
        const [inLeft, inRight] = [members(left), members(right)]
        expect(members(union(left, right))).toEqual(new Set([...inLeft, ...inRight]))
        expect(members(intersection(left, right))).toEqual(
          new Set([...inLeft].filter((path) => inRight.has(path))),
        )
        expect(members(difference(left, right))).toEqual(
          new Set([...inLeft].filter((path) => !inRight.has(path))),
        )
      }),
    )
  })

  test('the recursive difference takes what is below a member with it', () => {
    fc.assert(
      fc.property(fieldSet, fieldSet, (left, right) => {
        const taken = [...pathsOf(right)]
        const isTaken = (path: readonly string[]): boolean =>
          taken.some((prefix) => prefix.every((part, index) => part === path[index]))
        const expected = [...pathsOf(left)].filter((path) => !isTaken(path))
        expect(members(recursiveDifference(left, right))).toEqual(members(setOf(expected)))
      }),
    )
  })

  test('an operation that changes nothing returns the very set', () => {
    fc.assert(
      fc.property(fieldSet, (set) => {
        expect(union(set, set)).toBe(set)
        expect(difference(set, setOf([['f:not there']]))).toBe(set)
      }),
    )
  })
})
