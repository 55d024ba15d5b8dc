import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase64 } from './base64.js'
import { escapeName, unescapeName } from './escaping.js'
import { FieldPathError, normalizeFieldPath } from './field-path.js'
import { schemaNode } from './schema-node.js'

test('a name survives its escape', () => {
  const characters = fc.constantFrom('a', 'Z', '9', '_', '.', '-', '/')
  fc.assert(
    fc.property(fc.array(characters, { minLength: 1, maxLength: 12 }), (parts) => {
      const name = parts.join('')
      const escaped = escapeName(name)
      if (/^[0-9]/.test(name)) expect(escaped).toBeUndefined()
      // A name that looks like an escape already, `__a__`, is not told from one, as on the server.
      else if (!/__[^_]+__/.test(name)) expect(unescapeName(escaped ?? '')).toBe(name)
    }),
  )
})

test.each(['', '1a', 'a b', 'ü', 'a$'])('%j has no name that a rule can use', (name) => {
  expect(escapeName(name)).toBeUndefined()
})

test('names of the prototype are no escapes', () => {
  expect(unescapeName('__constructor__')).toBeUndefined()
  expect(unescapeName('__namespace__')).toBe('namespace')
})

const node = schemaNode({
  type: 'object',
  properties: {
    a: { type: 'object', properties: { 'b c': { type: 'integer' } } },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
  },
})

test.each([
  ['.a', 'a'],
  [".a['b c']", 'a.b c'],
  [".m['x.y']", 'm[x.y]'],
  [String.raw`.m['it\'s']`, "m[it's]"],
  ['.m.k', 'm[k]'],
])('the field path %s is %s', (path, normal) => {
  expect(normalizeFieldPath(path, node)).toBe(normal)
})

test.each(['a', '.b', '.a[0]', ".a['b c'", '.a..b', '.', ".m['\\q']", '.a.b c.d'])(
  '%j is no field path',
  (path) => {
    expect(() => normalizeFieldPath(path, node)).toThrow(FieldPathError)
  },
)

test('bytes are decoded with the alphabet of URLs', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (data) => {
      const padded = Buffer.from(data).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
      expect(decodeBase64(padded)).toEqual(Uint8Array.from(data))
    }),
  )
  expect([decodeBase64('a+b='), decodeBase64('aGk'), decodeBase64('aGk=='), decodeBase64('=')]).toEqual([
    1, 0, 4, 0,
  ])
})
