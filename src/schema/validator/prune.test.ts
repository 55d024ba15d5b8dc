import { describe, expect, test } from 'vitest'
import { defineKind } from '../kind/define-kind.js'
import { structural } from '../kind/standard-schema.js'
import { loadValidator } from './validator.js'

const string = { type: 'string' } as const
const integer = { type: 'integer' } as const

describe('pruning and defaults', () => {
  test('unknown fields go, those of the type and open ones stay, and nothing is changed in place', async () => {
    const kind = defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Foo',
      spec: structural<object>({
        type: 'object',
        properties: {
          known: { type: 'object', properties: { a: string } },
          map: { type: 'object', additionalProperties: { type: 'object', properties: { a: string } } },
          open: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { known: { type: 'object', properties: { a: string } } },
          },
          template: {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            properties: { spec: { type: 'object' } },
          },
        },
      }),
    })
    const validator = await loadValidator(kind)
    const object = {
      apiVersion: 'example.com/v1',
      kind: 'Foo',
      metadata: { name: 'a', unknown: 1, labels: {} },
      extra: 1,
      spec: {
        unknown: 1,
        known: { a: 'x', b: 'y' },
        map: { k: { a: 'x', b: 'y' } },
        open: { b: { c: 1 }, known: { a: 'x', b: 'y' } },
        template: {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'p', unknown: 1 },
          spec: { a: 1 },
          data: 1,
        },
      },
    }
    const before = structuredClone(object)
    expect(validator.prune(object)).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Foo',
      metadata: { name: 'a' },
      spec: {
        known: { a: 'x' },
        map: { k: { a: 'x' } },
        open: { b: { c: 1 }, known: { a: 'x' } },
        template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: {} },
      },
    })
    expect(object).toEqual(before)
  })

  test('null goes where it is neither allowed nor replaced', async () => {
    const validator = await loadValidator({
      type: 'object',
      properties: {
        plain: string,
        nullable: { ...string, nullable: true },
        defaulted: { ...string, default: 'x' },
        list: { type: 'array', items: string },
      },
    })
    const object = { plain: null, nullable: null, defaulted: null, list: [null] }
    expect(validator.prune(object)).toEqual({ nullable: null, defaulted: null, list: [null] })
    expect(validator.applyDefaults(validator.prune(object))).toEqual({
      nullable: null,
      defaulted: 'x',
      list: [null],
    })
  })

  test('defaults are filled in on every level that exists, also inside defaults', async () => {
    const validator = await loadValidator({
      type: 'object',
      properties: {
        a: { type: 'object', default: { x: 1 }, properties: { x: integer, y: { ...integer, default: 2 } } },
        b: { type: 'object', properties: { y: { ...integer, default: 2 } } },
        list: { type: 'array', items: { type: 'object', properties: { y: { ...integer, default: 2 } } } },
        map: {
          type: 'object',
          additionalProperties: { type: 'object', properties: { y: { ...integer, default: 2 } } },
        },
      },
    })
    expect(validator.applyDefaults({ list: [{}, { y: 5 }], map: { k: {} } })).toEqual({
      a: { x: 1, y: 2 },
      list: [{ y: 2 }, { y: 5 }],
      map: { k: { y: 2 } },
    })
  })

  test('a default is never shared between objects', async () => {
    const validator = await loadValidator({
      type: 'object',
      properties: { a: { type: 'object', default: { b: [] } } },
    })
    const [first, second] = [validator.applyDefaults({}), validator.applyDefaults({})]
    expect(first).toEqual({ a: {} })
    expect(Reflect.get(first, 'a')).not.toBe(Reflect.get(second, 'a'))
  })
})
