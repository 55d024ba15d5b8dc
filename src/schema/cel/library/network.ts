import type { FunctionDeclaration, Overload } from '../check/declaration.js'
import { readingCost, sizeOf, traversal } from '../plan/cost.js'
import { quoteText } from '../value/text.js'
import { boolType, type CelType, intType, opaqueType, stringType } from '../value/type.js'
import { type CelOpaque, type CelValue, type CelVerdict, failure, noSuchOverload } from '../value/value.js'
import { AddressError, formatAddress, isMapped, parseAddress } from './ip-address.js'
import { declare, member, overload } from './signature.js'

const ipType: CelType = opaqueType('net.IP')
const cidrType: CelType = opaqueType('net.CIDR')

/** Types that programs may name. */
export const networkTypes: readonly CelType[] = [ipType, cidrType]

class Ip implements CelOpaque {
  readonly kind = 'opaque'
  readonly type = ipType
  readonly bytes: readonly number[]

  constructor(bytes: readonly number[]) {
    this.bytes = bytes
  }

  get size(): number {
    return this.bytes.length
  }

  get text(): string {
    return formatAddress({ bytes: this.bytes, zone: '' })
  }

  get nativeText(): string {
    return `(netip.Addr)${this.text}`
  }

  equals(other: CelValue): CelVerdict {
    return other instanceof Ip ? this.text === other.text : noSuchOverload()
  }
}

class Cidr implements CelOpaque {
  readonly kind = 'opaque'
  readonly type = cidrType
  readonly bytes: readonly number[]
  readonly bits: number

  constructor(bytes: readonly number[], bits: number) {
    this.bytes = bytes
    this.bits = bits
  }

  get size(): number {
    return Math.ceil(this.bits / 8)
  }

  get text(): string {
    return `${formatAddress({ bytes: this.bytes, zone: '' })}/${this.bits}`
  }

  get nativeText(): string {
    return `(netip.Prefix)${this.text}`
  }

  equals(other: CelValue): CelVerdict {
    return other instanceof Cidr ? this.text === other.text : noSuchOverload()
  }
}

/** The first bits of an address, the rest zero. */
function masked(bytes: readonly number[], bits: number): number[] {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    return byte & (0xff << (8 - kept)) & 0xff
  })
}

function sharesPrefix(left: readonly number[], right: readonly number[], bits: number): boolean {
  if (left.length !== right.length) return false
  const other = masked(right, bits)
  return masked(left, bits).every((byte, index) => byte === other[index])
}

function parseIp(text: string): Ip | string {
  try {
    const { bytes, zone } = parseAddress(text)
    if (zone !== '') return `IP address ${quoteText(text)} with zone value is not allowed`
    if (isMapped(bytes)) return `IPv4-mapped IPv6 address ${quoteText(text)} is not allowed`
    return new Ip(bytes)
  } catch (error) {
    if (!(error instanceof AddressError)) throw error
    return `IP Address ${quoteText(text)} parse error during conversion from string: ${error.message}`
  }
}

function parseCidr(text: string): Cidr | string {
  const problem = (reason: string): string =>
    `network address parse error during conversion from string: netip.ParsePrefix(${quoteText(text)}): ${reason}`
  const slash = text.lastIndexOf('/')
  if (slash === -1) return problem("no '/'")
  try {
    const { bytes, zone } = parseAddress(text.slice(0, slash))
    if (zone !== '') return problem('IPv6 zones cannot be present in a prefix')
    const length = text.slice(slash + 1)
    if (!/^(?:[0-9]|[1-9][0-9]{1,17})$/.test(length))
      return problem(`bad bits after slash: ${quoteText(length)}`)
    if (Number(length) > bytes.length * 8) return problem('prefix length out of range')
    if (isMapped(bytes)) return `IPv4-mapped IPv6 address ${quoteText(text)} is not allowed`
    return new Cidr(bytes, Number(length))
  } catch (error) {
    if (error instanceof AddressError) return problem(error.message)
    throw error
  }
}

function toIp(value: CelValue | undefined): CelValue {
  if (typeof value !== 'string') return noSuchOverload()
  const ip = parseIp(value)
  return typeof ip === 'string' ? failure(ip) : ip
}

function toCidr(value: CelValue | undefined): CelValue {
  if (typeof value !== 'string') return noSuchOverload()
  const cidr = parseCidr(value)
  return typeof cidr === 'string'
    ? failure(`network address parse error during conversion from string: ${cidr}`)
    : cidr
}

function ipTest(name: string, id: string, test: (bytes: readonly number[]) => boolean): FunctionDeclaration {
  return declare(name, [
    member(id, [ipType], boolType, ([ip]) => (ip instanceof Ip ? test(ip.bytes) : noSuchOverload())),
  ])
}

const is4 = (bytes: readonly number[]): boolean => bytes.length === 4
const at = (bytes: readonly number[], index: number): number => bytes[index] ?? 0
const isUnspecified = (bytes: readonly number[]): boolean => bytes.every((byte) => byte === 0)
const isLoopback = (bytes: readonly number[]): boolean =>
  is4(bytes) ? at(bytes, 0) === 127 : bytes.slice(0, 15).every((byte) => byte === 0) && at(bytes, 15) === 1
const isMulticast = (bytes: readonly number[]): boolean =>
  is4(bytes) ? (at(bytes, 0) & 0xf0) === 0xe0 : at(bytes, 0) === 0xff
const isLinkLocalMulticast = (bytes: readonly number[]): boolean =>
  is4(bytes)
    ? at(bytes, 0) === 224 && at(bytes, 1) === 0 && at(bytes, 2) === 0
    : at(bytes, 0) === 0xff && (at(bytes, 1) & 0x0f) === 2
