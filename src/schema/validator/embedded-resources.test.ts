import { expect, test } from 'vitest'
import { loadValidator } from './validator.js'

const embedded = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
} as const

test.each<[string, unknown, string[]]>([
  [
    'a whole object is fine',
    { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: 1 },
    [],
  ],
  ['type fields are required', {}, ['t.apiVersion: Required value', 't.kind: Required value']],
  [
    'type fields are not empty',
    { apiVersion: '', kind: '' },
    ['t.apiVersion: Invalid value: "": must not be empty', 't.kind: Invalid value: "": must not be empty'],
  ],
  [
    'type fields are strings',
    { apiVersion: 1, kind: null },
    ['t.apiVersion: Invalid value: 1: must be a string', 't.kind: Invalid value: null: must be a string'],
  ],
  [
    'a version has one slash at most',
    { apiVersion: 'a/b/c', kind: 'Pod' },
    ['t.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
  ],
  [
    'a kind is a name',
    { apiVersion: 'v1', kind: 'not_a_kind' },
    [
      expect.stringMatching(
        /^t\.kind: Invalid value: "not_a_kind": may have mixed case, but should otherwise match: /,
      ),
    ],
  ],
  [
    'names are those of paths, and need not be given',
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'UPPER/case', namespace: 'x' } },
    ['t.metadata.name: Invalid value: "UPPER/case": may not contain \'/\''],
  ],
  [
    'metadata must decode',
    { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 1 } } },
    [
      't.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
  ],
])('%s', async (_, template, expected) => {
  const validator = await loadValidator({ type: 'object', properties: { t: embedded } })
  expect(validator.validate({ t: template }).map(({ field, message }) => `${field}: ${message}`)).toEqual(
    expected,
  )
})

test('embedded objects are found in lists and maps, whose keys stand in brackets', async () => {
  const validator = await loadValidator({
    type: 'object',
    properties: {
      list: { type: 'array', items: embedded },
      map: { type: 'object', additionalProperties: embedded },
    },
  })
  const errors = validator.validate({ list: [{ kind: 'Pod' }], map: { 'a.b': { apiVersion: 'v1' } } })
  expect(errors.map(({ field }) => field)).toEqual(['list[0].apiVersion', 'map[a.b].kind'])
})
