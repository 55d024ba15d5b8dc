import { once } from 'node:events'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { abortReason } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate } from '../../base/x509/index.js'
import type { Credentials } from '../auth/authenticator.js'
import { partsResponse } from '../output/parts-response.js'
import type { ReceivedRequest } from '../router.js'
import { type Listener, listen, type RequestHandler } from './listener.js'

const authority = createCertificateAuthority({ commonName: 'test' })
const serving = issueCertificate(authority, {
  commonName: 'server',
  ipAddresses: ['127.0.0.1'],
  purposes: ['server'],
})

const watchPath = '/api/v1/configmaps?watch=true'
// The key and its answer are those of RFC 6455, 1.3.
const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  origin: 'https://127.0.0.1',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const farewell = Buffer.from([0x88, 0x02, 0x03, 0xe8])

async function start(handler: RequestHandler): Promise<Listener> {
  const listener = await listen(handler, {
    host: '127.0.0.1',
    port: 0,
    isExposed: false,
    serving,
    clientAuthority: authority.cert,
  })
  onTestFinished(() => listener.close(0))
  return listener
}

interface Connection {
  send(bytes: Uint8Array | string): void
  /** Sends no more; reads on. */
  end(): void
  /** All that has come, once it holds this. */
  received(part: string): Promise<Buffer>
  /** All that came, once the server has ended the connection. */
  all(): Promise<Buffer>
}

interface Opening {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
}

