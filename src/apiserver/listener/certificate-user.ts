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
  // The declared type knows neither the absence of a subject nor several organizations.
  const subject = socket.getPeerCertificate().subject as
    | { readonly CN?: string | readonly string[]; readonly O?: string | readonly string[] }
    | undefined
  const name = [subject?.CN ?? []].flat()[0]
  return name === undefined ? undefined : { name, groups: [subject?.O ?? []].flat() }
}
