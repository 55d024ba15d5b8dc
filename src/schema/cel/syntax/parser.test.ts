import { describe, expect, test } from 'vitest'
import type { Expr } from './ast.js'
import { parse } from './parser.js'
import { CelSyntaxError } from './source.js'

/** The tree in prefix notation. */
function show(expr: Expr): string {
  switch (expr.node) {
    case 'literal':
      return typeof expr.value === 'bigint' ? `${expr.value}` : JSON.stringify(expr.value)
    case 'ident':
      return expr.name
    case 'select':
      return `${expr.testOnly ? 'has ' : ''}${show(expr.operand)}.${expr.field}`
    case 'call': {
      const target = expr.target === undefined ? '' : `${show(expr.target)}.`
      return `${target}${expr.name}(${expr.args.map(show).join(', ')})`
    }
    case 'list':
      return `[${expr.elements.map((each, index) => (expr.optional.has(index) ? '?' : '') + show(each)).join(', ')}]`
    case 'map':
      return `{${expr.entries.map(({ key, value, optional }) => `${optional ? '?' : ''}${show(key)}: ${show(value)}`).join(', ')}}`
    case 'struct':
      return `${expr.typeName}{${expr.fields.map(({ name, value, optional }) => `${optional ? '?' : ''}${name}: ${show(value)}`).join(', ')}}`
    case 'fold':
      return `fold(${expr.iterVar} in ${show(expr.range)}: ${show(expr.step)})`
  }
}

test.each([
  ['1 + 2 * 3 - 4', '_-_(_+_(1, _*_(2, 3)), 4)'],
  ['a && b || c && d', '_||_(_&&_(a, b), _&&_(c, d))'],
  ['a < b == c', '_==_(_<_(a, b), c)'],
  ['a ? b : c ? d : e', '_?_:_(a, b, _?_:_(c, d, e))'],
  ['x in [1, 2,]', '@in(x, [1, 2])'],
  ['!a.b', '!_(a.b)'],
  ['!!a', 'a'],
  ['-1 + -x', '_+_(-1, -_(x))'],
  ['1 -1', '_-_(1, 1)'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['a.b(c).d[e]', '_[_](a.b(c).d, e)'],
  ['a.?b[?c]', '_[?_](_?._(a, "b"), c)'],
  ['[a, ?b]', '[a, ?b]'],
  ["{'a': 1, ?b: c}", '{"a": 1, ?b: c}'],
  ['has(a.b)', 'has a.b'],
  ['l.map(x, x + 1)', 'fold(x in l: _+_(@result, [_+_(x, 1)]))'],
  ['m.all(k, v, v > 0)', 'fold(k in m: _&&_(@result, _>_(v, 0)))'],
  ['a // comment\n + b', '_+_(a, b)'],
  ['.a', 'a'],
  ['(a)', 'a'],
])('%s is read as %s', (source, tree) => {
  expect(show(parse(source))).toBe(tree)
})

test.each([
  [String.raw`'\u0041\x42\103\n'`, 'ABC\n'],
  [String.raw`r'\n'`, '\\n'],
  [`'''a "quoted"\nline'''`, 'a "quoted"\nline'],
  [String.raw`'\U0001F600'`, '😀'],
])('the literal %s', (source, value) => {
  expect(parse(source)).toMatchObject({ node: 'literal', value })
})

test('bytes may be no text', () => {
  expect(parse(String.raw`b'\xff\101'`)).toMatchObject({
    value: { kind: 'bytes', bytes: Buffer.of(0xff, 65) },
  })
})

test('a long chain of terms makes a shallow tree', () => {
  const depth = (expr: Expr): number => (expr.node === 'call' ? 1 + Math.max(...expr.args.map(depth)) : 0)
  expect(depth(parse(Array.from({ length: 1024 }, () => 'a').join(' && ')))).toBe(10)
})

function problem(source: string): string {
  try {
    parse(source)
  } catch (error) {
    if (error instanceof CelSyntaxError) return error.message
  }
  return 'none'
}

describe('what is wrong is shown where it is', () => {
  test('below the line it is in', () => {
    expect(problem('a &&\n\tb + )')).toMatch(
      /^ERROR: <input>:2:6: Syntax error: mismatched input '\)' expecting \{.*\}\n \|  b \+ \)\n \| \.\.\.\.\.\^$/,
    )
  })

  test('with marks as wide as the text', () => {
    expect(problem("'é漢' + #")).toContain("\n | 'é漢' + #\n | .．．....^")
  })

  test.each([
    ['a b', "extraneous input 'b' expecting <EOF>"],
    ['(a', "missing ')' at '<EOF>'"],
    ['namespace', 'reserved identifier: namespace'],
    ['9223372036854775808', 'invalid int literal'],
    ['has(a)', 'invalid argument to has() macro'],
    ['l.all(1, true)', 'argument must be a simple name'],
    ['l.all(__result__, true)', 'iteration variable overwrites accumulator variable'],
    ['m.all(k, k, true)', 'duplicate variable name: k'],
    ['a.`b`', "unsupported syntax: '`'"],
    ["'open", "token recognition error at: ''open'"],
  ])('%s: %s', (source, message) => {
    expect(problem(source)).toContain(message)
  })

  test('every one of several', () => {
    expect(problem('has(a) && l.all(1, true)').split('ERROR').length - 1).toBe(2)
  })
})

test.each([
  ['parentheses', `${'('.repeat(300)}a${')'.repeat(300)}`],
  ['operators', Array.from({ length: 300 }, () => 'a').join(' + ')],
  ['selections', `a${'.b'.repeat(300)}`],
  ['characters', `'${'x'.repeat(100_001)}'`],
])('a program with too many %s is refused', (_, source) => {
  expect(problem(source)).toMatch(/recursion|exceeds limit/)
})
