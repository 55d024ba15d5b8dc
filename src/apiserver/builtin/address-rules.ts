/**
 * Addresses, networks and ports, in the server's words.
 *
 * @module
 */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { dns1123SubdomainErrors } from '../../objects/index.js'
import { type FieldError, goQuote, invalid } from './field-errors.js'

/** Octets with leading zeros are read as decimal numbers, as Kubernetes always has read them. */
function withoutLeadingZeros(text: string): string {
  return text.replace(/(^|[.:])0+(?=\d)/g, '$1')
}

function isSloppyIp(text: string): boolean {
  if (text.includes('%')) return false
  return isIP(text) !== 0 || (!text.includes(':') && isIPv4(withoutLeadingZeros(text)))
}

function isMappedIpv4(text: string): boolean {
  return isIPv6(text) && canonicalIp(text).startsWith('::ffff:')
}

/** The shortest form of an address. */
function canonicalIp(text: string): string {
  return isIPv6(text) ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text
}

/** What is wrong with an address in a field where any form of it was always taken. */
export function validateLegacyIp(text: string, path: string): FieldError[] {
  if (!isSloppyIp(text))
    return [invalid(path, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
  if (isIP(text) === 0) return [invalid(path, text, 'must not have leading 0s')]
  return isMappedIpv4(text) ? [invalid(path, text, 'must not be an IPv4-mapped IPv6 address')] : []
}

/** What is wrong with an address, which must be in its canonical form. */
export function validateIp(text: string, path: string): FieldError[] {
  const errors = validateLegacyIp(text, path)
  const canonical = canonicalIp(text)
  return errors.length > 0 || text === canonical
    ? errors
    : [invalid(path, text, `must be in canonical form (${goQuote(canonical)})`)]
}

export type IpFamily = 'IPv4' | 'IPv6'

/** The family of an address or, with its prefix left off, of a network. */
export function ipFamilyOf(text: string): IpFamily | undefined {
  if (!isSloppyIp(text)) return undefined
  return text.includes(':') ? 'IPv6' : 'IPv4'
}

interface Network {
  readonly family: IpFamily
  readonly address: string
  readonly prefix: number
}

/** A network in CIDR notation; nothing when the text is none. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length = '', ...rest] = text.split('/')
  const family = ipFamilyOf(address)
  if (family === undefined || rest.length > 0 || !/^\d{1,3}$/.test(length)) return undefined
  const prefix = Number(length)
  if (prefix > (family === 'IPv4' ? 32 : 128)) return undefined
  return { family, address: family === 'IPv4' ? withoutLeadingZeros(address) : address, prefix }
}

function toBits({ family, address }: Network): bigint {
  if (family === 'IPv4') return address.split('.').reduce((bits, octet) => (bits << 8n) | BigInt(octet), 0n)
  const [head = '', tail] = canonicalIp(address).split('::')
  const words = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const before = words(head)
  const after = tail === undefined ? [] : words(tail)
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce((bits, word) => (bits << 16n) | BigInt(`0x${word}`), 0n)
}

/** The first address of a network: what is beyond the prefix is zero. */
function masked(network: Network): bigint {
  const free = BigInt((network.family === 'IPv4' ? 32 : 128) - network.prefix)
  return (toBits(network) >> free) << free
}

/** Whether `inner` lies within `outer` and is smaller. */
export function isStrictSubnet(inner: Network, outer: Network): boolean {
  if (inner.family !== outer.family || inner.prefix <= outer.prefix) return false
  return masked({ ...inner, prefix: outer.prefix }) === masked(outer)
}

const cidrRule = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/** What is wrong with a network in a field where any form of it was always taken. */
export function validateLegacyCidr(text: string, path: string): FieldError[] {
  const network = parseNetwork(text)
  if (network === undefined) return [invalid(path, text, cidrRule)]
  const [address = '', length = ''] = text.split('/')
  if (isIP(address) === 0 || /^0\d/.test(length))
    return [invalid(path, text, 'must not have leading 0s in IP or prefix length')]
  if (isMappedIpv4(address)) return [invalid(path, text, 'must not have an IPv4-mapped IPv6 address')]
  return masked(network) === toBits(network)
    ? []
    : [invalid(path, text, 'must not have bits set beyond the prefix length')]
}

/** What is wrong with a network, which must be in its canonical form. */
export function validateCidr(text: string, path: string): FieldError[] {
  const errors = validateLegacyCidr(text, path)
  if (errors.length > 0) return errors
  const [address = '', length = ''] = text.split('/')
  const canonical = `${canonicalIp(address)}/${length}`
  return text === canonical ? [] : [invalid(path, text, `must be in canonical form (${goQuote(canonical)})`)]
}

const special: readonly (readonly [
  readonly (readonly [string, number, 'ipv4' | 'ipv6'])[],
  (text: string) => string,
])[] = [
  [
    [
      ['0.0.0.0', 32, 'ipv4'],
      ['::', 128, 'ipv6'],
    ],
    (text) => `may not be unspecified (${text})`,
  ],
  [
    [
      ['127.0.0.0', 8, 'ipv4'],
      ['::1', 128, 'ipv6'],
    ],
    () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    [
      ['169.254.0.0', 16, 'ipv4'],
      ['fe80::', 10, 'ipv6'],
    ],
    () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  [
    [
      ['224.0.0.0', 24, 'ipv4'],
      ['ff02::', 16, 'ipv6'],
    ],
    () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
  ],
]

/** What is wrong with the address of an endpoint: it must be one that traffic can be sent to. */
export function validateEndpointIp(text: string, path: string): FieldError[] {
  if (!isSloppyIp(text)) return [invalid(path, text, 'must be a valid IP address')]
  const address = withoutLeadingZeros(text)
  return special.flatMap(([networks, message]) => {
    const list = new BlockList()
    for (const [network, prefix, family] of networks) list.addSubnet(network, prefix, family)
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ? [invalid(path, text, message(text))] : []
  })
}

/** What is wrong with the number of a port. */
export function portNumberProblems(port: number): readonly string[] {
  return port >= 1 && port <= 65_535 ? [] : ['must be between 1 and 65535, inclusive']
}

/** What is wrong with the name of a port. */
export function portNameProblems(name: string): readonly string[] {
  const problems: string[] = []
  if (Buffer.byteLength(name) > 15) problems.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)')
  if (name.includes('--')) problems.push('must not contain consecutive hyphens')
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen')
  return problems
}

const subdomain = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'

/** What is wrong with the name of a host, which may begin with `*.`. */
export function hostProblems(host: string): readonly string[] {
  if (!host.includes('*')) return dns1123SubdomainErrors(host)
  const pattern = `\\*\\.${subdomain}`
  const problems = Buffer.byteLength(host) > 253 ? ['must be no more than 253 characters'] : []
  if (new RegExp(`^${pattern}$`).test(host)) return problems
  return [
    ...problems,
    `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '${pattern}')`,
  ]
}
