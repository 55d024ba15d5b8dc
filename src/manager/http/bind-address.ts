import { isIPv6 } from 'node:net'
import { KubewrightError } from '../../base/index.js'

/** Where a server listens. */
export interface BindAddress {
  /** Absent: all addresses of the machine. */
  readonly host: string | undefined
  /** Zero: any free one. */
  readonly port: number
}

/** The text does not say where to listen. */
export class InvalidBindAddressError extends KubewrightError {
  constructor(text: string) {
    super(
      `${JSON.stringify(text.slice(0, 100))} is not an address to listen on: ` +
        'write ":8080", "127.0.0.1:8080" or "[::1]:8080", or "0" for none.',
      { code: 'KW_BIND_ADDRESS_INVALID' },
    )
  }
}

/** Reads `:8080`, `127.0.0.1:0`, `[::1]:8080`. Undefined for `0` and the empty text, which switch the server off. */
export function parseBindAddress(text: string): BindAddress | undefined {
  if (text === '' || text === '0') return undefined
  const [, address6, name, digits] = /^(?:\[([^\]]*)\]|([^:[\]\s/]*)):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === undefined || port > 65_535 || (address6 !== undefined && !isIPv6(address6)))
    throw new InvalidBindAddressError(text)
  const host = address6 ?? name
  return { host: host === '' ? undefined : host, port }
}

/** The way it is written in logs and errors. */
export function formatBindAddress({ host = '', port }: BindAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
