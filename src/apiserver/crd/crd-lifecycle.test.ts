import { afterEach, describe, expect, test } from 'vitest'
import { seededRandom, systemClock } from '../../base/index.js'
import { formatTime, type TransportRequest } from '../../objects/index.js'
import { silentLogger } from '../../observe/index.js'
import { createAdmissionChain } from '../admission/chain.js'
import { createWebhookCaller } from '../admission/webhook-caller.js'
import type { ApiObject } from '../api-object.js'
import { allowAll } from '../auth/authorizer.js'
import { builtinResources } from '../builtin/index.js'
import type { ClusterState, Nature } from '../cluster-state.js'
import { createOutput } from '../output/output.js'
import { createReader } from '../read/reader.js'
import type { ResourceCatalogue } from '../resource.js'
import { createRouter } from '../router.js'
import { createMemoryStore } from '../store/memory-store.js'
import type { Store } from '../store/store.js'
import { createSystemClient } from '../system-client.js'
import { catalogueOf } from '../test-server.js'
import { mastersGroup, type User } from '../user.js'
import {
  type CatalogueChange,
  type CrdController,
  CustomResources,
  crdAdmission,
  createCrdController,
  lazyEngines,
  withCrdStrategies,
} from './index.js'

const administrator: User = { name: 'admin', groups: [mastersGroup] }

interface Answer {
  readonly status: number
  readonly body: ApiObject & Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

interface Server {
  readonly store: Store
  readonly resources: CustomResources
  readonly controller: CrdController
  send(method: TransportRequest['method'], path: string, body?: unknown): Promise<Answer>
}

/** A server of CRDs and what they define, without a socket. */
function createServer(): Server {
  const random = seededRandom(1)
  let uids = 0
  const nature: Nature = {
    clock: systemClock,
    random,
    uid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
    timestamp: () => formatTime(systemClock.now()),
  }
  const store = createMemoryStore()
  const keyOf = (namespace: string, name: string): string =>
    namespace === '' ? name : `${namespace}/${name}`
  const cluster: ClusterState = {
    get: (resource, namespace, name) => store.get(resource, keyOf(namespace, name))?.object,
    list: (resource, namespace) =>
      Array.from(
        store.scan(resource, namespace === undefined ? {} : { prefix: `${namespace}/` }),
        ({ object }) => object,
      ),
  }
  const engines = lazyEngines()
  const webhooks = createWebhookCaller({ clock: systemClock })
  const resources = new CustomResources({ webhooks, nature })
  const builtin = builtinResources({ nature, cluster }).map((resource) =>
    resource.kind === 'CustomResourceDefinition' ? withCrdStrategies(resource, engines) : resource,
  )
  const fixed = catalogueOf(builtin)
  const catalogue: ResourceCatalogue = {
    find: (...names) => fixed.find(...names) ?? resources.find(...names),
    *all() {
      yield* builtin
      yield* resources.all()
    },
  }
  const output = createOutput({ nature })
  const admission = createAdmissionChain([crdAdmission(engines)], { cluster, nature })
  const parts = { store, nature, cluster, catalogue, authorizer: allowAll, admission }
  const router = createRouter({
    ...parts,
    output,
    reader: createReader({ store, nature, output }),
    bodyReader: {},
    log: silentLogger,
    paths: {},
  })
  const system = createSystemClient(parts, administrator, { manager: 'kube-apiserver' })
  const controller = createCrdController({ system, nature, engines, resources, log: silentLogger })
  return {
    store,
    resources,
    controller,
    async send(method, path, body) {
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const response = await router(
        {
          method,
          path,
          headers: { 'content-type': contentType },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        },
        administrator,
      )
      const chunks: Uint8Array[] = []
      for await (const chunk of response.body) chunks.push(chunk)
      const { warning = [] } = response.headers
      return {
        status: response.status,
        body: parsed(Buffer.concat(chunks).toString()),
        warnings: typeof warning === 'string' ? [warning] : warning,
      }
    },
  }
}

/** What is no resource is answered in plain text. */
function parsed(text: string): Answer['body'] {
  return text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : ({} as Answer['body'])
}

const servers: Server[] = []

function start(): Server {
  const server = createServer()
  servers.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ controller }) => controller.stop()))
})

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const name = 'foos.example.com'
const foos = '/apis/example.com/v1/namespaces/default/foos'

const string = { type: 'string' }
const objectOf = (properties: object): object => ({ type: 'object', properties })

function definition(schema: object, version: object = {}, spec: object = {}) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version },
      ],
      ...spec,
    },
  }
}

const foo = (spec: object, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Foo',
  metadata: { name: 'a', ...metadata },
  spec,
})

async function established(server: Server, ...args: Parameters<typeof definition>): Promise<void> {
  const created = await server.send('POST', crds, definition(...args))
  expect(created.body).toMatchObject({ kind: 'CustomResourceDefinition' })
  await server.controller.settled()
}

