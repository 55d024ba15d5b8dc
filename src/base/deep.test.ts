import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepCopy, deepEqual, deepFreeze, getOwn, isPlainObject, setOwn } from './deep.js'

/** As deep as kubewright's parser lets data be. */
const deepest = 10_000
const nestedArrays = (innermost: unknown): unknown => {
  let value: unknown = innermost
  for (let level = 0; level < deepest; level++) value = [value]
  return value
}
const nestedObjects = (innermost: unknown): unknown => {
  let value: unknown = innermost
  for (let level = 0; level < deepest; level++) value = { a: value, b: level }
  return value
}
const hostileKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', 'a.b/c']
const json = fc.letrec<{ value: unknown; object: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(fc.oneof(fc.string(), fc.constantFrom(...hostileKeys)), tie('value')), { maxLength: 5 })
    .map((entries) => {
      const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
      return JSON.parse(`{${members.join(',')}}`) as unknown
    }),
}))

describe('isPlainObject', () => {
  test('is true for what JSON calls an object and false for everything else', () => {
    expect(isPlainObject({})).toBe(true)
    expect(isPlainObject(Object.create(null))).toBe(true)
    for (const other of [null, undefined, [], 'x', 1, new Date(0), new Map(), () => {}, Object.create({})])
      expect(isPlainObject(other)).toBe(false)
  })
})

describe('setOwn and getOwn', () => {
  test('__proto__ is an ordinary key and changes no prototype', () => {
    const target: Record<string, unknown> = {}
    setOwn(target, '__proto__', { polluted: true })
    expect(Object.keys(target)).toEqual(['__proto__'])
    expect(target['polluted']).toBeUndefined()
    expect(getOwn(target, '__proto__')).toEqual({ polluted: true })
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype)
  })

  test('what an object inherits is not its own', () => {
    expect(getOwn({}, 'constructor')).toBeUndefined()
    expect(getOwn({}, 'toString')).toBeUndefined()
    expect(getOwn({ toString: 1 }, 'toString')).toBe(1)
  })
})

describe('deepCopy', () => {
  test('a copy equals the original, key order included, and shares nothing with it', () => {
    fc.assert(
      fc.property(json.value, (value) => {
        const frozen = deepFreeze(value)
        const copy = deepCopy(frozen)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        const containers = new Set(containersOf(value))
        for (const container of containersOf(copy)) expect(containers.has(container)).toBe(false)
      }),
    )
  })

  test('keeps values that JSON does not know by reference', () => {
    const date = new Date(0)
    expect(deepCopy({ date }).date).toBe(date)
  })

  test('copies data of the deepest kind without overflowing the stack', () => {
    expect(deepEqual(deepCopy(nestedArrays(1)), nestedArrays(1))).toBe(true)
    expect(deepEqual(deepCopy(nestedObjects(1)), nestedObjects(1))).toBe(true)
  })
})

describe('deepFreeze', () => {
  test('freezes every level', () => {
    fc.assert(
      fc.property(json.value, (value) => {
        expect(deepFreeze(value)).toBe(value)
        for (const container of containersOf(value)) expect(Object.isFrozen(container)).toBe(true)
      }),
    )
  })

  test('freezes what lies below a surface that was frozen before', () => {
    const value = Object.freeze({ spec: { replicas: 1 } })
    deepFreeze(value)
    expect(Object.isFrozen(value.spec)).toBe(true)
  })

  test('ends on data that contains itself', () => {
    const value: Record<string, unknown> = { inner: {} }
    value['self'] = value
    expect(Object.isFrozen(deepFreeze(deepFreeze(value)))).toBe(true)
  })

  test('leaves values that JSON does not know as they are', () => {
    const bytes = new Uint8Array([1, 2, 3])
    expect(() => deepFreeze({ bytes })).not.toThrow()
  })

  test('freezes data of the deepest kind without overflowing the stack', () => {
    let value: unknown = deepFreeze(nestedArrays(1))
    let frozen = 0
    for (; Array.isArray(value); value = value[0]) frozen += Object.isFrozen(value) ? 1 : 0
    expect(frozen).toBe(deepest)
    expect(value).toBe(1)
  })
})

describe('deepEqual', () => {
  test('says the same as the JSON texts of the two, whatever the order of keys', () => {
    fc.assert(
      fc.property(json.value, json.value, (left, right) => {
        expect(deepEqual(left, right)).toBe(sorted(left) === sorted(right))
        expect(deepEqual(left, deepCopy(left))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('notices a change of a single leaf', () => {
    fc.assert(
      fc.property(json.value, fc.string(), (value, key) => {
        expect(deepEqual({ [key]: value }, { [key]: [value] })).toBe(false)
        expect(deepEqual([value], [value, value])).toBe(false)
      }),
    )
  })

  test('counts an undefined property as absent, on either side', () => {
    expect(deepEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true)
    expect(deepEqual({ a: 1 }, { a: 1, b: undefined })).toBe(true)
    expect(deepEqual({ a: undefined }, { a: null })).toBe(false)
  })

  test('does not take an inherited property for an own one', () => {
    expect(deepEqual({}, { toString: Reflect.get(Object.prototype, 'toString') })).toBe(false)
    expect(deepEqual(JSON.parse('{"__proto__":{}}'), {})).toBe(false)
  })

  test('tells an array from an object and a number from a bigint', () => {
    expect(deepEqual([], {})).toBe(false)
    expect(deepEqual({ length: 0 }, [])).toBe(false)
    expect(deepEqual(5n, 5)).toBe(false)
    expect(deepEqual(9007199254740993n, 9007199254740993n)).toBe(true)
    expect(deepEqual(0, -0)).toBe(true)
    expect(deepEqual(Number.NaN, Number.NaN)).toBe(true)
  })

  test('two values without members to compare are not equal by accident', () => {
    expect(deepEqual(new Date(1), new Date(2))).toBe(false)
    expect(deepEqual(new Map([[1, 2]]), new Map())).toBe(false)
    expect(deepEqual(new Date(1), {})).toBe(false)
    const date = new Date(1)
    expect(deepEqual({ date }, { date })).toBe(true)
  })

  test('compares data of the deepest kind without overflowing the stack', () => {
    expect(deepEqual(nestedArrays(1), nestedArrays(1))).toBe(true)
    expect(deepEqual(nestedArrays(1), nestedArrays(2))).toBe(false)
    expect(deepEqual(nestedObjects([1]), nestedObjects([2]))).toBe(false)
  })
})

function containersOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(containersOf)]
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${sorted(member)}`)
  return `{${members.toSorted().join()}}`
}
