import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { deepCopy } from '../../base/index.js'
import type { ApiObject } from '../api-object.js'
import { ApiFailure } from '../failure.js'
import type { WriteContext } from '../resource.js'
import { crdStrategy, lazyEngines } from './definition-strategy.js'
import { normalizeDefinition } from './normalize-definition.js'

function definition(spec: unknown): ApiObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'as.example.com' },
    spec,
  }
}

const withField = (a: unknown): ApiObject =>
  definition({
    group: 'example.com',
    names: { plural: 'as', kind: 'A' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { a } } } },
        },
      },
    ],
  })

function failureOf(run: () => void): string {
  try {
    run()
    return ''
  } catch (error) {
    if (error instanceof ApiFailure) return error.message
    throw error
  }
}

describe('a schema that is none is refused in the words of the decoder', () => {
  const place = 'spec.versions.schema.openAPIV3Schema.properties.properties'

  // The texts of a kube-apiserver v1.36.3.
  test.each([
    [
      { items: { type: 5 } },
      `cannot unmarshal number into Go struct field JSONSchemaProps.${place}.items.type of type string`,
    ],
    [
      { additionalProperties: { maxLength: 'x' } },
      `cannot unmarshal string into Go struct field JSONSchemaProps.${place}.additionalProperties.maxLength of type int64`,
    ],
    [
      { items: { properties: { b: 5 } } },
      `cannot unmarshal number into Go struct field JSONSchemaProps.${place}.items.properties of type v1.JSONSchemaProps`,
    ],
    [
      { items: { required: 'x' } },
      `cannot unmarshal string into Go struct field JSONSchemaProps.${place}.items.required of type []string`,
    ],
    [
      { items: { items: { 'x-kubernetes-validations': 'x' } } },
      `cannot unmarshal string into Go struct field JSONSchemaProps.${place}.items.items.x-kubernetes-validations of type v1.ValidationRules`,
    ],
    [
      { items: { maxLength: 1.5 } },
      `cannot unmarshal number 1.5 into Go struct field JSONSchemaProps.${place}.items.maxLength of type int64`,
    ],
    [
      { items: { nullable: 'x' } },
      `cannot unmarshal string into Go struct field JSONSchemaProps.${place}.items.nullable of type bool`,
    ],
    [
      { items: { maximum: 'x' } },
      `cannot unmarshal string into Go struct field JSONSchemaProps.${place}.items.maximum of type float64`,
    ],
    [
      { items: [5] },
      `cannot unmarshal number into Go struct field JSONSchemaProps.${place}.items of type v1.JSONSchemaProps`,
    ],
    [
      { items: { enum: 5 } },
      `cannot unmarshal number into Go struct field JSONSchemaProps.${place}.items.enum of type []v1.JSON`,
    ],
    [
      { items: { 'x-kubernetes-validations': [{ rule: 5 }] } },
      `cannot unmarshal number into Go struct field JSONSchemaProps.${place}.items.x-kubernetes-validations.rule of type string`,
    ],
  ])('%j', (schema, message) => {
    expect(failureOf(() => normalizeDefinition(withField(schema)))).toBe(
      `CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: json: ${message}`,
    )
  })

  test('a word in place of a schema for other keys', () => {
    expect(failureOf(() => normalizeDefinition(withField({ additionalProperties: 'x' })))).toBe(
      'CustomResourceDefinition in version "v1" cannot be handled as a CustomResourceDefinition: boolean or JSON schema expected',
    )
  })

  test('a schema that is nested too deeply is refused, not followed', () => {
    let schema: object = { type: 'string' }
    for (let depth = 0; depth < 5_000; depth++) schema = { type: 'array', items: schema }
    expect(failureOf(() => normalizeDefinition(withField(schema)))).toMatch(/nested deeper/)
  })
})

test('fields may have the names of what objects inherit', () => {
  const draft = withField({
    type: 'object',
    properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}'),
  })
  normalizeDefinition(draft)
  expect(JSON.stringify(draft['spec'])).toContain(
    '"properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}',
  )
})

describe('whatever is decoded', () => {
  const engines = lazyEngines()
  beforeAll(() => engines.load())
  const keyword = fc.constantFrom(
    'type',
    'items',
    'properties',
    'additionalProperties',
    'default',
    'anyOf',
    'not',
    'x-kubernetes-list-type',
    'x-kubernetes-list-map-keys',
    'x-kubernetes-validations',
    'x-kubernetes-int-or-string',
    'x-kubernetes-embedded-resource',
    'x-kubernetes-preserve-unknown-fields',
  )
  const { schema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
    schema: fc.dictionary(keyword, tie('value'), { maxKeys: 5 }),
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom('object', 'array', 'string', 'map', 'set', true, false, 1, null, {}, []),
      tie('schema'),
      fc.array(tie('schema'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'metadata', '__proto__'), tie('schema'), { maxKeys: 2 }),
    ),
  }))
  const context: Pick<WriteContext, 'warn'> = { warn: () => {} }

  test('is judged without breaking down, and looks the same when it is looked at again', () => {
    const strategy = crdStrategy(engines)
    fc.assert(
      fc.property(schema, (each) => {
        const draft = withField(deepCopy(each))
        if (failureOf(() => strategy.applyDefaults(draft)) !== '') return
        const once = deepCopy(draft)
        strategy.applyDefaults(draft)
        expect(draft).toEqual(once)
        strategy.prepareForCreate(draft, context as WriteContext)
        strategy.validateCreate(draft, context as WriteContext)
      }),
      { numRuns: 500 },
    )
  })
})
