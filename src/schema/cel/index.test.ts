import { describe, expect, test } from 'vitest'
import type { StructuralSchema, ValidationRule } from '../structural-schema.js'
import { type CelProgram, CelRuleError, loadCel } from './index.js'

const engine = await loadCel()

function rules(schema: StructuralSchema, ...list: (string | ValidationRule)[]): StructuralSchema {
  return {
    ...schema,
    'x-kubernetes-validations': list.map((each) => (typeof each === 'string' ? { rule: each } : each)),
  }
}

function compile(spec: StructuralSchema): CelProgram {
  return engine.compile({ type: 'object', properties: { spec } })
}

function errors(spec: StructuralSchema, value: unknown, old?: unknown): string[] {
  const before = old === undefined ? undefined : { spec: old }
  return compile(spec)
    .evaluate({ spec: value }, before, { path: '' })
    .map(({ field, reason, message }) => `${field} ${reason} ${message}`)
}

const int: StructuralSchema = { type: 'integer' }
const string: StructuralSchema = { type: 'string' }

describe('a broken rule', () => {
  test('shows the value of a scalar and its own text', () => {
    expect(errors(rules(int, 'self > 1'), 1)).toEqual([
      'spec FieldValueInvalid Invalid value: 1: failed rule: self > 1',
    ])
  })

  test('does not show a whole object or list', () => {
    expect(errors(rules({ type: 'array', items: int }, 'size(self) > 1'), [1])).toEqual([
      'spec FieldValueInvalid Invalid value: failed rule: size(self) > 1',
    ])
  })

  test('is reported with its message, reason and field', () => {
    const schema: StructuralSchema = { type: 'object', properties: { 'a-b': int } }
    const rule: ValidationRule = {
      rule: 'self.a__dash__b > 1',
      message: ' too small ',
      reason: 'FieldValueForbidden',
      fieldPath: "['a-b']",
    }
    expect(errors(rules(schema, rule), { 'a-b': 1 })).toEqual([
      'spec.a-b FieldValueForbidden Forbidden: too small',
    ])
  })

  test('is explained by its message expression', () => {
    const rule = { rule: 'self > 1', messageExpression: "'%d is too small'.format([self])" }
    expect(errors(rules(int, rule), 0)).toEqual(['spec FieldValueInvalid Invalid value: 0: 0 is too small'])
  })

  test.each([
    ["'two\\nlines'"],
    ["'   '"],
    ["'%d'.format([1 / self])"],
    [`'${'x'.repeat(2000)}' + '${'y'.repeat(2000)}' + '${'z'.repeat(2000)}'`],
  ])('falls back to its message where the expression is of no use', (messageExpression) => {
    const rule = { rule: 'self > 1', message: 'fallback', messageExpression }
    expect(errors(rules(int, rule), 0)).toEqual(['spec FieldValueInvalid Invalid value: 0: fallback'])
  })

  test('at the root of a resource has no field', () => {
    const program = engine.compile(rules({ type: 'object' }, "self.metadata.name == 'a'"))
    expect(program.evaluate({ metadata: { name: 'b' } }, undefined, { path: '' })[0]?.field).toBe('<nil>')
    expect(program.evaluate({ metadata: { name: 'b' } }, undefined, { path: 'items[3]' })[0]?.field).toBe(
      'items[3]',
    )
  })
})

describe('a rule that fails to run', () => {
  test.each([
    ['self.o.x > 1', 'no such key: o'],
    ['10 / self.n > 1', 'division by zero'],
    ['[1][self.n + 5] == 1', 'index out of bounds: 5'],
    ['self.n + 9223372036854775807 + 1 > 0', 'integer overflow'],
    ['int(self.s) == 1', "type conversion error from 'string' to 'int'"],
  ])('%s: %s', (rule, failure) => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: { n: int, s: string, o: { type: 'object', properties: { x: int } } },
    }
    expect(errors(rules(schema, rule), { n: 0, s: 'x' })).toEqual([
      `spec FieldValueInvalid Invalid value: "object": ${failure} evaluating rule: ${rule}`,
    ])
  })

  test('names the operands that an operator has no meaning for', () => {
    expect(errors(rules({ 'x-kubernetes-int-or-string': true }, 'self + 1 > 1'), 'x')).toEqual([
      `spec FieldValueInvalid Invalid value: "": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self + 1 > 1`,
    ])
  })

  test('is absorbed by an operand that decides', () => {
    expect(errors(rules(int, '1 / self > 0 || self == 0', '!(1 / self > 0 && self != 0)'), 0)).toEqual([])
  })
})

