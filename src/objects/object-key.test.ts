import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatKey, keyOf, parseKey } from './object-key.js'

const refusal = expect.objectContaining({ code: 'KW_KEY_INVALID' })

describe('keyOf', () => {
  test('takes namespace and name, and no namespace where there is none', () => {
    expect(keyOf({ metadata: { namespace: 'default', name: 'web' } })).toEqual({
      namespace: 'default',
      name: 'web',
    })
    expect(keyOf({ metadata: { name: 'node-1' } })).toEqual({ name: 'node-1' })
    expect(keyOf({ metadata: { namespace: '', name: 'node-1' } })).toEqual({ name: 'node-1' })
  })

  test('an object that has no name yet has no key', () => {
    expect(() => keyOf({ metadata: {} })).toThrow(refusal)
    expect(() => keyOf({ metadata: { name: '' } })).toThrow(refusal)
  })
})

describe('formatKey and parseKey', () => {
  test('are the reverse of each other', () => {
    const segment = fc.stringMatching(/^[a-zA-Z0-9:._-]+$/).filter((text) => text !== '.' && text !== '..')
    fc.assert(
      fc.property(fc.option(segment, { nil: undefined }), segment, (namespace, name) => {
        const key = namespace === undefined ? { name } : { namespace, name }
        expect(parseKey(formatKey(key))).toEqual(key)
      }),
    )
  })

  test('write default/web and node-1', () => {
    expect(formatKey({ namespace: 'default', name: 'web' })).toBe('default/web')
    expect(formatKey({ namespace: '', name: 'node-1' })).toBe('node-1')
    expect(parseKey('system:node')).toEqual({ name: 'system:node' })
  })

  test.each([[''], ['/'], ['a/'], ['/a'], ['a/b/c'], ['..'], ['a/..'], ['./a'], ['a%2fb']])(
    '%o is refused with a code',
    (text) => {
      expect(() => parseKey(text)).toThrow(refusal)
    },
  )
})
