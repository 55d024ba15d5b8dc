import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { FieldError } from '../field-error.js'
import { defineKind } from '../kind/define-kind.js'
import { cel, listMap } from '../kind/schema-meta.js'
import type { StructuralSchema } from '../structural-schema.js'
import { loadValidator } from './validator.js'

function short({ field, reason, message }: FieldError): string {
  return `${field} ${reason.replace('FieldValue', '')}: ${message}`
}

const string = { type: 'string' } as const

const Foo = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Foo',
  spec: z
    .object({
      replicas: z.int32().min(1).max(10).default(1),
      name: z.string().max(5).optional(),
      ports: z
        .array(z.object({ name: z.string(), port: z.int32().default(80) }))
        .meta(listMap('name'))
        .optional(),
    })
    .meta(
      cel("!has(self.name) || self.name != 'bad' || self.replicas == 1", { message: 'bad ones come alone' }),
    ),
  status: z.object({ phase: z.enum(['On', 'Off']).optional(), replicas: z.int32().optional() }),
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
})

function foo(spec: object, more: object = {}): object {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Foo',
    metadata: { name: 'a', namespace: 'default' },
    spec,
    ...more,
  }
}

describe('an object of a kind', () => {
  test('what the server fills in may be absent', async () => {
    const validator = await loadValidator(Foo)
    expect(validator.validate({ metadata: { generateName: 'foo-' }, spec: { replicas: 2 } })).toEqual([])
  })

  test('a wrong type is the only complaint', async () => {
    const validator = await loadValidator(Foo)
    const object = { apiVersion: 'example.com/v2', kind: 'Bar', metadata: {}, spec: 5 }
    expect(validator.validate(object).map(short)).toEqual([
      'kind Invalid: Invalid value: "Bar": must be Foo',
      'apiVersion Invalid: Invalid value: "example.com/v2": must be example.com/v1',
    ])
  })

  test('metadata is judged first, then fields, then what scale reads', async () => {
    const validator = await loadValidator(Foo)
    const object = { ...foo({ replicas: '3' }), metadata: { name: 'Not Fine' } }
    expect(validator.validate(object).map(({ field }) => field)).toEqual([
      'metadata.name',
      'spec.replicas',
      '.spec.replicas',
      '<nil>',
    ])
    expect(validator.validate(object).at(2)?.message).toBe(
      'Invalid value: 0: .spec.replicas accessor error: 3 is of the type string, expected int64',
    )
  })

  test('a namespace on an object of the cluster is refused', async () => {
    const kind = defineKind({ group: 'example.com', version: 'v1', kind: 'Wide', scope: 'Cluster' })
    const validator = await loadValidator(kind)
    expect(validator.validate({ metadata: { name: 'a', namespace: 'b' } }).map(short)).toEqual([
      'metadata.namespace Forbidden: Forbidden: not allowed on this type',
    ])
  })

  test('rules are evaluated when the fields are right, and left out when they are not', async () => {
    const validator = await loadValidator(Foo)
    expect(validator.validate(foo({ name: 'bad', replicas: 2 })).map(short)).toEqual([
      'spec Invalid: Invalid value: bad ones come alone',
    ])
    expect(validator.validate(foo({ name: 'bad', replicas: 'x' })).at(-1)).toEqual({
      field: '<nil>',
      reason: 'FieldValueInvalid',
      message:
        'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    })
  })

  test('a wrong bound does not keep rules from being evaluated', async () => {
    const validator = await loadValidator(Foo)
    expect(validator.validate(foo({ name: 'bad', replicas: 11 })).map(({ field }) => field)).toEqual([
      'spec.replicas',
      'spec',
    ])
  })

  test('a write to the status is judged by the status alone', async () => {
    const validator = await loadValidator(Foo)
    const object = foo({ replicas: 99 }, { status: { phase: 'Odd', replicas: -1 } })
    expect(
      validator.validate(object, { old: foo({ replicas: 99 }), subresource: 'status' }).map(short),
    ).toEqual([
      'status.phase NotSupported: Unsupported value: "Odd": supported values: "On", "Off"',
      '.status.replicas Invalid: Invalid value: -1: should be a non-negative integer',
      '<nil> Invalid: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
  })
})

describe('an update', () => {
  test('forgives what was wrong before and did not change', async () => {
    const validator = await loadValidator(Foo)
    const old = foo({ replicas: 1, name: 'far too long' })
    expect(validator.validate(foo({ replicas: 2, name: 'far too long' }), { old })).toEqual([])
    expect(validator.validate(foo({ replicas: 2, name: 'still too long' }), { old })).toHaveLength(2)
  })

  test('finds items of list maps by their keys', async () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: string, text: { ...string, maxLength: 1 } } },
        },
      },
    }
    const validator = await loadValidator(schema)
    const old = { list: [{ name: 'a', text: 'long' }] }
    expect(validator.validate({ list: [{ name: 'b' }, { name: 'a', text: 'long' }] }, { old })).toEqual([])
    expect(validator.validate({ list: [{ name: 'b', text: 'long' }] }, { old })).toHaveLength(1)
  })

  test('repetitions that were there before may stay', async () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: { set: { type: 'array', 'x-kubernetes-list-type': 'set', items: string } },
    }
    const validator = await loadValidator(schema)
    expect(validator.validate({ set: ['a', 'a', 'b'] }, { old: { set: ['c', 'c'] } })).toEqual([])
    expect(validator.validate({ set: ['a', 'a', 'b'] }, { old: { set: ['c'] } })).toHaveLength(1)
  })

  test('names cannot change, and an object that goes away gets no new finalizers', async () => {
    const validator = await loadValidator(Foo)
    const old = {
      ...foo({}),
      metadata: { name: 'a', namespace: 'default', uid: 'u', deletionTimestamp: '2024-02-29T00:00:00Z' },
    }
    const next = { ...foo({}), metadata: { name: 'b', finalizers: ['example.com/x'] } }
    expect(validator.validate(next, { old }).map(short)).toEqual([
      'metadata.finalizers Forbidden: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/x"}',
      'metadata.name Invalid: Invalid value: "b": field is immutable',
    ])
  })
})
