// Objects judged here and by a real API server, side by side: verdict, stored form, fields, reasons and messages must
// be the same.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deepEqual, parseJson, stringifyJson } from '../../src/base/index.js'
import { readText } from '../../src/client/index.js'
import { ApiError, apiVersionOf, resourceNameOf } from '../../src/objects/index.js'
import {
  type DefinedKind,
  defineKind,
  type FieldError,
  InvalidKindError,
  loadValidator,
  type StructuralSchema,
  structural,
  toCrd,
  type Validator,
} from '../../src/schema/index.js'
import { type Cluster, eventually } from '../../src/testing/index.js'
import { kinds, looseKind, strictKind } from './schema-kinds.js'
import { valuesFor } from './schema-values.js'
import { createNamespace, sharedCluster } from './shared-cluster.js'

interface Answer {
  readonly code: number
  /** The object; a Status when the server refuses. */
  readonly body: Record<string, unknown>
  readonly message: string
  readonly errors: readonly FieldError[]
}

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
// The same objects in each run. More, and others: KUBEWRIGHT_DIFFERENTIAL_RUNS=2000 KUBEWRIGHT_DIFFERENTIAL_SEED=7.
const seed = Number(process.env['KUBEWRIGHT_DIFFERENTIAL_SEED'] ?? 20_240_229)
const numRuns = Number(process.env['KUBEWRIGHT_DIFFERENTIAL_RUNS'] ?? 80)
let cluster: Cluster
let namespace: string

beforeAll(async () => {
  cluster = await sharedCluster()
  namespace = await createNamespace(cluster, 'schema')
})

afterAll(async () => {
  for (const kind of installed) await send('DELETE', `${crds}/${resourceNameOf(kind)}`)
  await cluster.stop()
})

async function send(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  try {
    const response = await cluster.client.request({
      method,
      path,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: stringifyJson(body) }),
    })
    const read = parseJson(await readText(response.body)) as Record<string, unknown>
    return { code: response.status, body: read, message: '', errors: [] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const causes = error.status.details?.causes ?? []
    return {
      code: error.httpStatus,
      body: {},
      message: error.status.message ?? '',
      errors: causes.map(({ reason = '', field = '', message = '' }) => ({
        reason,
        field,
        message,
      })) as FieldError[],
    }
  }
}

function pathOf(kind: DefinedKind, name = ''): string {
  const place = kind.scope === 'Namespaced' ? `/namespaces/${namespace}` : ''
  return `/apis/${apiVersionOf(kind)}${place}/${kind.plural}${name === '' ? '' : `/${name}`}`
}

const installed: DefinedKind[] = []

async function install(kind: DefinedKind): Promise<void> {
  const answer = await send('POST', crds, toCrd(kind))
  expect(answer.message).toBe('')
  installed.push(kind)
  await until(async () => (await send('GET', `${pathOf(kind)}?limit=1`)).code === 200)
  const { body } = await send('GET', `${crds}/${resourceNameOf(kind)}`)
  const conditions = (body['status'] as { conditions?: { type: string }[] }).conditions ?? []
  expect(conditions.map(({ type }) => type).toSorted()).toEqual(['Established', 'NamesAccepted'])
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  await eventually(async () => expect(await holds()).toBe(true))
}

// Go visits maps at random, so that the server's own order changes from call to call.
function sorted(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, reason, message }) => `${field} | ${reason} | ${message}`).toSorted()
}

interface Verdict {
  readonly errors: readonly string[]
  /** All but the metadata, which the server fills in. */
  readonly stored?: Record<string, unknown>
  /** What does not even decode has one problem, and its text ends the message. */
  readonly undecodable?: string
}

function theirVerdict(answer: Answer): Verdict {
  if (answer.code === 400) return { errors: [], undecodable: answer.message }
  const { metadata: _metadata, ...stored } = answer.body
  return { errors: sorted(answer.errors), ...(answer.code < 300 && { stored }) }
}

/** What the server stores, or why it refuses: by our own means. */
function ourVerdict(
  validator: Validator,
  kind: DefinedKind,
  object: Record<string, unknown>,
  answer: Answer,
): Verdict {
  const pruned = validator.prune(object)
  if (answer.code === 400) {
    const texts = validator.validate(pruned).map(({ field, message }) => `${field}: ${message}`)
    const isNamed = texts.some((text) => answer.message.endsWith(text))
    return { errors: [], undecodable: isNamed ? answer.message : texts.join('\n') }
  }
  const stored = withoutStatus(kind, validator.applyDefaults(pruned))
  const errors = validator.validate(stored)
  // Numbers that travelled are as JSON has them.
  const { metadata: _metadata, ...sent } = parseJson(stringifyJson(stored)) as Record<string, unknown>
  return { errors: sorted(errors), ...(errors.length === 0 && { stored: sent }) }
}

