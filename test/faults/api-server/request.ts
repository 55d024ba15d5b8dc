import type { IncomingMessage } from 'node:http'

export type PeerVerb = 'list' | 'watch' | 'get' | 'create' | 'update' | 'patch' | 'delete'

/** A request as the peer understood it, and as a test may count it. */
export interface PeerRequest {
  /** By the clock of the test. */
  readonly atMs: number
  readonly verb: PeerVerb
  readonly plural: string
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly subresource: string | undefined
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** `POST /apis/...?dryRun=All`, for messages. */
  readonly line: string
}

const path =
  /^\/apis\/faults\.example\.com\/v1(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/

/** Reads a request to its end. Undefined where the path is none of ours. */
export async function readRequest(incoming: IncomingMessage, atMs: number): Promise<PeerRequest | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const url = new URL(incoming.url ?? '/', 'http://peer')
  const match = path.exec(url.pathname)
  if (match === null) return undefined
  const [, namespace, plural = '', name, subresource] = match
  const query = Object.fromEntries(url.searchParams)
  return {
    atMs,
    verb: verbOf(incoming.method ?? 'GET', name, query),
    plural,
    namespace,
    name,
    subresource,
    query,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    line: `${incoming.method} ${incoming.url}`,
  }
}

function verbOf(method: string, name: string | undefined, query: Readonly<Record<string, string>>): PeerVerb {
  switch (method) {
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return 'delete'
    default:
      return name !== undefined ? 'get' : query['watch'] === 'true' ? 'watch' : 'list'
  }
}
