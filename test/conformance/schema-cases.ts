/**
 * CustomResourceDefinitions and objects of theirs, as plain data without expectations: whoever uses the table asks two
 * servers, or one and a record of the other. Most are about what is refused; the objects show what is stored.
 */

/** One CRD, and objects to create once it is established. */
export interface SchemaCase {
  /** openAPIV3Schema of the only version. Absent: the version has no schema. */
  readonly schema?: unknown
  /** Merged into the version. */
  readonly version?: object
  /** Merged into the spec. */
  readonly spec?: object
  readonly annotations?: Readonly<Record<string, string>>
  /** Bodies, without apiVersion, kind and metadata. A list of two is an object and its update. */
  readonly objects?: readonly object[]
}

export interface CaseNames {
  readonly group: string
  readonly plural: string
  readonly kind: string
}

/** The CRD of a case. */
export function definitionOf(each: SchemaCase, { group, plural, kind }: CaseNames): Record<string, unknown> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      ...(each.annotations !== undefined && { annotations: each.annotations }),
    },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          ...(each.schema !== undefined && { schema: { openAPIV3Schema: each.schema } }),
          ...each.version,
        },
      ],
      ...each.spec,
    },
  }
}

const string = { type: 'string' }
const integer = { type: 'integer' }
const object = { type: 'object' }

/** A root with one field. */
const root = (spec: unknown, more: object = {}): object => ({ type: 'object', properties: { spec }, ...more })
/** A root with these fields in its spec. */
const fields = (properties: object, more: object = {}): object =>
  root({ type: 'object', properties, ...more })
/** A field with rules. */
const ruled = (schema: object, ...rules: (string | object)[]): object => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
})
const list = (items: unknown, more: object = {}): object => ({ type: 'array', items, ...more })
const map = (additionalProperties: unknown, more: object = {}): object => ({
  type: 'object',
  additionalProperties,
  ...more,
})
/** A text of at most this length. */
const text = (maxLength?: number): object => (maxLength === undefined ? string : { ...string, maxLength })
const version = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: object },
  ...more,
})

