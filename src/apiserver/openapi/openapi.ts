import { createHash } from 'node:crypto'
import { stringifyJson } from '../../base/index.js'
import type { TransportResponse } from '../../objects/index.js'
import { type Group, groupsOf } from '../discovery/documents.js'
import { partsResponse } from '../output/parts-response.js'
import type { Resource, ResourceCatalogue } from '../resource.js'
import type { PathHandler, PathRequest } from '../router.js'
import { BuiltinDefinitions } from './definitions.js'
import { openApiV2, openApiV3, servedIn } from './documents.js'

export interface OpenApiParts {
  readonly catalogue: ResourceCatalogue
  /** Of Kubernetes. */
  readonly version: string
}

interface Document {
  readonly text: Buffer
  readonly hash: string
}

/** `/openapi/v3`, its documents, and `/openapi/v2`: the shapes of everything that is served. */
export function createOpenApi({ catalogue, version }: OpenApiParts): PathHandler {
  const definitions = new BuiltinDefinitions(loadDescriptions)
  // A document is made when it is first asked for, and again when a resource in it has become another.
  const documents = new Map<string, { readonly of: readonly Resource[]; readonly made: Promise<Document> }>()
  const remembered = (
    key: string,
    of: readonly Resource[],
    make: () => Promise<object>,
  ): Promise<Document> => {
    const known = documents.get(key)
    if (known !== undefined && known.of.length === of.length && known.of.every((each, at) => each === of[at]))
      return known.made
    const made = make().then(encode)
    documents.set(key, { of, made })
    return made
  }
  const documentOf = (group: Group, groupVersion: string): Promise<Document> =>
    remembered(pathOf(group, groupVersion), group.resources, () =>
      openApiV3(servedIn(group, groupVersion), definitions, {
        title: group.resources[0]?.isCustom === true ? 'Kubernetes CRD Swagger' : 'Kubernetes',
        version: group.resources[0]?.isCustom === true ? 'v0.1.0' : version,
      }),
    )

  return async (request) => {
    const groups = groupsOf(catalogue.all())
    if (request.path === '/openapi/v2') {
      if (!acceptsJson(request)) return notAcceptable()
      const all = groups.flatMap(({ resources }) => resources)
      return answer(request, await remembered('v2', all, () => openApiV2(groups, definitions, version)))
    }
    const versions = groups.flatMap((group) => group.versions.map((each) => ({ group, version: each })))
    if (request.path === '/openapi/v3') return textAnswer(stringifyJson({ paths: indexOf(versions) }))
    const asked = versions.find(
      ({ group, version: each }) => request.path === `/openapi/v3/${pathOf(group, each)}`,
    )
    if (asked === undefined) return request.path.startsWith('/openapi/v3/') ? nothing() : undefined
    if (!acceptsJson(request)) return notAcceptable()
    return answer(request, await documentOf(asked.group, asked.version))
  }
}

/** The hash tells clients when to fetch a document again; it is that of the names and shapes that decide it. */
function indexOf(versions: readonly { readonly group: Group; readonly version: string }[]): object {
  return Object.fromEntries(
    versions.map(({ group, version }) => {
      const path = pathOf(group, version)
      const shapes = servedIn(group, version).map(([resource, served]) => [
        resource.plural,
        served.verbs,
        [...served.subresources.keys()],
        resource.isCustom ? served.schema : '',
      ])
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hashOf(stringifyJson(shapes))}` }]
    }),
  )
}

function pathOf({ name }: Group, version: string): string {
  return name === '' ? `api/${version}` : `apis/${name}/${version}`
}

function hashOf(text: string | Buffer): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase()
}

function encode(document: object): Document {
  const text = Buffer.from(stringifyJson(document))
  return { text, hash: hashOf(text) }
}

function acceptsJson({ request }: PathRequest): boolean {
  const accept = request.headers['accept'] ?? '*/*'
  return accept
    .split(',')
    .map((part) => part.split(';')[0]?.trim())
    .some((type) => type === 'application/json' || type === '*/*' || type === 'application/*' || type === '')
}

/** The index says what it is no better than the real one. */
function textAnswer(text: string): TransportResponse {
  return partsResponse(200, 'text/plain; charset=utf-8', [Buffer.from(text)])
}

function nothing(): TransportResponse {
  const { headers, ...answer } = partsResponse(404, '', [])
  const { 'content-type': _type, ...others } = headers
  return { ...answer, headers: others }
}

function notAcceptable(): TransportResponse {
  return partsResponse(406, 'text/plain; charset=utf-8', [])
}

function answer({ request }: PathRequest, { text, hash }: Document): TransportResponse {
  const headers = { etag: `"${hash}"`, vary: 'Accept' }
  if (request.headers['if-none-match'] === headers.etag)
    return partsResponse(304, 'application/json', [], headers)
  return partsResponse(200, 'application/json', [text], headers)
}

async function loadDescriptions(module: string): Promise<string> {
  const { descriptionModules } = await import('./description-modules.js')
  const load = descriptionModules[module]
  return load === undefined ? '' : (await load()).descriptions
}
