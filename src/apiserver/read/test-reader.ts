import { type Clock, seededRandom } from '../../base/index.js'
import { formatTime, resourceNameOf, type TransportResponse } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import { createOutput } from '../output/output.js'
import type { ProtobufCodec } from '../output/protobuf-codec.js'
import { parseRequest } from '../request/parse-request.js'
import type { Resource, ServedVersion, Strategy } from '../resource.js'
import { createMemoryStore, type MemoryStoreOptions } from '../store/memory-store.js'
import type { Store } from '../store/store.js'
import type { ReaderParts } from './read-request.js'
import { createReader } from './reader.js'

/** For the tests of this folder: reads of made-up resources, by path, from a store that tests write to. */
export interface TestReader {
  readonly store: Store
  /** A request as a client sends it; failures are answers. */
  open(path: string, options?: OpenOptions): Promise<TransportResponse>
  /** The same, with the whole body. */
  read(path: string, options?: OpenOptions): Promise<ReadAnswer>
  /** Creates or replaces an object of the first resource. */
  put(key: string, members?: Record<string, unknown>, labels?: Record<string, string>): number
  remove(key: string): number
}

export interface OpenOptions {
  readonly accept?: string
  readonly userAgent?: string
  readonly signal?: AbortSignal
}

export interface ReadAnswer {
  readonly status: number
  readonly headers: TransportResponse['headers']
  readonly text: string
}

export interface TestReaderOptions extends MemoryStoreOptions {
  readonly resources?: readonly Resource[]
  readonly protobuf?: ProtobufCodec
  readonly parts?: Pick<ReaderParts, 'shutdown' | 'watchBacklog'>
}

const noStrategy: Strategy = {
  nameProblems: () => [],
  applyDefaults: () => {},
  prepareForCreate: () => {},
  prepareForUpdate: () => {},
  validateCreate: () => [],
  validateUpdate: () => [],
  allowsUnconditionalUpdate: true,
  allowsCreateOnUpdate: false,
}

export function testVersion(name: string, more: Partial<ServedVersion> = {}): ServedVersion {
  return {
    name,
    verbs: ['get', 'list', 'watch'],
    schema: undefined,
    strategy: noStrategy,
    subresources: new Map(),
    table: {
      columns: [
        { name: 'Name', type: 'string', format: 'name', description: 'Its name.', priority: 0 },
        { name: 'Age', type: 'string', format: '', description: 'Its age.', priority: 0 },
      ],
      cells: ({ metadata }) => [metadata.name ?? '', '<unknown>'],
    },
    selectableFields: () => ({}),
    selectableFieldNames: [],
    ...more,
  }
}

/** Config maps, as a built-in resource is served. */
export function testResource(more: Partial<Resource> = {}): Resource {
  return {
    group: '',
    plural: 'configmaps',
    singular: 'configmap',
    kind: 'ConfigMap',
    listKind: 'ConfigMapList',
    shortNames: [],
    categories: [],
    scope: 'Namespaced',
    versions: [testVersion('v1')],
    storageVersion: 'v1',
    isCustom: false,
    convert: (object) => Promise.resolve(object),
    ...more,
  }
}

/** Widgets: a custom resource, stored as v1, served as v1 and as v2, which has `size` one level higher. */
export function widgetResource(more: Partial<Resource> = {}): Resource {
  // Tests give texts.
  const size = ({ spec, size: top }: StoredApiObject): string =>
    (top as string | undefined) ?? (spec as { size?: string } | undefined)?.size ?? ''
  const selectable = {
    selectableFieldNames: ['spec.size'],
    selectableFields: (object: StoredApiObject) => ({ 'spec.size': size(object) }),
  }
  return testResource({
    group: 'example.com',
    plural: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    listKind: 'WidgetList',
    isCustom: true,
    versions: [testVersion('v1', selectable), testVersion('v2', selectable)],
    convert: async (object, version) =>
      object.apiVersion === `example.com/${version}`
        ? object
        : {
            apiVersion: `example.com/${version}`,
            kind: 'Widget',
            metadata: object.metadata,
            size: size(object),
          },
    ...more,
  })
}

export function createTestReader(clock: Clock, options: TestReaderOptions = {}): TestReader {
  const { resources = [testResource()], protobuf } = options
  const nature: Nature = {
    clock,
    random: seededRandom(7),
    uid: () => '',
    timestamp: () => formatTime(clock.now()),
  }
  const store = createMemoryStore(options)
  const codec = protobuf === undefined ? {} : { protobuf }
  const output = createOutput({ nature, ...codec })
  const reader = createReader({ store, nature, output, ...codec, ...options.parts })
  const [first = testResource()] = resources
  const name = resourceNameOf(first)

  const open: TestReader['open'] = async (path, { accept, userAgent = 'tester', signal } = {}) => {
    const { info, query } = parseRequest('GET', path)
    const resource = resources.find((each) => each.group === info.group && each.plural === info.resource)
    const version = resource?.versions.find((each) => each.name === info.version)
    if (resource === undefined || version === undefined) throw new Error(`Nothing is served at ${path}.`)
    const headers = { 'user-agent': userAgent, ...(accept !== undefined && { accept }) }
    const request = { info, resource, version, query, headers, ...(signal !== undefined && { signal }) }
    try {
      if (info.verb === 'watch') return await reader.watch(request)
      return await (info.verb === 'list' ? reader.list(request) : reader.get(request))
    } catch (error) {
      if (error instanceof ApiFailure) return output.failure(request, error)
      throw error
    }
  }

  return {
    store,
    open,
    async read(path, more) {
      const { status, headers, body } = await open(path, more)
      const chunks: Uint8Array[] = []
      for await (const chunk of body) chunks.push(chunk)
      return { status, headers, text: Buffer.concat(chunks).toString() }
    },
    put(key, members = {}, labels) {
      const [namespace, last] = key.includes('/') ? key.split('/') : [undefined, key]
      const draft: ApiObject = {
        kind: first.kind,
        apiVersion: first.group === '' ? first.storageVersion : `${first.group}/${first.storageVersion}`,
        metadata: {
          name: last ?? '',
          ...(namespace !== undefined && { namespace }),
          ...(labels !== undefined && { labels }),
        },
        ...members,
      }
      return store.put(name, key, draft, store.get(name, key)?.revision ?? 0).revision
    },
    remove: (key) => store.delete(name, key, store.get(name, key)?.revision ?? 0).revision,
  }
}