const structure: Record<string, SchemaCase> = {
  'an empty object': { schema: object },
  'no schema': {},
  'an empty schema': { schema: {} },
  'schema without a content': { version: { schema: {} } },
  'a root that is a list': { schema: list(string) },
  'a root of no type': { schema: { properties: { spec: object } } },
  'a root that keeps all fields': {
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'a root of no type that keeps all fields': { schema: { 'x-kubernetes-preserve-unknown-fields': true } },
  'a nullable root': { schema: { type: 'object', nullable: true } },
  'free keys at the root': { schema: map(string) },
  'a field of no type': { schema: fields({ a: {} }) },
  'items of no type': { schema: fields({ a: list({}) }) },
  'values of no type': { schema: fields({ a: map({}) }) },
  'a field of an unknown type': { schema: fields({ a: { type: 'strin' } }) },
  'a field of type null': { schema: fields({ a: { type: 'null' } }) },
  'a list without items': { schema: fields({ a: { type: 'array' } }) },
  'a list with a schema for each item': {
    schema: fields({ a: { type: 'array', items: [string, integer] } }),
  },
  'a list with an empty list of schemas': { schema: fields({ a: { type: 'array', items: [] } }) },
  'properties and free keys': {
    schema: fields({ a: { ...object, properties: { b: string }, additionalProperties: string } }),
  },
  'properties and no other keys': {
    schema: fields({ a: { ...object, properties: { b: string }, additionalProperties: false } }),
  },
  'properties and any other keys': {
    schema: fields({ a: { ...object, properties: { b: string }, additionalProperties: true } }),
  },
  'any keys': { schema: fields({ a: map(true) }) },
  'no keys': { schema: fields({ a: map(false) }) },
  'unique items': { schema: fields({ a: list(string, { uniqueItems: true }) }) },
  'an id': { schema: fields({ a: { ...string, id: 'x' } }) },
  'a $schema': { schema: fields({ a: { ...string, $schema: 'http://json-schema.org/schema' } }) },
  'a $ref': { schema: fields({ a: { $ref: '#/definitions/b' } }) },
  'an empty $ref': { schema: fields({ a: { ...string, $ref: '' } }) },
  definitions: { schema: root(object, { definitions: { a: string } }) },
  'definitions with errors': { schema: root(object, { definitions: { a: { type: 'no' } } }) },
  dependencies: { schema: fields({ a: string }, { dependencies: { a: ['b'] } }) },
  'dependencies with a schema': { schema: fields({ a: string }, { dependencies: { a: { type: 'no' } } }) },
  patternProperties: { schema: fields({ a: string }, { patternProperties: { '^a': string } }) },
  additionalItems: { schema: fields({ a: list(string, { additionalItems: false }) }) },
  'unknown keywords': { schema: fields({ a: { ...string, unknown: 1 } }) },
  'keywords that are empty': {
    schema: fields({
      a: { ...string, description: '', enum: [], required: [], nullable: false, default: null, minLength: 0 },
    }),
  },
  'external documentation and an example': {
    schema: fields({ a: { ...string, externalDocs: { url: 'https://example.com' }, example: { a: [1] } } }),
  },
  'a pattern that is none': { schema: fields({ a: { ...string, pattern: '(' } }) },
  'a pattern with look-ahead': { schema: fields({ a: { ...string, pattern: '(?=a)b' } }) },
  'a pattern with a back-reference': { schema: fields({ a: { ...string, pattern: '(a)\\1' } }) },
  'a pattern with a wrong repetition': { schema: fields({ a: { ...string, pattern: 'a{2,1}' } }) },
  'a pattern with a stray star': { schema: fields({ a: { ...string, pattern: '*a' } }) },
  'a pattern with an open class': { schema: fields({ a: { ...string, pattern: '[a' } }) },
  'a pattern with a wrong range': { schema: fields({ a: { ...string, pattern: '[z-a]' } }) },
  'an unknown format': { schema: fields({ a: { ...string, format: 'colour' } }) },
  'several errors': {
    schema: { type: 'array', properties: { spec: { properties: { a: { type: 'x' }, b: { default: 1 } } } } },
  },
  'many levels': { schema: fields({ a: list(map(list(fields({ b: {} })))) }) },
}

const branches: Record<string, SchemaCase> = {
  'a type in a branch': { schema: fields({ a: { ...string, anyOf: [string] } }) },
  'bounds in branches': {
    schema: fields({ a: { ...integer, anyOf: [{ minimum: 1 }, { maximum: 5 }], not: { enum: [3] } } }),
  },
  'everything that a branch may not have': {
    schema: fields({
      a: {
        ...object,
        properties: { b: string },
        allOf: [
          {
            type: 'object',
            default: {},
            title: 'a',
            description: 'b',
            nullable: true,
            additionalProperties: true,
            'x-kubernetes-preserve-unknown-fields': true,
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-int-or-string': true,
            'x-kubernetes-list-map-keys': ['b'],
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-map-type': 'atomic',
            'x-kubernetes-validations': [{ rule: 'true' }],
          },
        ],
      },
    }),
  },
  'a default of false in a branch': {
    schema: fields({ a: { type: 'boolean', anyOf: [{ default: false }] } }),
  },
  'free keys with a schema in a branch': {
    schema: fields({ a: { ...object, not: { additionalProperties: { type: 'string' } } } }),
  },
  'no other keys in a branch': { schema: fields({ a: { ...object, not: { additionalProperties: false } } }) },
  'a field only in a branch': {
    schema: root(object, { anyOf: [{ properties: { other: { minLength: 1 } } }] }),
  },
  'a field only in a branch further below': {
    schema: fields({ a: { ...object, anyOf: [{ properties: { b: {} } }] } }),
  },
  'items only in a branch': {
    schema: root({ ...object }, { oneOf: [{ properties: { spec: { items: { minimum: 1 } } } }] }),
  },
  'required fields in branches': {
    schema: fields({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    objects: [{ spec: {} }, { spec: { a: 'x' } }, { spec: { a: 'x', b: 'y' } }],
  },
  'metadata in a branch': { schema: { ...object, not: { properties: { metadata: {} } } } },
  'nested branches': {
    schema: fields({ a: { ...string, allOf: [{ anyOf: [{ not: { type: 'string' } }] }] } }),
  },
  'a pattern that is none in a branch': { schema: fields({ a: { ...string, oneOf: [{ pattern: '[' }] } }) },
  'an unsupported keyword in a branch': { schema: fields({ a: { ...string, allOf: [{ $ref: 'x' }] } }) },
  'integer or string': {
    schema: fields({ a: { 'x-kubernetes-int-or-string': true } }),
    objects: [{ spec: { a: 1 } }, { spec: { a: 'b' } }, { spec: { a: true } }, { spec: { a: 1.5 } }],
  },
  'integer or string, spelled out': {
    schema: fields({ a: { 'x-kubernetes-int-or-string': true, anyOf: [integer, string] } }),
  },
  'integer or string, spelled out with more': {
    schema: fields({
      a: { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [integer, string] }, { pattern: 'a' }] },
    }),
  },
  'string or integer, in the wrong order': {
    schema: fields({ a: { 'x-kubernetes-int-or-string': true, anyOf: [string, integer] } }),
  },
  'integer or string without the extension': { schema: fields({ a: { anyOf: [integer, string] } }) },
  'integer or string with a type': {
    schema: fields({ a: { type: 'integer', 'x-kubernetes-int-or-string': true } }),
  },
  'integer or string that keeps fields': {
    schema: fields({
      a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
    }),
  },
  'integer or string that is embedded': {
    schema: fields({
      a: { 'x-kubernetes-int-or-string': true, 'x-kubernetes-embedded-resource': true, type: 'object' },
    }),
  },
}

const metadata: Record<string, SchemaCase> = {
  'apiVersion, kind and metadata': {
    schema: { ...object, properties: { apiVersion: string, kind: string, metadata: object } },
  },
  'apiVersion of a wrong type': {
    schema: { ...object, properties: { apiVersion: integer, kind: object, metadata: string } },
  },
  'names in metadata': {
    schema: {
      ...object,
      properties: {
        metadata: { ...object, properties: { name: { ...string, maxLength: 3, pattern: '^a' } } },
      },
    },
    objects: [{ spec: {} }],
  },
  'both names in metadata': {
    schema: {
      ...object,
      properties: { metadata: { ...object, properties: { name: string, generateName: string } } },
    },
  },
  'labels in metadata': {
    schema: { ...object, properties: { metadata: { ...object, properties: { labels: map(string) } } } },
  },
  'a description of metadata': {
    schema: { ...object, properties: { metadata: { ...object, description: 'x' } } },
  },
  'required names in metadata': {
    schema: { ...object, properties: { metadata: { ...object, required: ['name'] } } },
  },
  'a default for metadata': { schema: { ...object, properties: { metadata: { ...object, default: {} } } } },
  'a default for a name': {
    schema: {
      ...object,
      properties: { metadata: { ...object, properties: { name: { ...string, default: 'x' } } } },
    },
  },
  'a default for kind': { schema: { ...object, properties: { kind: { ...string, default: 'Foo' } } } },
  'an embedded resource': {
    schema: fields({
      a: { ...object, 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    }),
    objects: [
      {
        spec: {
          a: {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'x', unknown: 1, labels: { a: 'b' } },
            spec: { b: 1 },
          },
        },
      },
      { spec: { a: { kind: 'Pod' } } },
      { spec: { a: { apiVersion: 'a/b/c', kind: '-' } } },
      { spec: { a: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: '?' } } } } },
    ],
  },
  'an embedded resource with fields': {
    schema: fields({
      a: { ...object, 'x-kubernetes-embedded-resource': true, properties: { spec: object } },
    }),
    objects: [
      { spec: { a: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { b: 1 }, other: 1 } } },
    ],
  },
  'an embedded resource without fields': {
    schema: fields({ a: { ...object, 'x-kubernetes-embedded-resource': true } }),
  },
  'an embedded resource of no type': { schema: fields({ a: { 'x-kubernetes-embedded-resource': true } }) },
  'an embedded string': { schema: fields({ a: { ...string, 'x-kubernetes-embedded-resource': true } }) },
  'an embedded resource with free keys': {
    schema: fields({ a: { ...map(string), 'x-kubernetes-embedded-resource': true } }),
  },
  'embedded metadata of wrong types': {
    schema: fields({
      a: {
        ...object,
        'x-kubernetes-embedded-resource': true,
        properties: { apiVersion: integer, kind: integer, metadata: string },
      },
    }),
  },
  'an embedded resource in embedded metadata': {
    schema: fields({
      a: {
        ...object,
        'x-kubernetes-embedded-resource': true,
        properties: {
          metadata: {
            ...object,
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          },
        },
      },
    }),
  },
  'defaults in embedded metadata': {
    schema: fields({
      a: {
        ...object,
        'x-kubernetes-embedded-resource': true,
        properties: {
          apiVersion: { ...string, default: 'v1' },
          kind: { ...string, default: 'Pod' },
          metadata: { ...object, properties: { name: { ...string, default: 'x' } } },
        },
      },
    }),
    objects: [{ spec: { a: {} } }, { spec: { a: { metadata: {} } } }],
  },
  'wrong defaults in embedded metadata': {
    schema: fields({
      a: {
        ...object,
        'x-kubernetes-embedded-resource': true,
        properties: {
          apiVersion: { ...string, default: 'a/b/c' },
          kind: { ...string, default: '%' },
          metadata: {
            ...object,
            properties: {
              name: { ...string, default: '..' },
              labels: { ...object, default: { a: '?' }, additionalProperties: string },
            },
          },
        },
      },
    }),
  },
  'defaults for keys of embedded metadata': {
    schema: fields({
      a: {
        ...object,
        'x-kubernetes-embedded-resource': true,
        properties: { metadata: { ...object, properties: { labels: map({ ...string, default: 'x' }) } } },
      },
    }),
  },
}

