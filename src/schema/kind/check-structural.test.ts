import { describe, expect, test } from 'vitest'
import { checkStructural } from './check-structural.js'
import { ProblemList } from './problem.js'

function problemsOf(schema: object): [string, string][] {
  const problems = new ProblemList()
  checkStructural(schema, 'spec', problems)
  return problems.problems.map(({ path, message }) => [path, message])
}

const string = { type: 'string' } as const

describe('a schema that is not structural', () => {
  test.each<[string, object, string, RegExp]>([
    [
      'a keyword that does not exist',
      { ...string, patternProperties: {} },
      'spec',
      /no keyword "patternProperties"/,
    ],
    ['no type', { type: 'object', properties: { a: {} } }, 'spec.a', /type is missing/],
    ['a type that does not exist', { type: 'null' }, 'spec', /nullable/],
    [
      'a list without items',
      { type: 'object', properties: { a: { type: 'array' } } },
      'spec.a',
      /one schema for its items/,
    ],
    [
      'a list with a schema for each item',
      { type: 'array', items: [string] },
      'spec',
      /one schema for its items/,
    ],
    [
      'fields and free keys',
      { type: 'object', properties: { a: string }, additionalProperties: string },
      'spec',
      /exclude/,
    ],
    ['uniqueItems', { type: 'array', items: string, uniqueItems: true }, 'spec', /listSet/],
    [
      'preserving that is false',
      { ...string, 'x-kubernetes-preserve-unknown-fields': false },
      'spec',
      /Leave it out/,
    ],
    [
      'either of two, and an object',
      { type: 'object', 'x-kubernetes-int-or-string': true },
      'spec',
      /contradicts/,
    ],
    [
      'an embedded resource that loses its fields',
      { type: 'object', 'x-kubernetes-embedded-resource': true },
      'spec',
      /lose all its fields/,
    ],
    [
      'an embedded resource with odd metadata',
      { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { metadata: string } },
      'spec',
      /metadata is of type object/,
    ],
    ['a list type on a string', { ...string, 'x-kubernetes-list-type': 'set' }, 'spec', /Only a list/],
    ['a map type on a string', { ...string, 'x-kubernetes-map-type': 'atomic' }, 'spec', /Only an object/],
    [
      'keys without a map',
      { type: 'array', items: string, 'x-kubernetes-list-map-keys': ['a'] },
      'spec',
      /needs x-kubernetes-list-type: map/,
    ],
    ['a type in a branch', { ...string, anyOf: [string] }, 'spec (anyOf)', /may not have type/],
    [
      'a default in a branch',
      { ...string, oneOf: [{ default: false }] },
      'spec (oneOf)',
      /may not have default/,
    ],
    [
      'metadata in a branch',
      { type: 'object', properties: { metadata: { type: 'object' } }, not: { properties: { metadata: {} } } },
      'spec (not)',
      /CEL rule on the whole object/,
    ],
    [
      'a type deep inside branches',
      { type: 'object', properties: { a: string }, allOf: [{ not: { properties: { a: string } } }] },
      'spec (allOf) (not).a',
      /may not have type/,
    ],
    [
      'a rule with two lines and no message',
      { ...string, 'x-kubernetes-validations': [{ rule: 'a\nb' }] },
      'spec',
      /Add a message/,
    ],
    [
      'a rule with an odd reason',
      { ...string, 'x-kubernetes-validations': [{ rule: 'true', reason: 'No' }] },
      'spec',
      /FieldValueForbidden/,
    ],
  ])('%s', (_, schema, path, message) => {
    expect(problemsOf(schema)).toEqual([[path, expect.stringMatching(message)]])
  })

  test('both ways to spell out integer or string are fine', () => {
    const branches = [{ type: 'integer' }, { type: 'string' }]
    expect(problemsOf({ 'x-kubernetes-int-or-string': true, anyOf: branches })).toEqual([])
    expect(
      problemsOf({ 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: branches }, { maximum: 5 }] }),
    ).toEqual([])
  })
})
