import { expect, test } from 'vitest'
import { kubernetesFunctions, namedTypes } from '../library/functions.js'
import { createPatterns } from '../library/regex.js'
import { parse } from '../syntax/parser.js'
import { CelSyntaxError } from '../syntax/source.js'
import {
  boolType,
  type CelType,
  dynType,
  formatType,
  intType,
  listTypeOf,
  mapTypeOf,
  stringType,
  structType,
} from '../value/type.js'
import { check } from './checker.js'

const functions = kubernetesFunctions(createPatterns())
const variables = new Map<string, CelType>([
  ['i', intType],
  ['s', stringType],
  ['b', boolType],
  ['any', dynType],
  ['l', listTypeOf(intType)],
  ['m', mapTypeOf(stringType, intType)],
  ['o', structType('object', new Map([['x', intType]]))],
])

function typeOf(source: string): string {
  try {
    const { expr, types } = check(source, parse(source), { functions, typeNames: namedTypes(), variables })
    return formatType(types.get(expr) ?? dynType)
  } catch (error) {
    if (error instanceof CelSyntaxError) return error.issues.map(({ message }) => message).join('; ')
    throw error
  }
}

test.each([
  ['i + 1', 'int'],
  ["{'a': [i]}", 'map(string, list(int))'],
  ['[]', 'list(dyn)'],
  ['[] + l', 'list(int)'],
  ['l.map(x, string(x))', 'list(string)'],
  ['m.transformMap(k, v, k + string(v))', 'map(string, string)'],
  ['any.anything', 'dyn'],
  ['any + 1', 'int'],
  ['o.?x', 'optional_type(int)'],
  ['o.?x.orValue(1)', 'int'],
  ['m[?s].optMap(x, [x])', 'optional_type(list(int))'],
  ['optional.none()', 'optional_type(dyn)'],
  ['type(i)', 'type(int)'],
  ['google.protobuf.Timestamp', 'type(timestamp)'],
  ['sets.contains(l, [1])', 'bool'],
  ['b ? i : i', 'int'],
  ['l.exists(i, i > 0)', 'bool'],
  ["'%s %d'.format([s, i])", 'string'],
])('%s is of type %s', (source, type) => {
  expect(typeOf(source)).toBe(type)
})

test.each([
  ['i + s', "found no matching overload for '_+_' applied to '(int, string)'"],
  ['s.nope()', "undeclared reference to 'nope' (in container '')"],
  ['nope', "undeclared reference to 'nope' (in container '')"],
  ['o.y', "undefined field 'y'"],
  ['i.y', "type 'int' does not support field selection"],
  [
    'i.all(x, true)',
    "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
  ],
  ['l.all(x, x)', "expected type 'bool' but found 'int'"],
  ['i && b', "expected type 'bool' but found 'int'"],
  ['s == null', "found no matching overload for '_==_' applied to '(string, null)'"],
  ["s.substring('a')", "found no matching overload for 'substring' applied to 'string.(string)'"],
  ['[?i]', "expected type 'optional_type(int)' but found 'int'"],
  ['l.map(x, x).filter(i, x > 0)', "undeclared reference to 'x' (in container '')"],
  ['Foo{a: 1}', "undeclared reference to 'Foo' (in container '')"],
  ['cel.bind(x, 1, x)', "undeclared reference to 'cel' (in container '')"],
])('%s: %s', (source, message) => {
  expect(typeOf(source)).toContain(message)
})

test('an error does not cause others', () => {
  expect(typeOf('nope + 1 > 2 && b')).toBe("undeclared reference to 'nope' (in container '')")
})

test('thousands of comparisons are checked in one go', () => {
  expect(typeOf(Array.from({ length: 4000 }, () => 'i == 1').join(' || '))).toBe('bool')
})