const extensions: Record<string, SchemaCase> = {
  'fields kept': {
    schema: fields({
      a: { ...object, 'x-kubernetes-preserve-unknown-fields': true, properties: { b: object } },
    }),
    objects: [{ spec: { a: { b: { c: 1 }, d: { e: 1 } }, f: 1 }, other: 1 }],
  },
  'fields not kept, explicitly': {
    schema: fields({ a: { ...object, 'x-kubernetes-preserve-unknown-fields': false } }),
  },
  'a list that keeps fields': {
    schema: fields({ a: { ...list(object), 'x-kubernetes-preserve-unknown-fields': true } }),
    objects: [{ spec: { a: [{ b: { c: 1 } }] } }],
  },
  'any keys, with values': {
    schema: fields({ a: map(true) }),
    objects: [{ spec: { a: { b: 1, c: { d: 1 }, e: [{ f: 1 }] } } }],
  },
  'an atomic list': { schema: fields({ a: list(string, { 'x-kubernetes-list-type': 'atomic' }) }) },
  'an unknown list type': { schema: fields({ a: list(string, { 'x-kubernetes-list-type': 'bag' }) }) },
  'a list type on an object': { schema: fields({ a: { ...object, 'x-kubernetes-list-type': 'set' } }) },
  'a list type without a type': {
    schema: fields({ a: { 'x-kubernetes-list-type': 'set', 'x-kubernetes-preserve-unknown-fields': true } }),
  },
  'a map type on a list': { schema: fields({ a: list(string, { 'x-kubernetes-map-type': 'atomic' }) }) },
  'a map type without a type': {
    schema: fields({
      a: { 'x-kubernetes-map-type': 'atomic', 'x-kubernetes-preserve-unknown-fields': true },
    }),
  },
  'an unknown map type': { schema: fields({ a: { ...object, 'x-kubernetes-map-type': 'bag' } }) },
  'a set': {
    schema: fields({ a: list(string, { 'x-kubernetes-list-type': 'set' }) }),
    objects: [
      { spec: { a: ['x', 'y'] } },
      { spec: { a: ['x', 'y', 'x'] } },
      { spec: { a: ['x', 'x', 'x'] } },
    ],
  },
  'a set of objects': { schema: fields({ a: list(object, { 'x-kubernetes-list-type': 'set' }) }) },
  'a set of atomic objects': {
    schema: fields({
      a: list({ ...object, 'x-kubernetes-map-type': 'atomic' }, { 'x-kubernetes-list-type': 'set' }),
    }),
  },
  'a set of sets': {
    schema: fields({
      a: list(list(string, { 'x-kubernetes-list-type': 'set' }), { 'x-kubernetes-list-type': 'set' }),
    }),
  },
  'a set of lists': { schema: fields({ a: list(list(string), { 'x-kubernetes-list-type': 'set' }) }) },
  'a set of nullable items': {
    schema: fields({ a: list({ ...string, nullable: true }, { 'x-kubernetes-list-type': 'set' }) }),
  },
  'a map list': {
    schema: fields({
      a: list(
        { ...object, required: ['k'], properties: { k: string, v: integer } },
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      ),
    }),
    objects: [
      { spec: { a: [{ k: 'x' }, { k: 'y' }] } },
      { spec: { a: [{ k: 'x' }, { k: 'x', v: 1 }] } },
      { spec: { a: [{ v: 1 }] } },
    ],
  },
  'a map list without keys': { schema: fields({ a: list(object, { 'x-kubernetes-list-type': 'map' }) }) },
  'a map list without items': {
    schema: fields({
      a: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    }),
  },
  'a map list of strings': {
    schema: fields({
      a: list(string, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
    }),
  },
  'a map list of several schemas': {
    schema: fields({
      a: {
        type: 'array',
        items: [object],
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
  },
  'keys without a map list': { schema: fields({ a: list(object, { 'x-kubernetes-list-map-keys': ['k'] }) }) },
  'keys on a set': {
    schema: fields({
      a: list(string, { 'x-kubernetes-list-type': 'set', 'x-kubernetes-list-map-keys': ['k'] }),
    }),
  },
  'keys that are no fields': {
    schema: fields({
      a: list(object, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'k'] }),
    }),
  },
  'keys that are objects': {
    schema: fields({
      a: list(
        { ...object, required: ['k'], properties: { k: object } },
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      ),
    }),
  },
  'keys that are optional': {
    schema: fields({
      a: list(
        { ...object, properties: { k: string, l: { ...string, default: 'x' } } },
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'l'] },
      ),
    }),
  },
  'keys that are nullable': {
    schema: fields({
      a: list(
        { ...object, nullable: true, required: ['k'], properties: { k: { ...string, nullable: true } } },
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      ),
    }),
  },
  'repeated keys': {
    schema: fields({
      a: list(
        { ...object, required: ['k'], properties: { k: string } },
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k', 'k'] },
      ),
    }),
  },
}

