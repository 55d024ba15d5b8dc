import { expect, test } from 'vitest'
import type { Schema } from './schema-view.js'
import { isOpen, type TypeScope, typeMembers } from './type-text.js'

const scope: TypeScope = {
  hasRealDefaults: true,
  reference: (target) => `Ref<${target}>`,
  declare: (wantedName) => wantedName,
  mapOf: (valueType) => `Record<string, ${valueType}>`,
}
const typeOf = (schema: Schema): string => typeMembers(schema, 'Named', scope).join(' | ')

test.each<[string, Schema, string]>([
  ['a string', { type: 'string', format: 'date-time' }, 'string'],
  ['bytes', { type: 'string', format: 'byte' }, 'string'],
  ['an integer of any size', { type: 'integer', format: 'int64' }, 'number'],
  ['a number', { type: 'number' }, 'number'],
  ['a boolean', { type: 'boolean' }, 'boolean'],
  ['nothing known', {}, 'unknown'],
  ['nothing known, nullable', { nullable: true }, 'unknown'],
  ['an unheard-of type', { type: 'tuple' }, 'unknown'],
  ['nullable', { type: 'string', nullable: true }, 'string | null'],
  ['an enum', { type: 'string', enum: ['a', 'b', ''] }, "'a' | 'b' | ''"],
  ['an enum with repeats', { type: 'string', enum: ['a', 'a'] }, "'a'"],
  ['an enum of numbers', { type: 'number', enum: [1, -2.5, 1e-7] }, '1 | -2.5 | 1e-7'],
  ['an enum beyond 2^53 that kept its digits', { enum: [9007199254740993n] }, '9007199254740993n'],
  ['an enum beyond 2^53 that lost its digits', { type: 'integer', enum: [1, 2 ** 60] }, 'number'],
  ['an enum of booleans', { type: 'boolean', enum: [true] }, 'true'],
  ['a nullable enum', { type: 'string', nullable: true, enum: ['a', null] }, "'a' | null"],
  ['a nullable enum without null', { type: 'string', nullable: true, enum: ['a'] }, "'a' | null"],
  ['an enum of objects', { type: 'object', enum: [{ a: 1 }] }, 'Record<string, never>'],
  ['an array', { type: 'array', items: { type: 'string' } }, 'string[]'],
  ['an array of a union', { type: 'array', items: { type: 'string', nullable: true } }, '(string | null)[]'],
  ['an array of arrays', { type: 'array', items: { type: 'array', items: {} } }, 'unknown[][]'],
  ['an array without items', { type: 'array' }, 'unknown[]'],
  ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
  ['a map without a type', { additionalProperties: { type: 'string' } }, 'Record<string, string>'],
  ['an open map', { type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
  [
    'an object that keeps everything',
    { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    'Record<string, unknown>',
  ],
  ['a value that keeps everything', { 'x-kubernetes-preserve-unknown-fields': true }, 'unknown'],
  ['an object that keeps nothing', { type: 'object' }, 'Record<string, never>'],
  ['an object with fields', { type: 'object', properties: { a: {} } }, 'Named'],
  ['fields without a type', { properties: { a: {} } }, 'Named'],
  ['items without a type', { items: { type: 'string' } }, 'string[]'],
  ['an embedded object', { type: 'object', 'x-kubernetes-embedded-resource': true }, 'Named'],
  [
    'a number or a string',
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    'number | string',
  ],
  ['the format of IntOrString', { format: 'int-or-string', oneOf: [] }, 'number | string'],
  [
    'alternatives',
    { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'integer' }] },
    'string | number',
  ],
  ['alternatives, one of them unknown', { anyOf: [{ type: 'string' }, { minimum: 1 }] }, 'unknown'],
  ['validations beside a type', { type: 'string', anyOf: [{ pattern: 'a' }, { enum: ['b'] }] }, 'string'],
  ['a reference', { $ref: '#/a' }, 'Ref<#/a>'],
  ['a reference with a default', { default: {}, allOf: [{ $ref: '#/a' }] }, 'Ref<#/a>'],
  ['a reference, nullable', { nullable: true, allOf: [{ $ref: '#/a' }] }, 'Ref<#/a> | null'],
  ['allOf of validations', { type: 'integer', allOf: [{ minimum: 1 }, { maximum: 3 }] }, 'number'],
])('%s', (_name, schema, expected) => {
  expect(typeOf(schema)).toBe(expected)
})

test('an object is open when it keeps unknown fields or names a type for them', () => {
  expect(isOpen({ 'x-kubernetes-preserve-unknown-fields': true })).toBe(true)
  expect(isOpen({ additionalProperties: { type: 'string' } })).toBe(true)
  expect(isOpen({ additionalProperties: false })).toBe(false)
  expect(isOpen({ properties: {} })).toBe(false)
})
