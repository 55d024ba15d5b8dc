import { JsonSyntaxError, parseJson } from '../../base/index.js'
import { parseStatus, type TransportResponse } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'

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

/** The JSON of an answer. Rejects with {@link WebhookCallError} for everything else. */
export async function readWebhookAnswer(response: TransportResponse, limit: number): Promise<unknown> {
  const { status, headers } = response
  const bytes = await readAll(response, limit)
  if (status >= 300 || status < 200) throw answer(statusMessage(status, bytes.toString(), headers))
  if (bytes.length === 0)
    throw answer(`0-length response with status code: ${status} and content type: application/json`)
  try {
    return parseJson(bytes.toString())
  } catch (cause) {
    // What is not JSON is read as YAML there, which sees a text in almost everything.
    if (cause instanceof JsonSyntaxError) return bytes.toString()
    throw cause
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
