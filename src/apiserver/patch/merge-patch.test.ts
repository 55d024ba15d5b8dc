import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepFreeze, isPlainObject } from '../../base/index.js'
import { ApiFailure } from '../failure.js'
import { applyMergePatch } from './merge-patch.js'

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor')
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, 1, 'x', true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value
const object = fc.array(fc.tuple(key, json), { maxLength: 4 }).map((entries) => Object.fromEntries(entries))

describe('a merge patch', () => {
  test.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 'text' }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    // The server drops nulls in the objects of a list, but not those that are items.
    [{ a: [] }, { a: [null, { b: null, c: [{ d: null }] }] }, { a: [null, { c: [{}] }] }],
    // Unless the list takes the place of an object.
    [{ a: {} }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ])('%j by %j is %j', (document, patch, result) => {
    expect(applyMergePatch(document, patch)).toEqual(result)
  })

  test.each([
    [null, 'Invalid JSON Patch'],
    [[], 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}'],
    [
      'a',
      'error decoding patch: json: cannot unmarshal string into Go value of type map[string]interface {}',
    ],
    [1, 'error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}'],
    [true, 'error decoding patch: json: cannot unmarshal bool into Go value of type map[string]interface {}'],
  ])('that is %j is refused', (patch, message) => {
    const status = (): unknown => {
      try {
        return applyMergePatch({}, patch)
      } catch (error) {
        return error instanceof ApiFailure ? error.status : error
      }
    }
    expect(status()).toMatchObject({ code: 400, reason: 'BadRequest', message })
  })

  test('twice is once, as long as it has no nulls in lists', () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        fc.pre(!listsOf(patch).some(hasNullMember))
        const once = applyMergePatch(document, patch)
        expect(applyMergePatch(once, patch)).toEqual(once)
      }),
    )
  })

  test('that is empty changes nothing, and one over nothing leaves no null members', () => {
    fc.assert(
      fc.property(object, (document) => {
        expect(applyMergePatch(document, {})).toEqual(document)
        expect(hasNullMember(applyMergePatch({}, document))).toBe(false)
      }),
    )
  })

  test('says what each member is afterwards', () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const patched = Object(applyMergePatch(document, patch))
        for (const [name, change] of Object.entries(patch)) {
          if (change === null) expect(Object.hasOwn(patched, name)).toBe(false)
          else if (!isPlainObject(change) && !Array.isArray(change)) expect(patched[name]).toBe(change)
        }
        for (const [name, member] of Object.entries(document)) {
          if (!Object.hasOwn(patch, name)) expect(patched[name]).toEqual(member)
        }
      }),
    )
  })

  test('leaves its arguments as they were and shares nothing with them', () => {
    fc.assert(
      fc.property(object, object, (document, patch) => {
        const patched = applyMergePatch(deepFreeze(document), deepFreeze(patch))
        for (const container of containersOf(patched)) expect(Object.isFrozen(container)).toBe(false)
      }),
    )
  })

  test('of any depth is applied', () => {
    let deep: unknown = null
    for (let level = 0; level < 9_000; level++) deep = { a: deep, b: 1 }
    const patched = applyMergePatch(deep, deep)
    expect(applyMergePatch({}, patched)).toMatchObject({ b: 1 })
  })
})

function listsOf(data: unknown): readonly unknown[] {
  if (Array.isArray(data)) return [data]
  return isPlainObject(data) ? Object.values(data).flatMap(listsOf) : []
}

function hasNullMember(data: unknown): boolean {
  if (Array.isArray(data)) return data.some(hasNullMember)
  if (!isPlainObject(data)) return false
  return Object.values(data).some((member) => member === null || hasNullMember(member))
}

function containersOf(data: unknown, found: Set<object> = new Set<object>()): Set<object> {
  if (typeof data === 'object' && data !== null) {
    found.add(data)
    for (const member of Object.values(data)) containersOf(member, found)
  }
  return found
}
