import { isIP } from 'node:net'
import { implicit, sequence } from './der.js'
import { InvalidCertificateRequestError } from './errors.js'

/** Under which names and addresses a server may be reached. */
export interface AlternativeNames {
  /** Host names; the leftmost label may be `*`. */
  readonly dnsNames?: readonly string[]
  /** IPv4 and IPv6 addresses. */
  readonly ipAddresses?: readonly string[]
}

// Underscores are no host names, but names of DNS that certificates carry in practice.
const dnsLabel = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/

/** The content of a subjectAltName extension, or nothing when there are no names. */
export function generalNames(names: AlternativeNames): Buffer | undefined {
  const encoded = [
    ...(names.dnsNames ?? []).map((name) => implicit(2, dnsNameOctets(name))),
    ...(names.ipAddresses ?? []).map((address) => implicit(7, ipOctets(address))),
  ]
  return encoded.length === 0 ? undefined : sequence(...encoded)
}

function dnsNameOctets(name: string): Buffer {
  const labels = name.split('.')
  if (labels.length > 1 && labels[0] === '*') labels.shift()
  if (name.length > 253 || !labels.every((label) => dnsLabel.test(label)))
    throw new InvalidCertificateRequestError('dnsNames', `${JSON.stringify(name)} is not a DNS name.`)
  return Buffer.from(name, 'ascii')
}

function ipOctets(address: string): Buffer {
  if (isIP(address) === 4) return ipv4Octets(address)
  if (isIP(address) === 6 && !address.includes('%')) return ipv6Octets(address)
  throw new InvalidCertificateRequestError('ipAddresses', `${JSON.stringify(address)} is not an IP address.`)
}

const ipv4Octets = (address: string): Buffer => Buffer.from(address.split('.').map(Number))

function ipv6Octets(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const before = groups(head)
  if (tail === undefined) return before
  const after = groups(tail)
  return Buffer.concat([before, Buffer.alloc(16 - before.length - after.length), after])
}

function groups(text: string): Buffer {
  if (text === '') return Buffer.alloc(0)
  return Buffer.concat(
    text.split(':').map((group) => {
      if (group.includes('.')) return ipv4Octets(group)
      const value = Number.parseInt(group, 16)
      return Buffer.from([value >> 8, value & 0xff])
    }),
  )
}
