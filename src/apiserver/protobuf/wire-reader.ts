import { GoDecodeError } from '../request/go-decode-error.js'

export const truncated = 'unexpected EOF'
const overflow = 'proto: integer overflow'
const negativeLength = 'proto: negative length found during unmarshaling'

/** Messages inside messages: far more than any object has. Only JSONSchemaProps can contain itself. */
const maxDepth = 1000

/**
 * Reads protobuf. All methods throw {@link GoDecodeError} with Go's words for what is cut off or is no protobuf at all;
 * `end` is where the message that is read ends.
 */
export class WireReader {
  readonly bytes: Buffer
  at = 0
  /** The number of the field that the last tag announced, and the wire type of its value. */
  field = 0
  wire = 0
  #depth = 0
  // The halves of the last varint.
  #low = 0
  #high = 0

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  enter(): void {
    if (++this.#depth > maxDepth) throw new GoDecodeError('exceeded max depth')
  }

  leave(): void {
    this.#depth--
  }

  #varint(end: number): void {
    const first = this.bytes[this.at] ?? 0
    if (this.at < end && first < 0x80) {
      this.at++
      this.#low = first
      this.#high = 0
      return
    }
    let low = 0
    let high = 0
    for (let index = 0; ; index++) {
      if (index === 10) throw new GoDecodeError(overflow)
      if (this.at >= end) throw new GoDecodeError(truncated)
      const byte = this.bytes[this.at++] ?? 0
      const digit = byte & 0x7f
      if (index < 4) low |= digit << (7 * index)
      else if (index === 4) {
        low |= digit << 28
        high = digit >> 4
      } else high |= digit << (7 * index - 32)
      if (byte < 0x80) break
    }
    this.#low = low >>> 0
    this.#high = high >>> 0
  }

  /** Reads a tag, whose parts {@link field} and {@link wire} are then. `message` is the name that an error has. */
  tag(end: number, message: string): void {
    this.#varint(end)
    this.wire = this.#low & 7
    this.field = (this.#high << 29) | (this.#low >>> 3)
    if (this.wire === 4) throw new GoDecodeError(`proto: ${message}: wiretype end group for non-group`)
    if (this.field <= 0)
      throw new GoDecodeError(`proto: ${message}: illegal tag ${this.field} (wire type ${this.#unsigned()})`)
  }

  #unsigned(): bigint {
    return (BigInt(this.#high) << 32n) | BigInt(this.#low)
  }

  /** A bigint only beyond 2^53. */
  int64(end: number): number | bigint {
    this.#varint(end)
    if (this.#high < 0x20_0000) return this.#high * 0x1_0000_0000 + this.#low
    const value = BigInt.asIntN(64, this.#unsigned())
    const rounded = Number(value)
    return Number.isSafeInteger(rounded) ? rounded : value
  }

  int32(end: number): number {
    this.#varint(end)
    return this.#low | 0
  }

  bool(end: number): boolean {
    this.#varint(end)
    return this.#low !== 0 || this.#high !== 0
  }

  double(end: number): number {
    if (this.at + 8 > end) throw new GoDecodeError(truncated)
    const value = this.bytes.readDoubleLE(this.at)
    this.at += 8
    return value
  }

  /** Reads a length; returns where what follows ends. */
  span(end: number): number {
    this.#varint(end)
    if (this.#high >= 0x8000_0000) throw new GoDecodeError(negativeLength)
    const spanEnd = this.at + this.#high * 0x1_0000_0000 + this.#low
    if (spanEnd > end) throw new GoDecodeError(truncated)
    return spanEnd
  }

  text(end: number): string {
    const text = this.bytes.toString('utf8', this.at, end)
    this.at = end
    return text
  }

  base64(end: number): string {
    const text = this.bytes.toString('base64', this.at, end)
    this.at = end
    return text
  }

  /** Passes over a value that nobody knows, whose tag was the last. */
  skip(end: number): void {
    this.#skipValue(this.wire, end)
    let depth = this.wire === 3 ? 1 : 0
    while (depth > 0) {
      this.#varint(end)
      const inner = this.#low & 7
      if (inner === 3) depth++
      else if (inner === 4) depth--
      else this.#skipValue(inner, end)
    }
  }

  #skipValue(wire: number, end: number): void {
    switch (wire) {
      case 0:
        return this.#varint(end)
      case 1:
        return this.#pass(8, end)
      case 2:
        this.at = this.span(end)
        return
      case 3:
        return
      case 5:
        return this.#pass(4, end)
      default:
        throw new GoDecodeError(`proto: illegal wireType ${wire}`)
    }
  }

  #pass(size: number, end: number): void {
    if (this.at + size > end) throw new GoDecodeError(truncated)
    this.at += size
  }
}
