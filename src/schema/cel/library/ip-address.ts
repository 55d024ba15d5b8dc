import { quoteText } from '../value/text.js'

/** The bytes of an address (4 or 16), and the zone of an IPv6 address. */
interface IpAddress {
  readonly bytes: readonly number[]
  readonly zone: string
}

/** Thrown for text that is no address; the message is the server's. */
export class AddressError extends Error {
  override readonly name = 'AddressError'

  constructor(text: string, reason: string, at = '') {
    super(`ParseAddr(${quoteText(text)}): ${reason}${at === '' ? '' : ` (at ${quoteText(at)})`}`)
  }
}

/** Reads an IPv4 or IPv6 address. Throws {@link AddressError}. */
export function parseAddress(text: string): IpAddress {
  for (const character of text) {
    if (character === '.') return { bytes: parseFields(text, text), zone: '' }
    if (character === ':') return parseIpv6(text)
    // A zone makes sense only after a colon.
    if (character === '%') throw new AddressError(text, 'missing IPv6 address')
  }
  throw new AddressError(text, 'unable to parse IP')
}

function parseFields(text: string, fields: string): number[] {
  const bytes: number[] = []
  let value = 0
  let digits = 0
  for (let index = 0; index < fields.length; index++) {
    const character = fields.charAt(index)
    if (character >= '0' && character <= '9') {
      if (digits === 1 && value === 0) throw new AddressError(text, 'IPv4 field has octet with leading zero')
      value = value * 10 + Number(character)
      digits++
      if (value > 255) throw new AddressError(text, 'IPv4 field has value >255')
    } else if (character === '.') {
      if (digits === 0 || index === fields.length - 1)
        throw new AddressError(text, 'IPv4 field must have at least one digit', fields.slice(index))
      if (bytes.length === 3) throw new AddressError(text, 'IPv4 address too long')
      bytes.push(value)
      value = 0
      digits = 0
    } else throw new AddressError(text, 'unexpected character', fields.slice(index))
  }
  if (bytes.length < 3) throw new AddressError(text, 'IPv4 address too short')
  return [...bytes, value]
}

function parseIpv6(text: string): IpAddress {
  const percent = text.indexOf('%')
  const zone = percent === -1 ? '' : text.slice(percent + 1)
  if (percent !== -1 && zone === '') throw new AddressError(text, 'zone must be a non-empty string')
  let rest = percent === -1 ? text : text.slice(0, percent)
  const bytes: number[] = []
  let ellipsis = -1
  if (rest.startsWith('::')) {
    ellipsis = 0
    rest = rest.slice(2)
  }
  while (bytes.length < 16 && !(rest === '' && ellipsis === bytes.length)) {
    const group = takeGroup(text, rest)
    if (rest.charAt(group.length) === '.') {
      if (ellipsis < 0 && bytes.length !== 12)
        throw new AddressError(
          text,
          'embedded IPv4 address must replace the final 2 fields of the address',
          rest,
        )
      if (bytes.length + 4 > 16)
        throw new AddressError(
          text,
          'too many hex fields to fit an embedded IPv4 at the end of the address',
          rest,
        )
      bytes.push(...parseFields(text, rest))
      rest = ''
      break
    }
    const value = Number.parseInt(group, 16)
    bytes.push(value >> 8, value & 0xff)
    rest = rest.slice(group.length)
    if (rest === '') break
    if (!rest.startsWith(':')) throw new AddressError(text, 'unexpected character, want colon', rest)
    if (rest.length === 1) throw new AddressError(text, 'colon must be followed by more characters', rest)
    rest = rest.slice(1)
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) throw new AddressError(text, 'multiple :: in address', rest)
      ellipsis = bytes.length
      rest = rest.slice(1)
    }
  }
  if (rest !== '') throw new AddressError(text, 'trailing garbage after address', rest)
  if (bytes.length < 16) {
    if (ellipsis < 0) throw new AddressError(text, 'address string too short')
    bytes.splice(ellipsis, 0, ...Array.from({ length: 16 - bytes.length }, () => 0))
  } else if (ellipsis >= 0) {
    throw new AddressError(text, 'the :: must expand to at least one field of zeros')
  }
  return { bytes, zone }
}

function takeGroup(text: string, rest: string): string {
  const group = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? ''
  if (group.length > 4) throw new AddressError(text, 'each group must have 4 or less digits', rest)
  if (group === '')
    throw new AddressError(text, 'each colon-separated field must have at least one digit', rest)
  return group
}

/** The one way to write an address: lower case, the longest run of zeros as `::`. */
export function formatAddress({ bytes, zone }: IpAddress): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  )
  const suffix = zone === '' ? '' : `%${zone}`
  if (isMapped(bytes)) return `::ffff:${bytes.slice(12).join('.')}${suffix}`
  let best = { start: -1, length: 1 }
  for (let start = 0; start < 8; start++) {
    let end = start
    while (end < 8 && groups[end] === 0) end++
    if (end - start > best.length) best = { start, length: end - start }
  }
  const hex = groups.map((group) => group.toString(16))
  if (best.start === -1) return hex.join(':') + suffix
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}${suffix}`
}

/** True for IPv4 addresses in IPv6 clothes, `::ffff:1.2.3.4`. */
export function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 0xff &&
    bytes[11] === 0xff
  )
}
