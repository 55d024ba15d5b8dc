import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { Clock } from '../../base/index.js'
import type { TransportRequest, TransportResponse } from '../../objects/index.js'
import type { ClusterConfig, Credentials } from '../config/cluster-config.js'
import { createTransport, type NetworkTransport } from './network-transport.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

async function listen(server: Server | TcpServer): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return (server.address() as AddressInfo).port
}

async function serve(handler: Handler): Promise<string> {
  const server = createServer(handler)
  cleanups.push(() => server.closeAllConnections())
  return `http://127.0.0.1:${await listen(server)}`
}

/** A server that speaks in raw bytes. */
async function serveRaw(onSocket: (socket: Socket, index: number) => void): Promise<string> {
  let index = 0
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    onSocket(socket, index++)
  })
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${await listen(server)}`
}

function configFor(server: string, overrides: Partial<ClusterConfig> = {}): ClusterConfig {
  return {
    server,
    trust: { ca: () => Promise.resolve(undefined), insecureSkipVerify: false },
    credentials: { get: () => Promise.resolve({}), refused: () => false },
    namespace: 'default',
    origin: 'a test',
    ...overrides,
  }
}

function open(server: string, overrides: Partial<ClusterConfig> = {}, clock?: Clock): NetworkTransport {
  const transport = createTransport(configFor(server, overrides), clock === undefined ? {} : { clock })
  cleanups.push(() => transport.close())
  return transport
}

function get(path: string, overrides: Partial<TransportRequest> = {}): TransportRequest {
  return { method: 'GET', path, headers: { accept: 'application/json' }, ...overrides }
}

async function text(response: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** A clock that stands still until it is told to go. */
function standingClock(): Clock & { advance(ms: number): void } {
  let nowMs = 0
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>()
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.add(timer)
      return { cancel: () => timers.delete(timer) }
    },
    advance(ms) {
      nowMs += ms
      for (const timer of timers) {
        if (timer.atMs <= nowMs && timers.delete(timer)) timer.callback()
      }
    },
  }
}

describe('an exchange', () => {
  test('carries method, path, headers and body, and returns status, headers and body', async () => {
    const server = await serve((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        response.writeHead(201, { 'x-answer': 'yes' })
        response.end(
          JSON.stringify([
            request.method,
            request.url,
            request.headers['content-type'],
            request.headers['content-length'],
            request.headers['transfer-encoding'],
            Buffer.concat(chunks).toString('utf8'),
          ]),
        )
      })
    })
    const response = await open(server)({
      method: 'POST',
      path: '/api/v1/things?dryRun=All',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Grüße"}',
    })
    expect(response.status).toBe(201)
    expect(response.headers['x-answer']).toBe('yes')
    expect(JSON.parse(await text(response))).toEqual([
      'POST',
      '/api/v1/things?dryRun=All',
      'application/json',
      '18',
      null,
      '{"name":"Grüße"}',
    ])
  })

  test('without a body announces none', async () => {
    const server = await serve((request, response) => {
      response.end(JSON.stringify([request.headers['content-length'], request.headers['transfer-encoding']]))
    })
    const response = await open(server)({ method: 'POST', path: '/', headers: {} })
    expect(JSON.parse(await text(response))).toEqual(['0', null])
  })

  test('goes below the path of the server', async () => {
    const server = await serve((request, response) => response.end(request.url))
    expect(await text(await open(`${server}/clusters/one`)(get('/api/v1')))).toBe('/clusters/one/api/v1')
  })

  test('uses one connection for requests that follow each other', async () => {
    const ports = new Set<number | undefined>()
    const server = await serve((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('ok')
    })
    const transport = open(server)
    for (let index = 0; index < 5; index++) await text(await transport(get('/')))
    expect(ports.size).toBe(1)
  })

  test('does not wait behind a stream that stays open', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/watch') response.write('one\n')
      else response.end('ok')
    })
    const transport = open(server)
    const watch = await transport(get('/watch'))
    expect(await text(await transport(get('/')))).toBe('ok')
    for await (const chunk of watch.body) {
      expect(Buffer.from(chunk).toString()).toBe('one\n')
      break
    }
  })

  test('decodes gzip', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync('x'.repeat(100_000)))
    })
    expect((await text(await open(server)(get('/')))).length).toBe(100_000)
  })

  test('refuses an encoding that nobody asked for', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'br' })
      response.end('?')
    })
    await expect(open(server)(get('/')).then(text)).rejects.toMatchObject({ code: 'KW_CONTENT_ENCODING' })
  })

  test('reports damaged gzip as such', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end('not gzip at all')
    })
    await expect(open(server)(get('/')).then(text)).rejects.toMatchObject({ code: 'KW_CONTENT_ENCODING' })
  })

  test('returns a redirect instead of following it', async () => {
    const paths: (string | undefined)[] = []
    const server = await serve((request, response) => {
      paths.push(request.url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await open(server)(get('/'))).status).toBe(302)
    expect(paths).toEqual(['/'])
  })

  test('keeps each of several warnings apart', async () => {
    const server = await serve((_request, response) => {
      response.setHeader('warning', ['299 - "a, b"', '299 - "c"'])
      response.end()
    })
    expect((await open(server)(get('/'))).headers['warning']).toEqual(['299 - "a, b"', '299 - "c"'])
  })

  test('refuses a header that would smuggle in another one, without repeating its value', async () => {
    const server = await serve((_request, response) => response.end())
    const sending = open(server)(get('/', { headers: { 'x-one': 'secret\r\nx-two: 2' } }))
    await expect(sending).rejects.toMatchObject({ code: 'KW_INVALID_REQUEST' })
    await expect(sending).rejects.not.toThrow('secret')
  })
})

describe('who we are', () => {
  test('is told by credentials and impersonation', async () => {
    const server = await serve((request, response) => response.end(JSON.stringify(request.rawHeaders)))
    const transport = open(server, {
      credentials: { get: () => Promise.resolve({ authorization: 'Bearer t' }), refused: () => false },
      impersonate: {
        user: 'jane',
        uid: 'u1',
        groups: ['a', 'b'],
        extra: { 'example.com/Scope': ['x', 'y'] },
      },
    })
    const raw = JSON.parse(await text(await transport(get('/')))) as string[]
    const pairs = raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1]}`] : []))
    expect(pairs).toEqual(
      expect.arrayContaining([
        'authorization: Bearer t',
        'impersonate-user: jane',
        'impersonate-uid: u1',
        'impersonate-group: a',
        'impersonate-group: b',
        'impersonate-extra-example.com%2Fscope: x',
        'impersonate-extra-example.com%2Fscope: y',
      ]),
    )
  })

  test('is proved again, once, when the server refuses credentials that can be renewed', async () => {
    const seen: (string | undefined)[] = []
    const server = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(request.headers.authorization === 'Bearer new' ? 200 : 401)
      request.pipe(response)
    })
    let token = 'old'
    const refused: Credentials[] = []
    const transport = open(server, {
      credentials: {
        get: () => Promise.resolve({ authorization: `Bearer ${token}` }),
        refused: (credentials) => {
          refused.push(credentials)
          token = 'new'
          return true
        },
      },
    })
    const response = await transport({ method: 'POST', path: '/', headers: {}, body: 'once more' })
    expect(response.status).toBe(200)
    expect(await text(response)).toBe('once more')
    expect(seen).toEqual(['Bearer old', 'Bearer new'])
    expect(refused).toEqual([{ authorization: 'Bearer old' }])
  })

  test('stays refused when nothing better can be had', async () => {
    let requests = 0
    const server = await serve((_request, response) => {
      requests++
      response.writeHead(401).end()
    })
    expect((await open(server)(get('/'))).status).toBe(401)
    expect(requests).toBe(1)
  })
})

