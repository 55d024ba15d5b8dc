import { parseFieldSelector } from '../../objects/index.js'
import { ApiFailure } from '../failure.js'
import { trimCharacter } from '../trim.js'
import type { RequestInfo } from './request-info.js'

/** A request line, understood. */
export interface ParsedRequest {
  readonly info: RequestInfo
  readonly query: URLSearchParams
  /** Whether the path says `watch` before the resource, the old way to ask for one. */
  readonly isWatchPath: boolean
  /** What follows the subresource, for those that forward it: `a/b` of `pods/x/proxy/a/b`. */
  readonly subpath: string
}

const verbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** What follows a namespace's name and is not a resource in it. */
const namespaceSubresources: ReadonlySet<string> = new Set(['status', 'finalize'])

/**
 * Reads a method and a path with its query, as a client sends them. The path is decoded once. Throws ApiFailure for a
 * path that cannot be decoded, or that ends where it should go on.
 */
export function parseRequest(method: string, target: string): ParsedRequest {
  const question = target.indexOf('?')
  const rawPath = question < 0 ? target : target.slice(0, question)
  const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1))
  const path = decodePath(rawPath)
  const parts = splitPath(path)
  const other = (): ParsedRequest => ({
    info: {
      verb: method.toLowerCase(),
      path,
      isResource: false,
      group: '',
      version: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
    },
    query,
    isWatchPath: false,
    subpath: '',
  })
  const [prefix] = parts
  const isCore = prefix === 'api'
  if (!(isCore || prefix === 'apis') || parts.length < (isCore ? 3 : 4)) return other()

  const group = isCore ? '' : (parts[1] ?? '')
  const version = parts[isCore ? 1 : 2] ?? ''
  let rest = parts.slice(isCore ? 2 : 3)
  let verb = verbs[method] ?? ''
  const special = rest[0]
  const isVerbPath = special === 'watch' || special === 'proxy'
  if (isVerbPath) {
    if (rest.length < 2) throw undeterminable(target)
    verb = special
    rest = rest.slice(1)
  }

  let namespace = ''
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1] ?? ''
    if (rest.length > 2 && !namespaceSubresources.has(rest[2] ?? '')) rest = rest.slice(2)
  }
  const [resource = '', inPath = '', inSubresource = '', ...more] = rest
  const name = inPath === '' && verb === 'get' ? selectedName(query) : inPath
  return {
    info: {
      verb: verbFor(verb, inPath, query),
      path,
      isResource: true,
      group,
      version,
      resource,
      subresource: verb === 'proxy' ? '' : inSubresource,
      namespace,
      name,
    },
    query,
    isWatchPath: special === 'watch',
    subpath: more.join('/'),
  }
}

function verbFor(verb: string, name: string, query: URLSearchParams): string {
  if (name !== '') return verb
  if (verb === 'delete') return 'deletecollection'
  if (verb !== 'get') return verb
  return isTrue(query.get('watch')) ? 'watch' : 'list'
}

/** A parameter as the server reads booleans: everything is true but these. */
export function isTrue(parameter: string | null): boolean {
  return parameter !== null && parameter !== '0' && parameter.toLowerCase() !== 'false'
}

/** A list of what has one name asks for that name, to those who authorize. */
function selectedName(query: URLSearchParams): string {
  const selector = query.get('fieldSelector')
  if (selector === null || selector === '') return ''
  try {
    const exact = parseFieldSelector(selector).find(
      (requirement) => requirement.field === 'metadata.name' && requirement.operator === '=',
    )
    return exact !== undefined && pathSegmentProblems(exact.value).length === 0 ? exact.value : ''
  } catch {
    // Not our error to report: whoever lists does.
    return ''
  }
}

/** What stands against a name as a part of a path, in the server's words. */
export function pathSegmentProblems(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  return ['/', '%'].filter((character) => name.includes(character)).map((each) => `may not contain '${each}'`)
}

function splitPath(path: string): readonly string[] {
  const trimmed = trimCharacter(path, '/')
  return trimmed === '' ? [] : trimmed.split('/')
}

function decodePath(raw: string): string {
  if (!raw.includes('%')) return raw
  if (/%(?![0-9a-fA-F]{2})/.test(raw))
    throw new ApiFailure({ code: 400, reason: 'BadRequest', message: `invalid URL escape in ${raw}` })
  // Bytes that are no UTF-8 become replacement characters, which no name has.
  const bytes = Buffer.from(raw, 'utf8').toString('latin1')
  const decoded = bytes.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(decoded, 'latin1').toString('utf8')
}

function undeterminable(target: string): ApiFailure {
  return new ApiFailure({
    code: 500,
    reason: 'InternalError',
    message: `failed to create RequestInfo: unable to determine kind and namespace from url, ${target}`,
  })
}
