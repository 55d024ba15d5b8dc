import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http'
import type { TransportResponse } from '../../objects/index.js'
import { partsResponse } from '../output/parts-response.js'
import { parseRequest } from '../request/parse-request.js'
import { writeAnswer } from './write-answer.js'

/** A request for a watch over WebSocket, as Node hands it over: nothing was answered yet. */
export interface WatchUpgrade {
  readonly incoming: IncomingMessage
  /** What came after the headers and was read with them. */
  readonly head: Buffer
  /** Begins the watch. The signal aborts when the client has gone or the connection is over. */
  readonly begin: (signal: AbortSignal) => Promise<TransportResponse>
}

const tokenPrefix = 'base64url.bearer.authorization.k8s.io.'
const handshakeGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

const longestControlBytes = 125

/** The one way in which the real server closes, whoever is at fault: status 1000. */
const farewell = encodeFrame(opcodes.close, Buffer.from([0x03, 0xe8]))

/** Whether a request to upgrade asks for a watch over WebSocket. Everything else is answered as if it had not asked. */
export function isWatchUpgrade({ method = '', headers }: IncomingMessage, path: string): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false
  // What would be a body, if the connection were not handed over, must not be taken for frames.
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) return false
  try {
    const { info } = parseRequest(method, path)
    return info.isResource && info.verb === 'watch'
  } catch {
    // The plain answer says what is wrong with the path.
    return false
  }
}

/** The bearer token that browsers, who cannot set headers, hide among the subprotocols. */
export function subprotocolToken(headers: IncomingHttpHeaders): string | undefined {
  const encoded = subprotocolsOf(headers)
    .find((each) => each.startsWith(tokenPrefix))
    ?.slice(tokenPrefix.length)
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64url').toString()
}

/**
 * Answers a request for a watch over WebSocket: one event in each message, until either side ends it. A watch that is
 * refused, or asked for with a bad handshake, gets a plain answer. Resolves when there is no more to send; never rejects.
 */
export async function serveWatchSocket({ incoming, head, begin }: WatchUpgrade): Promise<void> {
  const { socket } = incoming
  const abort = new AbortController()
  const { signal } = abort
  // An error is followed by the end, which is all that matters here.
  socket.on('error', () => {})
  socket.on('close', () => abort.abort())
  socket.on('end', () => {
    abort.abort()
    socket.destroySoon()
  })
  const inbox = createInbox(socket, () => abort.abort())
  inbox.receive(head)
  socket.on('data', inbox.receive)
  try {
    const answer = await begin(signal)
    const refusal = answer.status === 200 ? refusalOf(incoming) : answer
    if (refusal !== undefined) {
      await writePlain(refusal, incoming)
      return
    }
    socket.write(handshakeOf(incoming))
    inbox.open()
    await sendEvents(answer, socket, signal)
    socket.end(farewell)
  } catch {
    // The client has gone or said farewell, or the watch broke: in no case is there more to tell.
    if (inbox.isOpen && socket.writable) socket.end(farewell)
  } finally {
    abort.abort()
    socket.destroySoon()
  }
}

/** A handshake that the real server refuses, which it finds out after the watch itself was found good. */
function refusalOf({ headers }: IncomingMessage): TransportResponse | undefined {
  const refuse = (status: number, text: string, more?: Readonly<Record<string, string>>): TransportResponse =>
    partsResponse(status, 'text/plain; charset=utf-8', [Buffer.from(text)], more)
  if (!headers['sec-websocket-key']) return refuse(400, 'mismatch challenge/response')
  if (headers['sec-websocket-version'] !== '13')
    return refuse(400, 'missing or bad WebSocket Version', { 'sec-websocket-version': '13' })
  // Whose origin does not matter, but it has to be an address: `null` is none.
  if (!/^(?:\/|[a-z][a-z\d+.-]*:)/i.test(headers.origin ?? '')) return refuse(403, '')
  // Nobody says which of several it would be.
  if (offeredSubprotocols(headers).length > 1) return refuse(400, '')
  return undefined
}

async function writePlain(answer: TransportResponse, incoming: IncomingMessage): Promise<void> {
  const outgoing = new ServerResponse(incoming)
  // Nobody reads requests on this connection any more.
  outgoing.shouldKeepAlive = false
  outgoing.assignSocket(incoming.socket)
  await writeAnswer(answer, outgoing, incoming)
  if (!outgoing.writableFinished && !outgoing.destroyed) await once(outgoing, 'finish')
}

