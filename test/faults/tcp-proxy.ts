import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A wire between a client and a server that fails on demand. */
export interface TcpProxy {
  readonly port: number
  /** Connections that are open now. */
  readonly open: number
  /** Connections that were ever accepted. */
  readonly accepted: number
  readonly bytesToClient: number
  readonly bytesToServer: number
  /** Cuts every open connection with a RST. */
  reset(): void
  /** Cuts the next connection with a RST once it has carried so many bytes to the client. */
  resetNextAfter(bytes: number): void
  /** Cuts the connection with a RST once it has carried this text to the client: in the middle of a line, for example. */
  resetBehind(text: string): void
  /** Cuts the first connection on which the server answers with a RST, before the client sees any of the answer. */
  swallowNextAnswer(): void
  /** From now on nothing passes on the connections that are open, in either direction, and none of them is closed. */
  freeze(): void
  /** New connections are accepted and nothing passes on them. */
  stallNew(isStalled: boolean): void
  /** Everything goes to the client byte by byte, each in a packet of its own. */
  drip(isDripping: boolean): void
  /** What goes to the client on the next connection is split at these offsets. */
  splitNextAt(offsets: readonly number[]): void
  /** Nobody listens any more: connections are refused. Those that are open stay. */
  refuse(): Promise<void>
  /** Listens again, at the same port. */
  accept(): Promise<void>
  close(): Promise<void>
}

interface Wire {
  readonly client: Socket
  readonly server: Socket
  isFrozen: boolean
  /** Bytes that may still pass to the client before the RST. */
  left: number
  /** Offsets at which to split, ascending, relative to what has passed. */
  splits: number[]
  passed: number
}

/** Listens on the loopback, on a free port unless told. */
export async function createTcpProxy(
  targetPort: number,
  { host = '127.0.0.1', port: wanted = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<TcpProxy> {
  const wires = new Set<Wire>()
  let accepted = 0
  let bytesToClient = 0
  let bytesToServer = 0
  let port = wanted
  let listener: Server | undefined
  let nextLimit = Number.POSITIVE_INFINITY
  let nextSplits: readonly number[] = []
  let swallowNext = false
  let cutBehind: string | undefined
  let isStalled = false
  let isDripping = false

  const cut = (wire: Wire): void => {
    wires.delete(wire)
    wire.client.resetAndDestroy()
    wire.server.destroy()
  }

  const send = (wire: Wire, bytes: Buffer): void => {
    bytesToClient += bytes.byteLength
    wire.passed += bytes.byteLength
    wire.left -= bytes.byteLength
    // A write per piece, with Nagle off, is a packet per piece.
    if (isDripping)
      for (let at = 0; at < bytes.byteLength; at++) wire.client.write(bytes.subarray(at, at + 1))
    else wire.client.write(bytes)
  }

  /** Sends what may pass; the rest of the connection goes down with the RST. */
  const toClient = (wire: Wire, chunk: Buffer): void => {
    let allowed = Math.min(chunk.byteLength, wire.left)
    if (cutBehind !== undefined) {
      const at = chunk.indexOf(cutBehind)
      if (at !== -1) {
        allowed = Math.min(allowed, at + cutBehind.length)
        wire.left = allowed
        cutBehind = undefined
      }
    }
    let start = 0
    for (const split of wire.splits) {
      const at = split - wire.passed + start
      if (at <= start || at >= allowed) continue
      send(wire, chunk.subarray(start, at))
      start = at
    }
    if (allowed > start) send(wire, chunk.subarray(start, allowed))
    if (wire.left > 0) return
    // The kernel throws away what a RST overtakes, so the bytes must have arrived first.
    wire.client.write('', () => setImmediate(() => cut(wire)))
  }

  const onClient = (client: Socket): void => {
    accepted++
    const server = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    const wire: Wire = {
      client,
      server,
      isFrozen: isStalled,
      left: nextLimit,
      splits: [...nextSplits].toSorted((left, right) => left - right),
      passed: 0,
    }
    wires.add(wire)
    nextLimit = Number.POSITIVE_INFINITY
    nextSplits = []
    client.setNoDelay(true)
    client.on('data', (chunk: Buffer) => {
      if (wire.isFrozen) return
      bytesToServer += chunk.byteLength
      server.write(chunk)
    })
    server.on('data', (chunk: Buffer) => {
      if (swallowNext) {
        swallowNext = false
        return cut(wire)
      }
      if (wire.isFrozen || wire.left <= 0) return
      toClient(wire, chunk)
      // A slow client slows the server down, through us as through any wire.
      if (client.writableNeedDrain) {
        server.pause()
        client.once('drain', () => server.resume())
      }
    })
    const part = (from: Socket, to: Socket): void => {
      from.on('error', () => {})
      from.on('end', () => {
        if (!wire.isFrozen) to.end()
        // The server does not learn that the client has gone, but the wire is free.
        else if (from === client) client.destroy()
      })
      from.on('close', () => {
        if (wire.isFrozen && from === server) return
        wires.delete(wire)
        to.destroy()
      })
    }
    part(client, server)
    part(server, client)
  }

  const listen = async (): Promise<void> => {
    listener = createServer({ noDelay: true, allowHalfOpen: true }, onClient)
    listener.listen(port, host)
    await once(listener, 'listening')
    // A TCP server's address is an object once it listens.
    port = (listener.address() as AddressInfo).port
  }
  const refuse = async (): Promise<void> => {
    const closing = listener
    listener = undefined
    // The callback of `close` waits for the connections too; the port is free at once.
    closing?.close()
    await Promise.resolve()
  }
  await listen()

  return {
    get port() {
      return port
    },
    get open() {
      return wires.size
    },
    get accepted() {
      return accepted
    },
    get bytesToClient() {
      return bytesToClient
    },
    get bytesToServer() {
      return bytesToServer
    },
    reset() {
      for (const wire of wires) cut(wire)
    },
    resetNextAfter(bytes) {
      nextLimit = bytes
    },
    resetBehind(text) {
      cutBehind = text
    },
    swallowNextAnswer() {
      swallowNext = true
    },
    freeze() {
      for (const wire of wires) wire.isFrozen = true
    },
    stallNew(stalled) {
      isStalled = stalled
    },
    drip(dripping) {
      isDripping = dripping
    },
    splitNextAt(offsets) {
      nextSplits = offsets
    },
    refuse,
    accept: listen,
    async close() {
      await refuse()
      for (const wire of wires) {
        wire.client.destroy()
        wire.server.destroy()
      }
    },
  }
}
