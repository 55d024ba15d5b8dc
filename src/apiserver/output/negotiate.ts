import { ApiFailure } from '../failure.js'
import { trimCharacter } from '../trim.js'
import { parseAccept } from './media-type.js'
import type { ProtobufCodec } from './protobuf-codec.js'

export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf'

/** Another shape than the object's own, asked for by `as=`. */
export interface Transformation {
  readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'
  /** Of the group meta.k8s.io. */
  readonly version: 'v1' | 'v1beta1'
}

/** How an answer is to be written. */
export interface Format {
  readonly mediaType: MediaType
  /** With line breaks and indentation. Of single answers only, never of watch events. */
  readonly isPretty: boolean
  readonly transformation: Transformation | undefined
}

/** What of a request decides the form of its answer. */
export interface OutputRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
}

/** What can be answered at the place that is asked. */
export interface Endpoint {
  /** Custom resources have no protobuf form of their own, only their metadata has. */
  readonly isCustom: boolean
  /** `list` and `watch` offer streams as well, which an error names. */
  readonly isCollection: boolean
  readonly hasTransformations: boolean
  /** Absent: nothing is written in protobuf. */
  readonly protobuf: ProtobufCodec | undefined
  /** For protobuf: the kind of the answer. */
  readonly apiVersion: string
  readonly kind: string
}

const json: MediaType = 'application/json'
const yaml: MediaType = 'application/yaml'
const protobuf: MediaType = 'application/vnd.kubernetes.protobuf'
/** What the real server offers, in its order. */
export const mediaTypes: readonly MediaType[] = [json, yaml, protobuf]
const streamed: readonly string[] = [`${json};stream=watch`, `${protobuf};stream=watch`]

/** The form of an answer at a resource. Throws the 406 of the real server when there is none. */
export function negotiate(request: OutputRequest, endpoint: Endpoint): Format {
  const accept = request.headers['accept'] ?? ''
  if (!endpoint.isCustom) checkRoute(accept, endpoint.isCollection)
  const format = choose(request, accept, endpoint)
  if (format === undefined) throw notAcceptable(mediaTypes)
  return format
}

/** Throws a 406 for what cannot be streamed. */
export function checkStream({ mediaType }: Format): void {
  if (mediaType === yaml) throw notAcceptable(streamed)
}

/** The form of a Status, a review or a document: nothing is transformed. Undefined when nothing fits. */
export function negotiatePlain(
  request: OutputRequest,
  codec: ProtobufCodec | undefined,
  answer: { readonly apiVersion: string; readonly kind: string },
): Format | undefined {
  const accept = request.headers['accept'] ?? ''
  return choose(request, accept, {
    isCustom: false,
    isCollection: false,
    hasTransformations: false,
    protobuf: codec,
    ...answer,
  })
}

export function notAcceptable(accepted: readonly string[]): ApiFailure {
  return new ApiFailure({
    code: 406,
    reason: 'NotAcceptable',
    message: `only the following media types are accepted: ${accepted.join(', ')}`,
  })
}

/** Built-in resources are matched by their route first, which knows no wildcards but one and answers in its own words. */
function checkRoute(accept: string, isCollection: boolean): void {
  if (accept === '') return
  const produced: readonly string[] = isCollection ? [...mediaTypes, ...streamed] : mediaTypes
  const isKnown = accept.split(',').some((part) => {
    const type = trimCharacter(part.split(';', 1)[0] ?? '', ' ')
    return type === '*/*' || produced.includes(type)
  })
  if (isKnown) return
  throw new ApiFailure({
    code: 406,
    reason: 'NotAcceptable',
    message: `406: Not Acceptable\n\nAvailable representations: ${produced.join(', ')}`,
    details: {},
  })
}

function choose(request: OutputRequest, accept: string, endpoint: Endpoint): Format | undefined {
  if (accept === '') return { mediaType: json, isPretty: wantsPretty(request), transformation: undefined }
  for (const { type, subtype, parameters } of parseAccept(accept)) {
    for (const mediaType of mediaTypes) {
      const isMatch =
        (type === '*' && subtype === '*') ||
        (type === 'application' && (subtype === '*' || `${type}/${subtype}` === mediaType))
      if (!isMatch) continue
      const stream = parameters.get('stream') ?? ''
      if (stream !== '' && (stream !== 'watch' || mediaType === yaml)) continue
      if (!allowsServerVersion(parameters.get('sv') ?? '', endpoint)) continue
      const transformation = transformationOf(parameters)
      if (!canWrite(mediaType, transformation, endpoint)) continue
      return {
        mediaType,
        isPretty: parameters.get('pretty') === '1' || wantsPretty(request),
        transformation: transformation === 'unknown' ? undefined : transformation,
      }
    }
  }
  return undefined
}

function allowsServerVersion(version: string, { hasTransformations }: Endpoint): boolean {
  return version === '' || (hasTransformations && version === 'v1')
}

function transformationOf(parameters: ReadonlyMap<string, string>): Transformation | 'unknown' | undefined {
  const kind = parameters.get('as')
  const group = parameters.get('g')
  const version = parameters.get('v')
  if (kind === undefined && group === undefined && version === undefined) return undefined
  if (group !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return 'unknown'
  switch (kind) {
    case 'Table':
    case 'PartialObjectMetadata':
    case 'PartialObjectMetadataList':
      return { kind, version }
    default:
      return 'unknown'
  }
}

function canWrite(
  mediaType: MediaType,
  transformation: Transformation | 'unknown' | undefined,
  endpoint: Endpoint,
): boolean {
  if (transformation === 'unknown' || (transformation !== undefined && !endpoint.hasTransformations))
    return false
  if (mediaType !== protobuf) return true
  if (transformation?.kind === 'Table') return false
  if (endpoint.protobuf === undefined) return false
  if (transformation !== undefined)
    return endpoint.protobuf.knows(`meta.k8s.io/${transformation.version}`, transformation.kind)
  return !endpoint.isCustom && endpoint.protobuf.knows(endpoint.apiVersion, endpoint.kind)
}

/** `pretty=` decides; without it, tools that people look through get it. */
function wantsPretty({ headers, query }: OutputRequest): boolean {
  const wanted = query.get('pretty') ?? ''
  if (wanted !== '') return ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(wanted)
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '')
}