const defaults: Record<string, SchemaCase> = {
  'defaults of all types': {
    schema: fields({
      s: { ...string, default: 'x' },
      i: { ...integer, default: 5 },
      n: { type: 'number', default: 1.5 },
      b: { type: 'boolean', default: false },
      l: list(integer, { default: [1, 2] }),
      o: { ...object, default: {}, properties: { p: { ...string, default: 'y' } } },
      z: { ...string, nullable: true, default: 'z' },
    }),
    objects: [{ spec: {} }, { spec: { s: null, z: null, o: { p: null } } }, {}],
  },
  'a default for the spec': {
    schema: root({ ...object, default: {}, properties: { a: { ...integer, default: 1 } } }),
    objects: [{}],
  },
  'a default of a wrong type': { schema: fields({ a: { ...string, default: 5 } }) },
  'a default beyond a bound': { schema: fields({ a: { ...integer, maximum: 3, default: 5 } }) },
  'a default with unknown fields': { schema: fields({ a: { ...object, default: { b: 1 } } }) },
  'a default with unknown fields that are kept': {
    schema: fields({ a: { ...object, default: { b: 1 }, 'x-kubernetes-preserve-unknown-fields': true } }),
  },
  'a default that lacks a field': {
    schema: fields({ a: { ...object, default: {}, required: ['b'], properties: { b: string } } }),
  },
  'a default that lacks a field with a default': {
    schema: fields({
      a: { ...object, default: {}, required: ['b'], properties: { b: { ...string, default: 'x' } } },
    }),
  },
  'a default with repeated items': {
    schema: fields({ a: list(string, { 'x-kubernetes-list-type': 'set', default: ['x', 'x'] }) }),
  },
  'a default of a wrong format': { schema: fields({ a: { ...string, format: 'date', default: 'x' } }) },
  'a default in items': {
    schema: fields({ a: list({ ...object, properties: { b: { ...integer, default: 'x' } } }) }),
  },
  'a default in values': {
    schema: fields({ a: map({ ...object, properties: { b: { ...integer, default: 1 } } }) }),
    objects: [{ spec: { a: { x: {} } } }],
  },
  'a default that a rule refuses': { schema: fields({ a: ruled({ ...integer, default: 5 }, 'self < 3') }) },
  'a default with a rule that does not compile': {
    schema: fields({ a: ruled({ ...integer, default: 5 }, 'self.b') }),
  },
  'a default and a transition rule': {
    schema: fields({ a: ruled({ ...integer, default: 5 }, 'self > oldSelf') }),
  },
  'a default at the root': { schema: { ...object, default: {} } },
  'a default for an embedded resource': {
    schema: fields({
      a: {
        ...object,
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        default: { kind: 'a' },
      },
    }),
  },
  'unknown fields in all versions kept': {
    schema: fields({ a: string }),
    spec: { preserveUnknownFields: true },
  },
  'unknown fields in all versions kept, with defaults': {
    schema: fields({ a: { ...string, default: 'x' } }),
    spec: { preserveUnknownFields: true },
  },
}

