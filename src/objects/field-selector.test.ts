import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeFieldValue, formatFieldSelector, matchesFields, parseFieldSelector } from './field-selector.js'

const refusal = expect.objectContaining({ code: 'KW_FIELD_SELECTOR' })

const awkwardValue = fc.string({
  unit: fc.constantFrom('a', '\\', ',', '=', '!', ' ', '\n', '\u0000', '\u6f22', '\u{1f600}', '\ud800'),
})

describe('formatFieldSelector', () => {
  test('writes fields that must be equal, and terms of both kinds', () => {
    expect(formatFieldSelector({ 'metadata.name': 'foo', 'spec.nodeName': '' })).toBe(
      'metadata.name=foo,spec.nodeName=',
    )
    expect(formatFieldSelector([{ field: 'status.phase', operator: '!=', value: 'Running' }])).toBe(
      'status.phase!=Running',
    )
    expect(formatFieldSelector({})).toBe('')
  })

  test('a value cannot break out of its term', () => {
    expect(formatFieldSelector({ 'metadata.name': 'a,metadata.namespace=kube-system\\' })).toBe(
      'metadata.name=a\\,metadata.namespace\\=kube-system\\\\',
    )
  })

  test.each([[''], ['a=b'], ['a!'], ['a,b'], ['a b'], ['a\\b']])('%o is not the path of a field', (field) => {
    expect(() => formatFieldSelector({ [field]: 'x' })).toThrow(refusal)
  })

  test('any value survives being written and read', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z.]{1,8}$/), awkwardValue), (fields) => {
        const terms = parseFieldSelector(formatFieldSelector(fields))
        expect(Object.fromEntries(terms.map(({ field, value }) => [field, value]))).toEqual({ ...fields })
        expect(matchesFields(terms, fields)).toBe(true)
      }),
    )
  })
})

describe('parseFieldSelector', () => {
  test('reads =, == and !=, and skips empty terms', () => {
    expect(parseFieldSelector('a=b,c==d,,e!=f')).toEqual([
      { field: 'a', operator: '=', value: 'b' },
      { field: 'c', operator: '=', value: 'd' },
      { field: 'e', operator: '!=', value: 'f' },
    ])
    expect(parseFieldSelector('')).toEqual([])
  })

  test.each([['a'], ['=b'], ['a=b=c'], ['a=\\'], ['a=\\b'], ['a===b']])(
    '%o is refused with a code',
    (text) => {
      expect(() => parseFieldSelector(text)).toThrow(refusal)
    },
  )
})

test('a field that is missing counts as empty', () => {
  expect(matchesFields(parseFieldSelector('spec.nodeName='), {})).toBe(true)
  expect(matchesFields(parseFieldSelector('spec.nodeName!='), {})).toBe(false)
  expect(matchesFields(parseFieldSelector('constructor='), {})).toBe(true)
})

test('escapeFieldValue escapes what has a meaning and nothing else', () => {
  expect(escapeFieldValue('a.b/c!d')).toBe('a.b/c!d')
  expect(escapeFieldValue('\\,=')).toBe('\\\\\\,\\=')
})
