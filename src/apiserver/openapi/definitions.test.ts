import { expect, test } from 'vitest'
import type { ApiSchema } from '../api-schema.js'
import { publishedSchema } from '../crd/published-schema.js'
import { customDefinition } from './definitions.js'

const gvk = { group: 'example.com', version: 'v1', kind: 'Widget' }
const meta = '#/definitions/ObjectMeta'
const preserving = { 'x-kubernetes-preserve-unknown-fields': true } as const
const embedded = { 'x-kubernetes-embedded-resource': true } as const

const publish = (spec: ApiSchema, version: 2 | 3): unknown => {
  const schema = publishedSchema({ type: 'object', properties: { spec } })
  const { properties } = customDefinition({ schema, gvk, selectableFields: [] }, meta, version)
  return (properties as Readonly<Record<string, unknown>>)['spec']
}

/** What the real server made of the same schemas. */
const inVersion2: readonly (readonly [string, ApiSchema, unknown])[] = [
  ['a text that may be null', { type: 'string', nullable: true }, {}],
  ['a list that may be null', { type: 'array', nullable: true, items: { type: 'string' } }, {}],
  [
    'an object that may be null',
    { type: 'object', nullable: true, properties: { a: { type: 'string' } }, required: ['a'] },
    { required: ['a'] },
  ],
  [
    'an object with unknown fields',
    { type: 'object', ...preserving, properties: { a: { type: 'string' } }, required: ['a'] },
    { required: ['a'], ...preserving },
  ],
  [
    'an embedded object with unknown fields',
    { type: 'object', ...embedded, ...preserving, properties: { spec: { type: 'object' } } },
    { ...embedded, ...preserving },
  ],
  [
    'values that may be null',
    { type: 'object', additionalProperties: { type: 'string', nullable: true } },
    { type: 'object', additionalProperties: {} },
  ],
  [
    'a required field that may be null',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { type: 'string', nullable: true }, b: { type: 'string' } },
    },
    { type: 'object', required: ['b'], properties: { a: {}, b: { type: 'string' } } },
  ],
  [
    'a default',
    { type: 'array', items: { type: 'string' }, default: ['a'] },
    { type: 'array', items: { type: 'string' } },
  ],
]

test.each(inVersion2)('OpenAPI 2 writes %s so that kubectl lets it be', (_, schema, expected) => {
  expect(publish(schema, 2)).toEqual(expected)
})

test('OpenAPI 2 lists no fields of a resource that may have any', () => {
  const schema = publishedSchema({ type: 'object', ...preserving })
  expect(customDefinition({ schema, gvk, selectableFields: [] }, meta, 2)).toEqual({
    type: 'object',
    'x-kubernetes-group-version-kind': [gvk],
  })
})

test.each([
  [2, { $ref: meta }],
  [3, { allOf: [{ $ref: meta }] }],
] as const)('an embedded object has the fields of every object in OpenAPI %i', (version, reference) => {
  const schema: ApiSchema = { type: 'object', ...embedded, properties: { x: { type: 'integer' } } }
  expect(publish(schema, version)).toEqual({
    type: 'object',
    ...embedded,
    required: ['kind', 'apiVersion'],
    properties: {
      x: { type: 'integer' },
      apiVersion: { type: 'string', description: expect.stringMatching(/^apiVersion defines/) },
      kind: { type: 'string', description: expect.stringMatching(/^kind is/) },
      metadata: { description: expect.stringMatching(/^Standard object's metadata/), ...reference },
    },
  })
})
