import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, createGzip } from 'node:zlib'
import { systemClock } from '../../base/index.js'
import type { TransportResponse } from '../../objects/index.js'

// Below this, compressing costs more than it saves.
const leastGzipBytes = 128 * 1024
const lingerMs = 2000

/** Sends an answer. One whose length is known goes out in as few pieces as possible; a stream goes out as it comes. */
export async function writeAnswer(
  answer: TransportResponse,
  outgoing: ServerResponse,
  incoming: IncomingMessage,
): Promise<void> {
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? encode(value) : value.map(encode)
  }
  // What was not read of the body would be taken for the next request.
  if (!incoming.complete) headers['connection'] = 'close'
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (length >= leastGzipBytes && acceptsGzip(incoming)) {
    delete headers['content-length']
    headers['content-encoding'] = 'gzip'
    outgoing.writeHead(answer.status, headers)
    return writeCompressed(answer.body, outgoing)
  }
  outgoing.writeHead(answer.status, headers)
  if (Number.isNaN(length)) {
    // A watch that has nothing to tell yet has begun all the same.
    outgoing.flushHeaders()
    for await (const chunk of answer.body) await write(outgoing, chunk)
  } else {
    outgoing.cork()
    for await (const chunk of answer.body) if (!outgoing.write(chunk)) await flushed(outgoing)
    outgoing.uncork()
  }
  if (!incoming.complete) await lingered(incoming)
  outgoing.end()
}

/** Reads on for a while: a connection that is closed while the client still sends is reset, and the answer lost with it. */
function lingered(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      limit.cancel()
      incoming.off('end', end).off('close', end)
      resolve()
    }
    const limit = systemClock.setTimer(lingerMs, end)
    incoming.on('end', end).on('close', end).resume()
  })
}

/** Node writes each character of a header as one byte: these are the bytes of UTF-8, which warnings are in. */
function encode(text: string): string {
  return Buffer.from(text).toString('latin1')
}

async function write(outgoing: ServerResponse, chunk: Uint8Array): Promise<void> {
  if (!outgoing.write(chunk)) await flushed(outgoing)
}

/** Waits until more can be written; a client that has gone ends the answer. */
async function flushed(outgoing: ServerResponse): Promise<void> {
  outgoing.uncork()
  const gone = new AbortController()
  const onClose = (): void => gone.abort()
  outgoing.once('close', onClose)
  if (outgoing.destroyed) onClose()
  try {
    await once(outgoing, 'drain', { signal: gone.signal })
  } finally {
    outgoing.off('close', onClose)
  }
}

async function writeCompressed(body: AsyncIterable<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const { pipeline } = await import('node:stream/promises')
  await pipeline(body, createGzip({ level: constants.Z_BEST_SPEED }), outgoing)
}

function acceptsGzip(incoming: IncomingMessage): boolean {
  return String(incoming.headers['accept-encoding'] ?? '')
    .split(',')
    .some((each) => each.trim().split(';')[0] === 'gzip')
}
