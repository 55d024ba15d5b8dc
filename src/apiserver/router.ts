import { abortReason, toError } from '../base/index.js'
import type { TransportRequest, TransportResponse } from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import { denied } from './auth/denial.js'
import type { Impersonation, ImpersonationHeaders } from './auth/impersonation.js'
import { ApiFailure, internalError, unauthorized } from './failure.js'
import type { Output } from './output/output.js'
import { Deadline, timeoutOf } from './request/deadline.js'
import { type ParsedRequest, parseRequest } from './request/parse-request.js'
import type { RequestInfo } from './request/request-info.js'
import { Warnings } from './request/warnings.js'
import { createResourceRoutes, type ResourceRouteParts } from './resource-routes.js'
import { pageNotFound } from './text-response.js'
import type { User } from './user.js'

/** A request for something that is not a resource: discovery, health, metrics. It is authorized. */
export interface PathRequest {
  readonly request: TransportRequest
  /** Decoded, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly user: User
  readonly signal: AbortSignal | undefined
}

/** Undefined: there is no such path. */
export type PathHandler = (request: PathRequest) => Promise<TransportResponse | undefined>

export interface RouterParts extends ResourceRouteParts {
  readonly output: Output
  readonly log: Logger
  /** Absent: headers that impersonate are not looked at. */
  readonly impersonate?: Impersonation
  /** By the path that they answer for, and all below it: `/version`, `/openapi/v3`. The longest one is asked first. */
  readonly paths: Readonly<Record<string, PathHandler>>
}

/** A request as it came in. */
export interface ReceivedRequest extends TransportRequest {
  /** Headers with each of their values, where one may come more than once. */
  readonly distinctHeaders?: ImpersonationHeaders
}

/** What is known of the connection that a request came in on. */
export interface ConnectionFacts {
  readonly remoteAddress?: string
}

/**
 * Answers a request of a user; undefined is for credentials that are nobody's. Rejects only when the request was aborted:
 * everything else becomes an answer.
 */
export type Router = (
  request: ReceivedRequest,
  user: User | undefined,
  connection?: ConnectionFacts,
) => Promise<TransportResponse>

/** Answered without a question, so that whoever looks after the server needs no rights. */
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz'])

export function createRouter(parts: RouterParts): Router {
  const { output, log, nature } = parts
  const routes = createResourceRoutes(parts)
  const prefixes = Object.keys(parts.paths).sort((left, right) => right.length - left.length)

  const answer = async (
    request: ReceivedRequest,
    user: User | undefined,
    parsed: ParsedRequest,
    warnings: Warnings,
  ): Promise<TransportResponse> => {
    const { info, query } = parsed
    const timeoutMs = isLongRunning(info) ? undefined : timeoutOf(query, isWrite(info))
    if (user === undefined) throw unauthorized()
    const actor = parts.impersonate?.(request.distinctHeaders ?? request.headers, { user, info }) ?? user
    if (!openPaths.has(info.path)) {
      const verdict = parts.authorizer({ user: actor, info })
      if (!verdict.isAllowed) throw withHeaders(denied({ user: actor, info }, verdict.reason), nosniff)
    }
    const { signal } = request
    if (info.isResource) {
      const deadline = new Deadline()
      const work = (): Promise<TransportResponse> =>
        routes({
          request,
          parsed,
          user: actor,
          warn: (text) => warnings.add(text),
          isAbandoned: () => deadline.isOver || signal?.aborted === true,
        })
      return timeoutMs === undefined ? work() : deadline.within(nature.clock, timeoutMs, work)
    }
    const prefix = prefixes.find(
      (each) => info.path === each || info.path.startsWith(each === '/' ? '//' : `${each}/`),
    )
    const handler = prefix === undefined ? undefined : parts.paths[prefix]
    const response = await handler?.({ request, path: info.path, query, user: actor, signal })
    return response ?? pageNotFound()
  }

  return async (request, user) => {
    const warnings = new Warnings()
    const auditId = request.headers['audit-id'] || nature.uid()
    let query = new URLSearchParams()
    const respond = async (): Promise<TransportResponse> => {
      try {
        const parsed = parseRequest(request.method, request.path)
        query = parsed.query
        return await answer(request, user, parsed, warnings)
      } catch (error) {
        if (request.signal?.aborted === true) throw abortReason(request.signal)
        return output.failure({ headers: request.headers, query }, failureOf(error, request, log))
      }
    }
    const response = await respond()
    const warning = warnings.headers()
    const body = request.method === 'HEAD' ? nothing : response.body
    return {
      status: response.status,
      headers: {
        'cache-control': 'no-cache, private',
        ...response.headers,
        'audit-id': auditId,
        ...(warning !== undefined && { warning }),
      },
      body,
    }
  }
}

const nosniff = { 'x-content-type-options': 'nosniff' }

function withHeaders({ status, headers }: ApiFailure, more: Readonly<Record<string, string>>): ApiFailure {
  const { code, reason = '', message = '', details } = status
  return new ApiFailure({
    code,
    reason,
    message,
    ...(details !== undefined && { details }),
    headers: { ...headers, ...more },
  })
}

/** Whatever goes wrong inside is told to the log in full, and to the client as an internal error. */
function failureOf(error: unknown, { method, path }: TransportRequest, log: Logger): ApiFailure {
  if (error instanceof ApiFailure) return error
  log.error('A request failed inside the API server.', { method, path, error: toError(error) })
  return internalError(toError(error).message)
}

const connections: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy', 'log'])

/** Whether the answer lasts as long as both sides want. */
function isLongRunning({ isResource, verb, subresource }: RequestInfo): boolean {
  return isResource && (verb === 'watch' || connections.has(subresource))
}

function isWrite({ isResource, verb }: RequestInfo): boolean {
  return isResource && verb !== 'get' && verb !== 'list' && verb !== 'deletecollection'
}

const nothing: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}
