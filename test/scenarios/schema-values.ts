import fc from 'fast-check'
import type { StructuralSchema } from '../../src/schema/index.js'

const texts = [
  '',
  'a',
  'ab',
  'abc',
  'zebra',
  'a "quoted" text',
  '<b>&',
  'line\nbreak',
  'Ünïcödé',
  '🦓🦓🦓🦓',
  '2024-02-29',
  '2024-02-29T12:00:00Z',
  '1h30m',
  '3 days',
  'someone@example.com',
  'https://example.com/a?b=c',
  '10.0.0.1',
  '10.0.0.0/8',
  '2001:db8::1',
  '00:11:22:33:44:55',
  '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  'aGVsbG8=',
  '500m',
  '1Gi',
  '80',
]

const numbers = [
  0, 1, 2, 3, 5, 10, 11, 100, -1, -7, 0.5, 1.5, 2.25, 1e-7, 1234567.5, 2_147_483_647, 2_147_483_648,
  4_294_967_296, 1e19, 1e21, 1e39,
]

// Some that no double can hold: they must survive the way to the server and back.
const bigNumbers = [9_007_199_254_740_993n, -9_223_372_036_854_775_808n]

// Names that mean something to JavaScript are ordinary keys.
const strangeKeys = ['unknown', 'constructor', '__proto__', 'toString', 'a.b/c', 'x y', '']

const scalar = fc.oneof(
  fc.constantFrom<unknown>(...texts),
  fc.constantFrom<unknown>(...numbers, ...bigNumbers),
  fc.boolean(),
)

const anything: fc.Arbitrary<unknown> = fc.oneof(
  { depthSize: 'small', withCrossShrink: true },
  scalar,
  fc.constant(null),
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'name', 'unknown'), scalar, { maxKeys: 2 }),
)

const metadata = fc.constantFrom<unknown>(
  {},
  null,
  { name: 'fine', labels: { app: 'demo' } },
  { name: 'not/a/name' },
  { name: '..' },
  { generateName: 'a%' },
  { namespace: 'Not_A_Namespace' },
  { labels: { 'bad key': 'bad value!', good: 'x' } },
  { annotations: { 'a/b/c': 'x' } },
  { finalizers: ['orphan', 'foregroundDeletion', 'no good'] },
  { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: '', uid: 'u', extra: 1 }] },
  { generation: -1, unknown: true },
  { creationTimestamp: null },
  { labels: { app: 1 } },
  { finalizers: 'x' },
  'text',
)

/** Values for a schema: mostly of the right shape, often a little wrong, sometimes something else altogether. */
export function valuesFor(schema: StructuralSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 14, arbitrary: shaped(schema) }, { weight: 1, arbitrary: anything })
}

function shaped(schema: StructuralSchema): fc.Arbitrary<unknown> {
  if (schema['x-kubernetes-int-or-string'] === true) return scalar
  const candidates: fc.Arbitrary<unknown>[] = [shapedByType(schema)]
  if (schema.enum !== undefined) candidates.push(fc.constantFrom(...schema.enum))
  if (schema.nullable === true) candidates.push(fc.constant(null))
  return fc.oneof(...candidates)
}

function shapedByType(schema: StructuralSchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return fc.constantFrom<unknown>(...texts)
    case 'integer':
      return fc.constantFrom<unknown>(...numbers.filter(Number.isInteger), ...bigNumbers)
    case 'number':
      return fc.constantFrom<unknown>(...numbers, ...bigNumbers)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valuesFor(schema.items ?? {}), { maxLength: 4 })
    case 'object':
      return schema['x-kubernetes-embedded-resource'] === true ? embedded(schema) : objects(schema)
    default:
      return anything
  }
}

function embedded(schema: StructuralSchema): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      objects(schema),
      fc.record(
        {
          apiVersion: fc.constantFrom<unknown>('v1', 'apps/v1', '', 'a/b/c', 1),
          kind: fc.constantFrom<unknown>('Pod', '', 'not_a_kind', null),
          metadata,
        },
        { requiredKeys: [] },
      ),
    )
    .map(([fields, type]) => ({ ...fields, ...type }))
}

function objects(schema: StructuralSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, child]) =>
    fc.option(
      valuesFor(child).map((value): [string, unknown] => [name, value]),
      { nil: undefined, freq: 4 },
    ),
  )
  const { additionalProperties } = schema
  const other = typeof additionalProperties === 'object' ? valuesFor(additionalProperties) : anything
  const frequency = additionalProperties === undefined ? 8 : 0
  const extra = fc
    .array(fc.tuple(fc.constantFrom(...strangeKeys), other), {
      maxLength: additionalProperties === undefined ? 1 : 3,
    })
    .chain((entries) =>
      frequency === 0
        ? fc.constant(entries)
        : fc.oneof({ weight: frequency, arbitrary: fc.constant([]) }, fc.constant(entries)),
    )
  return fc.tuple(fc.tuple(...fields), extra).map(([known, unknown]) => {
    const entries = [...known.filter((entry) => entry !== undefined), ...unknown]
    // fromEntries defines properties, so that even `__proto__` becomes one.
    return Object.fromEntries(entries)
  })
}
