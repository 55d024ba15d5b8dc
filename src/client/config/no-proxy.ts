import { BlockList, isIP } from 'node:net'
import { domainToASCII } from 'node:url'

/** Decides for a host whether it is reached directly. */
type BypassesProxy = (host: string, port: string) => boolean

/**
 * The rules of NO_PROXY as Go reads them: `*`, addresses, CIDR blocks, and domains (`x.com` stands for itself and all
 * below it, `.x.com` and `*.x.com` only for what is below), each but a block with an optional port. `localhost` and
 * loopback addresses never go through a proxy. Entries that make no sense are ignored.
 */
export function parseNoProxy(noProxy: string): BypassesProxy {
  const blocks = { 4: new BlockList(), 6: new BlockList() }
  const addresses: { readonly list: BlockList; readonly port: string }[] = []
  const domains: { readonly suffix: string; readonly self: boolean; readonly port: string }[] = []
  let everything = false

  for (const raw of noProxy.split(',')) {
    const entry = raw.trim().toLowerCase()
    if (entry === '') continue
    if (entry === '*') everything = true
    else if (!addBlock(blocks, entry)) {
      const { host, port } = splitHostPort(entry)
      if (isIP(host) !== 0) addresses.push({ list: singleAddress(host), port })
      else if (host !== '') {
        const name = host.startsWith('*.') ? host.slice(1) : host
        const self = !name.startsWith('.')
        const suffix = self ? `.${name}` : name
        domains.push({ suffix: domainToASCII(suffix) || suffix, self, port })
      }
    }
  }

  return (host, port) => {
    if (host === 'localhost' || isLoopback(host) || everything) return true
    const portFits = (wanted: string): boolean => wanted === '' || wanted === port
    const family = isIP(host)
    if (family === 0)
      return domains.some(
        ({ suffix, self, port: wanted }) =>
          portFits(wanted) && (host.endsWith(suffix) || (self && host === suffix.slice(1))),
      )
    return (
      contains(isVersion4(host) ? blocks[4] : blocks[6], host) ||
      addresses.some(({ list, port: wanted }) => portFits(wanted) && contains(list, host))
    )
  }
}

function addBlock(blocks: { readonly 4: BlockList; readonly 6: BlockList }, entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  if (bits === undefined || rest.length > 0 || family === 0 || !/^\d{1,3}$/.test(bits)) return false
  if (Number(bits) > (family === 4 ? 32 : 128)) return false
  if (family === 4) blocks[4].addSubnet(address, Number(bits), 'ipv4')
  else blocks[6].addSubnet(address, Number(bits), 'ipv6')
  return true
}

/** True for an IPv4 address, also in IPv6 clothes (::ffff:10.0.0.1). Blocks of one version hold none of the other. */
function isVersion4(address: string): boolean {
  const mapped = new BlockList()
  mapped.addSubnet('::ffff:0:0', 96, 'ipv6')
  return isIP(address) === 4 || mapped.check(address, 'ipv6')
}

function singleAddress(address: string): BlockList {
  const list = new BlockList()
  list.addAddress(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return list
}

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return false
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8, 'ipv4')
  loopback.addAddress('::1', 'ipv6')
  return contains(loopback, host)
}

/** `host`, `host:port`, `[v6]:port`, and, unlike in Go, `[v6]`; a bare IPv6 address has no port. */
function splitHostPort(entry: string): { readonly host: string; readonly port: string } {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(entry) ?? []
  return { host: bracketed ?? plain ?? entry, port }
}