/** On create, a status that has an endpoint of its own is dropped. */
function withoutStatus(kind: DefinedKind, object: Record<string, unknown>): Record<string, unknown> {
  const { status: _status, ...rest } = object
  return kind.subresources.includes('status') ? rest : object
}

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  let validator: Validator

  beforeAll(async () => {
    await install(kind)
    validator = await loadValidator(kind)
  })

  const objects = valuesFor({ ...kind.schema, properties: withoutTypeFields(kind.schema) }).map((value) => ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name: 'generated' },
    ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { spec: value }),
  }))

  test('judges and stores new objects as the server does', async () => {
    await fc.assert(
      fc.asyncProperty(objects, async (object) => {
        const answer = await send('POST', `${pathOf(kind)}?dryRun=All&fieldValidation=Ignore`, object)
        expect(ourVerdict(validator, kind, object, answer)).toEqual(theirVerdict(answer))
      }),
      { seed, numRuns, endOnFailure: true },
    )
  })
})

function withoutTypeFields(schema: StructuralSchema): Record<string, StructuralSchema> {
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...rest } = schema.properties ?? {}
  return rest
}

describe('metadata', () => {
  const kind = defineKind({
    group: 'diff.schema.example.com',
    version: 'v1',
    kind: 'Plain',
    spec: structural<object>({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  })

  beforeAll(() => install(kind))

  const samples: Readonly<Record<string, object>> = {
    'that is right': { name: 'fine', labels: { app: 'demo' }, finalizers: ['example.com/fine'] },
    'with a wrong name': { name: 'Not.Fine' },
    'with a long name': { name: 'a'.repeat(254) },
    'with a prefix for names': { generateName: 'fine-' },
    'with a long namespace': { name: 'a', labels: { [`${'d'.repeat(254)}/x`]: 'x' } },
    'with wrong labels': { name: 'a', labels: { 'a/b/c': 'x', ok: 'not ok!', '': 'x', 'UPPER/x': '-' } },
    'with long labels': { name: 'a', labels: { ['k'.repeat(64)]: 'v'.repeat(64) } },
    'with wrong annotations': { name: 'a', annotations: { 'bad key': 'x', '/x': 'y' } },
    'with too many annotations': { name: 'a', annotations: { big: 'x'.repeat(256 * 1024) } },
    'with wrong finalizers': { name: 'a', finalizers: ['example.com/fine', 'not fine'] },
    'with contradicting finalizers': { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] },
    'owned by an event': {
      name: 'a',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'e', uid: 'u' }],
    },
    'owned by nobody': {
      name: 'a',
      ownerReferences: [{ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }, null],
    },
    'with two controllers': {
      name: 'a',
      ownerReferences: [
        { apiVersion: 'a/b', kind: 'Pod', name: 'p', uid: 'u', controller: true },
        { apiVersion: 'a/b', kind: 'Pod', name: 'q', uid: 'v', controller: true, blockOwnerDeletion: false },
      ],
    },
    'with unknown fields': { name: 'a', unknown: true, labels: {} },
  }

  test.each(Object.entries(samples))('metadata %s is judged as on the server', async (_, metadata) => {
    const validator = await loadValidator(kind)
    const object = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata, spec: {} }
    const answer = await send('POST', `${pathOf(kind)}?dryRun=All`, object)
    expect(sorted(validator.validate(object))).toEqual(sorted(answer.errors))
  })
})

describe('an update', () => {
  test('forgives what was wrong before and did not change, as on the server', async () => {
    await install(looseKind)
    const validator = await loadValidator(strictKind)
    const specs = valuesFor(looseKind.schema.properties?.['spec'] ?? {})
    const loose = await loadValidator(looseKind)

    const stored: Record<string, unknown>[] = []
    for (const [index, spec] of fc.sample(specs, { seed, numRuns: 400 }).entries()) {
      const object = loose.prune({ ...typeOf(looseKind), metadata: { name: `old-${index}` }, spec })
      if (loose.validate(object).length > 0) continue
      const answer = await send('POST', pathOf(looseKind), object)
      expect(answer.message).toBe('')
      stored.push(answer.body)
    }
    expect(stored.length).toBeGreaterThan(10)

    const { body: crd } = await send('GET', `${crds}/${resourceNameOf(looseKind)}`)
    await send('PUT', `${crds}/${resourceNameOf(looseKind)}`, { ...crd, spec: toCrd(strictKind).spec })
    const tooLong = { ...typeOf(strictKind), metadata: { name: 'probe' }, spec: { text: 'zebra' } }
    await until(async () => (await send('POST', `${pathOf(strictKind)}?dryRun=All`, tooLong)).code === 422)

    let forgiven = 0
    const changes = fc.tuple(
      fc.constantFrom(...stored),
      specs,
      fc.subarray(['text', 'number', 'object', 'list', 'map', 'open', 'ports', 'either']),
    )
    await fc.assert(
      fc.asyncProperty(changes, async ([old, spec, names]) => {
        const changed = mix(old['spec'], spec, names)
        const update = validator.applyDefaults(validator.prune({ ...old, spec: changed }))
        const errors = validator.validate(update, { old })
        if (errors.length === 0 && validator.validate(update).length > 0) forgiven++
        const name = (old['metadata'] as { name: string }).name
        const answer = await send(
          'PUT',
          `${pathOf(strictKind, name)}?dryRun=All&fieldValidation=Ignore`,
          update,
        )
        expect(sorted(errors)).toEqual(sorted(answer.errors))
      }),
      { seed, numRuns: numRuns * 2, endOnFailure: true },
    )
    expect(forgiven).toBeGreaterThan(10)
  })
})

