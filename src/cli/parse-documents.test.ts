import { expect, test } from 'vitest'
import { parseDocuments } from './parse-documents.js'

test('YAML and JSON keep integers beyond 2^53, and small ones are numbers', () => {
  const expected = [{ small: 3, hex: 31, large: 9007199254740993n, list: [-9007199254740993n, 0] }]
  expect(
    parseDocuments('small: 3\nhex: 0x1F\nlarge: 9007199254740993\nlist: [-9007199254740993, 0]'),
  ).toEqual(expected)
  expect(
    parseDocuments('{"small":3,"hex":31,"large":9007199254740993,"list":[-9007199254740993,0]}'),
  ).toEqual(expected)
})

test('a list is a document too, in JSON as in YAML', () => {
  expect(parseDocuments('[{"op":"remove","path":"/a"}]')).toEqual([[{ op: 'remove', path: '/a' }]])
  expect(parseDocuments('- op: remove\n  path: /a')).toEqual([[{ op: 'remove', path: '/a' }]])
})

test('what several places share is a number in each of them', () => {
  expect(parseDocuments('a: &n 5\nb: *n')).toEqual([{ a: 5, b: 5 }])
})

test('a text that is nested too deep is refused before it can end the process', () => {
  expect(() => parseDocuments('{a: '.repeat(10_000))).toThrow('nested deeper than 200 levels')
})
