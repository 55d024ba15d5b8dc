import { ArchiveUnsafeError } from './archive-errors.js'

/** A regular file of a tar archive. Its content must be read, or left, before the next entry is asked for. */
export interface TarFile {
  /** Relative, with `/` between its parts, none of which is `..`. */
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array>
}

const blockSize = 512

/**
 * The regular files of a tar archive (ustar, and pax as far as it only describes). Directories are passed over: whoever
 * writes files knows where. Anything else is refused: nothing that we unpack has links, devices or names of its own length.
 */
export async function* tarFiles(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile, void, undefined> {
  const input = byteReader(stream)
  for (;;) {
    const header = await input.exactly(blockSize)
    if (header === undefined || header.every((octet) => octet === 0)) return
    checkHeader(header)
    const size = octal(header.subarray(124, 136))
    const type = String.fromCharCode(header[156] ?? 0)
    const name = entryName(header)
    const content = input.next(size)
    if (type === '0' || type === '\0') yield { name, size, content }
    else if (type === 'x' || type === 'g') checkPaxRecords(await text(content))
    else if (type !== '5')
      throw new ArchiveUnsafeError(`${JSON.stringify(name)} is neither a file nor a folder`)
    for await (const _ of content) continue
    await input.exactly((blockSize - (size % blockSize)) % blockSize)
  }
}

function entryName(header: Buffer): string {
  const prefix =
    header.subarray(257, 262).toString('latin1') === 'ustar' ? cString(header.subarray(345, 500)) : ''
  const name =
    prefix === '' ? cString(header.subarray(0, 100)) : `${prefix}/${cString(header.subarray(0, 100))}`
  // Windows reads a backslash as a separator and `C:` as a drive.
  if (name === '' || name.startsWith('/') || /[\\:]/.test(name) || name.split('/').includes('..'))
    throw new ArchiveUnsafeError(`${JSON.stringify(name)} is not a path inside its folder`)
  return name
}

function checkHeader(header: Buffer): void {
  let sum = 0
  // The checksum counts its own field as spaces.
  for (const [at, octet] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : octet
  if (sum !== octal(header.subarray(148, 156))) throw new ArchiveUnsafeError('a header has a wrong checksum')
}

/** Pax records may time-stamp and comment, but not rename or resize what follows. */
function checkPaxRecords(records: string): void {
  const changing = /^\d+ (path|linkpath|size|GNU\.sparse[^=]*)=/m.exec(records)
  if (changing !== null) throw new ArchiveUnsafeError(`it uses the pax record ${JSON.stringify(changing[1])}`)
}

function octal(field: Buffer): number {
  const digits = cString(field).trim()
  if (!/^[0-7]{1,11}$/.test(digits)) throw new ArchiveUnsafeError('a number in a header is not octal')
  return Number.parseInt(digits, 8)
}

function cString(field: Buffer): string {
  const end = field.indexOf(0)
  return field.subarray(0, end === -1 ? field.length : end).toString('utf8')
}

async function text(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let total = 0
  for await (const piece of content) {
    total += piece.length
    if (total > 65_536) throw new ArchiveUnsafeError('a pax header is larger than 64 KiB')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

interface ByteReader {
  /** That many octets; nothing at the end of the stream. */
  exactly(count: number): Promise<Buffer | undefined>
  /** The next octets, piece by piece. What the caller leaves unread is given out when it is iterated again. */
  next(count: number): AsyncIterable<Uint8Array>
}

function byteReader(stream: AsyncIterable<Uint8Array>): ByteReader {
  const source = stream[Symbol.asyncIterator]()
  let buffered: Uint8Array = Buffer.alloc(0)

  async function take(atMost: number): Promise<Uint8Array | undefined> {
    while (buffered.length === 0) {
      const read = await source.next()
      if (read.done === true) return undefined
      buffered = read.value
    }
    const taken = buffered.subarray(0, atMost)
    buffered = buffered.subarray(taken.length)
    return taken
  }

  function next(count: number): AsyncIterable<Uint8Array> {
    let remaining = count
    return {
      async *[Symbol.asyncIterator]() {
        while (remaining > 0) {
          const piece = await take(remaining)
          if (piece === undefined) throw new ArchiveUnsafeError('it ends in the middle of a file')
          remaining -= piece.length
          yield piece
        }
      },
    }
  }

  async function exactly(count: number): Promise<Buffer | undefined> {
    const pieces: Uint8Array[] = []
    const first = count === 0 ? Buffer.alloc(0) : await take(count)
    if (first === undefined) return undefined
    pieces.push(first)
    for await (const piece of next(count - first.length)) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  return { exactly, next }
}