function typeOf(kind: DefinedKind): { apiVersion: string; kind: string } {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind }
}

/** The old spec with some fields of the new one. */
function mix(old: unknown, next: unknown, names: readonly string[]): unknown {
  if (typeof old !== 'object' || typeof next !== 'object' || next === null) return next
  const changes = Object.entries(next).filter(([name]) => names.includes(name))
  return { ...old, ...Object.fromEntries(changes) }
}

test('a write to the status is judged by the status alone, as on the server', async () => {
  const kind = kinds['Scaled'] as DefinedKind
  const validator = await loadValidator(kind)
  const object = { ...typeOf(kind), metadata: { name: 'with-status' }, spec: { replicas: 1 } }
  const { body: old } = await send('POST', pathOf(kind), object)
  await fc.assert(
    fc.asyncProperty(valuesFor(kind.schema.properties?.['status'] ?? {}), async (status) => {
      const update = validator.applyDefaults(validator.prune({ ...old, status })) as Record<string, unknown>
      const errors = validator.validate(update, { old, subresource: 'status' })
      const answer = await send(
        'PUT',
        `${pathOf(kind, 'with-status')}/status?dryRun=All&fieldValidation=Ignore`,
        {
          ...old,
          status,
        },
      )
      // Decoding looks into embedded objects of the status, validation does not.
      fc.pre(answer.code !== 400)
      expect(sorted(errors)).toEqual(sorted(answer.errors))
    }),
    { seed, numRuns, endOnFailure: true },
  )
})

test('errors come in the order of the server where it has one', async () => {
  const kind = kinds['Lists'] as DefinedKind
  const validator = await loadValidator(kind)
  // One key on each level: nothing is left to chance.
  const specs = [
    { limited: ['abcd', 1, 'efgh'] },
    { ports: [{ name: 'a' }, { value: 11 }, 5, { name: 'a', value: 12 }] },
    { pairs: [{ kind: 1 }, { kind: 1, name: 'a' }, { kind: 1.5 }, { kind: 'x' }] },
    { nested: [[-1, 'a'], 5, [[0]]] },
  ]
  for (const spec of specs) {
    const object = { ...typeOf(kind), metadata: { name: 'ordered', labels: { 'not valid': 'x' } }, spec }
    const errors = validator.validate(validator.applyDefaults(validator.prune(object)))
    const answer = await send('POST', `${pathOf(kind)}?dryRun=All`, object)
    expect(errors).toEqual(answer.errors)
  }
})

