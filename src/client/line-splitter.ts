import { KubewrightError } from '../base/index.js'

/** A line is longer than any that the API server sends: the stream is not what it should be. */
export class LineTooLongError extends KubewrightError {
  readonly maxLineBytes: number

  constructor(maxLineBytes: number) {
    super(`A line of the stream is longer than ${maxLineBytes} bytes. Check what answers at this address.`, {
      code: 'KW_LINE_TOO_LONG',
    })
    this.maxLineBytes = maxLineBytes
  }
}

/** Limits of a splitter. */
export interface LineSplitterOptions {
  /** Longest line to accept; 64 MiB unless said otherwise. The server's own limit for an object is far below. */
  readonly maxLineBytes?: number
}

/** Cuts a stream of bytes at its newlines. Holds at most one unfinished line. */
export interface LineSplitter {
  /**
   * Calls back for each line that this chunk completes, without its line end; empty lines and a byte order mark at the
   * start are dropped. A line may be a view into the chunk: copy what you keep. Throws {@link LineTooLongError}.
   */
  push(chunk: Uint8Array, onLine: (line: Uint8Array) => void): void
  /** The unfinished last line, or nothing. */
  rest(): Uint8Array | undefined
}

const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Works on bytes, not on text: a character split over two chunks stays whole, and whoever keeps bytes never pays for
 * decoding. A line in a thousand chunks is put together once, at its end.
 */
export function createLineSplitter(options: LineSplitterOptions = {}): LineSplitter {
  const { maxLineBytes = 64 * 1024 * 1024 } = options
  let pieces: Uint8Array[] = []
  let pendingBytes = 0
  let isFirstLine = true

  const emit = (line: Uint8Array, onLine: (line: Uint8Array) => void): void => {
    let start = 0
    let end = line.byteLength
    if (isFirstLine) {
      isFirstLine = false
      if (line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf) start = 3
    }
    if (end > start && line[end - 1] === carriageReturn) end--
    if (end > start) onLine(start === 0 && end === line.byteLength ? line : line.subarray(start, end))
  }

  return {
    push(chunk, onLine) {
      let start = 0
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, start)) {
        if (pendingBytes + at - start > maxLineBytes) throw new LineTooLongError(maxLineBytes)
        const end = chunk.subarray(start, at)
        start = at + 1
        if (pendingBytes === 0) {
          emit(end, onLine)
        } else {
          pieces.push(end)
          const line = joinPieces(pieces, pendingBytes + end.byteLength)
          pieces = []
          pendingBytes = 0
          emit(line, onLine)
        }
      }
      if (start === chunk.byteLength) return
      const piece = start === 0 ? chunk : chunk.subarray(start)
      pieces.push(piece)
      pendingBytes += piece.byteLength
      if (pendingBytes > maxLineBytes) throw new LineTooLongError(maxLineBytes)
    },
    rest() {
      return pendingBytes === 0 ? undefined : joinPieces(pieces, pendingBytes)
    },
  }
}

function joinPieces(pieces: readonly Uint8Array[], length: number): Uint8Array {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces, length)
}

/** The bytes as text. Fastest on Node's own buffers, which need no copy. */
export function decodeUtf8(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('utf8')
}
