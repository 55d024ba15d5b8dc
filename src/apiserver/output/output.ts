import { assertNever } from '../../base/index.js'
import type { ListMeta, TransportResponse } from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature } from '../cluster-state.js'
import type { ApiFailure } from '../failure.js'
import { apiVersionOf, checkList, checkOneObject, type Served } from './answer-kind.js'
import { type Content, listContent, objectContent, textContent, valueContent } from './content.js'
import {
  type Format,
  mediaTypes,
  negotiate,
  negotiatePlain,
  notAcceptable,
  type OutputRequest,
} from './negotiate.js'
import { partialMetadataContent, partialMetadataListContent } from './partial-metadata.js'
import { partsResponse } from './parts-response.js'
import { indentJson } from './pretty-json.js'
import type { ProtobufCodec } from './protobuf-codec.js'
import type { Rendition } from './rendition.js'
import { includeObjectOf, tableText } from './table.js'
import { toYaml } from './yaml-text.js'

export interface OutputParts {
  readonly nature: Nature
  readonly protobuf?: ProtobufCodec
}

/** What a request asked for, and of what. Negotiated before anything is done, so that nothing is done in vain. */
export interface AnswerTarget extends Served {
  readonly request: OutputRequest
  readonly format: Format
}

/** Writes answers as they were asked for. */
export interface Output {
  /** Throws the 406. `verb` as in the RequestInfo. */
  negotiate(request: OutputRequest, served: Served, verb: string): AnswerTarget
  /** One object: 200 unless said otherwise. Rejects with ApiFailure when it cannot be had in this form. */
  object(target: AnswerTarget, object: Rendition, status?: number): Promise<TransportResponse>
  list(target: AnswerTarget, items: readonly Rendition[], metadata: ListMeta): Promise<TransportResponse>
  /** What belongs to no resource of the catalogue: reviews, a Scale. */
  plain(
    request: OutputRequest,
    object: ApiObject | StoredApiObject,
    status?: number,
  ): Promise<TransportResponse>
  /** A Status of success, which is itself in whatever shape the object was asked for. */
  success(target: AnswerTarget, status: SuccessStatus): Promise<TransportResponse>
  /** Always succeeds: where nothing fits, in indented JSON. */
  failure(request: OutputRequest, failure: ApiFailure): Promise<TransportResponse>
}

/** The answer to a deletion that leaves nothing to show. */
export interface SuccessStatus {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: ListMeta
  readonly status: 'Success'
  readonly [field: string]: unknown
}

const newline = Buffer.from('\n')
/** The form of a failure that nobody asked for: something for people. */
const unwanted: Format = { mediaType: 'application/json', isPretty: true, transformation: undefined }

export function createOutput({ nature, protobuf }: OutputParts): Output {
  const write = async (
    { mediaType, isPretty }: Format,
    content: Content,
    status: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TransportResponse> => {
    switch (mediaType) {
      case 'application/json': {
        const parts = content.json()
        // Indented answers end without a line break, compact ones with it.
        const ended = isPretty ? [indentJson(Buffer.concat(parts))] : [...parts, newline]
        return partsResponse(status, mediaType, ended, headers)
      }
      case 'application/yaml':
        return partsResponse(status, mediaType, [toYaml(content)], headers)
      case 'application/vnd.kubernetes.protobuf':
        if (protobuf === undefined) throw notAcceptable(mediaTypes)
        return partsResponse(status, mediaType, [protobuf.encode(content.value())], headers)
      default:
        return assertNever(mediaType)
    }
  }
  const tableOf = (
    { request, version }: AnswerTarget,
    items: readonly Rendition[],
    metadata: ListMeta,
    tableVersion: 'v1' | 'v1beta1',
  ): Content =>
    textContent(
      tableText(items, metadata, {
        layout: version.table,
        version: tableVersion,
        includeObject: includeObjectOf(request.query),
        now: nature.clock.now(),
        hasColumns: true,
      }),
    )

  return {
    negotiate(request, served, verb) {
      const isWatch = verb === 'watch'
      const isCollection = isWatch || verb === 'list'
      const format = negotiate(request, {
        isCustom: served.resource.isCustom,
        isCollection,
        hasTransformations: true,
        protobuf,
        apiVersion: apiVersionOf(served),
        kind: isCollection && !isWatch ? served.resource.listKind : served.resource.kind,
      })
      return { ...served, request, format }
    },

    async object(target, rendition, status = 200) {
      const { format } = target
      const { transformation } = format
      if (transformation === undefined) return write(format, objectContent(rendition), status)
      checkOneObject(transformation, target)
      if (transformation.kind !== 'Table')
        return write(format, partialMetadataContent(rendition, transformation.version), status)
      const { resourceVersion } = rendition.object.metadata
      const metadata = resourceVersion === undefined ? {} : { resourceVersion }
      return write(format, tableOf(target, [rendition], metadata, transformation.version), status)
    },

    async list(target, items, metadata) {
      const { format } = target
      const { transformation } = format
      if (transformation === undefined) return write(format, listContent(target, items, metadata), 200)
      checkList(transformation, target)
      if (transformation.kind === 'Table')
        return write(format, tableOf(target, items, metadata, transformation.version), 200)
      return write(format, partialMetadataListContent(items, metadata, transformation.version), 200)
    },

    async plain(request, object, status = 200) {
      const format = negotiatePlain(request, protobuf, object)
      if (format === undefined) throw notAcceptable(mediaTypes)
      return write(format, valueContent(object), status)
    },

    success: ({ format }, status) => write(format, valueContent(status), 200),

    async failure(request, { status, headers }) {
      const retryAfterSeconds = status.details?.retryAfterSeconds ?? 0
      const allHeaders =
        retryAfterSeconds > 0 ? { 'retry-after': String(retryAfterSeconds), ...headers } : headers
      const subject = { apiVersion: 'v1', kind: 'Status' }
      const format = negotiatePlain(request, protobuf, subject) ?? unwanted
      return write(format, valueContent({ ...status, ...subject }), status.code, allHeaders)
    },
  }
}
