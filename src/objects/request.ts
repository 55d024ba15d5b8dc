import { KubewrightError, stringifyJson } from '../base/index.js'
import { type Kind, resourceNameOf } from './kind.js'
import type { QueryParameters } from './request-parameters.js'
import type { TransportRequest } from './transport.js'

/** What is done, in the words of RBAC. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/** What it is done to. Without a name: all objects of the kind, in a namespace or everywhere. */
export interface RequestTarget {
  readonly kind: Pick<Kind, 'group' | 'version' | 'plural' | 'scope'>
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  /** `status`, `scale`, `eviction`... */
  readonly subresource?: string | undefined
}

/** What goes with it. */
export interface RequestParts {
  readonly query?: QueryParameters
  /** Plain data: sent as JSON, integers beyond 2^53 (`bigint`) included. */
  readonly body?: unknown
  /** The media type of the body; JSON unless said otherwise. */
  readonly contentType?: string
  /** The media type to ask for; JSON unless said otherwise. */
  readonly accept?: string
  /** The name of an object to be created, which is not in the path: for the description alone. */
  readonly newName?: string | undefined
}

/** One request to the API server, complete but for credentials: what a transport sends. */
export interface ApiRequest {
  readonly method: TransportRequest['method']
  /** Absolute, with its query, percent-encoded. */
  readonly path: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For people, in errors and logs: `create foos.example.com default/foo-sample`. */
  readonly description: string
}

/** A text that cannot be a part of a URL. Refused here, so that no name can lead a request elsewhere in the API. */
export class InvalidPathSegmentError extends KubewrightError {
  readonly what: string
  readonly value: string

  constructor(what: string, value: string) {
    super(
      `The ${what} ${JSON.stringify(value.slice(0, 100))} cannot be part of a URL: names may not be empty, ".", ".." ` +
        'or contain "/" or "%", and no text may hold half a surrogate pair. Check where it comes from.',
      { code: 'KW_INVALID_PATH_SEGMENT' },
    )
    this.what = what
    this.value = value
  }
}

/** The request needs a name or a namespace that was not given, or was given one that its kind cannot have. */
export class IncompleteTargetError extends KubewrightError {
  constructor(message: string) {
    super(message, { code: 'KW_INCOMPLETE_TARGET' })
  }
}

/** Builds a request without sending anything. Refuses what the server could misunderstand. */
export function buildRequest(verb: Verb, target: RequestTarget, parts: RequestParts = {}): ApiRequest {
  checkTarget(verb, target)
  const headers: Record<string, string> = { accept: parts.accept ?? 'application/json' }
  const request = {
    method: methods[verb],
    path: targetPath(target) + queryText(parts.query),
    headers,
    description: describeRequest(
      verb,
      parts.newName === undefined ? target : { ...target, name: parts.newName },
    ),
  }
  if (parts.body === undefined) return request
  headers['content-type'] = parts.contentType ?? 'application/json'
  return { ...request, body: stringifyJson(parts.body) }
}

/** `create foos.example.com default/foo-sample`, `update foos.example.com/status default/foo-sample`. */
export function describeRequest(verb: Verb, target: RequestTarget): string {
  const { kind, namespace, name, subresource } = target
  const what = subresource === undefined ? resourceNameOf(kind) : `${resourceNameOf(kind)}/${subresource}`
  if (name === undefined) return isEmpty(namespace) ? `${verb} ${what}` : `${verb} ${what} in ${namespace}`
  return isEmpty(namespace) ? `${verb} ${what} ${name}` : `${verb} ${what} ${namespace}/${name}`
}

/** The path of an object, a subresource or a collection: `/apis/apps/v1/namespaces/default/deployments/web`. */
function targetPath(target: RequestTarget): string {
  const { kind, namespace, name, subresource } = target
  let path =
    kind.group === ''
      ? `/api/${segment('version', kind.version)}`
      : `/apis/${segment('group', kind.group)}/${segment('version', kind.version)}`
  if (!isEmpty(namespace)) path += `/namespaces/${segment('namespace', namespace)}`
  path += `/${segment('resource', kind.plural)}`
  if (name !== undefined) path += `/${segment('name', name)}`
  if (subresource !== undefined) path += `/${segment('subresource', subresource)}`
  return path
}

/** `?limit=500&continue=...`, or nothing. */
function queryText(query: QueryParameters | undefined): string {
  let text = ''
  for (const key in query) {
    const value = query[key]
    if (value === undefined) continue
    text += `${text === '' ? '?' : '&'}${encode('query', key)}=${encode(key, String(value))}`
  }
  return text
}

const methods: Readonly<Record<Verb, TransportRequest['method']>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
}

function checkTarget(verb: Verb, target: RequestTarget): void {
  const { kind, namespace, name, subresource } = target
  const describe = (): string => describeRequest(verb, target)
  const needsName = verb === 'get' || verb === 'update' || verb === 'patch' || verb === 'delete'
  if (name === undefined ? needsName || subresource !== undefined : name === '') {
    // An empty name would address the whole collection: a delete of one would become a delete of all.
    throw new IncompleteTargetError(`Cannot ${describe()}: it has no name. Set metadata.name.`)
  }
  if (kind.scope === 'Cluster') {
    if (!isEmpty(namespace))
      throw new IncompleteTargetError(
        `Cannot ${describe()}: ${resourceNameOf(kind)} have no namespace. Leave the namespace out.`,
      )
  } else if (isEmpty(namespace) && (name !== undefined || verb === 'create' || verb === 'deletecollection')) {
    throw new IncompleteTargetError(
      `Cannot ${describe()}: ${resourceNameOf(kind)} live in a namespace and none was given. ` +
        'Set metadata.namespace (or the namespace of the key).',
    )
  }
}

function isEmpty(text: string | undefined): text is '' | undefined {
  return text === undefined || text === ''
}

const plainSegment = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

function segment(what: string, value: string): string {
  if (plainSegment.test(value)) return value
  if (value === '' || value === '.' || value === '..' || value.includes('/') || value.includes('%'))
    throw new InvalidPathSegmentError(what, value)
  return encode(what, value)
}

function encode(what: string, value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    throw new InvalidPathSegmentError(what, value)
  }
}
