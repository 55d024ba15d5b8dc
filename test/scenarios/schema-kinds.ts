import { z } from 'zod'
import {
  atomic,
  cel,
  type DefinedKind,
  defineKind,
  embeddedResource,
  listMap,
  listSet,
  preserveUnknownFields,
  quantity,
  quantitySchema,
  structural,
} from '../../src/schema/index.js'

const group = 'diff.schema.example.com'

/** Every keyword that a structural schema has, written by hand. */
const Sink = defineKind({
  group,
  version: 'v1',
  kind: 'Sink',
  spec: structural<Record<string, unknown>>({
    type: 'object',
    required: ['text', 'count'],
    minProperties: 2,
    maxProperties: 12,
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 5 },
      pattern: { type: 'string', pattern: '^[a-z]*$' },
      choice: { type: 'string', enum: ['a', 'abc', '<b>&'] },
      maybe: { type: 'string', nullable: true, maxLength: 3 },
      defaulted: { type: 'string', default: 'zebra' },
      nullDefaulted: { type: 'string', nullable: true, default: 'ab' },
      count: { type: 'integer', format: 'int32', minimum: 0, maximum: 10 },
      between: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true },
      long: { type: 'integer', format: 'int64' },
      fives: { type: 'integer', multipleOf: 5 },
      listed: { type: 'integer', enum: [1, 2, 100] },
      ratio: { type: 'number', minimum: -1.5, maximum: 2.25 },
      single: { type: 'number', format: 'float' },
      rates: { type: 'number', enum: [0.5, 3], multipleOf: 3 },
      flag: { type: 'boolean', default: false },
      port: {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ type: 'integer' }, { type: 'string' }],
        minimum: 1,
        maximum: 100,
        maxLength: 3,
      },
      bare: { 'x-kubernetes-int-or-string': true, allOf: [{ pattern: '^a' }, { maximum: 5 }] },
      memory: quantitySchema,
      'dotted.name': { type: 'string', maxLength: 2 },
      constructor: { type: 'string' as const, maxLength: 2 },
    },
  }),
})

const Lists = defineKind({
  group,
  version: 'v1',
  kind: 'Lists',
  plural: 'lists',
  listKind: 'ListsList',
  spec: structural<Record<string, unknown>>({
    type: 'object',
    properties: {
      limited: { type: 'array', minItems: 1, maxItems: 2, items: { type: 'string', maxLength: 3 } },
      nullable: { type: 'array', items: { type: 'integer', nullable: true } },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      numbers: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'number' } },
      atoms: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'string' } } },
      },
      ports: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, value: { type: 'integer', maximum: 10, default: 3 } },
        },
      },
      pairs: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'kind'],
        items: {
          type: 'object',
          required: ['kind'],
          properties: {
            name: { type: 'string', default: 'a' },
            kind: { type: 'integer' },
            on: { type: 'boolean' },
          },
        },
      },
      nested: { type: 'array', items: { type: 'array', items: { type: 'integer', minimum: 0 } } },
      map: {
        type: 'object',
        minProperties: 1,
        maxProperties: 2,
        additionalProperties: { type: 'string', maxLength: 3 },
      },
      maps: {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } } },
        },
      },
      closed: { type: 'object', additionalProperties: false },
      open: { type: 'object', additionalProperties: true },
    },
  }),
  fields: structural<{ extra?: string }>({
    type: 'object',
    properties: { extra: { type: 'string', maxLength: 2 } },
  }),
})

const Branches = defineKind({
  group,
  version: 'v1',
  kind: 'Branch',
  spec: structural<Record<string, unknown>>({
    type: 'object',
    properties: {
      any: { type: 'string', anyOf: [{ maxLength: 2 }, { pattern: '^zebra$' }, { format: 'date' }] },
      one: { type: 'integer', oneOf: [{ minimum: 2 }, { multipleOf: 5 }, { enum: [1, 3] }] },
      all: {
        type: 'string',
        allOf: [{ minLength: 2 }, { pattern: 'a' }, { anyOf: [{ maxLength: 3 }, { pattern: 'z' }] }],
      },
      not: { type: 'string', not: { enum: ['a', 'ab'] } },
      object: {
        type: 'object',
        properties: {
          a: { type: 'string' },
          b: { type: 'integer' },
          c: { type: 'array', items: { type: 'string' } },
        },
        oneOf: [{ required: ['a'] }, { required: ['b'], properties: { b: { minimum: 2 } } }],
        anyOf: [
          { properties: { c: { maxItems: 1 } } },
          { properties: { c: { items: { maxLength: 2 } } }, required: ['c'] },
        ],
        not: { required: ['a', 'b'] },
      },
    },
  }),
})

const formats =
  'date date-time duration email uri ipv4 ipv6 cidr mac uuid uuid4 byte hostname hexcolor rgbcolor isbn creditcard ssn bsonobjectid password k8s-short-name k8s-long-name unheard-of'.split(
    ' ',
  )

