import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../base/index.js'
import { createFieldSharingParser } from './shared-fields.js'

const entry = (fieldsV1: unknown, manager = 'tester'): object => ({
  manager,
  fieldsType: 'FieldsV1',
  fieldsV1,
})
const object = (name: string, ...managedFields: readonly object[]): object => ({
  metadata: { name, managedFields },
  spec: { replicas: 1 },
})
const list = (...items: readonly object[]): string => JSON.stringify({ kind: 'FooList', metadata: {}, items })
const event = (content: object): string => JSON.stringify({ type: 'MODIFIED', object: content })

/** The fieldsV1 of an answer, object by object. */
function fieldsOf(answer: unknown): unknown[][] {
  const { items, object: one } = answer as { items?: object[]; object?: object }
  return (items ?? [one]).map((item) =>
    (item as { metadata: { managedFields: { fieldsV1: unknown }[] } }).metadata.managedFields.map(
      ({ fieldsV1 }) => fieldsV1,
    ),
  )
}

const specFields = { 'f:spec': { '.': {}, 'f:replicas': {} } }
const statusFields = { 'f:status': { 'k:{"type":"Re\\"ady{"}': { '.': {} } } }

describe('equal fields', () => {
  test('of a list are one frozen value', () => {
    const text = list(
      object('a', entry(specFields), entry(statusFields)),
      object('b', entry(statusFields)),
      object('c', entry(specFields)),
    )
    const answer = createFieldSharingParser()(text)
    expect(answer).toEqual(JSON.parse(text))
    const [a, b, c] = fieldsOf(answer)
    expect(a?.[0]).toBe(c?.[0])
    expect(a?.[1]).toBe(b?.[0])
    expect(Object.isFrozen(a?.[0])).toBe(true)
    expect(Object.isFrozen(Object.values(a?.[0] ?? {})[0])).toBe(true)
  })

  test('of a watch are one value, whatever comes between', () => {
    const parse = createFieldSharingParser()
    const first = fieldsOf(parse(event(object('a', entry(specFields)))))
    expect(parse(event({ metadata: { resourceVersion: '7' } }))).toEqual({
      type: 'MODIFIED',
      object: { metadata: { resourceVersion: '7' } },
    })
    expect(fieldsOf(parse(event(object('b', entry(statusFields), entry(specFields)))))[0]?.[1]).toBe(
      first[0]?.[0],
    )
  })

  test('are looked for no longer where every object has its own', () => {
    const parse = createFieldSharingParser()
    for (let at = 0; at < 100; at++) {
      const text = event(object('a', entry({ 'f:status': { [`k:{"ip":"10.0.0.${at}"}`]: {} } })))
      expect(parse(text)).toEqual(JSON.parse(text))
    }
    const [one, other] = [1, 2].map(() => fieldsOf(parse(event(object('a', entry(specFields)))))[0]?.[0])
    expect(one).toEqual(other)
    expect(one).not.toBe(other)
  })
})

describe('nothing else changes', () => {
  test.each<[string, string]>([
    ['fields where no managedFields are', event({ metadata: {}, spec: { fieldsV1: { a: 1 } } })],
    [
      'fields here and elsewhere',
      list({
        ...object('a', entry(specFields)),
        spec: { template: { metadata: { managedFields: [entry(specFields)] } } },
      }),
    ],
    ['a string that looks like fields', event(object('"fieldsV1":{}', { note: '"fieldsV1":{"a":{}}' }))],
    ['a key that ends like one', event({ metadata: { managedFields: [{ 'my"fieldsV1': { a: {} } }] } })],
    ['empty fields', event(object('a', entry({})))],
    ['fields that are none', event(object('a', entry(0), entry(null), entry([]), entry('x')))],
    ['numbers beside fields', list(object('a', entry(7), entry(specFields)))],
    ['an object without metadata', '{"type":"MODIFIED","object":{"a":{"fieldsV1":{}}}}'],
    ['no object at all', '[{"fieldsV1":{}}]'],
    [
      'integers beyond 2^53',
      '{"items":[{"metadata":{"managedFields":[{"fieldsV1":{"a":12345678901234567890}}]}}]}',
    ],
    ['white space', JSON.stringify(JSON.parse(list(object('a', entry(specFields)))), null, 2)],
  ])('%s', (_what, text) => {
    expect(createFieldSharingParser()(text)).toEqual(parseJson(text))
  })

  test('in any answer, for any chain of answers', () => {
    const key = fc.constantFrom(
      'fieldsV1',
      'managedFields',
      'metadata',
      'f:a',
      'k:{"b":"}"}',
      'a\\"',
      '"',
      '\\',
      'é',
    )
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(0, 1, null, '', '"fieldsV1":{', '\\"fieldsV1":{}', '}'),
        fc.dictionary(key, tie('value'), { maxKeys: 3 }),
        fc.array(tie('value'), { maxLength: 2 }),
      ),
    }))
    const item = fc.record(
      {
        metadata: fc.record(
          {
            name: value,
            managedFields: fc.array(
              fc.record({ manager: value, fieldsV1: fc.dictionary(key, value) }, { requiredKeys: [] }),
            ),
          },
          { requiredKeys: [] },
        ),
        spec: value,
      },
      { requiredKeys: [] },
    )
    const answer = fc.oneof(
      item.map((one) => ({ type: 'ADDED', object: one })),
      fc.array(item).map((items) => ({ metadata: {}, items })),
      value,
    )
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 5 }), (answers) => {
        const parse = createFieldSharingParser()
        for (const one of answers) {
          const text = JSON.stringify(one)
          expect(parse(text)).toEqual(JSON.parse(text))
        }
      }),
    )
  })

  test('and a text that breaks off fails as it always does', () => {
    const text = list(object('a', entry(specFields)), object('b', entry(specFields)))
    for (let length = 0; length < text.length; length++) {
      const broken = text.slice(0, length)
      const fails = (parse: (text: string) => unknown): unknown => {
        try {
          return parse(broken)
        } catch (error) {
          return error
        }
      }
      expect(fails(createFieldSharingParser())).toEqual(fails(parseJson))
    }
  })
})
