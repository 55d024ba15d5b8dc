import { JsonSyntaxError, parseJson } from '../../base/index.js'
import { apiVersionOf, parseStatus, type TransportResponse } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import { goTypeOf, isKnownKind, unversioned } from '../request/known-kinds.js'
import { readTypeMeta, type TypeMeta } from '../request/parse-body.js'

/** A webhook could not be asked or its answer not be read. The message is in the server's words. */
export class WebhookCallError extends Error {
  /** The webhook was reached and did answer. */
  readonly isAnswer: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly isAnswer?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.name = 'WebhookCallError'
    this.isAnswer = options.isAnswer ?? false
  }
}

/** The type of the reviews that a webhook speaks. */
export interface ReviewType extends TypeMeta {
  readonly version: 'v1' | 'v1beta1'
}

/** The review in an answer: plain data of that type. Rejects with {@link WebhookCallError} for everything else. */
export async function readWebhookAnswer(
  response: TransportResponse,
  limit: number,
  review: ReviewType,
): Promise<unknown> {
  const { status, headers } = response
  const bytes = await readAll(response, limit)
  const text = bytes.toString()
  if (status >= 300 || status < 200) throw answer(statusMessage(status, text, headers))
  if (text === '') {
    const type = String(headers['content-type'] ?? 'application/json')
    throw answer(`0-length response with status code: ${status} and content type: ${type}`)
  }
  const value = parse(text)
  const problem = typeProblem(value, text, review)
  if (problem !== undefined) throw answer(problem)
  return value
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    // What is not JSON is read as YAML there, which sees a text in almost everything.
    if (cause instanceof JsonSyntaxError) return text
    throw cause
  }
}

function typeProblem(value: unknown, text: string, { group, version, kind }: ReviewType): string | undefined {
  try {
    const found = readTypeMeta(value)
    if (found.kind === kind && found.group === group && found.version === version) return undefined
    if (found.kind === '') return `Object 'Kind' is missing in '${text}'`
    const isOfGroup = found.group === group && isKnownKind(found, group)
    return isOfGroup || unversioned.includes(found.kind)
      ? `converting (${goTypeOf(found)}) to (${version}.${kind}): unknown conversion`
      : `no kind ${quoteText(found.kind)} is registered for version ${quoteText(apiVersionOf(found))} in scheme "pkg/runtime/scheme.go:111"`
  } catch (error) {
    if (error instanceof GoDecodeError) return error.message
    throw error
  }
}

const answer = (message: string): WebhookCallError => new WebhookCallError(message, { isAnswer: true })

async function readAll({ body }: TransportResponse, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > limit) throw answer(`the response is larger than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const messages: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
}

/** What a client of the API makes of an answer that is no success. */
function statusMessage(code: number, body: string, headers: TransportResponse['headers']): string {
  const type = headers['content-type']
  const isText = typeof type !== 'string' || type.startsWith('text/')
  const own = isText ? undefined : readStatus(body)
  if (own !== undefined) return own
  const said = isText && body.trim() !== '' ? body.trim() : 'unknown'
  if (code === 403 || code === 406 || code === 415) return said
  const message = messages[code]
  if (message !== undefined) return message
  if (code >= 500)
    return `an error on the server (${quoteText(said)}) has prevented the request from succeeding`
  return `the server responded with the status code ${code} but did not return more information`
}

function readStatus(body: string): string | undefined {
  try {
    const status = parseStatus(parseJson(body))
    return status?.status === 'Success' ? undefined : status?.message
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
