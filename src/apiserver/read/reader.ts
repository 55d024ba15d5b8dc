import { type TransportResponse } from '../../objects/index.js'
import { badRequest, notFound } from '../failure.js'
import type { AnswerTarget } from '../output/output.js'
import { includeObjectOf } from '../output/table.js'
import { isTrue } from '../request/parse-request.js'
import type { RequestInfo } from '../request/request-info.js'
import { storageNameOf } from '../resource.js'
import type { StoredObject } from '../store/store.js'
import { Endings } from './endings.js'
import { EventEncoder } from './event-encoder.js'
import { type Page, readPage } from './list.js'
import { type ListOptions, readListOptions } from './list-options.js'
import type { ReaderParts, ReadRequest } from './read-request.js'
import { readRevision, unpreparedFailure, waitForRevision } from './revision.js'
import { type Versioned, Versions } from './versioned.js'
import { startWatch } from './watch.js'

/** The verbs that change nothing, for every resource that is kept in the store. All reject with ApiFailure. */
export interface Reader {
  get(request: ReadRequest): Promise<TransportResponse>
  list(request: ReadRequest): Promise<TransportResponse>
  /** The answer's body goes on until the deadline, the end of the server or of the resource, or the reader's. */
  watch(request: ReadRequest): Promise<TransportResponse>
  /** What a list would show, for those who go on to do something with it. */
  page(request: ReadRequest): Promise<Page>
  /** A stored object in the version of a request: the stored one itself where nothing is to be done. */
  inVersion(request: Pick<ReadRequest, 'resource' | 'version'>, stored: StoredObject): Promise<Versioned>
}

export function createReader(parts: ReaderParts): Reader {
  const { store, nature, output } = parts
  const versions = new Versions()
  const endings = new Endings()
  const encoderFor = sharedEncoders(parts)

  return {
    async get(request) {
      const { resource, info, query, signal } = request
      const target = output.negotiate(request, request, 'get')
      refuseExport(query)
      const revision = readRevision(query.get('resourceVersion') ?? '', unpreparedFailure)
      await waitForRevision({ store, clock: nature.clock }, revision, signal)
      const key = resource.scope === 'Namespaced' ? `${info.namespace}/${info.name}` : info.name
      const stored = store.get(storageNameOf(resource), key)
      if (stored === undefined)
        throw notFound({ group: resource.group, resource: resource.plural }, info.name)
      return output.object(target, await versions.of(request, stored))
    },

    async list(request) {
      const target = output.negotiate(request, request, 'list')
      const { items, metadata } = await readPage(parts, versions, request, optionsOf(request))
      return output.list(target, items, metadata)
    },

    async watch(request) {
      const target = output.negotiate(request, request, 'watch')
      const options = optionsOf(request)
      return startWatch(parts, { request, options, target, versions, encoder: encoderFor(target), endings })
    },

    page: (request) => readPage(parts, versions, request, optionsOf(request)),

    inVersion: async (request, stored) => versions.of(request, stored),
  }
}

function refuseExport(query: URLSearchParams): void {
  if (isTrue(query.get('export')))
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported')
}

function optionsOf(request: ReadRequest): ListOptions {
  return withName(readListOptions(request.query, request), request.info)
}

/** A name in the path of a watch means the same as one in its field selector. */
function withName(options: ListOptions, { name }: RequestInfo): ListOptions {
  if (name === '') return options
  if (options.fields.length === 0)
    return { ...options, fields: [{ field: 'metadata.name', operator: '=', value: name }] }
  const exact = options.fields.find(({ field, operator }) => field === 'metadata.name' && operator === '=')
  if (exact?.value !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name")
  return options
}

/** One encoder for each shape of events that somebody watches. It goes with the version that it is about. */
function sharedEncoders({ nature, protobuf }: ReaderParts): (target: AnswerTarget) => EventEncoder {
  const ofVersions = new WeakMap<AnswerTarget['version'], Map<string, EventEncoder>>()
  return ({ resource, version, format, request }) => {
    const includeObject =
      format.transformation?.kind === 'Table' ? includeObjectOf(request.query) : 'Metadata'
    const { kind = '', version: shapeVersion = '' } = format.transformation ?? {}
    const shape = [format.mediaType, kind, shapeVersion, includeObject].join(' ')
    const ofVersion = ofVersions.get(version) ?? new Map<string, EventEncoder>()
    ofVersions.set(version, ofVersion)
    const encoder =
      ofVersion.get(shape) ??
      new EventEncoder(
        { served: { resource, version }, format, includeObject },
        { now: () => nature.clock.now(), protobuf },
      )
    ofVersion.set(shape, encoder)
    return encoder
  }
}