describe('the kinds of the walkthroughs', () => {
  const group = 'walk.schema.example.com'
  const walkthroughs = [
    defineKind({
      group,
      version: 'v1alpha1',
      kind: 'Foo',
      spec: z.object({ deploymentName: z.string(), replicas: z.int32().min(1).max(10).optional() }),
      status: z.object({ availableReplicas: z.int32().optional() }),
      columns: [{ name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' }],
    }),
    defineKind({
      group,
      version: 'v1beta1',
      kind: 'TestResource',
      shortNames: ['tr'],
      spec: z.object({ command: z.string().regex(/^(echo).*/), customProperty: z.string() }),
      status: z.string(),
      statusSubresource: false,
      columns: [{ name: 'command', type: 'string', jsonPath: '.spec.command' }],
    }),
    defineKind({
      group,
      version: 'v1',
      kind: 'Guestbook',
      spec: z.object({ size: z.int32().optional(), alias: z.enum(['Phone', 'Address', 'Name']).optional() }),
      status: z.object({ active: z.string().optional(), standby: z.array(z.string()).optional() }),
    }),
    defineKind({
      group,
      version: 'v1alpha1',
      kind: 'Password',
      spec: z
        .object({ length: z.int().min(8).default(20), caseSensitive: z.boolean().default(false) })
        .prefault({}),
      status: z.object({ state: z.enum(['InSync', 'Failed']).optional(), reason: z.string().optional() }),
      columns: [{ name: 'State', type: 'string', jsonPath: '.status.state' }],
    }),
    defineKind({
      group,
      version: 'v1alpha1',
      kind: 'Memcached',
      spec: z.object({ size: z.int32().min(1).max(5).default(1), containerPort: z.int32().optional() }),
      status: z.object({
        conditions: z
          .array(z.object({ type: z.string(), status: z.string(), reason: z.string() }))
          .optional(),
      }),
    }),
  ] as const

  test.each(walkthroughs.map((kind) => [kind.kind, kind] as const))(
    '%s is accepted and served',
    async (_, kind) => {
      await install(kind)
      expect((await send('GET', pathOf(kind))).body['kind']).toBe(kind.listKind)
    },
  )

  test('a Foo with eleven replicas is refused in the same words', async () => {
    const [Foo] = walkthroughs
    const object = {
      ...typeOf(Foo),
      metadata: { name: 'example' },
      spec: { deploymentName: 'd', replicas: 11 },
    }
    const answer = await send('POST', pathOf(Foo), object)
    const expected = 'Invalid value: 11: spec.replicas in body should be less than or equal to 10'
    expect(answer.errors).toEqual([
      { reason: 'FieldValueInvalid', field: 'spec.replicas', message: expected },
    ])
    expect((await loadValidator(Foo)).validate(object)).toEqual(answer.errors)
  })

  test('a TestResource has its status written with the rest of it', async () => {
    const [, TestResource] = walkthroughs
    const object = {
      ...typeOf(TestResource),
      metadata: { name: 'example' },
      spec: { command: 'echo hello', customProperty: 'x' },
      status: 'Working',
    }
    expect((await send('POST', `${pathOf(TestResource)}?dryRun=All`, object)).body['status']).toBe('Working')
    expect((await loadValidator(TestResource)).validate(object)).toEqual([])
  })
})

describe('what a definition is refused for', () => {
  const string = { type: 'string' } as const
  const refused: Readonly<Record<string, object>> = {
    'a field without a type': {},
    'an unknown type': { type: 'date' },
    'a list without items': { type: 'array' },
    'fields and free keys together': {
      type: 'object',
      properties: { a: string },
      additionalProperties: string,
    },
    'unique items': { type: 'array', items: string, uniqueItems: true },
    'a pattern with look-ahead': { type: 'string', pattern: '(?=a)' },
    'a list map without keys': { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'map' },
    'a list map of strings': {
      type: 'array',
      items: string,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    'an optional key': {
      type: 'array',
      items: { type: 'object', properties: { a: string } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['a'],
    },
    'a set of objects': {
      type: 'array',
      items: { type: 'object', properties: { a: string } },
      'x-kubernetes-list-type': 'set',
    },
    'a type in a branch': { type: 'string', anyOf: [{ type: 'string' }] },
    'a default of the wrong type': { type: 'string', default: 5 },
    'a default with unknown fields': { type: 'object', properties: { a: string }, default: { b: 'x' } },
    'a default that is too long': { type: 'string', maxLength: 2, default: 'abc' },
    'an embedded resource without fields': { type: 'object', 'x-kubernetes-embedded-resource': true },
    'an integer or string that keeps fields': {
      'x-kubernetes-int-or-string': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    'an empty rule': { type: 'string', 'x-kubernetes-validations': [{ rule: ' ' }] },
    'a rule with a wrong field path': {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.x' }],
    },
  }

  test.each(Object.entries(refused))('%s is refused by the server too', async (_, field) => {
    const spec: StructuralSchema = { type: 'object', properties: { field } }
    const options = { group: 'bad.schema.example.com', version: 'v1', kind: 'Bad' } as const
    expect(() => defineKind({ ...options, spec: structural<object>(spec) })).toThrow(InvalidKindError)
    const fine = toCrd(defineKind({ ...options, spec: structural<object>({ type: 'object' }) }))
    const [version] = fine.spec.versions
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
    const crd = { ...fine, spec: { ...fine.spec, versions: [{ ...version, schema }] } }
    expect((await send('POST', `${crds}?dryRun=All`, crd)).code).toBe(422)
  })
})

test('JSON integers beyond 2^53 are stored as they were sent', async () => {
  const kind = kinds['Sink'] as DefinedKind
  const validator = await loadValidator(kind)
  const object = {
    ...typeOf(kind),
    metadata: { name: 'big' },
    spec: { text: 'a', count: 1, long: 9_007_199_254_740_993n },
  }
  expect(validator.validate(object)).toEqual([])
  const answer = await send('POST', `${pathOf(kind)}?dryRun=All`, object)
  expect(deepEqual((answer.body['spec'] as { long: unknown }).long, 9_007_199_254_740_993n)).toBe(true)
})
