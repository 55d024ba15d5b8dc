interface IpOptions {
  /** Leading zeros in octets and groups: the API server tolerates them for `ipv4` and `cidr`, not for `ipv6`. */
  readonly leadingZeros: boolean
}

const strictOctet = /^(?:0|[1-9]\d{0,2})$/
const strictGroup = /^[0-9a-f]{1,4}$/i
const looseGroup = /^0*[0-9a-f]{1,4}$/i

function isDottedQuad(text: string, options: IpOptions): boolean {
  const octets = text.split('.')
  return (
    octets.length === 4 &&
    octets.every(
      (octet) => (options.leadingZeros ? /^\d+$/ : strictOctet).test(octet) && Number(octet) <= 255,
    )
  )
}

function isColonHex(text: string, options: IpOptions): boolean {
  const halves = text.split('::')
  if (halves.length > 2) return false
  let groups = 0
  for (const [position, half] of halves.entries()) {
    if (half === '') continue
    const parts = half.split(':')
    for (const [index, part] of parts.entries()) {
      const isLast = position === halves.length - 1 && index === parts.length - 1
      if ((options.leadingZeros ? looseGroup : strictGroup).test(part)) groups += 1
      else if (isLast && isDottedQuad(part, options)) groups += 2
      else return false
    }
  }
  // An ellipsis stands for at least one group.
  return halves.length === 2 ? groups <= 7 : groups === 8
}

/** True for an address of either family, without a zone. */
export function isIp(text: string, options: IpOptions = { leadingZeros: false }): boolean {
  // The first separator decides the family, as in Go.
  const separator = /[.:]/.exec(text)?.[0]
  if (separator === '.') return isDottedQuad(text, options)
  return separator === ':' && isColonHex(text, options)
}

/** Format `ipv4`: whatever parses and has a dot, `::1.2.3.4` included. */
export function isIpv4(text: string): boolean {
  return text.includes('.') && isIp(text, { leadingZeros: true })
}

/** Format `ipv6`. */
export function isIpv6(text: string): boolean {
  return text.includes(':') && isIp(text)
}

/** Format `cidr`. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/')
  const address = text.slice(0, slash)
  const bits = text.slice(slash + 1)
  if (slash === -1 || !/^\d+$/.test(bits)) return false
  const options = { leadingZeros: true }
  if (isDottedQuad(address, options)) return Number(bits) <= 32
  return isColonHex(address, options) && Number(bits) <= 128
}

const hexByte = /^[0-9a-f]{2}$/i
const hexPair = /^[0-9a-f]{4}$/i

/** Format `mac`: 48 or 64 bits or 20 octets, separated by colons, hyphens, dots (in pairs) or not at all. */
export function isMac(text: string): boolean {
  const separator = text[2]
  if (separator === ':' || separator === '-') {
    const octets = text.split(separator)
    return isMacLength(octets.length) && octets.every((octet) => hexByte.test(octet))
  }
  if (text[4] === '.') {
    const pairs = text.split('.')
    return isMacLength(pairs.length * 2) && pairs.every((pair) => hexPair.test(pair))
  }
  return isMacLength(text.length / 2) && /^[0-9a-f]+$/i.test(text)
}

function isMacLength(octets: number): boolean {
  return octets === 6 || octets === 8 || octets === 20
}
