import { HttpProtocolError, parseResponseHead, type ResponseHead } from './http-head.js'

/** Is told what a response consists of, in order: its head, any number of pieces of its body, its end. */
export interface ResponseListener {
  onHead(head: ResponseHead): void
  onBody(piece: Buffer): void
  onEnd(): void
}

// Where in a response the next byte belongs.
const inHead = 0
const inSizedBody = 1
const inBodyUntilClose = 2
const inChunkSize = 3
const inChunkExtension = 4
const inChunk = 5
const behindChunk = 6
const inTrailer = 7
const complete = 8

// Node's own limit is 16 KiB; a server with many warnings needs more.
const longestHeadBytes = 64 * 1024
const headEnd = Buffer.from('\r\n\r\n')
const greeting = Buffer.from('HTTP/')
const carriageReturn = 0x0d
const lineFeed = 0x0a
const semicolon = 0x3b

/**
 * Reads the responses of one connection, one after the other, from bytes that may be cut anywhere. Knows no sockets.
 * Pieces of the body are views into what was pushed. Every method throws {@link HttpProtocolError}, and is of no use
 * afterwards.
 */
export class ResponseParser {
  #listener: ResponseListener | undefined
  #method = 'GET'
  #state = complete
  /** The beginning of a head or of a line that the bytes so far do not complete. */
  #unread: Buffer = emptyBytes
  /** Bytes of the body, or of the chunk, that are still to come. */
  #remaining = 0
  #lineBytes = 0
  #isBehindReturn = false
  #keepsAlive = false

  /** Begins to read the response to a request of this method. */
  begin(method: string, listener: ResponseListener): void {
    this.#method = method
    this.#listener = listener
    this.#state = inHead
    this.#unread = emptyBytes
  }

  get isComplete(): boolean {
    return this.#state === complete
  }

  /** Whether the server allows another request after the last response. */
  get keepsAlive(): boolean {
    return this.#keepsAlive
  }

  /** Reads what has arrived. Bytes behind the end of a response are an error: nobody asked for them. */
  push(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      switch (this.#state) {
        case inHead:
          at = this.#readHead(bytes, at)
          break
        case inSizedBody:
        case inChunk:
          at = this.#readBody(bytes, at)
          break
        case inBodyUntilClose:
          this.#listener?.onBody(at === 0 ? bytes : bytes.subarray(at))
          return
        case inChunkSize:
        case inChunkExtension:
          at = this.#readChunkSize(bytes, at)
          break
        case behindChunk:
        case inTrailer:
          at = this.#readLineEnd(bytes, at)
          break
        default:
          throw new HttpProtocolError('bytes arrived that belong to no answer')
      }
    }
  }

  /** The connection has ended. True when that was the end of the response, or none was due. */
  finish(): boolean {
    if (this.#state === inBodyUntilClose) this.#end()
    return this.#state === complete
  }

  #readHead(bytes: Buffer, at: number): number {
    const known = this.#unread.length
    const head = known === 0 ? bytes.subarray(at) : Buffer.concat([this.#unread, bytes.subarray(at)])
    const compared = Math.min(greeting.length, head.length)
    // Told at once: what speaks another language may wait for us to speak first.
    if (head.compare(greeting, 0, compared, 0, compared) !== 0)
      throw new HttpProtocolError('the answer does not begin with HTTP/')
    const end = head.indexOf(headEnd, Math.max(0, known - headEnd.length))
    if (end === -1) {
      if (head.length > longestHeadBytes) throw new HttpProtocolError('the head of the answer is too long')
      this.#unread = head
      return bytes.length
    }
    this.#unread = emptyBytes
    this.#beginBody(parseResponseHead(head.toString('latin1', 0, end), this.#method))
    return at + end + headEnd.length - known
  }

  #beginBody(head: ResponseHead): void {
    if (head.status < 200) {
      if (head.status === 101) throw new HttpProtocolError('the answer changes to another protocol')
      return
    }
    this.#keepsAlive = head.keepsAlive
    this.#listener?.onHead(head)
    const { framing } = head
    switch (framing.kind) {
      case 'none':
        return this.#end()
      case 'length':
        this.#remaining = framing.bytes
        this.#state = inSizedBody
        if (framing.bytes === 0) this.#end()
        return
      case 'chunked':
        this.#beginChunk()
        return
      case 'until-close':
        this.#state = inBodyUntilClose
    }
  }

  #readBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#remaining)
    this.#remaining -= end - at
    this.#listener?.onBody(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    if (this.#remaining > 0) return end
    if (this.#state === inSizedBody) this.#end()
    else {
      this.#state = behindChunk
      this.#lineBytes = 0
    }
    return end
  }

  #beginChunk(): void {
    this.#state = inChunkSize
    this.#remaining = 0
    this.#lineBytes = 0
  }

  /** `1f;name=value\r\n`: the size in hex digits, and extensions that mean nothing to us. */
  #readChunkSize(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (this.#endsLine(byte)) {
        if (this.#lineBytes === 0) throw new HttpProtocolError('a chunk of the answer has no size')
        this.#state = this.#remaining === 0 ? inTrailer : inChunk
        this.#lineBytes = 0
        return at + 1
      }
      if (byte === carriageReturn) continue
      if (byte === semicolon) this.#state = inChunkExtension
      else if (this.#state === inChunkSize) this.#remaining = this.#remaining * 16 + hexDigit(byte)
      // NaN where a digit is none.
      if (!Number.isSafeInteger(this.#remaining))
        throw new HttpProtocolError('a chunk of the answer has no proper size')
      this.#countLineByte()
    }
    return bytes.length
  }

  /** The line end behind a chunk, or the lines behind the last one up to the empty one. */
  #readLineEnd(bytes: Buffer, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (this.#endsLine(byte)) {
        if (this.#state === behindChunk) this.#beginChunk()
        else if (this.#lineBytes === 0) this.#end()
        this.#lineBytes = 0
        return at + 1
      }
      if (byte === carriageReturn) continue
      if (this.#state === behindChunk)
        throw new HttpProtocolError('a chunk of the answer is longer than it says')
      this.#countLineByte()
    }
    return bytes.length
  }

  /** A carriage return and a line feed end a line; either of them alone is damage. */
  #endsLine(byte: number): boolean {
    const isBehindReturn = this.#isBehindReturn
    if (isBehindReturn !== (byte === lineFeed))
      throw new HttpProtocolError('a line of the answer has no proper end')
    this.#isBehindReturn = byte === carriageReturn
    return isBehindReturn
  }

  #countLineByte(): void {
    if (++this.#lineBytes > longestHeadBytes) throw new HttpProtocolError('a line of the answer is too long')
  }

  #end(): void {
    this.#state = complete
    const listener = this.#listener
    this.#listener = undefined
    listener?.onEnd()
  }
}

const emptyBytes: Buffer = Buffer.alloc(0)

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : Number.NaN
}
