import type { IncomingMessage } from 'node:http'

// One byte more than the router accepts: enough for it to refuse the request, and never more in memory.
const mostBytes = 3 * 1024 * 1024 + 1

/**
 * The body of a request, or undefined when there is none. Of a longer one than is ever accepted, only the beginning:
 * the rest is not read. Rejects when the client goes away before it has sent all of it.
 */
export async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  if (length === undefined && encoding === undefined) return undefined
  const chunks: Buffer[] = []
  let total = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    total += chunk.length
    if (total >= mostBytes) break
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, Math.min(total, mostBytes))
}
