import { KubewrightError } from '../base/index.js'
import { decodeUtf8 } from './line-splitter.js'

/** The body is larger than a program should read at once. */
export class ResponseTooLargeError extends KubewrightError {
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes. Read it in pages (limit), or select fewer objects.`, {
      code: 'KW_RESPONSE_TOO_LARGE',
    })
    this.maxBytes = maxBytes
  }
}

// A string of V8 ends at 2^29 characters; beyond it decoding would throw something that nobody understands.
const maxBodyBytes = 2 ** 29 - 64

/** Reads a body to its end. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.byteLength
    if (length > maxBodyBytes) throw new ResponseTooLargeError(maxBodyBytes)
  }
  const [only] = chunks
  if (chunks.length === 1 && only !== undefined) return decodeUtf8(only)
  return Buffer.concat(chunks, length).toString('utf8')
}

/** Reads at most `maxBytes` of a body and gives up the rest. A body that breaks off counts as far as it came. */
export async function readPrefix(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.byteLength
      if (length >= maxBytes) break
    }
  } catch {
    // The status line has already told the outcome.
  }
  return Buffer.concat(chunks, length).toString('utf8', 0, Math.min(length, maxBytes))
}
