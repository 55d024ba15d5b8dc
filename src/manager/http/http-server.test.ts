import { once } from 'node:events'
import { createServer } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { type HttpHandler, textAnswer } from './http-handler.js'
import { createHttpServer, type HttpServerOptions } from './http-server.js'
import { ListenError } from './listen-error.js'
import { createSelfSignedCertificate } from './self-signed-certificate.js'

const hello: HttpHandler = async ({ method, path, query }) =>
  textAnswer(200, `${method} ${path} ${query.toString()}`)

/** Real sockets on a busy machine. */
const patience = { timeout: 4_000 }

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function serve(options: Partial<HttpServerOptions> = {}) {
  const server = createHttpServer({ name: 'test server', address: '127.0.0.1:0', handler: hello, ...options })
  const abort = new AbortController()
  const run = server.run(abort.signal)
  const stop = async (): Promise<void> => {
    abort.abort()
    await run
  }
  stops.push(stop)
  await server.ready(abort.signal)
  const port = server.port ?? 0
  return { server, stop, port, url: `http://127.0.0.1:${port}` }
}

/** Sends bytes and returns all that comes back until the server closes. */
async function speak(socket: Socket, text: string): Promise<string> {
  let heard = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  return heard
}

describe('an HTTP server', () => {
  test('is ready when it listens, and answers GET and HEAD with what the handler says', async () => {
    const { url } = await serve()
    const response = await fetch(`${url}/a/b?x=1&y`)
    expect([response.status, await response.text()]).toEqual([200, 'GET /a/b x=1&y=\n'])
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('refuses other methods', async () => {
    const { url } = await serve()
    const response = await fetch(url, { method: 'POST', body: 'x' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each([
    ['throws', () => Promise.reject(new Error('secret path /etc/x'))],
    ['answers with nonsense', () => Promise.resolve({ status: 200, body: undefined as unknown as string })],
  ])('a handler that %s is answered with 500 and not a word of why', async (_, handler) => {
    const { url } = await serve({ handler })
    const response = await fetch(url)
    expect([response.status, await response.text()]).toEqual([500, 'Internal Server Error\n'])
  })

  test('tells the handler when the caller has gone', async () => {
    let heard: AbortSignal | undefined
    const { port } = await serve({
      handler: ({ signal }) => {
        heard = signal
        return new Promise(() => {})
      },
    })
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(() => heard, patience).toBeDefined()
    socket.destroy()
    await expect.poll(() => heard?.aborted, patience).toBe(true)
  })

  test('a request that is no HTTP is refused, and the next one is served', async () => {
    const { port, url } = await serve()
    expect(await speak(connect(port, '127.0.0.1'), 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect((await fetch(url)).status).toBe(200)
  })

  test('headers of half a mebibyte pass, more than one mebibyte do not', async () => {
    const { port } = await serve()
    const ask = (bytes: number): Promise<string> =>
      speak(
        connect(port, '127.0.0.1'),
        `GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-long: ${'a'.repeat(bytes)}\r\n\r\n`,
      )
    expect(await ask(524_288)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await ask(1_100_000)).toMatch(/^HTTP\/1\.1 431 /)
  })

  test('a stop lets the answer under way be given, closes idle connections and frees the port', async () => {
    let finish = (): void => {}
    let onAsked = (): void => {}
    const asked = new Promise<void>((resolve) => {
      onAsked = resolve
    })
    const { url, stop, port, server } = await serve({
      handler: ({ path }) =>
        path === '/slow'
          ? new Promise((resolve) => {
              finish = () => resolve(textAnswer(200, 'done'))
              onAsked()
            })
          : Promise.resolve(textAnswer(200, 'ok')),
    })
    await (await fetch(`${url}/idle`)).text()
    const slow = fetch(`${url}/slow`)
    await asked
    const stopped = stop()
    finish()
    const response = await slow
    expect([await response.text(), response.headers.get('connection')]).toEqual(['done\n', 'close'])
    await stopped
    expect(server.port).toBeUndefined()
    await serve({ address: `127.0.0.1:${port}` })
  })

  test('a stop is not held up by an answer that never comes', async () => {
    const clock: Clock = { ...systemClock, setTimer: (_, callback) => systemClock.setTimer(0, callback) }
    const { url, stop } = await serve({ clock, handler: () => new Promise(() => {}) })
    const hanging = fetch(url).catch(() => 'cut')
    await stop()
    expect(await hanging).toBe('cut')
  })

  test.each(['0', ''])('with the address %j there is none, and its run is over at once', async (address) => {
    const server = createHttpServer({ name: 'test server', address, handler: hello })
    await server.run(new AbortController().signal)
    expect(server.port).toBeUndefined()
  })

  test('a port in use fails the run with an error that says what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const server = createHttpServer({ name: 'health server', address: `127.0.0.1:${port}`, handler: hello })
    const error: unknown = await server.run(new AbortController().signal).catch((thrown: unknown) => thrown)
    other.close()
    expect(error).toBeInstanceOf(ListenError)
    expect(error).toMatchObject({ code: 'KW_LISTEN', reason: 'in-use', address: `127.0.0.1:${port}` })
    expect(String(error)).toContain(
      `The health server cannot listen on 127.0.0.1:${port}: another program does already.`,
    )
  })

  test('an address of another machine fails the run', async () => {
    const server = createHttpServer({ name: 'health server', address: '192.0.2.1:0', handler: hello })
    await expect(server.run(new AbortController().signal)).rejects.toMatchObject({ reason: 'not-available' })
  })
})

describe('an HTTPS server', () => {
  const get = (port: number): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      httpsRequest({ port, host: '127.0.0.1', rejectUnauthorized: false }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
  const handshake = async (port: number, options: object): Promise<TLSSocket> => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
    await once(socket, 'secureConnect')
    return socket
  }

  test('serves with a certificate that it made itself, for localhost', async () => {
    const { port } = await serve({
      certificate: createSelfSignedCertificate({ dnsNames: ['metrics.ops.svc'] }),
    })
    expect(await get(port)).toBe(200)
    const socket = await handshake(port, {})
    expect(socket.getPeerX509Certificate()?.subjectAltName).toContain('DNS:metrics.ops.svc')
    socket.destroy()
  })

  test('speaks TLS 1.2 and later, and HTTP/1.1 only', async () => {
    const { port } = await serve({ certificate: createSelfSignedCertificate() })
    const socket = await handshake(port, { maxVersion: 'TLSv1.2', ALPNProtocols: ['h2', 'http/1.1'] })
    expect([socket.getProtocol(), socket.alpnProtocol]).toEqual(['TLSv1.2', 'http/1.1'])
    socket.destroy()
    await expect(
      handshake(port, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
    ).rejects.toThrow(/version/)
  })

  test('takes a new certificate for new connections while it runs', async () => {
    const [first, second] = [
      await createSelfSignedCertificate().load(never()),
      await createSelfSignedCertificate().load(never()),
    ]
    let replace = (): void => {}
    const { port } = await serve({
      certificate: {
        load: async () => first,
        follow: async (onChange) => {
          replace = () => onChange(second)
        },
      },
    })
    const serial = async (): Promise<string | undefined> => {
      const socket = await handshake(port, {})
      const certificate = socket.getPeerX509Certificate()
      socket.destroy()
      return certificate?.serialNumber
    }
    const before = await serial()
    replace()
    expect(await serial()).not.toBe(before)
  })

  test('without any certificate its run fails', async () => {
    const server = createHttpServer({
      name: 'test server',
      address: '127.0.0.1:0',
      handler: hello,
      certificate: { load: () => Promise.reject(new Error('no certificate')), follow: async () => {} },
    })
    await expect(server.run(new AbortController().signal)).rejects.toThrow('no certificate')
  })
})

function never(): AbortSignal {
  return new AbortController().signal
}
