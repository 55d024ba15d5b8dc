import { type Clock, deepCopy, deepEqual, seededRandom, systemClock } from '../base/index.js'
import {
  dns1123SubdomainErrors,
  formatTime,
  resourceNameOf,
  type TransportRequest,
} from '../objects/index.js'
import { silentLogger } from '../observe/index.js'
import type { AdmissionPlugin } from './admission/admission.js'
import { createAdmissionChain } from './admission/chain.js'
import type { ApiObject } from './api-object.js'
import type { ApiSchema } from './api-schema.js'
import { type Authorizer, allowAll } from './auth/authorizer.js'
import type { ClusterState, Nature } from './cluster-state.js'
import { createOutput } from './output/output.js'
import { createReader } from './read/reader.js'
import type { Resource, ResourceCatalogue, Strategy } from './resource.js'
import { createRouter, type PathHandler, type Router } from './router.js'
import { createMemoryStore } from './store/memory-store.js'
import type { Store } from './store/store.js'
import { mastersGroup, type User } from './user.js'
import type { WriteParts } from './write/write-call.js'

/** For the tests of this room: a server of the given resources, without a socket. */
export interface TestServer {
  readonly store: Store
  readonly parts: WriteParts & { readonly catalogue: ResourceCatalogue }
  readonly router: Router
  /** Sends a request; a body that is no text is sent as JSON. */
  send(method: TransportRequest['method'], path: string, body?: unknown, more?: SendOptions): Promise<Answer>
}

export interface SendOptions {
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The administrator, if absent. */
  readonly user?: User
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
  /** The parsed text; undefined where it is not JSON. */
  readonly body: ApiObject & Readonly<Record<string, unknown>>
  readonly warnings: readonly string[]
}

export interface TestServerOptions {
  resources(nature: Nature, cluster: ClusterState): readonly Resource[]
  readonly plugins?: readonly AdmissionPlugin[]
  readonly authorizer?: Authorizer
  readonly clock?: Clock
  readonly paths?: Readonly<Record<string, PathHandler>>
}

const administrator: User = { name: 'admin', groups: [mastersGroup, 'system:authenticated'] }

export function createTestServer(options: TestServerOptions): TestServer {
  const { clock = systemClock, authorizer = allowAll } = options
  const random = seededRandom(1)
  let uids = 0
  const nature: Nature = {
    clock,
    random,
    uid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
    timestamp: () => formatTime(clock.now()),
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
  const catalogue = catalogueOf(options.resources(nature, cluster))
  const output = createOutput({ nature })
  const parts = {
    store,
    nature,
    cluster,
    catalogue,
    authorizer,
    admission: createAdmissionChain(options.plugins ?? [], { cluster, nature }),
  }
  const router = createRouter({
    ...parts,
    output,
    reader: createReader({ store, nature, output }),
    bodyReader: {},
    log: silentLogger,
    paths: options.paths ?? {},
  })
  return {
    store,
    parts,
    router,
    async send(method, path, body, more = {}) {
      const bytes = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      const response = await router(
        {
          method,
          path,
          headers: {
            'user-agent': 'tester/1',
            ...(body !== undefined && { 'content-type': more.contentType ?? 'application/json' }),
            ...more.headers,
          },
          ...(bytes !== undefined && { body: bytes }),
        },
        more.user ?? administrator,
      )
      const chunks: Uint8Array[] = []
      for await (const chunk of response.body) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      const { warning = [] } = response.headers
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: parsed(text),
        warnings: typeof warning === 'string' ? [warning] : warning,
      }
    },
  }
}

/** Tests look at what they expect to be there, and fail where it is not. */
function parsed(text: string): Answer['body'] {
  try {
    return JSON.parse(text) as Answer['body']
  } catch {
    return undefined as unknown as Answer['body']
  }
}

export function catalogueOf(resources: readonly Resource[]): ResourceCatalogue {
  const byName = new Map(resources.map((resource) => [resourceNameOf(resource), resource]))
  return {
    find(group, version, plural) {
      const resource = byName.get(group === '' ? plural : `${plural}.${group}`)
      const served = resource?.versions.find(({ name }) => name === version)
      return resource === undefined || served === undefined ? undefined : { resource, version: served }
    },
    all: () => resources,
  }
}

/** For tests: a namespaced kind of a group of its own, whose strategy lets everything be. */
export function fooResource(
  overrides: Partial<Resource> & { readonly strategy?: Partial<Strategy> } = {},
): Resource {
  const { strategy: particular, ...rest } = overrides
  const strategy: Strategy = {
    nameProblems: (name, isPrefix) => (isPrefix ? [] : dns1123SubdomainErrors(name)),
    applyDefaults: () => {},
    prepareForCreate(draft) {
      delete draft['status']
      draft.metadata.generation = 1
    },
    prepareForUpdate(draft, old) {
      setOrDelete(draft, 'status', old['status'])
      if (!deepEqual(draft['spec'], old['spec']))
        draft.metadata.generation = (old.metadata.generation ?? 0) + 1
    },
    validateCreate: () => [],
    validateUpdate: () => [],
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    resetFields: [['status']],
    ...particular,
  }
  const status: Strategy = {
    ...strategy,
    prepareForUpdate: (draft, old) => setOrDelete(draft, 'spec', old['spec']),
    resetFields: [['spec']],
  }
  return {
    group: 'example.com',
    plural: 'foos',
    singular: 'foo',
    kind: 'Foo',
    listKind: 'FooList',
    shortNames: [],
    categories: [],
    scope: 'Namespaced',
    storageVersion: 'v1',
    isCustom: true,
    versions: [
      {
        name: 'v1',
        verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
        schema: fooSchema,
        strategy,
        subresources: new Map([['status', { type: 'part', strategy: status }]]),
        table: { columns: [], cells: () => [] },
        selectableFieldNames: [],
        selectableFields: () => ({}),
      },
    ],
    convert: async (object) => object,
    ...rest,
  }
}

const fooSchema: ApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: { replicas: { type: 'integer' }, text: { type: 'string' } },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
}

function setOrDelete(draft: ApiObject, field: string, value: unknown): void {
  if (value === undefined) delete draft[field]
  else draft[field] = deepCopy(value)
}
