/**
 * DER, as far as certificates need it: each function returns one encoded value. Lengths are minimal and integers
 * have no superfluous leading octet, which is what "distinguished" means.
 */

/** One value: its tag, its length, its content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([Buffer.from([tag]), encodeLength(body.length), body])
}

function encodeLength(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Buffer.from([0x80 | octets.length, ...octets])
}

export const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content)

/** A SET with one member: sorting, which DER demands of larger ones, has nothing to sort. */
export const setOfOne = (member: Uint8Array): Buffer => der(0x31, member)

export const octetString = (content: Uint8Array): Buffer => der(0x04, content)

export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text, 'utf8'))

export const derTrue: Buffer = der(0x01, Buffer.from([0xff]))

/** `[number] EXPLICIT`, around whole values. */
export const explicit = (number: number, ...content: readonly Uint8Array[]): Buffer =>
  der(0xa0 | number, ...content)

/** `[number] IMPLICIT` of a primitive type: its content without its own tag. */
export const implicit = (number: number, content: Uint8Array): Buffer => der(0x80 | number, content)

/** A non-negative integer from its big-endian octets. */
export function unsignedInteger(octets: Uint8Array): Buffer {
  let start = 0
  while (start < octets.length - 1 && octets[start] === 0) start++
  const digits = octets.subarray(start)
  // A set top bit would read as a minus sign.
  const sign = (digits[0] ?? 0) >= 0x80 || digits.length === 0 ? [0] : []
  return der(0x02, Buffer.from(sign), digits)
}

export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), content)
}

/** Named bits by number; DER forbids trailing zero bits. */
export function namedBits(...numbers: readonly number[]): Buffer {
  const highest = Math.max(...numbers)
  const octets = Buffer.alloc(Math.floor(highest / 8) + 1)
  for (const number of numbers) {
    const at = Math.floor(number / 8)
    octets[at] = (octets[at] ?? 0) | (0x80 >> (number % 8))
  }
  return bitString(octets, 7 - (highest % 8))
}

/** An object identifier in its dotted form. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const octets = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
    octets.unshift(0x80 | (rest % 128))
  return octets
}

/** A moment in whole seconds: UTCTime until 2049 and GeneralizedTime from 2050, as RFC 5280 demands. */
export function time(epochMs: number): Buffer {
  // `new Date(number)` only converts; it does not read the clock.
  // oxlint-disable-next-line no-restricted-globals
  const digits = `${new Date(epochMs).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits))
}

/** A value that was read: its tag, its content, and the whole of it as it stood in the input. */
export interface DerValue {
  readonly tag: number
  readonly content: Buffer
  readonly whole: Buffer
}

/** The values that stand one after another in the input. Throws RangeError when the input ends inside one. */
export function readDer(input: Buffer): DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < input.length; ) {
    const tag = input.readUInt8(at)
    const short = input.readUInt8(at + 1)
    const octets = short < 0x80 ? 0 : short & 0x7f
    const length = octets === 0 ? short : input.readUIntBE(at + 2, octets)
    const start = at + 2 + octets
    const end = start + length
    if (end > input.length) throw new RangeError('The DER value is longer than its input.')
    values.push({ tag, content: input.subarray(start, end), whole: input.subarray(at, end) })
    at = end
  }
  return values
}
