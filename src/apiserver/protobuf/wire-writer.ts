/** Longer texts are worth the way into the runtime. */
const longestLoop = 48
const firstSize = 16 * 1024
/** What a writer keeps for its next message. */
const largestKept = 1024 * 1024

/**
 * Writes protobuf from the end to the beginning: the length of a message is known when it is written, so every byte is
 * written once. Whoever writes a field writes its content, then the length, then the tag.
 */
export class WireWriter {
  #bytes: Buffer = Buffer.allocUnsafe(firstSize)
  /** Where the written part begins. */
  #start: number = firstSize

  /** How much is written. The difference of two is the length of what was written between. */
  get length(): number {
    return this.#bytes.length - this.#start
  }

  varint(value: number | bigint): void {
    if (typeof value === 'bigint' || value < 0 || value > Number.MAX_SAFE_INTEGER)
      return this.#longVarint(BigInt(value))
    if (value < 0x80) {
      this.#reserve(1)
      this.#bytes[--this.#start] = value
      return
    }
    let size = 1
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++
    this.#reserve(size)
    this.#start -= size
    let at = this.#start
    let rest = value
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[at++] = (rest & 0x7f) | 0x80
    this.#bytes[at] = rest
  }

  /** Two's complement in 64 bits: negative numbers take ten bytes. */
  #longVarint(value: bigint): void {
    const digits: number[] = []
    let rest = BigInt.asUintN(64, value)
    for (; rest >= 0x80n; rest >>= 7n) digits.push(Number(rest & 0x7fn) | 0x80)
    digits.push(Number(rest))
    this.raw(Buffer.from(digits))
  }

  double(value: number): void {
    this.#reserve(8)
    this.#start -= 8
    this.#bytes.writeDoubleLE(value, this.#start)
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#start -= bytes.length
    this.#bytes.set(bytes, this.#start)
  }

  text(text: string): void {
    if (text.length <= longestLoop && this.#ascii(text)) return
    const size = Buffer.byteLength(text)
    this.#reserve(size)
    this.#start -= size
    this.#bytes.write(text, this.#start)
  }

  /** False, and nothing is written, for a text with other characters. */
  #ascii(text: string): boolean {
    this.#reserve(text.length)
    const start = this.#start - text.length
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= 0x80) return false
      this.#bytes[start + at] = code
    }
    this.#start = start
    return true
  }

  #reserve(size: number): void {
    if (size <= this.#start) return
    const { length } = this
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, length + size))
    this.#bytes.copy(grown, grown.length - length, this.#start)
    this.#start = grown.length - length
    this.#bytes = grown
  }

  /** What was written, in memory of its own; the writer is empty afterwards. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(this.#start))
    this.clear()
    return taken
  }

  clear(): void {
    if (this.#bytes.length > largestKept) this.#bytes = Buffer.allocUnsafe(firstSize)
    this.#start = this.#bytes.length
  }
}
