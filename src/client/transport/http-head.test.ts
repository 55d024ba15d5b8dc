import { describe, expect, test } from 'vitest'
import { writeRequestHead } from './http-head.js'

describe('the head of a request', () => {
  test('is its line, its headers in their order, and an empty line', () => {
    expect(writeRequestHead('GET', '/api?limit=1', ['host', 'h:1', 'x', 'a', 'x', 'b'])).toBe(
      'GET /api?limit=1 HTTP/1.1\r\nhost: h:1\r\nx: a\r\nx: b\r\n\r\n',
    )
  })

  test.each([
    ['a space in the path', '/a b', []],
    ['a line end in the path', '/a\r\nx: y', []],
    ['a letter beyond ASCII in the path', '/\u00e4', []],
    ['a header without a name', '/', ['', 'x']],
    ['a colon in the name of a header', '/', ['a:', 'x']],
    ['a line end in a header', '/', ['a', 'x\nb: y']],
    ['a character beyond Latin-1 in a header', '/', ['a', '\u20ac']],
  ])('is refused with %s', (_name, path, headers: string[]) => {
    expect(() => writeRequestHead('GET', path, headers)).toThrow(
      expect.objectContaining({ code: 'KW_INVALID_REQUEST' }),
    )
  })
})
