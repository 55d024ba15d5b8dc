import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatLabelSelector,
  type LabelSelectorInput,
  matchesLabels,
  parseLabelSelector,
} from './label-selector.js'

const refusal = expect.objectContaining({ code: 'KW_LABEL_SELECTOR' })
const selects = (selector: LabelSelectorInput, labels?: Record<string, string>): boolean =>
  matchesLabels(parseLabelSelector(selector), labels)

describe('parseLabelSelector', () => {
  test('reads every operator that kubectl reads', () => {
    expect(parseLabelSelector('a=b, c!=d,e in (y,x),!f,g,h notin (z), i==j ,k>5,l<6')).toEqual([
      { key: 'a', operator: '=', values: ['b'] },
      { key: 'c', operator: '!=', values: ['d'] },
      { key: 'e', operator: 'in', values: ['x', 'y'] },
      { key: 'f', operator: '!', values: [] },
      { key: 'g', operator: 'exists', values: [] },
      { key: 'h', operator: 'notin', values: ['z'] },
      { key: 'i', operator: '=', values: ['j'] },
      { key: 'k', operator: '>', values: ['5'] },
      { key: 'l', operator: '<', values: ['6'] },
    ])
  })

  test.each([
    ['', ''],
    ['  ', ''],
    ['a=', 'a='],
    ['a=,b', 'a=,b'],
    ['b,a', 'a,b'],
    ['a in ()', 'a in ()'],
    ['a in (,)', 'a in ()'],
    ['a in (x,,y)', 'a in (,x,y)'],
    ['a in (x,x)', 'a in (x)'],
    ['a in (in,notin)', 'a in (in,notin)'],
    ['in in (in)', 'in in (in)'],
    ['notin', 'notin'],
    ['a\tnotin\n( x )', 'a notin (x)'],
    ['example.com/a=b', 'example.com/a=b'],
    ['a=1,a=2', 'a=1,a=2'],
  ])('%o means %o', (text, canonical) => {
    expect(formatLabelSelector(text)).toBe(canonical)
  })

  test.each([
    [','],
    ['a,'],
    ['a,,b'],
    ['=b'],
    ['a=b=c'],
    ['a=!b'],
    ['a b'],
    ['a in'],
    ['a in x'],
    ['a in (x'],
    ['a in (x y)'],
    ['a in (x))'],
    ['!a=b'],
    ['!a in (b)'],
    ['!'],
    ['!!a'],
    ['a>b'],
    ['a>'],
    ['a>=1'],
    ['a>9223372036854775808'],
    ['a=-b'],
    ['a/b/c'],
    ['-a'],
    [`a=${'b'.repeat(64)}`],
    ['a\u00a0=b'],
  ])('%o is refused with a code', (text) => {
    expect(() => parseLabelSelector(text)).toThrow(refusal)
  })

  test('the error says what was found and what was expected', () => {
    expect(() => parseLabelSelector('a in (x')).toThrow("found the end, expected ',' or ')'")
    expect(() => parseLabelSelector('a in x')).toThrow("found 'x', expected '('")
  })

  test('reads the form that objects hold', () => {
    const selector = {
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'env', operator: 'NotIn', values: ['prod'] },
        { key: 'old', operator: 'DoesNotExist' },
        { key: 'new', operator: 'Exists', values: [] },
      ],
    } as const
    expect(formatLabelSelector(selector)).toBe('app=web,env notin (prod),new,!old,tier in (a,b)')
    expect(formatLabelSelector({})).toBe('')
  })

  test.each([
    [{ matchExpressions: [{ key: 'a', operator: 'In' }] }],
    [{ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] }],
    [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['5'] }] }],
    [{ matchExpressions: [{ key: 'a', operator: 'constructor' }] }],
    [{ matchLabels: { 'a,b': 'c' } }],
    [{ matchLabels: { a: 'b,c=d' } }],
    [{ app: 'web' }],
    [{ matchlabels: { app: 'web' } }],
  ])('%o is refused instead of selecting something else, or everything', (selector) => {
    // The types forbid these; data from a cluster or a file is not typed.
    expect(() => parseLabelSelector(selector as LabelSelectorInput)).toThrow(refusal)
  })
})

describe('matchesLabels', () => {
  test('an empty selector selects everything', () => {
    expect(selects('', undefined)).toBe(true)
    expect(selects({}, { a: 'b' })).toBe(true)
  })

  test.each([
    ['a=b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a=b', {}, false],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b,c)', { a: 'c' }, true],
    ['a in ()', { a: '' }, true],
    ['a notin (b)', {}, true],
    ['a notin (b)', { a: 'b' }, false],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: 'x' }, false],
    ['a>5', { a: '10' }, true],
    ['a>5', { a: '5' }, false],
    ['a<5', { a: '-1' }, true],
    ['a>5', { a: 'x' }, false],
    ['a>5', {}, false],
    ['a>9007199254740992', { a: '9007199254740993' }, true],
    ['a=b,c=d', { a: 'b' }, false],
  ])('%s on %o: %s', (selector, labels, expected) => {
    expect(selects(selector, labels)).toBe(expected)
  })

  test('what an object inherits is no label', () => {
    expect(selects('constructor', {})).toBe(false)
    expect(selects('!toString', {})).toBe(true)
  })
})

describe('formatLabelSelector', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/)
  const requirement = fc.oneof(
    fc.record({ key: name, operator: fc.constantFrom('=', '!='), values: fc.tuple(name) }),
    fc.record({
      key: name,
      operator: fc.constantFrom('in', 'notin'),
      values: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ key: name, operator: fc.constantFrom('exists', '!'), values: fc.constant([]) }),
  )

  test('what it writes selects what it was written from', () => {
    fc.assert(
      fc.property(
        fc.array(requirement, { maxLength: 5 }),
        fc.dictionary(name, name),
        (requirements, labels) => {
          const text = formatLabelSelector(requirements)
          expect(formatLabelSelector(text)).toBe(text)
          expect(selects(text, labels)).toBe(selects(requirements, labels))
        },
      ),
    )
  })
})