function conditionsOf({ body }: Answer): Record<string, string> {
  const { conditions } = body['status'] as { conditions: { type: string; status: string; reason: string }[] }
  return Object.fromEntries(conditions.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}

describe('a new CRD', () => {
  test('is answered as it was stored, before anybody has looked at its names', async () => {
    const { body, status } = await start().send('POST', crds, definition(objectOf({})))
    expect(status).toBe(201)
    expect(body['status']).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    })
    expect(body['spec']).toMatchObject({
      names: { singular: 'foo', listKind: 'FooList' },
      conversion: { strategy: 'None' },
    })
  })

  test('is established, and serves its objects from then on', async () => {
    const server = start()
    await established(server, objectOf({ spec: objectOf({ a: string }) }))
    expect(conditionsOf(await server.send('GET', `${crds}/${name}`))).toEqual({
      NamesAccepted: 'True NoConflicts',
      Established: 'True InitialNamesAccepted',
    })
    const created = await server.send('POST', foos, foo({ a: 'x', b: 1 }))
    expect(created.status).toBe(201)
    expect(created.body['spec']).toEqual({ a: 'x' })
    expect(created.body.metadata.generation).toBe(1)
  })

  test('can be used the moment that its condition says so', async () => {
    const server = start()
    const seen: boolean[] = []
    server.store.subscribe(
      { resource: 'customresourcedefinitions.apiextensions.k8s.io', after: server.store.revision },
      ({ current }) => {
        const { conditions } = current.object['status'] as { conditions: { type: string; status: string }[] }
        if (conditions?.some(({ type, status }) => type === 'Established' && status === 'True'))
          seen.push(server.resources.find('example.com', 'v1', 'foos') !== undefined)
      },
    )
    await established(server, objectOf({}))
    expect(seen).toEqual([true])
  })

  test('with a wrong schema is refused', async () => {
    const server = start()
    const { status, body } = await server.send('POST', crds, definition(objectOf({ spec: {} })))
    expect(status).toBe(422)
    expect(body['message']).toBe(
      'CustomResourceDefinition.apiextensions.k8s.io "foos.example.com" is invalid: spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    )
  })

  test('whose kind is taken waits until the other one is gone', async () => {
    const server = start()
    await established(server, objectOf({}))
    const other = definition(
      objectOf({}),
      {},
      { names: { plural: 'bars', singular: 'bar', kind: 'Foo', listKind: 'BarList' } },
    )
    other.metadata.name = 'bars.example.com'
    await server.send('POST', crds, other)
    await server.controller.settled()
    expect(conditionsOf(await server.send('GET', `${crds}/bars.example.com`))).toEqual({
      NamesAccepted: 'False KindConflict',
      Established: 'False NotAccepted',
    })
    await server.send('DELETE', `${crds}/${name}`)
    await server.controller.settled()
    expect(conditionsOf(await server.send('GET', `${crds}/bars.example.com`))).toEqual({
      NamesAccepted: 'True NoConflicts',
      Established: 'True InitialNamesAccepted',
    })
  })
})