describe('a connection that cannot be had', () => {
  test('is reported as refused, and as certainly not sent', async () => {
    const probe = createTcpServer()
    const port = await listen(probe)
    probe.close()
    await once(probe, 'close')
    await expect(open(`http://127.0.0.1:${port}`)(get('/'))).rejects.toMatchObject({
      code: 'KW_CONNECTION',
      reason: 'refused',
      message: expect.stringContaining('Check that the API server runs'),
    })
  })

  test('is reported as a name that was not found', async () => {
    await expect(open('http://no-such-host.invalid')(get('/'))).rejects.toMatchObject({
      code: 'KW_CONNECTION',
      reason: 'dns',
    })
  })

  test('is given up after ten seconds', async () => {
    // A full backlog would do, but needs luck; a TLS handshake that is never answered takes none.
    let onConnected = (): void => {}
    const connected = new Promise<void>((resolve) => {
      onConnected = resolve
    })
    const server = await serveRaw(() => onConnected())
    const clock = standingClock()
    const sending = open(server.replace('http:', 'https:'), {}, clock)(get('/'))
    const outcome = sending.catch((error: unknown) => error)
    await connected
    clock.advance(10_000)
    expect(await outcome).toMatchObject({ code: 'KW_CONNECTION', reason: 'timeout' })
  })

  test('is reported as not TLS when the server speaks plain HTTP', async () => {
    const server = await serve((_request, response) => response.end())
    await expect(open(server.replace('http:', 'https:'))(get('/'))).rejects.toMatchObject({
      code: 'KW_CONNECTION',
      reason: 'tls',
      message: expect.stringContaining('does not speak TLS'),
    })
  })

  test.each(['ftp://example.com', 'nonsense', 'https://user:hunter2@example.com'])(
    'is not tried when the address is not ours to use: %s',
    (server) => {
      expect(() => createTransport(configFor(server))).toThrow(
        expect.objectContaining({
          code: 'KW_INVALID_SERVER',
          message: expect.not.stringContaining('hunter2'),
        }),
      )
    },
  )
})

