import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from '../../base/index.js'
import { parseDocuments } from '../parse-documents.js'
import { objectText, withoutManagedFields } from './object-text.js'

const object = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: {
    name: 'c',
    creationTimestamp: '2026-08-20T09:30:00Z',
    finalizers: ['a/b'],
    managedFields: [{}],
  },
  data: { on: 'yes', number: '12', lines: 'a\nb\n' },
  large: 9007199254740993n,
  empty: {},
  none: [],
}

test('YAML is written as kubectl writes it', async () => {
  expect(await objectText(withoutManagedFields(object), 'yaml')).toBe(`apiVersion: v1
data:
  lines: |
    a
    b
  number: "12"
  "on": "yes"
empty: {}
kind: ConfigMap
large: 9007199254740993
metadata:
  creationTimestamp: "2026-08-20T09:30:00Z"
  finalizers:
  - a/b
  name: c
none: []
`)
})

test('JSON is written as kubectl writes it', async () => {
  const { data: _data, ...small } = object
  expect(await objectText(withoutManagedFields(small), 'json')).toBe(`{
    "apiVersion": "v1",
    "empty": {},
    "kind": "ConfigMap",
    "large": 9007199254740993,
    "metadata": {
        "creationTimestamp": "2026-08-20T09:30:00Z",
        "finalizers": [
            "a/b"
        ],
        "name": "c"
    },
    "none": []
}
`)
})

test('what is written can be read again, and says the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (data) => {
      // As it comes from a server: -0 is 0, large integers are exact.
      const plain = parseJson(JSON.stringify(data))
      expect(parseJson(await objectText(plain, 'json'))).toEqual(plain)
      expect(parseDocuments(await objectText(plain, 'yaml'))).toEqual([plain])
    }),
    { numRuns: 200 },
  )
})
