import { isIP, type Socket } from 'node:net'
import { nextEvent } from './socket-events.js'

/** The far end, and who we are to the proxy. */
export interface Socks5Target {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
}

const version = 5
const noAuthentication = 0
const userAndPassword = 2
const connectCommand = 1
const ipv4 = 1
const domainName = 3
const ipv6 = 4

/**
 * Asks a SOCKS5 proxy (RFC 1928, 1929) for a connection, over a socket connected to it. The proxy resolves the host
 * name, as it does for client-go: a name is often known only on its side. Rejects with a plain Error that holds no secret.
 */
export async function connectThroughSocks5(socket: Socket, target: Socks5Target): Promise<void> {
  const withPassword = target.username !== ''
  socket.write(
    withPassword
      ? Buffer.of(version, 2, noAuthentication, userAndPassword)
      : Buffer.of(version, 1, noAuthentication),
  )
  const [answeredVersion, method] = await readExactly(socket, 2)
  if (answeredVersion !== version) throw new Error('the proxy does not speak SOCKS5')
  if (method === userAndPassword && withPassword) await authenticate(socket, target)
  else if (method !== noAuthentication)
    throw new Error('the SOCKS5 proxy wants another kind of authentication')

  const port = Buffer.of(target.port >> 8, target.port & 0xff)
  socket.write(Buffer.concat([Buffer.of(version, connectCommand, 0), addressBytes(target.host), port]))
  const [, reply, , addressType] = await readExactly(socket, 4)
  if (reply !== 0) throw new Error(`the SOCKS5 proxy refused: ${replyTexts[reply ?? 1] ?? `code ${reply}`}`)
  await readExactly(socket, (await boundAddressLength(socket, addressType)) + 2)
}

function addressBytes(host: string): Buffer {
  switch (isIP(host)) {
    case 4:
      return Buffer.of(ipv4, ...host.split('.').map(Number))
    case 6:
      return Buffer.of(ipv6, ...ipv6Groups(host).flatMap((group) => [group >> 8, group & 0xff]))
    default: {
      const name = Buffer.from(host, 'utf8')
      if (name.length > 255) throw new Error('the host name is too long for a SOCKS5 proxy')
      return Buffer.concat([Buffer.of(domainName, name.length), name])
    }
  }
}

/** The eight groups of an IPv6 address in the form that a URL has it: lower case, at most one `::`, no dotted tail. */
function ipv6Groups(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const before = parse(head)
  const after = parse(tail ?? '')
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

async function authenticate(socket: Socket, target: Socks5Target): Promise<void> {
  const username = Buffer.from(target.username, 'utf8')
  const password = Buffer.from(target.password, 'utf8')
  if (username.length > 255 || password.length > 255)
    throw new Error('the user name or password is too long for a SOCKS5 proxy')
  socket.write(Buffer.concat([Buffer.of(1, username.length), username, Buffer.of(password.length), password]))
  const [, status] = await readExactly(socket, 2)
  if (status !== 0) throw new Error('the SOCKS5 proxy refused the user name or password')
}

async function boundAddressLength(socket: Socket, addressType: number | undefined): Promise<number> {
  if (addressType === ipv4) return 4
  if (addressType === ipv6) return 16
  if (addressType === domainName) return (await readExactly(socket, 1))[0] ?? 0
  throw new Error('the SOCKS5 proxy sent an answer of an unknown form')
}

async function readExactly(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    // Bytes beyond what was asked for stay in the socket: they belong to the TLS handshake.
    const bytes: unknown = socket.read(length)
    if (Buffer.isBuffer(bytes)) {
      if (bytes.length === length) return bytes
      throw new Error('the SOCKS5 proxy closed the connection')
    }
    if (socket.readableEnded) throw new Error('the SOCKS5 proxy closed the connection')
    await nextEvent(socket, 'readable')
  }
}

const replyTexts: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'not allowed by its rules',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused by the server',
  6: 'time to live expired',
  7: 'command not supported',
  8: 'address type not supported',
}