function open({ host, port }: Listener, opening: Opening = {}): Connection {
  const { method = 'GET', path = watchPath, headers = {}, body = '' } = opening
  const socket = connect({ host, port, ca: authority.cert })
  onTestFinished(() => void socket.destroy())
  let all: Buffer = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    all = Buffer.concat([all, chunk])
  })
  const ended = once(socket, 'end')
  const lines = Object.entries({ host: 'x', ...handshake, ...headers }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  )
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`, 'latin1')
  return {
    send: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    async received(part) {
      while (!all.includes(part)) await once(socket, 'data')
      return all
    },
    async all() {
      await ended
      return all
    },
  }
}

/** What follows the headers. */
function contentOf(bytes: Buffer): Buffer {
  return bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
}

/** A frame as clients send it. */
function masked(opcode: number, payload: string): Buffer {
  const mask = Buffer.from([1, 2, 3, 4])
  const content = Buffer.from(payload).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | content.length]), mask, content])
}

function text(content: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, content.length]), Buffer.from(content)])
}

/** A watch that tells these and ends. */
function watchOf(...chunks: readonly string[]): RequestHandler {
  return async () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk)
    })(),
  })
}

/** A watch in which nothing happens until its signal aborts, and word of that. */
function silentWatch(): { readonly handler: RequestHandler; readonly aborted: Promise<void> } {
  let tell = (): void => {}
  const aborted = new Promise<void>((resolve) => {
    tell = resolve
  })
  return {
    aborted,
    handler: async ({ signal = new AbortController().signal }) => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      // oxlint-disable-next-line require-yield -- a body that fails before its first chunk
      body: (async function* (): AsyncGenerator<Uint8Array> {
        if (!signal.aborted) await once(signal, 'abort')
        tell()
        throw abortReason(signal)
      })(),
    }),
  }
}

test('a watch is accepted with the answer to the key', async () => {
  const head = (await open(await start(watchOf())).all()).toString('latin1')
  expect(head).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n/)
  expect(head).toContain('\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n')
})

test('each event comes in a message of its own, however the stream was cut, and then the farewell', async () => {
  const listener = await start(watchOf('{"a":1}\n{"b":', '2', '}\n'))
  const content = contentOf(await open(listener).all())
  expect(content).toEqual(Buffer.concat([text('{"a":1}\n'), text('{"b":2}\n'), farewell]))
})

test.each([
  [300, [0x81, 126, 1, 44]],
  [70_000, [0x81, 127, 0, 0, 0, 0, 0, 1, 0x11, 0x70]],
])('an event of %i bytes comes whole', async (length, prefix) => {
  const event = `${'x'.repeat(length - 1)}\n`
  const content = contentOf(await open(await start(watchOf(event))).all())
  expect(content.equals(Buffer.concat([Buffer.from(prefix), Buffer.from(event), farewell]))).toBe(true)
})

test('more events than the connection takes at once all arrive', async () => {
  const event = `${'x'.repeat(60_000)}\n`
  const listener = await start(watchOf(...Array.from({ length: 20 }, () => event)))
  const content = contentOf(await open(listener).all())
  expect(content.length).toBe(20 * (4 + event.length) + farewell.length)
})

test('events in protobuf come as binary messages without their length', async () => {
  const listener = await start(async () =>
    partsResponse(200, 'application/vnd.kubernetes.protobuf;stream=watch', [
      Buffer.from([0, 0, 0, 2, 7, 8, 0, 0]),
      Buffer.from([0, 1, 9]),
    ]),
  )
  const content = contentOf(await open(listener).all())
  expect(content).toEqual(Buffer.concat([Buffer.from([0x82, 2, 7, 8, 0x82, 1, 9]), farewell]))
})

test('the old path of watches is one too', async () => {
  const answer = await open(await start(watchOf()), { path: '/api/v1/watch/configmaps' }).all()
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 101 /)
})

test('a watch without an origin is forbidden, and ends', async () => {
  let signal: AbortSignal | undefined
  const listener = await start(async (request) => {
    signal = request.signal
    return { status: 200, headers: {}, body: (async function* () {})() }
  })
  const answer = await open(listener, { headers: { origin: undefined } }).all()
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /)
  expect(signal?.aborted).toBe(true)
})

test('a handshake of another version is refused', async () => {
  const answer = await open(await start(watchOf()), { headers: { 'sec-websocket-version': '8' } }).all()
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 .*\r\nsec-websocket-version: 13\r\n/is)
})

test('a watch that is refused gets a plain answer', async () => {
  const listener = await start(async () => partsResponse(410, 'text/plain', [Buffer.from('too old')]))
  const answer = (await open(listener).all()).toString()
  expect(answer).toMatch(/^HTTP\/1\.1 410 /)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toMatch(/\r\n\r\ntoo old$/)
})

test('a list with the headers of an upgrade gets a plain answer', async () => {
  const listener = await start(async () => partsResponse(200, 'text/plain', [Buffer.from('a list')]))
  const connection = open(listener, { path: '/api/v1/configmaps' })
  expect((await connection.received('a list')).toString()).toMatch(/^HTTP\/1\.1 200 /)
})

test('a write with the headers of an upgrade keeps its body', async () => {
  const listener = await start(async ({ method, body }) =>
    partsResponse(200, 'text/plain', [Buffer.from(`${method} of ${String(body)}`)]),
  )
  const connection = open(listener, {
    method: 'POST',
    path: '/api/v1/configmaps',
    headers: { 'content-length': '14' },
    body: 'half',
  })
  connection.send(' and half!')
  expect((await connection.received('half!')).toString()).toMatch(/\r\n\r\nPOST of half and half!$/)
})

interface Seen {
  readonly request: ReceivedRequest
  readonly credentials: Credentials
}

test.each([
  ['a watch', watchPath],
  ['a list', '/api/v1/configmaps'],
])('a token among the subprotocols is the credential of %s', async (_, path) => {
  let seen: Seen | undefined
  const listener = await start(async (request, credentials) => {
    seen = { request, credentials }
    return partsResponse(401, 'text/plain', [Buffer.from('seen')])
  })
  const token = Buffer.from('s3cret~token?').toString('base64url')
  const protocols = `base64url.bearer.authorization.k8s.io.${token}, base64.binary.k8s.io`
  await open(listener, { path, headers: { 'sec-websocket-protocol': protocols } }).received('seen')
  expect(seen?.credentials.token).toBe('s3cret~token?')
})

test('the subprotocol beside the token is chosen, and the token not repeated', async () => {
  const protocols = 'base64url.bearer.authorization.k8s.io.YWJj, base64.binary.k8s.io'
  const listener = await start(watchOf())
  const answer = await open(listener, { headers: { 'sec-websocket-protocol': protocols } }).all()
  expect(answer.toString('latin1')).toContain('\r\nSec-WebSocket-Protocol: base64.binary.k8s.io\r\n')
})

test('several subprotocols are refused', async () => {
  const listener = await start(watchOf())
  const answer = await open(listener, { headers: { 'sec-websocket-protocol': 'one, other' } }).all()
  expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 400 /)
})

test('no subprotocol is chosen where only the token was offered', async () => {
  const protocols = 'base64url.bearer.authorization.k8s.io.YWJj'
  const listener = await start(watchOf())
  const answer = await open(listener, { headers: { 'sec-websocket-protocol': protocols } }).all()
  expect(answer.toString('latin1')).not.toMatch(/sec-websocket-protocol/i)
})

test('a ping is answered with its content, even when it comes in pieces', async () => {
  const connection = open(await start(silentWatch().handler))
  await connection.received('\r\n\r\n')
  const ping = masked(9, 'hello')
  connection.send(ping.subarray(0, 1))
  connection.send(ping.subarray(1, 8))
  connection.send(ping.subarray(8))
  const content = contentOf(await connection.received('hello'))
  expect(content).toEqual(Buffer.concat([Buffer.from([0x8a, 5]), Buffer.from('hello')]))
})

test('a ping that is sent with the request is answered after the handshake', async () => {
  const connection = open(await start(silentWatch().handler), { body: masked(9, 'early').toString('latin1') })
  const content = contentOf(await connection.received('early'))
  expect(content.subarray(0, 2)).toEqual(Buffer.from([0x8a, 5]))
})

test.each([
  ['a farewell', masked(8, '')],
  ['a frame without a mask', text('hello')],
  ['a frame that is too long', Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 0])],
  ['a frame of an unknown kind', masked(3, '')],
])('%s ends the watch and the connection', async (_, frame) => {
  const watch = silentWatch()
  const connection = open(await start(watch.handler))
  await connection.received('\r\n\r\n')
  connection.send(frame)
  await watch.aborted
  expect(contentOf(await connection.all())).toEqual(farewell)
})

test('a client that says something is not heeded', async () => {
  const connection = open(await start(silentWatch().handler))
  await connection.received('\r\n\r\n')
  connection.send(masked(1, 'words'))
  connection.send(masked(9, 'still there'))
  expect(contentOf(await connection.received('still there')).subarray(0, 2)).toEqual(Buffer.from([0x8a, 11]))
})

test('a client that ends the connection ends the watch', async () => {
  const watch = silentWatch()
  const connection = open(await start(watch.handler))
  await connection.received('\r\n\r\n')
  connection.end()
  await expect(watch.aborted).resolves.toBeUndefined()
})

test('a listener that closes cuts watches that do not end', async () => {
  const watch = silentWatch()
  const listener = await start(watch.handler)
  const connection = open(listener)
  await connection.received('\r\n\r\n')
  await listener.close(0)
  await expect(watch.aborted).resolves.toBeUndefined()
})
