import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineKind, type KindOptions } from './define-kind.js'
import { InvalidKindError } from './problem.js'
import { toCrd } from './to-crd.js'
import type { DefinedKind } from './version-definition.js'

function version(name: string, options: Partial<KindOptions> = {}): DefinedKind {
  const spec = z.object({ [`from${name}`]: z.string() })
  return defineKind({ group: 'example.com', version: name, kind: 'Foo', spec, ...options })
}

test('a kind becomes a definition with all that it says', () => {
  const Foo = defineKind({
    group: 'example.com',
    version: 'v1alpha1',
    kind: 'Foo',
    shortNames: ['fo'],
    categories: ['all'],
    scope: 'Cluster',
    description: 'A foo.',
    spec: z.object({ size: z.enum(['s', 'm']), replicas: z.int32() }),
    status: z.object({ replicas: z.int32() }),
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    columns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size', priority: 1, description: 'How big.' }],
    selectableFields: ['.spec.size'],
    rules: [{ rule: "self.metadata.name != 'x'", message: 'not x' }],
    deprecated: 'Use v1.',
    labels: { app: 'demo' },
    annotations: { 'example.com/a': 'b' },
  })
  expect(toCrd(Foo)).toEqual({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com', labels: { app: 'demo' }, annotations: { 'example.com/a': 'b' } },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: {
        kind: 'Foo',
        listKind: 'FooList',
        plural: 'foos',
        singular: 'foo',
        shortNames: ['fo'],
        categories: ['all'],
      },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          deprecated: true,
          deprecationWarning: 'Use v1.',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description: 'A foo.',
              required: ['spec'],
              'x-kubernetes-validations': [{ rule: "self.metadata.name != 'x'", message: 'not x' }],
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: {
                  type: 'object',
                  required: ['size', 'replicas'],
                  properties: {
                    size: { type: 'string', enum: ['s', 'm'] },
                    replicas: { type: 'integer', format: 'int32' },
                  },
                },
                status: {
                  type: 'object',
                  required: ['replicas'],
                  properties: { replicas: { type: 'integer', format: 'int32' } },
                },
              },
            },
          },
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
          additionalPrinterColumns: [
            { name: 'Size', type: 'string', jsonPath: '.spec.size', priority: 1, description: 'How big.' },
          ],
          selectableFields: [{ jsonPath: '.spec.size' }],
        },
      ],
    },
  })
})

test('a definition holds nothing that was not said', () => {
  const crd = toCrd(defineKind({ group: 'example.com', version: 'v1', kind: 'Foo' }))
  expect(Object.keys(crd.spec.versions[0] ?? {})).toEqual(['name', 'served', 'storage', 'schema'])
  expect(crd.metadata).toEqual({ name: 'foos.example.com' })
})

test('a definition is the caller’s to change', () => {
  const crd = toCrd(version('v1'))
  crd.metadata.labels = { app: 'demo' }
  expect(Object.isFrozen(crd.spec.versions[0]?.schema.openAPIV3Schema)).toBe(false)
})

describe('several versions', () => {
  test('become one definition with the conversion between them', () => {
    const conversion = {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { namespace: 'default', name: 'webhook', path: '/convert' } },
        conversionReviewVersions: ['v1'],
      },
    } as const
    const crd = toCrd(
      [version('v1', { labels: { a: 'b' } }), version('v1beta1', { storage: false, served: false })],
      {
        conversion,
      },
    )
    expect(crd.spec.versions.map(({ name, storage, served }) => [name, storage, served])).toEqual([
      ['v1', true, true],
      ['v1beta1', false, false],
    ])
    expect(crd.spec.conversion).toEqual(conversion)
    expect(crd.metadata.labels).toEqual({ a: 'b' })
  })

  test.each<[string, readonly DefinedKind[], string]>([
    ['none at all', [], 'versions'],
    ['two that are stored', [version('v1'), version('v2')], 'storage'],
    ['none that is stored', [version('v1', { storage: false })], 'storage'],
    ['the same one twice', [version('v1'), version('v1', { storage: false })], 'versions[1].version'],
    [
      'different groups',
      [version('v1'), version('v2', { storage: false, group: 'example.org' })],
      'versions[1].group',
    ],
    [
      'different scopes',
      [version('v1'), version('v2', { storage: false, scope: 'Cluster' })],
      'versions[1].scope',
    ],
    [
      'different plurals',
      [version('v1'), version('v2', { storage: false, plural: 'fooes' })],
      'versions[1].plural',
    ],
    [
      'different short names',
      [version('v1'), version('v2', { storage: false, shortNames: ['f'] })],
      'versions[1].shortNames',
    ],
  ])('%s are refused', (_, versions, path) => {
    expect(() => toCrd(versions)).toThrow(InvalidKindError)
    expect(() => toCrd(versions)).toThrow(`  ${path}: `)
  })

  test.each([
    ['neither url nor service', {}, ['v1'], 'conversion.webhook.clientConfig'],
    [
      'a version of reviews that nobody speaks',
      { url: 'https://a' },
      ['v2'],
      'conversion.webhook.conversionReviewVersions',
    ],
  ])('a webhook with %s is refused', (_, clientConfig, conversionReviewVersions, path) => {
    const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } } as const
    expect(() => toCrd(version('v1'), { conversion })).toThrow(`  ${path}: `)
  })
})
