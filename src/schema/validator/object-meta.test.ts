import { describe, expect, test } from 'vitest'
import { metadataErrors, objectNameProblems } from './object-meta.js'
import { coerceMetadata, metadataDecodeProblem } from './object-meta-type.js'

describe('metadata that does not decode', () => {
  test.each<[unknown, string]>([
    [5, 'json: cannot unmarshal number into Go value of type v1.ObjectMeta'],
    [{ name: 1 }, 'json: cannot unmarshal number into Go struct field ObjectMeta.name of type string'],
    [{ uid: true }, 'json: cannot unmarshal bool into Go struct field ObjectMeta.uid of type types.UID'],
    [
      { labels: [] },
      'json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string',
    ],
    [
      { labels: { a: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ],
    [
      { generation: 1.5 },
      'json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64',
    ],
    [
      { generation: '1' },
      'json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64',
    ],
    [
      { finalizers: {} },
      'json: cannot unmarshal object into Go struct field ObjectMeta.finalizers of type []string',
    ],
    [
      { ownerReferences: [1] },
      'json: cannot unmarshal number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference',
    ],
    [
      { ownerReferences: [{ name: 1 }] },
      'json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string',
    ],
    [
      { creationTimestamp: 1 },
      'json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string',
    ],
    [
      { creationTimestamp: 'x' },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    // Of several problems, that of the first key in sorted order is named.
    [
      { name: 1, labels: 1 },
      'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string',
    ],
  ])('%j is explained as Go does', (metadata, problem) => {
    expect(metadataDecodeProblem(metadata)).toBe(problem)
  })
})

test('metadata is kept as Go writes it: without unknown fields, nulls and empty values', () => {
  expect(
    coerceMetadata({
      name: '',
      namespace: 'a',
      unknown: 1,
      labels: { a: null, __proto__: null },
      annotations: {},
      finalizers: [],
      generation: 0,
      deletionGracePeriodSeconds: 0,
      creationTimestamp: null,
      ownerReferences: [{ name: 'o', controller: false, unknown: 1 }],
      managedFields: [{ manager: 'm', fieldsV1: { 'f:a': {} } }],
    }),
  ).toEqual({
    namespace: 'a',
    labels: { a: '' },
    deletionGracePeriodSeconds: 0,
    ownerReferences: [{ apiVersion: '', kind: '', name: 'o', uid: '', controller: false }],
    managedFields: [{ manager: 'm', fieldsV1: { 'f:a': {} } }],
  })
})

test('the name of an object may end in a dash only where more will be appended', () => {
  expect(objectNameProblems('foo-', { prefix: true })).toEqual([])
  expect(objectNameProblems('foo-', { prefix: false })).toHaveLength(1)
})

test('entries of managed fields are checked', () => {
  const rules = {
    path: 'metadata',
    nameProblems: objectNameProblems,
    nameRequired: true,
    namespaceAllowed: true,
  }
  const managedFields = [
    { operation: 'Delete', fieldsType: 'FieldsV2', manager: 'm'.repeat(129), subresource: 's'.repeat(257) },
  ]
  expect(metadataErrors({ name: 'a', managedFields }, rules).map(({ field }) => field)).toEqual([
    'metadata.managedFields[0].operation',
    'metadata.managedFields[0].fieldsType',
    'metadata.managedFields[0].manager',
    'metadata.managedFields[0].subresource',
  ])
  expect(metadataErrors({}, rules).map(({ message }) => message)).toEqual([
    'Required value: name or generateName is required',
  ])
})
