import type { Socket } from 'node:net'
import { toError } from '../../base/index.js'
import { type ResponseListener, ResponseParser } from './response-parser.js'

/** Is told how a request fares on its connection. Ends with `onEnd` or `onLost`, whichever comes first. */
export interface ExchangeListener extends ResponseListener {
  /** All that has arrived so far was told, and the response goes on. */
  onOpen(): void
  /** The connection broke, or what came on it is not HTTP. */
  onLost(error: Error): void
}

/** Who gets a connection back. */
export interface ConnectionOwner {
  /** A response has ended: the connection can carry the next request. */
  released(connection: HttpConnection): void
  /** It has closed, whether in use or not. */
  closed(connection: HttpConnection): void
}

/** One connection of HTTP/1.1: one request at a time, as many as both sides like. */
export class HttpConnection {
  readonly #socket: Socket
  readonly #owner: ConnectionOwner
  readonly #parser = new ResponseParser()
  #listener: ExchangeListener | undefined
  #requests = 0
  #failure: Error | undefined
  /** When it was last given back; the owner's note. */
  idleSinceMs = 0

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.#socket = socket
    this.#owner = owner
    socket.on('data', (bytes: Buffer) => this.#onData(bytes))
    socket.on('end', () => this.#onEnd())
    socket.on('error', (error) => {
      this.#failure ??= error
    })
    socket.on('close', () => this.#onClose())
  }

  /** Whether it has carried a request before: then the server may have closed it at the very moment that we send. */
  get isReused(): boolean {
    return this.#requests > 1
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  /** Sends a request and reads its response. The one before it must have ended. */
  send(
    method: string,
    head: string,
    body: string | Uint8Array | undefined,
    listener: ExchangeListener,
  ): void {
    const socket = this.#socket
    this.#requests++
    this.#listener = listener
    this.#parser.begin(method, listener)
    // One write is one packet and one call into the system.
    if (typeof body !== 'object' && isAscii(head)) {
      socket.write(body === undefined ? head : head + body)
      return
    }
    socket.cork()
    socket.write(head, 'latin1')
    if (body !== undefined) socket.write(body)
    socket.uncork()
  }

  /** While it is idle a connection does not keep the process alive. */
  setIdle(isIdle: boolean): void {
    if (isIdle) this.#socket.unref()
    else this.#socket.ref()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Nothing more is told to whoever uses it, except that it was lost if it is still in use. */
  destroy(): void {
    this.#socket.destroy()
  }

  #onData(bytes: Buffer): void {
    try {
      this.#parser.push(bytes)
    } catch (error) {
      this.#failure ??= toError(error)
      this.destroy()
      return
    }
    if (this.#parser.isComplete) this.#release()
    else this.#listener?.onOpen()
  }

  #release(): void {
    if (this.#listener === undefined) return
    this.#listener = undefined
    // A response that overtook its request leaves the rest of the request in the way.
    if (!this.#parser.keepsAlive || !this.isUsable || this.#socket.writableLength > 0) return this.destroy()
    // A paused connection would not notice that the other side closes it.
    if (this.#socket.isPaused()) this.#socket.resume()
    this.#owner.released(this)
  }

  #onEnd(): void {
    if (this.#parser.finish()) this.#listener = undefined
    this.destroy()
  }

  #onClose(): void {
    const listener = this.#listener
    this.#listener = undefined
    listener?.onLost(this.#failure ?? new Error('the other side closed the connection'))
    this.#owner.closed(this)
  }
}

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => !/[^\x00-\x7f]/.test(text)