const rules: Record<string, SchemaCase> = {
  'a rule': {
    schema: fields({ a: ruled(integer, 'self > 1') }),
    objects: [{ spec: { a: 1 } }, { spec: { a: 2 } }],
  },
  'a rule at the root': {
    schema: ruled(fields({ a: integer }), 'self.metadata.name.size() > 1 || has(self.spec)'),
  },
  'an empty rule': { schema: fields({ a: ruled(integer, ' ') }) },
  'a rule that is no expression': { schema: fields({ a: ruled(integer, 'self >') }) },
  'a rule over several lines without a message': {
    schema: fields({ a: ruled(integer, 'self > 1 &&\nself < 5') }),
  },
  'a rule over several lines with a message': {
    schema: fields({ a: ruled(integer, { rule: 'self > 1 &&\nself < 5', message: 'm' }) }),
  },
  'a rule over several lines that is wrong': {
    schema: fields({ a: ruled(integer, { rule: 'self > 1 &&\nselff < 5', message: 'm' }) }),
  },
  'a rule that is no condition': { schema: fields({ a: ruled(integer, 'self + 1') }) },
  'a rule about a field that is not there': {
    schema: fields({ a: integer }, { 'x-kubernetes-validations': [{ rule: 'self.b > 1' }] }),
  },
  'a rule with an unknown function': { schema: fields({ a: ruled(integer, 'foo(self)') }) },
  'a rule with arguments of wrong types': { schema: fields({ a: ruled(string, 'self > 1') }) },
  'a rule with a wrong pattern': { schema: fields({ a: ruled(string, "self.matches('[')") }) },
  'a rule with a wrong duration': { schema: fields({ a: ruled(string, "duration('x') > duration('1s')") }) },
  'an empty message': { schema: fields({ a: ruled(integer, { rule: 'true', message: ' ' }) }) },
  'a message of two lines': { schema: fields({ a: ruled(integer, { rule: 'true', message: 'a\nb' }) }) },
  'a message expression': {
    schema: fields({ a: ruled(text(20), { rule: 'self.size() < 3', messageExpression: "'not ' + self" }) }),
    objects: [{ spec: { a: 'many' } }],
  },
  'a message expression of unknown length': {
    schema: fields({ a: ruled(integer, { rule: 'self < 3', messageExpression: "'a is ' + string(self)" }) }),
  },
  'an empty message expression': {
    schema: fields({ a: ruled(integer, { rule: 'true', messageExpression: ' ' }) }),
  },
  'a message expression that is no text': {
    schema: fields({ a: ruled(integer, { rule: 'true', messageExpression: 'self' }) }),
  },
  'a message expression that is wrong': {
    schema: fields({ a: ruled(integer, { rule: 'true', messageExpression: 'self +' }) }),
  },
  'a reason': {
    schema: fields({ a: ruled(integer, { rule: 'self < 3', reason: 'FieldValueForbidden', fieldPath: '' }) }),
    objects: [{ spec: { a: 5 } }],
  },
  'an unknown reason': { schema: fields({ a: ruled(integer, { rule: 'true', reason: 'Because' }) }) },
  'a field path': {
    schema: fields(
      { a: integer, b: map(integer) },
      {
        'x-kubernetes-validations': [
          { rule: 'self.a < 3', fieldPath: '.a' },
          { rule: 'self.a < 4', fieldPath: ".b['x.y']" },
        ],
      },
    ),
    objects: [{ spec: { a: 5 } }],
  },
  'a field path that leads nowhere': {
    schema: fields(
      { a: integer },
      {
        'x-kubernetes-validations': [
          { rule: 'true', fieldPath: '.b' },
          { rule: 'true', fieldPath: ' ' },
          { rule: 'true', fieldPath: '.a[0]' },
        ],
      },
    ),
  },
  'a transition rule': { schema: fields({ a: ruled(integer, 'self >= oldSelf') }) },
  'a transition rule in a list': { schema: fields({ a: list(ruled(integer, 'self >= oldSelf')) }) },
  'a transition rule in lists': { schema: fields({ a: list(list(ruled(integer, 'self >= oldSelf'))) }) },
  'a transition rule in a map list': {
    schema: fields({
      a: list(
        { ...object, required: ['k'], properties: { k: string, v: ruled(integer, 'self >= oldSelf') } },
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      ),
    }),
  },
  'a transition rule in an atomic object': {
    schema: fields({
      a: {
        ...object,
        'x-kubernetes-map-type': 'atomic',
        properties: { b: ruled(integer, 'self >= oldSelf') },
      },
    }),
  },
  'a transition rule in values': { schema: fields({ a: map(ruled(integer, 'self >= oldSelf')) }) },
  'an optional past': {
    schema: fields({ a: ruled(integer, { rule: 'oldSelf.orValue(0) < self', optionalOldSelf: true }) }),
  },
  'an optional past that is not used': {
    schema: fields({ a: ruled(integer, { rule: 'self > 0', optionalOldSelf: true }) }),
  },
  'no optional past, explicitly': {
    schema: fields({ a: ruled(integer, { rule: 'self > 0', optionalOldSelf: false }) }),
  },
  'rules on data of no type': {
    schema: fields({ a: ruled({ 'x-kubernetes-preserve-unknown-fields': true }, 'true') }),
  },
  'rules on integer or string': {
    schema: fields({
      a: ruled({ 'x-kubernetes-int-or-string': true }, "type(self) == string ? self == 'a' : self == 1"),
    }),
  },
  'rules beside a wrong schema': { schema: fields({ a: ruled({ ...integer, id: 'x' }, 'self.b') }) },
  'rules on fields with odd names': {
    schema: fields(
      { 'a-b': integer, namespace: integer, a__b: integer },
      {
        'x-kubernetes-validations': [
          { rule: 'self.a__dash__b > 1 && self.__namespace__ > 1 && self.a__underscores__b > 1' },
        ],
      },
    ),
  },
  'two wrong rules': { schema: fields({ a: ruled(integer, 'self.a', 'self.b', 'self > 0') }) },
}

