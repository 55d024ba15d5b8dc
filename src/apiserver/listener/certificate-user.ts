import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { User } from '../user.js'

/** Tells whom the client certificate of a connection names: its common name, in its organizations. */
export function createCertificateReader(): (incoming: IncomingMessage) => User | undefined {
  // Reading a certificate costs more than a small request: once for each connection.
  const users = new WeakMap<TLSSocket, User | undefined>()
  return ({ socket }) => {
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
    if (!users.has(socket)) users.set(socket, readUser(socket))
    return users.get(socket)
  }
}

function readUser(socket: TLSSocket): User | undefined {
  const { raw, subject } = socket.getPeerCertificate()
  // The declared type knows neither the absence of a subject nor several organizations.
  const { CN, O } = (subject ?? {}) as Readonly<Partial<Record<'CN' | 'O', string | readonly string[]>>>
  const name = [CN ?? []].flat()[0]
  if (name === undefined) return undefined
  const fingerprint = createHash('sha256').update(raw).digest('hex')
  return {
    name,
    groups: [O ?? []].flat(),
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  }
}
