import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepCopy, deepFreeze } from '../../base/index.js'
import { ApiFailure } from '../failure.js'
import { applyJsonPatch } from './json-patch.js'

const document = deepFreeze({ data: { k: 'v', 'a/b': '1', 'c~d': '2' }, list: ['a', 'b'], nothing: null })

// As kube-apiserver 1.36.3 does it.
const applied: readonly (readonly [patch: string, result: unknown])[] = [
  ['null', {}],
  ['[]', {}],
  ['[{"op":"add","path":"/data/k","value":"w"}]', { data: { ...document.data, k: 'w' } }],
  ['[{"op":"add","path":"/data"}]', { data: null }],
  ['[{"op":"replace","path":"/data/new","value":"x"}]', { data: { ...document.data, new: 'x' } }],
  ['[{"op":"replace","path":"/data/a~1b","value":"x"}]', { data: { ...document.data, 'a/b': 'x' } }],
  ['[{"op":"replace","path":"/data/c~0d","value":"x"}]', { data: { ...document.data, 'c~d': 'x' } }],
  ['[{"op":"test","path":"/data/zz","value":null}]', {}],
  ['[{"op":"test","path":"/data/zz"}]', {}],
  ['[{"op":"test","path":"/nothing","value":null}]', {}],
  ['[{"op":"test","path":"/list","value":["a","b"]}]', {}],
  ['[{"op":"add","path":"/list/-","value":"c"}]', { list: ['a', 'b', 'c'] }],
  ['[{"op":"add","path":"/list/-1","value":"c"}]', { list: ['a', 'b', 'c'] }],
  ['[{"op":"add","path":"/list/-3","value":"c"}]', { list: ['c', 'a', 'b'] }],
  ['[{"op":"add","path":"/list/1","value":"c"}]', { list: ['a', 'c', 'b'] }],
  ['[{"op":"remove","path":"/list/-1"}]', { list: ['a'] }],
  ['[{"op":"remove","path":"/list/+0"}]', { list: ['b'] }],
  ['[{"op":"remove","path":"/list/00"}]', { list: ['b'] }],
  ['[{"op":"replace","path":"/list/0","value":{"x":[]}}]', { list: [{ x: [] }, 'b'] }],
  ['[{"op":"move","from":"/list/0","path":"/list/1"}]', { list: ['b', 'a'] }],
  ['[{"op":"copy","from":"/list","path":"/data/k"}]', { data: { ...document.data, k: ['a', 'b'] } }],
  ['[{"op":"copy","from":"/data/zz","path":"/list/0"}]', { list: [null, 'a', 'b'] }],
  ['[{"op":"add","path":"ignored/added","value":1}]', { added: 1 }],
]

const refused = [
  '[null]',
  '[{}]',
  '[{"op":"nope","path":"/data/k"}]',
  '[{"op":"test","path":"/data/k","value":"w"}]',
  '[{"op":"test","path":"/data/k"}]',
  '[{"op":"test","path":"/list/7","value":null}]',
  '[{"op":"test","path":"","value":{}}]',
  '[{"op":"add","path":"","value":{}}]',
  '[{"op":"add","path":"data","value":{}}]',
  '[{"op":"add","value":{}}]',
  '[{"op":"add","path":"/missing/key","value":1}]',
  '[{"op":"add","path":"/data/k/deeper","value":1}]',
  '[{"op":"add","path":"/nothing/deeper","value":1}]',
  '[{"op":"add","path":"/list/3","value":1}]',
  '[{"op":"add","path":"/list/x","value":1}]',
  '[{"op":"add","path":"/list/1e0","value":1}]',
  '[{"op":"replace","path":"/list/2","value":1}]',
  '[{"op":"replace","path":"/list/-","value":1}]',
  '[{"op":"replace","path":"","value":"x"}]',
  '[{"op":"replace","path":""}]',
  '[{"op":"remove","path":"/data/zz"}]',
  '[{"op":"remove","path":"/list/x"}]',
  '[{"op":"move","from":"/data","path":"/data/inside"}]',
  '[{"op":"copy","from":"","path":"/data/all"}]',
]

