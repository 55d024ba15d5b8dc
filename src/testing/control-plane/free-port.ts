import { createServer } from 'node:net'

/**
 * A port on loopback that was free a moment ago: the one asked for, or any. Nothing if that one is taken. Somebody else
 * may take it in the meantime: whoever uses it must be ready to ask again.
 */
export function freePort(wanted = 0): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      server.close(() => resolve(port))
    })
  })
}
