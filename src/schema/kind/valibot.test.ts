import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { expect, expectTypeOf, test } from 'vitest'
import type { InputOf, ObjectOf } from '../../objects/index.js'
import { defineKind } from './define-kind.js'
import { InvalidKindError } from './problem.js'
import { atomic, cel, intOrString, listMap, preserveUnknownFields, quantity } from './schema-meta.js'
import type { StandardJsonSchema } from './standard-schema.js'

const Foo = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Foo',
  spec: toStandardJsonSchema(
    v.pipe(
      v.object({
        size: v.optional(v.picklist(['s', 'm']), 's'),
        replicas: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10)),
        note: v.nullable(v.string()),
        port: v.pipe(v.union([v.pipe(v.number(), v.integer()), v.string()]), v.metadata(intOrString())),
        memory: v.optional(
          v.pipe(v.union([v.pipe(v.number(), v.integer()), v.string()]), v.metadata(quantity())),
        ),
        ports: v.pipe(v.array(v.object({ name: v.string() })), v.metadata(listMap('name'))),
        whole: v.pipe(v.object({ a: v.string() }), v.metadata(atomic()), v.description('All of it.')),
        raw: v.pipe(v.any(), v.metadata(preserveUnknownFields())),
        labels: v.record(v.string(), v.string()),
      }),
      v.metadata(cel('self.replicas > 0')),
    ),
  ),
})

test('a schema of another library becomes the same structural schema', () => {
  expect(Foo.schema.properties?.['spec']).toEqual({
    type: 'object',
    required: ['replicas', 'note', 'port', 'ports', 'whole', 'raw', 'labels'],
    'x-kubernetes-validations': [{ rule: 'self.replicas > 0' }],
    properties: {
      size: { type: 'string', enum: ['s', 'm'], default: 's' },
      replicas: { type: 'integer', format: 'int64', minimum: 1, maximum: 10 },
      note: { type: 'string', nullable: true },
      port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      memory: {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        pattern: quantity().pattern,
      },
      ports: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      },
      whole: {
        type: 'object',
        description: 'All of it.',
        required: ['a'],
        properties: { a: { type: 'string' } },
        'x-kubernetes-map-type': 'atomic',
      },
      raw: { 'x-kubernetes-preserve-unknown-fields': true },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
  })
})

test('its types are those of the library', () => {
  expectTypeOf<ObjectOf<typeof Foo>['spec']['size']>().toEqualTypeOf<'s' | 'm'>()
  expectTypeOf<InputOf<typeof Foo>['spec']['size']>().toEqualTypeOf<'s' | 'm' | undefined>()
})

test.each<[string, StandardJsonSchema, RegExp]>([
  [
    'a transform',
    toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.transform(Number)) })),
    /"transform" action/,
  ],
  ['a date', toStandardJsonSchema(v.object({ a: v.date() })), /"date" schema/],
  [
    'a check in JavaScript',
    toStandardJsonSchema(
      v.object({
        a: v.pipe(
          v.string(),
          v.check((text: string) => text !== ''),
        ),
      }),
    ),
    /"check" action/,
  ],
])('%s is refused in the words of the library', (_, schema, words) => {
  const define = (): unknown => defineKind({ group: 'example.com', version: 'v1', kind: 'Foo', spec: schema })
  expect(define).toThrow(InvalidKindError)
  expect(define).toThrow(words)
})

test('a schema that cannot describe itself is refused with the way to make it', () => {
  const options = { group: 'example.com', version: 'v1', kind: 'Foo', spec: v.object({}) } as const
  // @ts-expect-error Valibot's own schemas have no JSON Schema.
  const define = (): unknown => defineKind(options)
  expect(define).toThrow(/Valibot through toStandardJsonSchema/)
})
