import { assertNever } from '../base/index.js'
import { type TransportRequest, type TransportResponse } from '../objects/index.js'
import { badRequest, methodNotAllowed, methodNotSupported, noSuchResource, notFound } from './failure.js'
import type { AnswerTarget, Output } from './output/output.js'
import type { ReadRequest } from './read/read-request.js'
import type { Reader } from './read/reader.js'
import { bodyOf, type RequestBody } from './request/body.js'
import { type ParsedRequest, pathSegmentProblems } from './request/parse-request.js'
import {
  type Resource,
  type ResourceCatalogue,
  type ScaleProjection,
  type ServedVersion,
  type Subresource,
  storageNameOf,
} from './resource.js'
import { pageNotFound } from './text-response.js'
import type { User } from './user.js'
import { createActions } from './write/action.js'
import { patchTypeOf } from './write/patch-types.js'
import { readScale } from './write/scale.js'
import { keyFor } from './write/write-call.js'
import {
  createWriter,
  type WriteAim,
  type WriteOutcome,
  type WriteRequest,
  type WriterParts,
} from './write/writer.js'

export interface ResourceRouteParts extends Omit<WriterParts, 'reader'> {
  readonly catalogue: ResourceCatalogue
  readonly output: Output
  readonly reader: Reader
  readonly bodyReader: WriterParts['reader']
}

/** A request for a resource, authorized. */
export interface ResourceRequest {
  readonly request: TransportRequest
  readonly parsed: ParsedRequest
  readonly user: User
  warn(text: string): void
  isAbandoned(): boolean
}

interface Found {
  readonly resource: Resource
  readonly version: ServedVersion
}

/** Answers requests for resources. Rejects with ApiFailure. */
export function createResourceRoutes(
  parts: ResourceRouteParts,
): (request: ResourceRequest) => Promise<TransportResponse> {
  const { catalogue, output, reader, store } = parts
  const writer = createWriter({
    ...parts,
    reader: parts.bodyReader,
  })
  const actions = createActions({ ...parts, reader: parts.bodyReader })

  const send = (outcome: WriteOutcome, target: AnswerTarget): Promise<TransportResponse> => {
    switch (outcome.type) {
      case 'object':
        return output.object(target, outcome.object, outcome.status)
      case 'plain':
        return output.plain(target.request, outcome.object, outcome.status)
      case 'success':
        return output.success(target, outcome.status)
      default:
        return assertNever(outcome)
    }
  }

  const deleteCollection = async (
    write: WriteRequest,
    read: ReadRequest,
    target: AnswerTarget,
  ): Promise<TransportResponse> => {
    const page = await reader.page(read)
    const keys = page.items.map(({ key }) => keyParts(key))
    await writer.deleteCollection(write, keys)
    return output.list(target, page.items, page.metadata)
  }

  const readScaleOf = async (read: ReadRequest, scale: ScaleProjection): Promise<TransportResponse> => {
    const { resource, info } = read
    const stored = store.get(storageNameOf(resource), keyFor(read, info.name))
    if (stored === undefined) throw notFound({ group: resource.group, resource: resource.plural }, info.name)
    const { object } = await reader.inVersion(read, stored)
    scale.checkReadable?.(object)
    return output.plain(read, readScale(scale, object))
  }

  return async (incoming) => {
    const { request, parsed, user } = incoming
    const found = findRoute(catalogue, parsed)
    if (found === undefined) return pageNotFound()
    const { resource, version } = found
    const { info } = parsed
    if (version.deprecationWarning !== undefined) incoming.warn(version.deprecationWarning)
    const subresource = subresourceOf(found, parsed)
    checkMethod(found, subresource, parsed, request)
    const query = queryOf(parsed)
    const served = { resource, version }
    const read: ReadRequest = {
      ...served,
      info,
      query,
      headers: request.headers,
      ...(request.signal !== undefined && { signal: request.signal }),
    }
    const body = (): RequestBody => bodyOf(request.body, request.headers)
    const write = (): WriteRequest => ({
      ...served,
      info,
      user,
      query,
      headers: request.headers,
      body: body(),
      warn: (text) => incoming.warn(text),
      annotate: () => {},
      isAbandoned: () => incoming.isAbandoned(),
    })

    if (resource.actions !== undefined || subresource?.type === 'action')
      return actions({ found: served, subresource, write: write(), signal: request.signal })
    if (needsName(info.verb)) checkNameParameter(info.name)
    switch (info.verb) {
      case 'get':
        return subresource?.type === 'scale' ? readScaleOf(read, subresource.scale) : reader.get(read)
      case 'list':
        return reader.list(read)
      case 'watch':
        return reader.watch(read)
      case 'create': {
        const target = output.negotiate(read, served, 'create')
        return send(await writer.create(write()), target)
      }
      case 'update': {
        const target = output.negotiate(read, served, 'update')
        return send(await writer.update(write(), aimOf(version, subresource)), target)
      }
      case 'patch': {
        const target = output.negotiate(read, served, 'patch')
        return send(await writer.patch(write(), aimOf(version, subresource)), target)
      }
      case 'delete': {
        const target = output.negotiate(read, served, 'delete')
        return send(await writer.delete(write()), target)
      }
      case 'deletecollection':
        return deleteCollection(write(), read, output.negotiate(read, served, 'deletecollection'))
      default:
        throw methodNotSupported({ group: resource.group, resource: resource.plural }, info.verb)
    }
  }
}

