import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { docComment, lineWidth } from './doc-comment.js'

test('a short description is one line', () => {
  expect(docComment('How many.', '  ')).toEqual(['  /** How many. */'])
})

test('no description, no comment', () => {
  expect(docComment(' \n ', '')).toEqual([])
})

test('a long description is wrapped at words, and keeps its paragraphs and indents', () => {
  const long = 'word '.repeat(40)
  const lines = docComment(`${long}\n\n\n\n  - item ${long}\n`, '  ')
  expect(lines.every((line) => line.length <= lineWidth)).toBe(true)
  expect(lines.filter((line) => line === '   *')).toHaveLength(1)
  expect(lines.find((line) => line.includes('item'))).toMatch(/^ {3}\* {3}- item word/)
})

test('a word longer than a line stays whole', () => {
  const address = `https://example.com/${'x'.repeat(200)}`
  expect(docComment(`See ${address} for more.`, '')).toEqual([
    '/**',
    ' * See',
    ` * ${address}`,
    ' * for more.',
    ' */',
  ])
})

test('tags stand below the text, each on one line', () => {
  expect(docComment('Old.', '', ['@deprecated use\nthe */ new one'])).toEqual([
    '/**',
    ' * Old.',
    ' * @deprecated use the *\\/ new one',
    ' */',
  ])
})

test('text cannot start a tag or a compiler directive, wherever the lines break', () => {
  const lines = docComment(
    `@deprecated now\n  @ts-ignore\n{@link x} mail me@example.com ${'w '.repeat(42)} @ts-nocheck`,
    '',
  )
  expect(lines.filter((line) => /^[\s*]*@|\{@/.test(line))).toEqual([])
  expect(lines.join('\n')).toContain('me@example.com')
})

test('invisible characters are dropped', () => {
  expect(docComment('a\u202eb\u0007c\u2028d\ufeff', '')).toEqual(['/** abcd */'])
})

test('whatever the text, the comment ends where it should and nowhere else', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 10 }),
    fc.constantFrom(
      '*/',
      '*',
      '/',
      ' ',
      '\n',
      '\r',
      '/*',
      '**',
      '@ts-ignore',
      '`',
      '\ud800',
      'w'.repeat(108),
    ),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const comment = docComment(pieces.join(''), '').join('\n')
      expect(comment === '' ? -1 : comment.indexOf('*/')).toBe(comment === '' ? -1 : comment.length - 2)
      expect(Buffer.from(comment, 'utf8').toString('utf8')).toBe(comment)
    }),
  )
})
