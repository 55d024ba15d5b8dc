import * as fc from 'fast-check'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { createNames, pascalCase, propertyName, stringLiteral } from './names.js'

/** The text of the literal as TypeScript's own scanner reads it; undefined when it is not one literal to the end. */
function scan(literal: string): string | undefined {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, false, ts.LanguageVariant.Standard, literal)
  const isWhole = scanner.scan() === ts.SyntaxKind.StringLiteral && scanner.getTokenEnd() === literal.length
  return isWhole && !scanner.isUnterminated() ? scanner.getTokenValue() : undefined
}

test('a string literal says the text it was made from', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom("'", '"', '`', '\\', '\n', '$', '{', '}') }),
  )
  fc.assert(
    fc.property(text, (value) => {
      expect(scan(stringLiteral(value))).toBe(value)
    }),
  )
})

test('a string literal shows characters that would be invisible', () => {
  expect(stringLiteral('a\u202eb\u2028c\u0000')).toBe("'a\\u202eb\\u2028c\\u0000'")
})

test('a field is quoted only where TypeScript needs it', () => {
  const names = ['replicas', 'class', '$ref', '__proto__', 'x-y', 'a.b', '0', '', "it's", 'größe']
  expect(names.map(propertyName)).toEqual([
    'replicas',
    'class',
    '$ref',
    '__proto__',
    "'x-y'",
    "'a.b'",
    "'0'",
    "''",
    "'it\\'s'",
    "'größe'",
  ])
})

test('a type name has only letters and digits, and starts with a capital', () => {
  expect(['postgresql', 'My-kind', 'x-forwarded.for', 'HTTPRoute', '...'].map(pascalCase)).toEqual([
    'Postgresql',
    'MyKind',
    'XForwardedFor',
    'HTTPRoute',
    '',
  ])
})

test('a name is given out once; the next asker gets a number', () => {
  const names = createNames()
  expect(['Foo', 'Foo', 'Foo2', 'Foo'].map((name) => names.claim(name))).toEqual([
    'Foo',
    'Foo2',
    'Foo22',
    'Foo3',
  ])
  expect(names.has('Foo3')).toBe(true)
  expect(names.has('Foo4')).toBe(false)
})