const isLinkLocalUnicast = (bytes: readonly number[]): boolean =>
  is4(bytes)
    ? at(bytes, 0) === 169 && at(bytes, 1) === 254
    : at(bytes, 0) === 0xfe && (at(bytes, 1) & 0xc0) === 0x80
const isBroadcast = (bytes: readonly number[]): boolean => is4(bytes) && bytes.every((byte) => byte === 255)
const isGlobalUnicast = (bytes: readonly number[]): boolean =>
  ![isUnspecified, isBroadcast, isLoopback, isMulticast, isLinkLocalUnicast].some((test) => test(bytes))

function containsIp(cidr: CelValue | undefined, ip: CelValue | undefined): CelValue {
  if (!(cidr instanceof Cidr)) return noSuchOverload()
  if (!(ip instanceof Ip)) return noSuchOverload()
  return sharesPrefix(cidr.bytes, ip.bytes, cidr.bits)
}

function containsCidr(outer: CelValue | undefined, inner: CelValue | undefined): CelValue {
  if (!(outer instanceof Cidr)) return noSuchOverload()
  if (!(inner instanceof Cidr))
    return typeof inner === 'object' && inner?.kind === 'failure' ? inner : noSuchOverload()
  return outer.bits <= inner.bits && sharesPrefix(outer.bytes, inner.bytes, outer.bits)
}

const bothSizes = ([cidr]: readonly CelValue[]): number => traversal(sizeOf(cidr) * 2)
const cidrCost = ([cidr]: readonly CelValue[]): number =>
  traversal(sizeOf(cidr) * 2) + traversal(sizeOf(cidr)) + 1

function ofCidr(id: string, result: CelType, run: (cidr: Cidr) => CelValue): Overload {
  return member(id, [cidrType], result, ([cidr]) => (cidr instanceof Cidr ? run(cidr) : noSuchOverload()))
}

const ipFunctions: readonly FunctionDeclaration[] = [
  declare(
    'ip',
    [
      { ...overload('string_to_ip', [stringType], ipType, ([text]) => toIp(text)), cost: readingCost() },
      ofCidr('cidr_ip', ipType, (cidr) => new Ip(cidr.bytes)),
    ],
    { cost: readingCost() },
  ),
  declare(
    'isIP',
    [
      overload('is_ip', [stringType], boolType, ([text]) =>
        typeof text === 'string' ? parseIp(text) instanceof Ip : noSuchOverload(),
      ),
    ],
    { cost: readingCost() },
  ),
  declare(
    'ip.isCanonical',
    [
      overload('ip_is_canonical', [stringType], boolType, ([text]) => {
        const ip = toIp(text)
        return ip instanceof Ip ? ip.text === text : ip
      }),
    ],
    { cost: readingCost(2) },
  ),
  declare('family', [
    member('ip_family', [ipType], intType, ([ip]) =>
      ip instanceof Ip ? (is4(ip.bytes) ? 4n : 6n) : noSuchOverload(),
    ),
  ]),
  ipTest('isUnspecified', 'ip_is_unspecified', isUnspecified),
  ipTest('isLoopback', 'ip_is_loopback', isLoopback),
  ipTest('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
  ipTest('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
  ipTest('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
]

const cidrFunctions: readonly FunctionDeclaration[] = [
  declare('cidr', [overload('string_to_cidr', [stringType], cidrType, ([text]) => toCidr(text))], {
    cost: readingCost(),
  }),
  declare(
    'isCIDR',
    [
      overload('is_cidr', [stringType], boolType, ([text]) =>
        typeof text === 'string' ? parseCidr(text) instanceof Cidr : noSuchOverload(),
      ),
    ],
    { cost: readingCost() },
  ),
  declare(
    'containsIP',
    [
      {
        // What the text fails to be is lost: the server answers with the type mismatch it causes.
        ...member('cidr_contains_ip_string', [cidrType, stringType], boolType, ([cidr, text]) =>
          containsIp(cidr, toIp(text)),
        ),
        cost: (args) => bothSizes(args) + traversal(sizeOf(args[1])),
      },
      member('cidr_contains_ip_ip', [cidrType, ipType], boolType, ([cidr, ip]) => containsIp(cidr, ip)),
    ],
    { cost: bothSizes },
  ),
  declare(
    'containsCIDR',
    [
      {
        ...member('cidr_contains_cidr_string', [cidrType, stringType], boolType, ([cidr, text]) =>
          containsCidr(cidr, toCidr(text)),
        ),
        cost: (args) => cidrCost(args) + traversal(sizeOf(args[1])),
      },
      member('cidr_contains_cidr', [cidrType, cidrType], boolType, ([outer, inner]) =>
        containsCidr(outer, inner),
      ),
    ],
    { cost: cidrCost },
  ),
  declare('prefixLength', [ofCidr('cidr_prefix_length', intType, (cidr) => BigInt(cidr.bits))]),
  declare('masked', [
    ofCidr('cidr_masked', cidrType, (cidr) => new Cidr(masked(cidr.bytes, cidr.bits), cidr.bits)),
  ]),
  declare('string', [
    overload('ip_to_string', [ipType], stringType, ([ip]) => (ip instanceof Ip ? ip.text : noSuchOverload())),
    overload('cidr_to_string', [cidrType], stringType, ([cidr]) =>
      cidr instanceof Cidr ? cidr.text : noSuchOverload(),
    ),
  ]),
]

/** Addresses and networks: `cidr('10.0.0.0/8').containsIP(self.address)`. */
export const network: readonly FunctionDeclaration[] = [...ipFunctions, ...cidrFunctions]