describe('what rules see', () => {
  test('an optional field that is null is absent', () => {
    const schema: StructuralSchema = { type: 'object', properties: { a: { ...string, nullable: true } } }
    expect(errors(rules(schema, '!has(self.a)'), { a: null })).toEqual([])
  })

  test('names that are no identifiers are reached by their escapes', () => {
    const names = {
      'a-b': 'a__dash__b',
      'c.d': 'c__dot__d',
      'e/f': 'e__slash__f',
      g__h: 'g__underscores__h',
      in: '__in__',
    }
    const properties = Object.fromEntries(Object.keys(names).map((name) => [name, int]))
    const value = Object.fromEntries(Object.keys(names).map((name) => [name, 1]))
    const each = Object.values(names).map((name) => `self.${name} == 1`)
    expect(errors(rules({ type: 'object', properties }, ...each), value)).toEqual([])
  })

  test('keys of the prototype are keys like any other', () => {
    const schema: StructuralSchema = { type: 'object', additionalProperties: int }
    const value: unknown = JSON.parse('{"__proto__": 1, "constructor": 2}')
    expect(
      errors(rules(schema, "'__proto__' in self && self['constructor'] == 2 && size(self) == 2"), value),
    ).toEqual([])
    expect(errors(rules(schema, "'toString' in self || has(self.hasOwnProperty)"), {})).toHaveLength(1)
  })

  test('data of unknown fields is not there', () => {
    const schema: StructuralSchema = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { k: int },
    }
    expect(() => compile(rules(schema, 'self.other == 1'))).toThrow("undefined field 'other'")
    expect(errors(rules(schema, 'self.k == 1'), { k: 1, other: 2 })).toEqual([])
  })

  test('formats give types', () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: {
        t: { type: 'string', format: 'date-time' },
        d: { type: 'string', format: 'duration' },
        b: { type: 'string', format: 'byte' },
        n: { type: 'number' },
      },
    }
    const rule = "self.t + self.d == timestamp('2024-01-01T01:30:00Z') && self.b == b'hi' && self.n == 1.0"
    expect(errors(rules(schema, rule), { t: '2024-01-01T00:00:00Z', d: '90m', b: 'aGk=', n: 1 })).toEqual([])
  })

  test('an embedded resource has a kind and a name', () => {
    const schema: StructuralSchema = { type: 'object', 'x-kubernetes-embedded-resource': true }
    const value = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { x: 'y' } } }
    expect(errors(rules(schema, "self.kind == 'Pod' && self.metadata.name == 'a'"), value)).toEqual([])
    expect(() => compile(rules(schema, "self.metadata.labels.x == 'y'"))).toThrow("undefined field 'labels'")
  })

  test('integers beyond 2^53 are exact', () => {
    expect(errors(rules(int, 'self == 9007199254740993'), 9007199254740993n)).toEqual([])
  })
})

