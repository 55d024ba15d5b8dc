import type { IncomingMessage } from 'node:http'
import { parseJson, stringifyJson } from 'kubewright/base'
import { parse as parseYaml } from 'yaml'
import { at, textAt } from './data.js'
import type { RawRequest, Server } from './server.js'

/** A request whose body is data: a text or bytes go out as they are, anything else as JSON. */
export interface Request extends Omit<RawRequest, 'body'> {
  readonly body?: unknown
}

/** What the server said. */
export interface Answer {
  readonly status: number
  /** Those that matter. */
  readonly headers: Readonly<Record<string, unknown>>
  /** Data where the server sent JSON or YAML, otherwise the text. */
  readonly body: unknown
  /** The body as it came. */
  readonly text: string
  /** `metadata.resourceVersion`, or empty. */
  readonly version: string
  /** `metadata.uid`, or empty. */
  readonly uid: string
  /** `metadata.name`, or empty. */
  readonly name: string
  /** What stands at a path like `spec.replicas`. */
  at(path: string): unknown
}

const shownHeaders = ['content-type', 'warning', 'retry-after', 'allow', 'location'] as const

// A kind whose conversion always fails never gets further.
const initializingMs = 10_000

/** Sends the request and reads the whole answer. Rejects when none came. */
export async function exchange(server: Server, request: Request): Promise<Answer> {
  const giveUpMs = Date.now() + initializingMs
  for (;;) {
    const answer = await readAnswer(await server.open(encode(request)))
    if (!isInTransition(answer) || Date.now() > giveUpMs) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The real server says so for a moment when a kind is new, or has changed; nothing was done. */
function isInTransition({ status, text }: Answer): boolean {
  return (
    (status === 429 && text.includes('storage is (re)initializing')) ||
    (status === 503 && text.includes('apiserver is shutting down'))
  )
}

function encode({ body, ...request }: Request): RawRequest {
  if (body === undefined) return request
  return {
    ...request,
    body: typeof body === 'string' || body instanceof Uint8Array ? body : stringifyJson(body),
  }
}

/** Reads an answer to its end. */
export async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer) // without an encoding a stream of bytes gives buffers
  const text = Buffer.concat(chunks).toString('utf8')
  const body = parseBody(text, response.headers['content-type'] ?? '')
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      shownHeaders.flatMap((name) => {
        // Node takes bytes for letters; servers write UTF-8.
        const values = response.headersDistinct[name]?.map((value) =>
          Buffer.from(value, 'latin1').toString('utf8'),
        )
        return values === undefined ? [] : [[name, values.length === 1 ? values[0] : values]]
      }),
    ),
    body,
    text,
    version: textAt(body, 'metadata.resourceVersion'),
    uid: textAt(body, 'metadata.uid'),
    name: textAt(body, 'metadata.name'),
    at: (path) => at(body, path),
  }
}

function parseBody(text: string, type: string): unknown {
  try {
    if (type.startsWith('application/yaml')) return parseYaml(text)
    return /^\s*[{[]/.test(text) ? parseJson(text) : text
  } catch {
    return text
  }
}

/** How to wait between two questions, and for how long at all. */
interface Patience {
  readonly timeoutMs: number
}

/** Asks until the answer is as wanted or the time is over; the last answer either way. */
export async function exchangeUntil(
  server: Server,
  request: Request,
  isWanted: (answer: Answer) => boolean,
  { timeoutMs }: Patience,
): Promise<Answer> {
  const giveUpMs = Date.now() + timeoutMs
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 1.5, 250)) {
    const answer = await exchange(server, request)
    if (isWanted(answer) || Date.now() > giveUpMs) return answer
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