// Each with what the server calls it.
const undecodable: readonly (readonly [patch: string, message: string])[] = [
  ['{"op":"test"}', 'cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
  ['"x"', 'cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
  ['[1]', 'cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
  ['[{"op":1}]', 'cannot unmarshal number into Go struct field jsonPatchOp.op of type string'],
  [
    '[{"op":"add","path":true}]',
    'cannot unmarshal bool into Go struct field jsonPatchOp.path of type string',
  ],
  [
    '[{"op":"copy","path":"/a","from":{}}]',
    'cannot unmarshal object into Go struct field jsonPatchOp.from of type string',
  ],
]

describe('a JSON patch', () => {
  test.each(applied)('%s', (patch, change) => {
    expect(applyJsonPatch(document, JSON.parse(patch))).toEqual({ ...document, ...Object(change) })
  })

  test.each(refused)('%s does not apply', (patch) => {
    expect(failureOf(document, JSON.parse(patch))).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server rejected our request due to an error in our request',
      reason: 'Invalid',
      details: {},
      code: 422,
    })
  })

  test.each(undecodable)('%s is none', (patch, message) => {
    expect(failureOf(document, JSON.parse(patch))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
      message: `error decoding patch: json: ${message}`,
    })
  })

  test('has 10,000 operations at most', () => {
    const operations = (count: number): unknown =>
      Array.from({ length: count }, () => ({ op: 'test', path: '/data/k', value: 'v' }))
    expect(applyJsonPatch(document, operations(10_000))).toEqual(document)
    expect(failureOf(document, operations(10_001))).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
    })
  })

  test('copies 3 MiB at most, as the server would write them', () => {
    const copies = (count: number, value: string): unknown => [
      { op: 'add', path: '/big', value },
      ...Array.from({ length: count }, () => ({ op: 'copy', from: '/big', path: '/data/copy' })),
    ]
    const plain = 'b'.repeat(600_000)
    expect(applyJsonPatch(document, copies(5, plain))).toMatchObject({ big: plain })
    expect(failureOf(document, copies(6, plain))).toMatchObject({ code: 422 })
    // A character that is escaped counts six times.
    expect(failureOf(document, copies(1, '<'.repeat(600_000)))).toMatchObject({ code: 422 })
  })

  test('names of any sort are data', () => {
    const patched = applyJsonPatch({ data: {} }, [
      { op: 'add', path: '/data/__proto__', value: { polluted: true } },
      { op: 'add', path: '/data/constructor', value: 'c' },
      { op: 'add', path: '/data/__proto__/more', value: 1 },
    ])
    expect(JSON.stringify(patched)).toBe(
      '{"data":{"__proto__":{"polluted":true,"more":1},"constructor":"c"}}',
    )
    expect(Object.keys(Object.prototype)).toEqual([])
    for (const path of [
      '/data/toString/x',
      '/data/__proto__/x',
      '/data/constructor/prototype/x',
      '/list/length/x',
    ]) {
      expect(failureOf({ data: {}, list: [] }, [{ op: 'add', path, value: 1 }])).toMatchObject({ code: 422 })
    }
  })

  test('leaves its arguments as they were and shares nothing with them', () => {
    const value = fc.jsonValue({ maxDepth: 2 })
    const path = fc.constantFrom('/a', '/a/b', '/a/-', '/a/0', '/b', '/c/d', '')
    const operation = fc.record(
      { op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy'), path, from: path, value },
      { requiredKeys: ['op', 'path'] },
    )
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), value),
        fc.array(operation),
        (start, patch) => {
          deepFreeze(start)
          deepFreeze(patch)
          let patched: unknown
          try {
            patched = applyJsonPatch(start, patch)
          } catch (error) {
            expect(error).toBeInstanceOf(ApiFailure)
            return
          }
          for (const container of containersOf(patched)) expect(Object.isFrozen(container)).toBe(false)
          expect(applyJsonPatch(start, deepCopy(patch))).toEqual(patched)
        },
      ),
    )
  })

  test('of any depth is applied', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 9_000; level++) deep = [deep]
    const patched = applyJsonPatch({ deep }, [
      { op: 'test', path: '/deep', value: deep },
      { op: 'add', path: '/other', value: deep },
    ])
    expect(Object.keys(Object(patched))).toEqual(['deep', 'other'])
  })
})

function failureOf(start: unknown, patch: unknown): ApiFailure['status'] | undefined {
  try {
    applyJsonPatch(start, patch)
  } catch (error) {
    if (error instanceof ApiFailure) return error.status
    throw error
  }
  return undefined
}

function containersOf(data: unknown, found: Set<object> = new Set<object>()): Set<object> {
  if (typeof data === 'object' && data !== null) {
    found.add(data)
    for (const member of Object.values(data)) containersOf(member, found)
  }
  return found
}