const costs: Record<string, SchemaCase> = {
  'comparing all items with each other': {
    schema: fields({ a: ruled(list(text()), 'self.all(x, self.exists_one(y, x == y))') }),
  },
  'comparing few items with each other': {
    schema: fields({
      a: ruled(list(text(10), { maxItems: 100 }), 'self.all(x, self.exists_one(y, x == y))'),
    }),
  },
  'comparing many items with each other': {
    schema: fields({
      a: ruled(list(text(10), { maxItems: 1500 }), 'self.all(x, self.exists_one(y, x == y))'),
    }),
  },
  'a rule just below the limit': {
    schema: fields({ a: ruled(list(integer, { maxItems: 1500 }), 'self.all(x, self.all(y, x == y))') }),
  },
  'a rule just above the limit': {
    schema: fields({ a: ruled(list(integer, { maxItems: 1700 }), 'self.all(x, self.all(y, x == y))') }),
  },
  'a cheap rule in an unlimited list': { schema: fields({ a: list(ruled(integer, 'self > 1')) }) },
  'a pattern in an unlimited list': {
    schema: fields({ a: list(ruled(string, "self.matches('^[a-z]+$')")) }),
  },
  'a pattern in a limited list': {
    schema: fields({ a: list(ruled(text(63), "self.matches('^[a-z]+$')"), { maxItems: 1000 }) }),
  },
  'a pattern in a list of limited texts': {
    schema: fields({ a: list(ruled(text(63), "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')")) }),
  },
  'text of any length contained': {
    schema: fields({
      a: ruled({ ...object, properties: { b: string, c: string } }, 'self.b.contains(self.c)'),
    }),
  },
  'text of limited length contained': {
    schema: fields({
      a: ruled({ ...object, properties: { b: text(1000), c: text(1000) } }, 'self.b.contains(self.c)'),
    }),
  },
  'lists in lists': {
    schema: fields({ a: ruled(list(list(list(integer))), 'self.all(x, x.all(y, y.all(z, z > 1)))') }),
  },
  'maps in maps': {
    schema: fields({ a: ruled(map(map(integer)), 'self.all(k, self[k].all(l, self[k][l] > 1))') }),
  },
  'maps in maps with limits': {
    schema: fields({
      a: ruled(
        map(map(integer, { maxProperties: 10 }), { maxProperties: 10 }),
        'self.all(k, self[k].all(l, self[k][l] > 1))',
      ),
    }),
  },
  'required fields bound a list': {
    schema: fields({
      a: list(
        ruled(
          {
            ...object,
            required: ['name', 'other'],
            properties: { name: string, other: { ...object, required: ['x'], properties: { x: integer } } },
          },
          "self.name.matches('^[a-z]+$')",
        ),
      ),
    }),
  },
  'enums bound texts': {
    schema: fields({
      a: list(ruled({ ...string, enum: ['a', 'bbbb', 'ccc'] }, "self.matches('^[a-z]+$')"), {
        maxItems: 100_000,
      }),
    }),
  },
  'formats bound texts': {
    schema: fields({
      a: list(
        ruled(
          {
            ...object,
            properties: {
              d: { ...string, format: 'date-time' },
              e: { ...string, format: 'duration' },
              f: { ...string, format: 'date' },
              g: { ...string, format: 'byte' },
            },
          },
          "self.d > timestamp('2020-01-01T00:00:00Z') && self.e > duration('1s') && self.g == b'a'",
        ),
      ),
    }),
  },
  'an expensive message': {
    schema: fields({
      a: ruled(list(string), {
        rule: 'true',
        messageExpression: "self.map(x, self.map(y, x + y).join(',')).join(',')",
      }),
    }),
  },
  'all rules together': {
    schema: fields(
      Object.fromEntries(
        // No two cost the same: the server names the most expensive ones.
        Array.from({ length: 12 }, (_, index) => [
          `f${index}`,
          ruled(list(integer, { maxItems: 1300 + index }), 'self.all(x, self.all(y, x == y))'),
        ]),
      ),
    ),
  },
  sums: {
    schema: fields({ a: ruled(list(integer), 'self.sum() > 5 && self.max() > 5 && self.isSorted()') }),
  },
  'sums of texts': {
    schema: fields({ a: ruled(list(string), "self.max() == 'a' && self.indexOf('b') > 1") }),
  },
  replacing: {
    schema: fields({
      a: ruled(string, "self.replace('a', 'bbbbbbbb').replace('b', 'cccccccc').replace('', 'x').size() > 5"),
    }),
  },
  splitting: {
    schema: fields({
      a: ruled(text(1000), "self.split(',').all(x, x.trim().lowerAscii().substring(1) == 'a')"),
    }),
  },
  'splitting text of any length': {
    schema: fields({ a: ruled(string, "self.split(',', 5).all(x, x.split('').join('-') == 'a')") }),
  },
  sets: {
    schema: fields({
      a: ruled(
        { ...object, properties: { b: list(string), c: list(string) } },
        'sets.contains(self.b, self.c) || sets.equivalent(self.b, self.c)',
      ),
    }),
  },
  'sets with limits': {
    schema: fields({
      a: ruled(
        {
          ...object,
          properties: { b: list(string, { maxItems: 1000 }), c: list(string, { maxItems: 2000 }) },
        },
        'sets.contains(self.b, self.c) || sets.equivalent(self.b, self.c)',
      ),
    }),
  },
  'lists of their own': {
    schema: fields({
      a: ruled(
        list(integer, { maxItems: 1000 }),
        'self.sort() == self.distinct() && self.slice(0, 5) == self.reverse() && [[1], [2]].flatten() == [1, 2]',
      ),
    }),
  },
  'sorting by a key': {
    schema: fields({
      a: ruled(
        list({ ...object, properties: { n: string } }, { maxItems: 1000 }),
        "self.sortBy(x, x.n)[0].n == 'a'",
      ),
    }),
  },
  addresses: {
    schema: fields({
      a: ruled(
        string,
        "isIP(self) && ip(self).family() == 4 && cidr('10.0.0.0/8').containsIP(self) && cidr('10.0.0.0/8').containsCIDR(self) && ip(self) == ip(self)",
      ),
    }),
  },
  quantities: {
    schema: fields({
      a: ruled(
        string,
        "quantity(self).isGreaterThan(quantity('1')) && quantity(self) == quantity(self) && isQuantity(self)",
      ),
    }),
  },
  'quantities in a list': {
    schema: fields({ a: list(ruled(string, "quantity(self).isGreaterThan(quantity('1'))")) }),
  },
  urls: {
    schema: fields({
      a: ruled(string, "url(self).getHost() == 'x' && isURL(self) && url(self) == url(self)"),
    }),
  },
  formats: {
    schema: fields({ a: list(ruled(text(100), '!format.dns1123Label().validate(self).hasValue()')) }),
  },
  optionals: {
    schema: fields({
      a: ruled(
        { ...object, properties: { b: map(string), c: integer } },
        "self.?b['x'].orValue('y') == 'y' && self.?c.optMap(v, v + 1).orValue(1) > 0 && optional.of(self.b).hasValue()",
      ),
    }),
  },
  'two variables': {
    schema: fields({
      a: ruled(
        map(string),
        'self.all(k, v, k == v) && self.transformList(k, v, k + v).size() > 1 && self.transformMap(k, v, v + v) == self',
      ),
    }),
  },
  literals: {
    schema: fields({
      a: ruled(
        integer,
        "[1, 2, 3].exists(x, x == self) && {'a': [1], 'b': [2]}.all(k, self in {'a': [1]}[k]) && self in [1, 2, 3]",
      ),
    }),
  },
  conditions: {
    schema: fields({
      a: ruled(
        { ...object, properties: { b: list(integer), c: list(integer) } },
        '(size(self.b) > 1 ? self.b : self.c + self.b).all(x, x > 1)',
      ),
    }),
  },
  'texts together': {
    schema: fields({
      a: ruled(
        { ...object, properties: { b: string, c: text(5) } },
        "(self.b + self.c + self.b).startsWith(self.b) && self.b < self.c && '%s %d'.format([self.b, 1]) == string(bytes(self.b).size())",
      ),
    }),
  },
  'integer or string in a list': {
    schema: fields({ a: list(ruled({ 'x-kubernetes-int-or-string': true }, 'string(self).size() > 1')) }),
  },
  'dynamic values': {
    schema: fields({
      a: ruled(list({ 'x-kubernetes-int-or-string': true }), 'self.all(x, dyn(x) == 1 || string(x) == "a")'),
    }),
  },
  'embedded resources': {
    schema: fields({
      a: list(
        ruled(
          { ...object, 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
          'self.metadata.name.startsWith(self.kind)',
        ),
      ),
    }),
  },
  'the whole object': {
    schema: ruled(fields({ a: list(string) }), 'self.spec.a.all(x, x.startsWith(self.metadata.name))'),
  },
  'no items': {
    schema: fields({ a: list(ruled(list(string), 'self.all(x, self.all(y, x == y))'), { maxItems: 0 }) }),
  },
}

const definitions: Record<string, SchemaCase> = {
  'no versions': { spec: { versions: [] } },
  'a version without a name': { spec: { versions: [version('', { storage: true })] } },
  'a version with a wrong name': { spec: { versions: [version('V1!', { storage: true })] } },
  'two versions of one name': { spec: { versions: [version('v1', { storage: true }), version('v1')] } },
  'no stored version': { spec: { versions: [version('v1'), version('v2')] } },
  'two stored versions': {
    spec: { versions: [version('v1', { storage: true }), version('v2', { storage: true })] },
  },
  'versions with schemas of their own': {
    spec: {
      versions: [
        version('v1', { storage: true }),
        version('v2', { schema: { openAPIV3Schema: fields({ a: {} }) } }),
      ],
    },
  },
  'versions with one schema': {
    spec: {
      versions: [
        version('v1', { storage: true, schema: { openAPIV3Schema: fields({ a: {} }) } }),
        version('v2', { schema: { openAPIV3Schema: fields({ a: {} }) } }),
      ],
    },
  },
  'a version without a schema': {
    spec: { versions: [version('v1', { storage: true }), { name: 'v2', served: true, storage: false }] },
  },
  'a group without a dot': { spec: { group: 'example' } },
  'an empty group': { spec: { group: '' } },
  'a wrong group': { spec: { group: 'Example_.com' } },
  'a group of the community': { spec: { group: 'foo.k8s.io' } },
  'a group of the community, approved': {
    spec: { group: 'foo.k8s.io' },
    annotations: { 'api-approved.kubernetes.io': 'https://example.com/1' },
  },
  'a group of the community, not approved': {
    spec: { group: 'foo.kubernetes.io' },
    annotations: { 'api-approved.kubernetes.io': 'unapproved, test' },
  },
  'a group of the community, wrongly approved': {
    spec: { group: 'k8s.io' },
    annotations: { 'api-approved.kubernetes.io': 'yes' },
  },
  'an unknown scope': { schema: object, spec: { scope: 'World' } },
  'no scope': { schema: object, spec: { scope: '' } },
  'no names': { schema: object, spec: { names: {} } },
  'wrong names': {
    schema: object,
    spec: {
      names: {
        plural: 'A_',
        singular: 'B_',
        kind: 'c_d',
        listKind: '-',
        shortNames: ['X', 'ok', ''],
        categories: ['All', 'ok'],
      },
    },
  },
  'kind and list kind the same': {
    schema: object,
    spec: { names: { plural: 'xs', kind: 'X', listKind: 'X' } },
  },
  'another plural than the name says': {
    schema: object,
    spec: { names: { plural: 'others', kind: 'Other' } },
  },
  'a deprecated version': { schema: object, version: { deprecated: true, deprecationWarning: 'use v2' } },
  'a warning without deprecation': { schema: object, version: { deprecationWarning: 'use v2' } },
  'an empty warning': { schema: object, version: { deprecated: true, deprecationWarning: '' } },
  'a long warning': { schema: object, version: { deprecated: true, deprecationWarning: 'x'.repeat(257) } },
  'a warning of two lines': { schema: object, version: { deprecated: true, deprecationWarning: 'äa\nb' } },
  columns: {
    schema: fields({ a: string }),
    version: {
      additionalPrinterColumns: [
        { name: 'A', type: 'string', jsonPath: '.spec.a', priority: 1, format: 'byte', description: 'x' },
      ],
    },
  },
  'wrong columns': {
    schema: object,
    version: {
      additionalPrinterColumns: [
        { name: '', type: '', jsonPath: '' },
        { name: 'A', type: 'text', format: 'x', jsonPath: 'spec.a' },
      ],
    },
  },
  'a status': {
    schema: fields({ a: string }),
    version: { subresources: { status: {} } },
    objects: [{ spec: { a: 'x' }, status: { b: 1 } }],
  },
  'a status and rules for the root': {
    schema: { ...object, anyOf: [{}] },
    version: { subresources: { status: {} } },
  },
  'a status and a root that is no object': { schema: string, version: { subresources: { status: {} } } },
  'a status and bounds for the root': {
    schema: { ...object, minProperties: 1 },
    version: { subresources: { status: {} } },
  },
  'a scale': {
    schema: {
      ...object,
      properties: {
        spec: { ...object, properties: { replicas: integer } },
        status: { ...object, properties: { replicas: integer, selector: string } },
      },
    },
    version: {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
    },
    objects: [
      { spec: { replicas: 2 } },
      { spec: { replicas: -1 } },
      { spec: { replicas: 3_000_000_000 } },
      { spec: { replicas: 'x' } },
      {},
    ],
  },
  'a wrong scale': {
    schema: object,
    version: {
      subresources: {
        scale: { specReplicasPath: 'spec', statusReplicasPath: '.spec.x', labelSelectorPath: '.metadata.x' },
      },
    },
  },
  'an empty scale': { schema: object, version: { subresources: { scale: {} } } },
  'a scale with a wrong selector': {
    schema: object,
    version: {
      subresources: {
        scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.a', labelSelectorPath: 'x' },
      },
    },
  },
  'selectable fields': {
    schema: fields({ a: string, b: integer, c: { type: 'boolean' } }),
    version: {
      selectableFields: [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.b' }, { jsonPath: '.spec.c' }],
    },
  },
  'wrong selectable fields': {
    schema: {
      ...object,
      properties: {
        metadata: { ...object, properties: { name: string } },
        spec: { ...object, properties: { a: string, l: list(string), o: object, m: map(string) } },
      },
    },
    version: {
      selectableFields: [
        '',
        'spec.a',
        '.spec.x',
        '.spec.a',
        '.spec.a',
        '.spec.l',
        '.spec.o',
        '.metadata.name',
        ".spec['a']",
        '.spec.',
        '.spec.m.x',
      ].map((jsonPath) => ({ jsonPath })),
    },
  },
  'too many selectable fields': {
    schema: fields(Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, string]))),
    version: { selectableFields: Array.from({ length: 9 }, (_, index) => ({ jsonPath: `.spec.f${index}` })) },
  },
  'selectable fields without a schema': { version: { selectableFields: [{ jsonPath: '.spec.a' }] } },
  'selectable fields in versions with different schemas': {
    spec: {
      versions: [
        version('v1', {
          storage: true,
          schema: { openAPIV3Schema: fields({ a: string }) },
          selectableFields: [{ jsonPath: '.spec.a' }],
        }),
        version('v2', {
          schema: { openAPIV3Schema: fields({ a: string, b: string }) },
          selectableFields: [{ jsonPath: '.spec.a' }],
        }),
      ],
    },
  },
  'selectable fields in one version': {
    spec: {
      versions: [
        version('v1', { storage: true }),
        version('v2', {
          schema: { openAPIV3Schema: fields({ a: string }) },
          selectableFields: [{ jsonPath: '.spec.b' }],
        }),
      ],
    },
  },
  'an unknown conversion': { schema: object, spec: { conversion: { strategy: 'Magic' } } },
  'a conversion without a strategy': { schema: object, spec: { conversion: { strategy: '' } } },
  'no conversion, with a webhook': {
    schema: object,
    spec: {
      conversion: {
        strategy: 'None',
        webhook: { clientConfig: { url: 'https://x' }, conversionReviewVersions: ['v1'] },
      },
    },
  },
  'a webhook without a configuration': { schema: object, spec: { conversion: { strategy: 'Webhook' } } },
  'a webhook without a place': {
    schema: object,
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: {}, conversionReviewVersions: ['v2', 'v2', 'X'] },
      },
    },
  },
  'a webhook in two places': {
    schema: object,
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: 'https://x', service: { namespace: 'a', name: 'b' } },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  },
  'a webhook at a wrong url': {
    schema: object,
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'http://u:p@/x?y=z#f' }, conversionReviewVersions: ['v1'] },
      },
    },
  },
  'a webhook at a service': {
    schema: object,
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { namespace: 'a', name: 'b', path: '/x/y' } },
          conversionReviewVersions: ['v1', 'v1beta1'],
        },
      },
    },
  },
  'a webhook at a wrong service': {
    schema: object,
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { service: { namespace: '', name: 'b', path: 'x//Y', port: 70000 } },
          conversionReviewVersions: [],
        },
      },
    },
  },
  'a webhook with wrong certificates': {
    schema: object,
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          clientConfig: { url: 'https://x.example.com', caBundle: 'eA==' },
          conversionReviewVersions: ['v1'],
        },
      },
    },
  },
}