describe('a connection that breaks', () => {
  test('before the answer is reported as lost', async () => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()))
    await expect(open(server)({ method: 'POST', path: '/', headers: {}, body: '{}' })).rejects.toMatchObject({
      code: 'KW_CONNECTION_LOST',
    })
  })

  test('because the server does not speak HTTP is told so', async () => {
    const server = await serveRaw((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')))
    await expect(open(server)(get('/'))).rejects.toMatchObject({ code: 'KW_NOT_HTTP' })
  })

  test('in the middle of the answer fails the body after what had come', async () => {
    const server = await serveRaw((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n', () =>
          socket.resetAndDestroy(),
        )
      }),
    )
    const response = await open(server)(get('/'))
    let received = ''
    const reading = (async () => {
      for await (const chunk of response.body) received += Buffer.from(chunk).toString()
    })()
    await expect(reading).rejects.toMatchObject({ code: 'KW_CONNECTION_LOST' })
    expect(received).toBe('hello')
  })

  test('while it was idle is replaced, unnoticed, for a read', async () => {
    const server = await serveRaw((socket, index) => {
      let requests = 0
      socket.on('data', () => {
        // The first connection answers once and dies on the next request, as a server that restarts.
        if (index === 0 && ++requests > 1) return socket.resetAndDestroy()
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      })
    })
    const transport = open(server)
    expect(await text(await transport(get('/')))).toBe('ok')
    expect(await text(await transport(get('/')))).toBe('ok')
  })

  test('while it was idle is reported for a write, which must not be repeated', async () => {
    let requests = 0
    const server = await serveRaw((socket, index) => {
      socket.on('data', () => {
        requests++
        if (index === 0 && requests > 1) return socket.resetAndDestroy()
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
      })
    })
    const transport = open(server)
    await text(await transport(get('/')))
    await expect(transport({ method: 'DELETE', path: '/', headers: {} })).rejects.toMatchObject({
      code: 'KW_CONNECTION_LOST',
    })
    expect(requests).toBe(2)
  })
})

describe('silence', () => {
  test('before the answer ends the request after its time, and closes the connection', async () => {
    let onRequest = (_socket: Socket): void => {}
    const requested = new Promise<Socket>((resolve) => {
      onRequest = resolve
    })
    const server = await serve((request) => onRequest(request.socket))
    const clock = standingClock()
    const sending = open(server, {}, clock)(get('/', { headersTimeoutMs: 30_000 }))
    const outcome = sending.catch((error: unknown) => error)
    const socket = await requested
    clock.advance(29_999)
    expect(socket.destroyed).toBe(false)
    clock.advance(1)
    expect(await outcome).toMatchObject({ code: 'KW_RESPONSE_TIMEOUT', timeoutMs: 30_000 })
    if (!socket.destroyed) await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })

  test('inside the body ends the stream after its time, and closes the connection', async () => {
    let serverSocket: Socket | undefined
    const server = await serve((request, response) => {
      serverSocket = request.socket
      response.write('first')
    })
    const clock = standingClock()
    const response = await open(server, {}, clock)(get('/', { idleTimeoutMs: 75_000 }))
    const iterator = response.body[Symbol.asyncIterator]()
    await iterator.next()
    clock.advance(75_000)
    await expect(iterator.next()).rejects.toMatchObject({ code: 'KW_IDLE_TIMEOUT', timeoutMs: 75_000 })
    if (serverSocket?.destroyed === false) await once(serverSocket, 'close')
    expect(serverSocket?.destroyed).toBe(true)
  })

  test('is broken by any byte', async () => {
    let serverResponse: ServerResponse | undefined
    const server = await serve((_request, response) => {
      serverResponse = response
      response.write('1')
    })
    const clock = standingClock()
    const response = await open(server, {}, clock)(get('/', { idleTimeoutMs: 75_000 }))
    const iterator = response.body[Symbol.asyncIterator]()
    for (let turn = 0; turn < 5; turn++) {
      await iterator.next()
      clock.advance(74_000)
      serverResponse?.write('1')
    }
    serverResponse?.end()
    await iterator.next()
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })
})

