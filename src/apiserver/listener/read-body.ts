import type { IncomingMessage } from 'node:http'

// One byte more than the router accepts: enough for it to refuse the request, and never more in memory.
const mostBytes = 3 * 1024 * 1024 + 1

/**
 * The body of a request, or undefined when there is none. Of a longer one than is ever accepted, only the beginning:
 * the rest is not read. Rejects when the client goes away before it has sent all of it.
 */
export function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers
  if (length === undefined && encoding === undefined) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let total = 0
    const finish = (): void => {
      incoming.off('data', onData).off('end', finish).off('error', reject).off('close', onClose)
      resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, Math.min(total, mostBytes)))
    }
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk)
      total += chunk.length
      if (total < mostBytes) return
      // The connection stays: the answer that says why has to go out on it.
      incoming.pause()
      finish()
    }
    const onClose = (): void =>
      reject(new Error('The client went away before it had sent all of its request.'))
    incoming.on('data', onData).on('end', finish).on('error', reject).on('close', onClose)
  })
}