describe('objects', () => {
  test('get the defaults of a schema that came after them', async () => {
    const server = start()
    await established(server, objectOf({ spec: objectOf({ a: string }) }))
    await server.send('POST', foos, foo({ a: 'x' }))
    const before = await server.send('GET', `${foos}/a`)
    const crd = await server.send('GET', `${crds}/${name}`)
    const changed = definition(objectOf({ spec: objectOf({ b: { ...string, default: 'new' } }) }))
    const updated = await server.send('PUT', `${crds}/${name}`, {
      ...changed,
      metadata: { name, resourceVersion: crd.body.metadata.resourceVersion },
    })
    expect(updated.status).toBe(200)
    const after = await server.send('GET', `${foos}/a`)
    expect(after.body['spec']).toEqual({ b: 'new' })
    expect(after.body.metadata.resourceVersion).toBe(before.body.metadata.resourceVersion)
  })

  test('keep their status out of reach of those who write them', async () => {
    const server = start()
    const schema = objectOf({ spec: objectOf({ a: string }), status: objectOf({ b: string }) })
    await established(server, schema, { subresources: { status: {} } })
    const created = await server.send('POST', foos, { ...foo({ a: 'x' }), status: { b: 'y' } })
    expect(created.body['status']).toBeUndefined()
    const { body } = await server.send('PATCH', `${foos}/a/status`, { spec: { a: 'z' }, status: { b: 'y' } })
    expect(body).toMatchObject({ spec: { a: 'x' }, status: { b: 'y' }, metadata: { generation: 1 } })
    const patched = await server.send('PATCH', `${foos}/a`, { spec: { a: 'z' }, status: { b: 'n' } })
    expect(patched.body).toMatchObject({ spec: { a: 'z' }, status: { b: 'y' }, metadata: { generation: 2 } })
  })

  test('are scaled where the paths of the CRD say', async () => {
    const server = start()
    const integer = { type: 'integer' }
    const schema = objectOf({
      spec: objectOf({ replicas: integer }),
      status: objectOf({ replicas: integer, selector: string }),
    })
    await established(server, schema, {
      subresources: {
        status: {},
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
    })
    await server.send('POST', foos, foo({ replicas: 2 }))
    await server.send('PATCH', `${foos}/a/status`, { status: { replicas: 1, selector: 'a=b' } })
    const read = await server.send('GET', `${foos}/a/scale`)
    expect(read.body).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=b' },
    })
    const scaled = await server.send('PATCH', `${foos}/a/scale`, { spec: { replicas: 5 } })
    expect(scaled.body).toMatchObject({ spec: { replicas: 5 } })
    expect((await server.send('GET', `${foos}/a`)).body['spec']).toEqual({ replicas: 5 })
  })

  test('of a deprecated version are answered with a warning', async () => {
    const server = start()
    await established(
      server,
      objectOf({}),
      {},
      {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: false,
            deprecated: true,
            schema: { openAPIV3Schema: objectOf({}) },
          },
          { name: 'v2', served: true, storage: true, schema: { openAPIV3Schema: objectOf({}) } },
        ],
      },
    )
    const { warnings } = await server.send('GET', foos)
    expect(warnings).toEqual(['299 - "example.com/v1 Foo is deprecated; use example.com/v2 Foo"'])
  })

  test('are served in every version, stored in one', async () => {
    const server = start()
    const schema = { openAPIV3Schema: objectOf({ spec: objectOf({ a: string }) }) }
    const other = {
      openAPIV3Schema: objectOf({ spec: objectOf({ b: { ...string, default: 'b' }, a: string }) }),
    }
    await established(
      server,
      objectOf({}),
      {},
      {
        versions: [
          { name: 'v1', served: true, storage: true, schema },
          { name: 'v2', served: true, storage: false, schema: other },
        ],
      },
    )
    const created = await server.send('POST', foos.replace('v1', 'v2'), {
      ...foo({ a: 'x' }),
      apiVersion: 'example.com/v2',
    })
    expect(created.body).toMatchObject({ apiVersion: 'example.com/v2', spec: { a: 'x' } })
    expect((await server.send('GET', `${foos}/a`)).body).toMatchObject({
      apiVersion: 'example.com/v1',
      spec: { a: 'x' },
    })
  })

  test('are told apart by the fields that the CRD makes selectable', async () => {
    const server = start()
    await established(server, objectOf({ spec: objectOf({ a: string }) }), {
      selectableFields: [{ jsonPath: '.spec.a' }],
    })
    await server.send('POST', foos, foo({ a: 'x' }))
    await server.send('POST', foos, foo({ a: 'y' }, { name: 'b' }))
    const { body } = await server.send('GET', `${foos}?fieldSelector=spec.a%3Dy`)
    expect((body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)).toEqual([
      'b',
    ])
    expect((await server.send('GET', `${foos}?fieldSelector=spec.b%3Dy`)).status).toBe(400)
  })

  test('are not updated without saying what the update is based on', async () => {
    const server = start()
    await established(server, objectOf({ spec: objectOf({ a: string }) }))
    await server.send('POST', foos, foo({ a: 'x' }))
    const { status, body } = await server.send('PUT', `${foos}/a`, foo({ a: 'y' }))
    expect(status).toBe(422)
    expect(body['message']).toBe(
      'foos.example.com "a" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    )
  })
})

describe('a CRD that is deleted', () => {
  test('takes its objects with it, and is served no longer', async () => {
    const server = start()
    const changes: CatalogueChange[] = []
    await established(server, objectOf({}))
    server.resources.onChange((change) => changes.push(change))
    await server.send('POST', foos, foo({}))
    const deleted = await server.send('DELETE', `${crds}/${name}`)
    expect(deleted.body.metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io'])
    expect(conditionsOf(deleted)['Terminating']).toBe('True InstanceDeletionPending')
    await server.controller.settled()
    expect((await server.send('GET', `${crds}/${name}`)).status).toBe(404)
    expect((await server.send('GET', foos)).status).toBe(404)
    expect(server.store.count('foos.example.com')).toBe(0)
    expect(changes.map(({ after }) => after)).toEqual([undefined])
  })

  test('waits for the finalizers of its objects, and lets no new ones in', async () => {
    const server = start()
    await established(server, objectOf({}))
    await server.send('POST', foos, foo({}, { finalizers: ['example.com/hold'] }))
    await server.send('DELETE', `${crds}/${name}`)
    await server.controller.settled()
    expect(conditionsOf(await server.send('GET', `${crds}/${name}`))['Terminating']).toBe(
      'True InstanceDeletionInProgress',
    )
    const refused = await server.send('POST', foos, foo({}, { name: 'b' }))
    expect(refused.body['message']).toBe(
      'foos.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
    )
    await server.send('PATCH', `${foos}/a`, { metadata: { finalizers: null } })
    await server.controller.settled()
    expect((await server.send('GET', `${crds}/${name}`)).status).toBe(404)
  })
})