const values: Record<string, SchemaCase> = {
  'unknown fields': { schema: fields({ a: string }), objects: [{ spec: { a: 'x', b: 1 }, other: { c: 1 } }] },
  nulls: {
    schema: fields({
      a: string,
      b: { ...string, nullable: true },
      c: list({ ...string, nullable: true }),
      d: map(string),
    }),
    objects: [{ spec: { a: null, b: null, c: [null], d: { x: null } } }, { spec: null }],
  },
  'wrong types': {
    schema: fields({
      s: string,
      i: integer,
      n: { type: 'number' },
      b: { type: 'boolean' },
      o: object,
      l: list(string),
    }),
    objects: [
      { spec: { s: 1, i: 'x', n: 'x', b: 'x', o: [], l: {} } },
      { spec: { s: [], i: 1.5, n: true, b: 1, o: 'x', l: 'x' } },
      { spec: 'x' },
      { spec: [] },
    ],
  },
  bounds: {
    schema: fields({
      s: { ...string, minLength: 2, maxLength: 3 },
      i: { ...integer, minimum: 1, maximum: 3, multipleOf: 2 },
      l: list(string, { minItems: 1, maxItems: 2 }),
      m: map(string, { minProperties: 1, maxProperties: 2 }),
      e: { ...string, enum: ['a', 'b'] },
      p: { ...string, pattern: '^a+$' },
    }),
    objects: [
      { spec: { s: 'a', i: 0, l: [], m: {}, e: 'c', p: 'b' } },
      { spec: { s: 'aaaa', i: 5, l: ['', '', ''], m: { a: '', b: '', c: '' }, e: '', p: '' } },
      { spec: { s: 'äö', i: 2, l: ['x'], m: { a: '' }, e: 'a', p: 'aa' } },
    ],
  },
  'required fields': {
    schema: root(
      { ...object, required: ['a', 'b'], properties: { a: string, b: string } },
      { required: ['spec'] },
    ),
    objects: [{}, { spec: {} }, { spec: { a: '' } }],
  },
  formats: {
    schema: fields({
      date: { ...string, format: 'date' },
      dateTime: { ...string, format: 'date-time' },
      duration: { ...string, format: 'duration' },
      uuid: { ...string, format: 'uuid' },
      ipv4: { ...string, format: 'ipv4' },
      email: { ...string, format: 'email' },
      uri: { ...string, format: 'uri' },
      byte: { ...string, format: 'byte' },
      int32: { ...integer, format: 'int32' },
      name: { ...string, format: 'k8s-short-name' },
    }),
    objects: [
      {
        spec: {
          date: 'x',
          dateTime: 'x',
          duration: 'x',
          uuid: 'x',
          ipv4: 'x',
          email: 'x',
          uri: ' ',
          byte: '?',
          int32: 3_000_000_000,
          name: 'X',
        },
      },
      {
        spec: {
          date: '2020-01-01',
          dateTime: '2020-01-01T00:00:00Z',
          duration: '1h',
          ipv4: '1.2.3.4',
          email: 'a@b.c',
          uri: 'https://x',
          byte: 'eA==',
          int32: 1,
          name: 'x',
        },
      },
    ],
  },
  'large numbers': {
    schema: fields({ a: integer, b: { type: 'number' } }),
    objects: [{ spec: { a: 9_007_199_254_740_991, b: 1e21 } }],
  },
  'status without a subresource': {
    schema: { ...object, properties: { status: { ...object, properties: { a: integer } } } },
    objects: [{ status: { a: 1 } }, { status: { a: 'x' } }],
  },
  'many errors at once': {
    schema: fields({ a: integer, b: list(integer), c: ruled(integer, 'self > 1') }, { required: ['d'] }),
    objects: [{ spec: { a: 'x', b: ['y', 1], c: 0 } }, { spec: { c: 0, d: 1 } }],
  },
}

/** By area and name. */
export const schemaCases: Readonly<Record<string, Readonly<Record<string, SchemaCase>>>> = {
  structure,
  branches,
  metadata,
  extensions,
  defaults,
  rules,
  costs,
  definitions,
  values,
}