const Formats = defineKind({
  group,
  version: 'v1',
  kind: 'Formats',
  plural: 'formats',
  listKind: 'FormatsList',
  spec: structural<Record<string, unknown>>({
    type: 'object',
    properties: Object.fromEntries(formats.map((format) => [format, { type: 'string' as const, format }])),
  }),
})

const Embedding = defineKind({
  group,
  version: 'v1',
  kind: 'Embedding',
  scope: 'Cluster',
  spec: structural<Record<string, unknown>>({
    type: 'object',
    properties: {
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      templates: {
        type: 'array',
        items: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          properties: { spec: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
        },
      },
      any: { 'x-kubernetes-preserve-unknown-fields': true },
      half: {
        type: 'object',
        'x-kubernetes-preserve-unknown-fields': true,
        properties: { known: { type: 'object', properties: { a: { type: 'string' } } } },
      },
      deep: {
        type: 'object',
        default: { inner: {} },
        properties: {
          inner: {
            type: 'object',
            properties: { value: { type: 'integer', default: 5 }, other: { type: 'string' } },
          },
        },
      },
    },
  }),
})

/** What people write: Zod, with everything that it can say to an API server. */
const Library = defineKind({
  group,
  version: 'v1',
  kind: 'Library',
  spec: z
    .object({
      name: z.string().min(1).max(5),
      replicas: z.int32().min(1).max(10).default(1),
      size: z.enum(['a', 'ab', 'abc']).default('a'),
      mode: z.literal('zebra').optional(),
      port: z.union([z.int().min(1).max(100), z.string().max(3)]).optional(),
      auto: z.union([z.int(), z.literal('abc')]).optional(),
      memory: z.union([z.int(), z.string()]).meta(quantity()).optional(),
      note: z.string().max(3).nullable().optional(),
      code: z.string().regex(/^a/i).regex(/c$/).optional(),
      either: z.union([z.string().max(1), z.string().regex(/^zebra/)]).optional(),
      when: z.iso.datetime().optional(),
      mail: z.email().optional(),
      tags: z.array(z.string().max(3)).max(2).meta(listSet()).default([]),
      ports: z
        .array(z.object({ name: z.string(), port: z.int32().positive().optional() }))
        .meta(listMap('name'))
        .optional(),
      labels: z.record(z.string(), z.string().max(3)).optional(),
      limits: z.record(z.enum(['a', 'b']), z.int()).optional(),
      both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.int().optional() })).optional(),
      strict: z.strictObject({ a: z.string().default('ab') }).prefault({}),
      loose: z.looseObject({ a: z.string().optional() }).optional(),
      whole: z.object({ a: z.string().optional() }).meta(atomic()).optional(),
      raw: z.any().meta(preserveUnknownFields()),
      template: z.looseObject({}).meta(embeddedResource()).optional(),
      min: z.int().optional(),
      max: z.int().optional(),
    })
    .meta(
      cel('!has(self.min) || !has(self.max) || self.min <= self.max', { message: 'min must not exceed max' }),
    ),
  rules: [{ rule: "!has(self.spec.mode) || self.metadata.name != 'zebra'" }],
})

/** With the two subresources. */
const Scaled = defineKind({
  group,
  version: 'v1',
  kind: 'Scaled',
  spec: structural<Record<string, unknown>>({
    type: 'object',
    properties: {
      replicas: { type: 'integer' },
      list: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'integer' } },
    },
  }),
  status: structural<Record<string, unknown>>({
    type: 'object',
    required: ['phase'],
    properties: {
      phase: { type: 'string', enum: ['a', 'ab'] },
      replicas: { type: 'integer', format: 'int32' },
      selector: { type: 'string' },
      set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  }),
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.selector',
  },
})

/** Of each kind there are a few hundred objects in the comparison. */
export const kinds: Readonly<Record<string, DefinedKind>> = {
  Sink,
  Lists,
  Branches,
  Formats,
  Embedding,
  Library,
  Scaled,
}

/** The same kind, before and after somebody made its schema stricter. */
export const looseKind: DefinedKind = ratcheted({ maxLength: 100, maximum: 1000 })
export const strictKind: DefinedKind = ratcheted({ maxLength: 2, maximum: 5 })

function ratcheted(limits: { readonly maxLength: number; readonly maximum: number }): DefinedKind {
  const text = { type: 'string' as const, maxLength: limits.maxLength }
  const number = { type: 'integer' as const, maximum: limits.maximum }
  return defineKind({
    group,
    version: 'v1',
    kind: 'Ratchet',
    spec: structural<Record<string, unknown>>({
      type: 'object',
      'x-kubernetes-validations': [{ rule: '!has(self.number) || self.number < 100 || self.number > 150' }],
      properties: {
        text,
        number,
        object: {
          type: 'object',
          properties: { text, number },
          anyOf: [{ properties: { text: { maxLength: limits.maxLength } } }, { required: ['zz'] }],
        },
        list: { type: 'array', items: text },
        map: { type: 'object', additionalProperties: number },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { text } },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, number, text },
          },
        },
        either: { type: 'string', anyOf: [{ maxLength: limits.maxLength }, { pattern: '^zz' }] },
      },
    }),
  })
}