describe('aborting', () => {
  test('before anything is sent sends nothing', async () => {
    let requests = 0
    const server = await serve((_request, response) => {
      requests++
      response.end()
    })
    const reason = new Error('enough')
    await expect(open(server)(get('/', { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    expect(requests).toBe(0)
  })

  test('while waiting rejects with the reason and closes the connection', async () => {
    let onRequest = (_socket: Socket): void => {}
    const requested = new Promise<Socket>((resolve) => {
      onRequest = resolve
    })
    const server = await serve((request) => onRequest(request.socket))
    const controller = new AbortController()
    const sending = open(server)(get('/', { signal: controller.signal }))
    const outcome = sending.catch((error: unknown) => error)
    const socket = await requested
    const reason = new Error('enough')
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    if (!socket.destroyed) await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })

  test('later fails the body', async () => {
    const server = await serve((_request, response) => response.write('first'))
    const controller = new AbortController()
    const response = await open(server)(get('/', { signal: controller.signal }))
    const iterator = response.body[Symbol.asyncIterator]()
    await iterator.next()
    const reading = iterator.next()
    controller.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })

  test('many requests may share one signal without a warning of a leak', async () => {
    const server = await serve((_request, response) => response.end('ok'))
    const transport = open(server)
    const warnings: string[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning.name)
    process.on('warning', onWarning)
    cleanups.push(() => process.off('warning', onWarning))
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 30 }, () => transport(get('/', { signal })).then(text)))
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toEqual([])
  })

  test('leaves no listener on a signal that lives on', async () => {
    const server = await serve((_request, response) => response.end('ok'))
    const transport = open(server)
    const { signal } = new AbortController()
    let listeners = 0
    const counting = new Proxy(signal, {
      get(target, property) {
        if (property === 'addEventListener') listeners++
        if (property === 'removeEventListener') listeners--
        const value: unknown = Reflect.get(target, property, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    for (let index = 0; index < 3; index++) await text(await transport(get('/', { signal: counting })))
    expect(listeners).toBe(0)
  })
})

describe('a slow reader', () => {
  test('slows the server down instead of filling the memory', async () => {
    let written = 0
    let onFull = (): void => {}
    const full = new Promise<void>((resolve) => {
      onFull = resolve
    })
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const total = 64 * 1024 * 1024
    const server = await serve((_request, response) => {
      const write = (): void => {
        while (written < total) {
          written += chunk.length
          if (!response.write(chunk)) {
            // Nobody drains for a while: the reader has stopped.
            if (written > 256 * 1024) onFull()
            response.once('drain', write)
            return
          }
        }
        response.end()
      }
      write()
    })
    const response = await open(server)(get('/'))
    await full
    expect(written).toBeLessThan(total / 2)
    let received = 0
    for await (const piece of response.body) received += piece.byteLength
    expect(received).toBe(total)
  })

  test('is not blamed on the server', async () => {
    const server = await serve((_request, response) => {
      response.write(Buffer.alloc(4 * 1024 * 1024, 'x'))
      response.end()
    })
    const clock = standingClock()
    const response = await open(server, {}, clock)(get('/', { idleTimeoutMs: 1_000 }))
    const iterator = response.body[Symbol.asyncIterator]()
    let received = 0
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      received += next.value.byteLength
      // Always within the limit while we wait, far beyond it while we do not read.
      clock.advance(900)
    }
    expect(received).toBe(4 * 1024 * 1024)
  })
})

describe('closing', () => {
  test('ends what runs and refuses what comes', async () => {
    const server = await serve((_request, response) => response.write('first'))
    const transport = open(server)
    const response = await transport(get('/'))
    const iterator = response.body[Symbol.asyncIterator]()
    await iterator.next()
    transport.close()
    await expect(iterator.next()).rejects.toMatchObject({ code: 'KW_TRANSPORT_CLOSED' })
    await expect(transport(get('/'))).rejects.toMatchObject({ code: 'KW_TRANSPORT_CLOSED' })
  })

  test('ends an attempt to connect', async () => {
    let onConnected = (_socket: Socket): void => {}
    const connected = new Promise<Socket>((resolve) => {
      onConnected = resolve
    })
    const server = await serveRaw((socket) => onConnected(socket))
    const transport = open(server.replace('http:', 'https:'))
    const outcome = transport(get('/')).catch((error: unknown) => error)
    const socket = await connected
    transport.close()
    expect(await outcome).toMatchObject({ code: 'KW_TRANSPORT_CLOSED' })
    socket.resume()
    if (!socket.destroyed) await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })

  test('leaving a body early closes its connection only', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/stream') response.write('first')
      else response.end('ok')
    })
    const transport = open(server)
    const response = await transport(get('/stream'))
    for await (const _ of response.body) break
    expect(await text(await transport(get('/')))).toBe('ok')
  })
})
