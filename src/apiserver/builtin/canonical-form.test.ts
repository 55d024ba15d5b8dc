import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepCopy } from '../../base/index.js'
import { applyCanonicalForm } from './canonical-form.js'
import { listedResources } from './listed-resources.js'
import { schemaOf } from './schema-of.js'

function formOf(kind: string, object: Record<string, unknown>, group = ''): unknown {
  const draft = deepCopy(object)
  applyCanonicalForm(schemaOf(group, 'v1', kind), draft)
  return draft
}

/** What the real server gives back of each body, but for what it fills in beyond the zero values. */
const answers: [title: string, kind: string, body: Record<string, unknown>, answer: unknown][] = [
  ['unknown fields go', 'ConfigMap', { metadata: {}, foo: 1 }, { metadata: {} }],
  [
    'empty maps and lists go',
    'ConfigMap',
    { metadata: { labels: {}, finalizers: [] }, data: {} },
    { metadata: {} },
  ],
  [
    'a null in a map of texts is an empty text',
    'ConfigMap',
    { metadata: {}, data: { a: null } },
    { metadata: {}, data: { a: '' } },
  ],
  [
    'structs are there even if nobody set them',
    'PodTemplate',
    {},
    { metadata: {}, template: { metadata: {}, spec: { containers: null } } },
  ],
  ['lists that must be there are null', 'Pod', {}, { metadata: {}, spec: { containers: null }, status: {} }],
  [
    'a null in a list is an empty struct',
    'Pod',
    { metadata: {}, spec: { containers: [null] }, status: {} },
    { metadata: {}, spec: { containers: [{ name: '', resources: {} }] }, status: {} },
  ],
  [
    'false and zero stay where Go has a pointer, and go where it has none',
    'Pod',
    { spec: { containers: [], hostNetwork: false, enableServiceLinks: false, activeDeadlineSeconds: 0 } },
    {
      metadata: {},
      spec: { containers: null, enableServiceLinks: false, activeDeadlineSeconds: 0 },
      status: {},
    },
  ],
  [
    'times without a value are null',
    'Event',
    { metadata: {} },
    {
      metadata: {},
      involvedObject: {},
      source: {},
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: null,
      reportingComponent: '',
      reportingInstance: '',
    },
  ],
  [
    'times are in UTC and cut',
    'Event',
    { firstTimestamp: '2024-01-01T02:00:00.9+02:00', eventTime: '2024-01-01T00:00:00.1234567Z' },
    {
      metadata: {},
      involvedObject: {},
      source: {},
      firstTimestamp: '2024-01-01T00:00:00Z',
      lastTimestamp: null,
      eventTime: '2024-01-01T00:00:00.123456Z',
      reportingComponent: '',
      reportingInstance: '',
    },
  ],
  [
    'quantities are written in their shortest form',
    'ResourceQuota',
    {
      metadata: {},
      spec: { hard: { a: '1000m', b: '1024Mi', c: 0.5, d: '1e3', e: '500m', f: '0' } },
      status: {},
    },
    {
      metadata: {},
      spec: { hard: { a: '1', b: '1Gi', c: '500m', d: '1e3', e: '500m', f: '0' } },
      status: {},
    },
  ],
  [
    'base64 has no line breaks',
    'Secret',
    { metadata: {}, data: { a: 'aGVs\nbG8=' } },
    { metadata: {}, data: { a: 'aGVsbG8=' } },
  ],
]

describe('the form of built-in objects', () => {
  test.each(answers)('%s', (_title, kind, body, answer) => {
    expect(formOf(kind, body)).toEqual(answer)
  })

  test('keys of maps may be anything', () => {
    const body: unknown = JSON.parse('{"metadata":{},"data":{"__proto__":"a","constructor":"b"}}')
    expect(JSON.stringify(formOf('ConfigMap', body as Record<string, unknown>))).toBe(JSON.stringify(body))
  })

  test('what has the wrong type is left for the decoder to refuse', () => {
    const body = { metadata: 5, spec: { containers: 'x', overhead: { cpu: 'many' } }, status: {} }
    expect(formOf('Pod', body)).toEqual(body)
  })

  test('a schema of ten thousand levels does not overflow the stack', () => {
    let schema: Record<string, unknown> = { type: 'object' }
    for (let level = 0; level < 10_000; level++) schema = { properties: { a: schema } }
    const draft = { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } }
    const shape = schemaOf('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')
    expect(() => applyCanonicalForm(shape, draft)).not.toThrow()
  })

  test('an object in this form stays as it is, of every kind and whatever was sent', () => {
    const kinds = listedResources()
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.object({ maxDepth: 4 }),
        fc.object(),
        (listed, spec, rest) => {
          const schema = schemaOf(listed.group, listed.version, listed.kind)
          const draft: Record<string, unknown> = { ...rest, spec }
          applyCanonicalForm(schema, draft)
          const again = deepCopy(draft)
          applyCanonicalForm(schema, again)
          expect(again).toEqual(draft)
        },
      ),
    )
  })
})