describe('lists compare by their type', () => {
  const lists = (items: StructuralSchema, extra: StructuralSchema): StructuralSchema => {
    const list: StructuralSchema = { type: 'array', items, ...extra }
    return { type: 'object', properties: { a: list, b: list } }
  }

  test('atomic lists by position', () => {
    const schema = rules(lists(string, {}), 'self.a != self.b', "self.a + self.b == ['x', 'y', 'y', 'x']")
    expect(errors(schema, { a: ['x', 'y'], b: ['y', 'x'] })).toEqual([])
  })

  test('sets without regard to order, and they merge', () => {
    const schema = rules(
      lists(string, { 'x-kubernetes-list-type': 'set' }),
      'self.a == self.b',
      '(self.a + self.b).size() == 2',
    )
    expect(errors(schema, { a: ['x', 'y'], b: ['y', 'x'] })).toEqual([])
  })

  test('maps by their keys, and the right one wins', () => {
    const items: StructuralSchema = { type: 'object', properties: { k: string, v: int } }
    const extra: StructuralSchema = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }
    const schema = rules(
      lists(items, extra),
      'dyn(self.a) == dyn(self.b)',
      '(dyn(self.a) + dyn(self.b))[0].v == 1',
    )
    const x = { k: 'x', v: 1 }
    const y = { k: 'y', v: 2 }
    expect(errors(schema, { a: [x, y], b: [y, x] })).toEqual([])
    expect(errors(schema, { a: [x, y], b: [y, { k: 'x', v: 5 }] })).toHaveLength(2)
  })
})

describe('on update', () => {
  test('rules that use oldSelf run only where there is an old value', () => {
    expect(errors(rules(int, 'self >= oldSelf'), 1)).toEqual([])
    expect(errors(rules(int, 'self >= oldSelf'), 1, 2)).toHaveLength(1)
  })

  test('with optionalOldSelf they always run', () => {
    const rule = { rule: 'oldSelf.hasValue()', optionalOldSelf: true }
    expect(errors(rules(int, rule), 1)).toHaveLength(1)
    expect(errors(rules(int, rule), 1, 1)).toEqual([])
  })

  test('elements of a list of type map meet their old selves by key', () => {
    const items: StructuralSchema = rules(
      { type: 'object', properties: { k: string, v: int } },
      'self.v >= oldSelf.v',
    )
    const schema: StructuralSchema = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    }
    const old = [
      { k: 'a', v: 5 },
      { k: 'b', v: 5 },
    ]
    const now = [
      { k: 'b', v: 4 },
      { k: 'c', v: 0 },
      { k: 'a', v: 6 },
    ]
    expect(errors(schema, now, old)).toEqual([
      'spec[0] FieldValueInvalid Invalid value: failed rule: self.v >= oldSelf.v',
    ])
  })

  test('a broken rule on a part that did not change is forgiven', () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: { a: rules(int, 'self > 100'), b: rules(int, 'self > 100') },
    }
    expect(errors(schema, { a: 1, b: 2 }, { a: 1, b: 1 })).toEqual([
      'spec.b FieldValueInvalid Invalid value: 2: failed rule: self > 100',
    ])
  })

  test('a failure to run is not forgiven', () => {
    expect(errors(rules(int, '1 / self > 0'), 0, 0)).toHaveLength(1)
  })
})

describe('a rule that the server would refuse', () => {
  const refused = (spec: StructuralSchema): CelRuleError => {
    try {
      compile(spec)
    } catch (error) {
      if (error instanceof CelRuleError) return error
    }
    throw new Error('the rule was accepted')
  }

  test('is refused with its place, its text and what to do', () => {
    const error = refused(rules(int, 'self > 1', 'self.x == 1'))
    expect(error.code).toBe('KW_CEL_RULE')
    expect(error.schemaPath).toBe('properties[spec].x-kubernetes-validations[1].rule')
    expect(error.rule).toBe('self.x == 1')
    expect(error.detail).toBe(
      "compilation failed: ERROR: <input>:1:5: type 'int' does not support field selection\n | self.x == 1\n | ....^",
    )
    expect(error.message).toMatch(/Correct the rule/)
  })

  test.each<[string, ValidationRule]>([
    ['cel expression must evaluate to a bool', { rule: 'self' }],
    ['rule is not specified', { rule: '  ' }],
    ['must not contain line breaks', { rule: 'true', message: 'a\nb' }],
    ['message must be specified if rule contains line breaks', { rule: 'true\n||\nfalse' }],
    ['messageExpression must evaluate to a string', { rule: 'true', messageExpression: 'self' }],
    ['must be a valid path', { rule: 'true', fieldPath: '.nope' }],
    ['may not be set if oldSelf is not used in rule', { rule: 'true', optionalOldSelf: true }],
    ['invalid matches argument', { rule: "'a'.matches('(')" }],
    ['program instantiation failed', { rule: "int('x') == self" }],
  ])('%s', (detail, rule) => {
    expect(refused(rules(int, rule)).detail).toContain(detail)
  })

  test('oldSelf has no meaning for elements that cannot be told apart', () => {
    expect(refused({ type: 'array', items: rules(int, 'self == oldSelf') }).detail).toContain(
      'uncorrelatable',
    )
  })
})