/**
 * The resource at a path. Undefined where the server has never heard of it; throws 404 where the group is one of the
 * server's own, which answers in another way.
 */
function findRoute(catalogue: ResourceCatalogue, { info }: ParsedRequest): Found | undefined {
  const isOwnPath = info.path.startsWith('/api/') || info.path.startsWith('/apis/')
  const found = isOwnPath ? catalogue.find(info.group, info.version, info.resource) : undefined
  const isOldProxy = info.verb === 'proxy' && found?.resource.isCustom === false
  if (found !== undefined && !isOldProxy && fitsScope(found.resource, info)) return found
  if (isOwnPath && isOwnGroup(catalogue, info.group)) throw noSuchResource()
  return undefined
}

/** Whether the path has a namespace exactly where the resource has one; lists may leave it out. */
function fitsScope(resource: Resource, info: ParsedRequest['info']): boolean {
  const isNamespace = resource.group === '' && resource.plural === 'namespaces'
  if (resource.scope === 'Cluster') return isNamespace || info.namespace === ''
  if (info.namespace !== '') return true
  if (resource.isCustom) return info.verb === 'list' || info.verb === 'watch'
  // The path of a list in all namespaces is there for other methods, too, which are then not allowed on it.
  return info.subresource === '' && (info.verb === 'list' || info.verb === 'watch' || info.name === '')
}

function isOwnGroup(catalogue: ResourceCatalogue, group: string): boolean {
  for (const resource of catalogue.all()) if (!resource.isCustom && resource.group === group) return true
  return false
}

function subresourceOf(
  { resource, version }: Found,
  { info, subpath }: ParsedRequest,
): Subresource | undefined {
  if (info.subresource === '') return undefined
  const found = version.subresources.get(info.subresource)
  // Of custom resources, nobody looks at what follows.
  const takesPath = resource.isCustom || (found?.type === 'action' && info.subresource === 'proxy')
  if (found !== undefined && (subpath === '' || takesPath)) return found
  if (resource.isCustom) throw notFound({ group: resource.group, resource: resource.plural }, info.name)
  throw noSuchResource()
}

const partVerbs: readonly string[] = ['get', 'update', 'patch']

/** Throws 405 for a verb that is not for this, 400 for one that lacks a name, 415 for a patch of no known type. */
function checkMethod(
  { resource, version }: Found,
  subresource: Subresource | undefined,
  { info, isWatchPath }: ParsedRequest,
  { method, headers }: TransportRequest,
): void {
  const { verb } = info
  const isKnownMethod = resource.isCustom || (method !== 'HEAD' && (!isWatchPath || method === 'GET'))
  const allowed =
    subresource === undefined
      ? [...version.verbs, ...Object.keys(resource.actions ?? {})]
      : subresource.type === 'action'
        ? Object.keys(subresource.verbs)
        : ((subresource.type === 'part' ? subresource.verbs : undefined) ?? partVerbs)
  if (isKnownMethod && allowed.includes(verb) && isInPlace(resource, info)) return
  const isNameless = info.name === '' && (verb === 'update' || verb === 'patch')
  if (resource.isCustom && isNameless) {
    if (verb === 'patch') patchTypeOf(headers['content-type'] ?? '', true)
    throw badRequest('name must be provided')
  }
  if (resource.isCustom) throw methodNotSupported({ group: resource.group, resource: resource.plural }, verb)
  throw methodNotAllowed()
}

/** Whether the verb goes with the path: a name for those that are about one object, none for the others. */
function isInPlace(
  resource: Resource,
  { verb, name, namespace, subresource }: ParsedRequest['info'],
): boolean {
  const isCollectionPath = name === ''
  switch (verb) {
    case 'create':
      if (subresource !== '') return true
      if (resource.isCustom) return true
      return isCollectionPath && (resource.scope === 'Cluster' || namespace !== '')
    case 'update':
    case 'patch':
      return !isCollectionPath
    case 'deletecollection':
      return resource.scope === 'Cluster' || namespace !== ''
    default:
      return true
  }
}

function needsName(verb: string): boolean {
  return verb === 'get' || verb === 'update' || verb === 'patch' || verb === 'delete'
}

function checkNameParameter(name: string): void {
  const [problem] = pathSegmentProblems(name)
  if (problem !== undefined) throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${problem}`)
}

/** The old paths that say `watch` mean what the parameter says. */
function queryOf({ query, isWatchPath }: ParsedRequest): URLSearchParams {
  if (!isWatchPath) return query
  const changed = new URLSearchParams(query)
  changed.set('watch', 'true')
  return changed
}

function aimOf(version: ServedVersion, subresource: Subresource | undefined): WriteAim {
  if (subresource?.type === 'scale') return { type: 'scale', scale: subresource.scale }
  return { type: 'object', strategy: subresource?.type === 'part' ? subresource.strategy : version.strategy }
}

function keyParts(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/')
  return slash < 0
    ? { namespace: '', name: key }
    : { namespace: key.slice(0, slash), name: key.slice(slash + 1) }
}