function handshakeOf({ headers }: IncomingMessage): string {
  const key = `${headers['sec-websocket-key']}${handshakeGuid}`
  const [chosen] = offeredSubprotocols(headers)
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${createHash('sha1').update(key).digest('base64')}`,
    ...(chosen === undefined ? [] : [`Sec-WebSocket-Protocol: ${chosen}`]),
    '\r\n',
  ].join('\r\n')
}

function subprotocolsOf(headers: IncomingHttpHeaders): readonly string[] {
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** Those that are not a token. */
function offeredSubprotocols(headers: IncomingHttpHeaders): readonly string[] {
  return subprotocolsOf(headers).filter((each) => !each.startsWith(tokenPrefix))
}

async function sendEvents(
  { headers, body }: TransportResponse,
  socket: IncomingMessage['socket'],
  signal: AbortSignal,
): Promise<void> {
  const isJson = headers['content-type'] === 'application/json'
  const opcode = isJson ? opcodes.text : opcodes.binary
  for await (const event of isJson ? cutLines(body) : cutPrefixed(body)) {
    signal.throwIfAborted()
    if (!socket.write(encodeFrame(opcode, event))) await once(socket, 'drain', { signal })
  }
}

const newline = 0x0a

/** Events in JSON: each is a line, which may be spread over chunks. Its end stays with it, as on the real server. */
async function* cutLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let pieces: Uint8Array[] = []
  for await (const chunk of body) {
    let from = 0
    for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, to + 1)])
      pieces = []
      from = to + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  }
}

const prefixBytes = 4

/** Events in protobuf: before each stands its length, which a message does not need. */
async function* cutPrefixed(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= prefixBytes) {
      const end = prefixBytes + rest.readUInt32BE(0)
      if (rest.length < end) break
      yield rest.subarray(prefixBytes, end)
      rest = rest.subarray(end)
    }
  }
}

function encodeFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload
  const extra = length < 126 ? 0 : length < 2 ** 16 ? 2 : 8
  const frame = Buffer.allocUnsafe(2 + extra + length)
  // Always the last frame of its message.
  frame[0] = 0x80 | opcode
  frame[1] = extra === 0 ? length : extra === 2 ? 126 : 127
  if (extra === 2) frame.writeUInt16BE(length, 2)
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.set(payload, 2 + extra)
  return frame
}

interface Inbox {
  readonly isOpen: boolean
  readonly receive: (chunk: Buffer) => void
  /** Frames are heeded from now on: before the handshake, they wait. */
  open(): void
}

/** Reads what a client sends: pings are answered, a farewell or a broken frame leaves, the rest says nothing. */
function createInbox(socket: IncomingMessage['socket'], leave: () => void): Inbox {
  let isOpen = false
  let isLeft = false
  let rest: Buffer = Buffer.alloc(0)
  const heed = (): void => {
    while (!isLeft) {
      const frame = decodeFrame(rest)
      if (frame === 'incomplete') break
      if (frame === 'broken' || frame.opcode === opcodes.close) {
        isLeft = true
        rest = Buffer.alloc(0)
        leave()
        return
      }
      rest = rest.subarray(frame.bytes)
      if (frame.opcode === opcodes.ping && socket.writable)
        socket.write(encodeFrame(opcodes.pong, frame.payload))
    }
    // Who pings without reading the answers has to wait.
    if (!socket.writableNeedDrain) return
    socket.pause()
    socket.once('drain', () => socket.resume())
  }
  return {
    get isOpen() {
      return isOpen
    },
    receive(chunk) {
      if (isLeft || chunk.length === 0) return
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      if (isOpen) heed()
      else socket.pause()
    },
    open() {
      isOpen = true
      socket.resume()
      heed()
    },
  }
}

interface Frame {
  readonly opcode: number
  readonly payload: Buffer
  /** Of the whole frame. */
  readonly bytes: number
}

const knownOpcodes: ReadonlySet<number> = new Set(Object.values(opcodes))

/** The frame with which these bytes begin. */
function decodeFrame(bytes: Buffer): Frame | 'incomplete' | 'broken' {
  const [first, second] = bytes
  if (first === undefined || second === undefined) return 'incomplete'
  const opcode = first & 0x0f
  const isControl = opcode >= opcodes.close
  const hasExtension = (first & 0x70) !== 0
  const isMasked = (second & 0x80) !== 0
  if (hasExtension || !isMasked || !knownOpcodes.has(opcode)) return 'broken'
  let length = second & 0x7f
  const isLast = (first & 0x80) !== 0
  if (isControl && (!isLast || length > longestControlBytes)) return 'broken'
  // A length in eight bytes: 64 KiB and more. Clients have nothing to say in a watch; whoever says so much is not one.
  if (length === 127) return 'broken'
  let at = 2
  if (length === 126) {
    if (bytes.length < 4) return 'incomplete'
    length = bytes.readUInt16BE(2)
    at = 4
  }
  const begin = at + 4
  if (bytes.length < begin + length) return 'incomplete'
  const mask = bytes.subarray(at, begin)
  const payload = Buffer.from(bytes.subarray(begin, begin + length))
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] ?? 0)
  return { opcode, payload, bytes: begin + length }
}