describe('the budget', () => {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
  const list: StructuralSchema = { type: 'array', items: int }

  test('one call may cost a million', () => {
    const [message] = errors(rules(list, 'self.all(a, self.all(b, a + b >= 0))'), numbers(600))
    expect(message).toBe(
      `spec FieldValueInvalid Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(a, self.all(b, a + b >= 0))`,
    )
  })

  test('all rules on an object may cost ten million', () => {
    const schema: StructuralSchema = {
      type: 'array',
      items: rules(list, 'self.all(a, self.all(b, a + b >= 0))'),
    }
    const messages = errors(
      schema,
      Array.from({ length: 40 }, () => numbers(250)),
    )
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('running out of cost budget, no further validation rules will be run')
  })

  test('a call that cannot be afforded is not made', () => {
    const schema: StructuralSchema = { type: 'object', properties: { p: string, s: string } }
    const value = { p: '(x+x+)+y|'.repeat(5000), s: 'x'.repeat(1_000_000) }
    expect(errors(rules(schema, 'self.s.matches(self.p)'), value)[0]).toContain('running out of cost budget')
    expect(errors(rules(int, 'size(lists.range(self)) > 0'), 9_000_000_000_000_000n)[0]).toContain(
      'cost limit exceeded',
    )
    expect(errors(rules(string, "self.replace('', self).size() > 0"), 'x'.repeat(100_000))[0]).toContain(
      'cost limit exceeded',
    )
  })

  test('a pattern made to backtrack takes no longer than any other', () => {
    const value = `${'a'.repeat(20_000)}b`
    expect(errors(rules(string, "!self.matches('^(a+)+$')"), value)).toEqual([])
  })
})

test('schemas without rules have none, and nothing to say', () => {
  const program = engine.compile({ type: 'object', properties: { a: int } })
  expect(program.ruleCount).toBe(0)
  expect(program.evaluate({ a: 'wrong' }, undefined, { path: '' })).toEqual([])
})

test('all rules of a schema are counted', () => {
  const schema = rules(
    { type: 'object', properties: { a: rules(int, 'self > 1', 'self < 9') }, additionalProperties: false },
    'true',
  )
  expect(engine.compile(schema).ruleCount).toBe(3)
})

test('data that its schema does not allow breaks rules, not the process', () => {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      l: { type: 'array', items: int },
      o: { type: 'object', properties: { x: int } },
      s: string,
    },
  }
  const rule = 'self.l.all(x, x > 0) && self.o.x > 0 && self.s != ""'
  const deep: unknown = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
  for (const value of [
    { l: 'x' },
    { l: [null, {}, 1.5] },
    { o: [], s: 1 },
    { l: deep, o: deep, s: deep },
    [],
    'x',
    7,
  ]) {
    expect(errors(rules(schema, rule), value)).toHaveLength(1)
  }
})

test('data nested deeper than the stack breaks rules, not the process', () => {
  const schema: StructuralSchema = {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { k: int },
  }
  const deep = (): unknown => JSON.parse(`{"k": 1, "x": ${'['.repeat(9000)}${']'.repeat(9000)}}`)
  expect(errors(rules(schema, 'dyn(self) == dyn(oldSelf)'), deep(), deep())).toEqual([])
  const [message] = errors(rules(schema, "'%s'.format([dyn(optional.of(self).value())]) != ''"), deep())
  expect(message ?? '').toMatch(/^$|cost limit exceeded/)
})

test('a rule that expands without end is refused', () => {
  const chain = `optional.of(self)${'.optMap(x, x)'.repeat(60)}.hasValue()`
  expect(() => compile(rules(int, chain))).toThrow('too many operations')
})
