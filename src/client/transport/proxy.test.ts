import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../../base/x509/index.js'
import { createTransport, type NetworkTransport } from './network-transport.js'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

let authority: KeyedCertificate
let certificate: KeyedCertificate
beforeAll(() => {
  authority = createCertificateAuthority({ commonName: 'authority' })
  certificate = issueCertificate(authority, {
    commonName: 'server',
    dnsNames: ['kubernetes.internal'],
    ipAddresses: ['127.0.0.1'],
    purposes: ['server'],
  })
})

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

async function serveApi(): Promise<number> {
  return listen(createHttpsServer(certificate, (_request, response) => response.end('hello')))
}

function bridge(near: Socket, port: number, onConnect: () => void): void {
  const far = connect(port, '127.0.0.1', () => {
    onConnect()
    near.pipe(far).pipe(near)
  })
  far.on('error', () => near.destroy())
}

interface Tunnel {
  readonly authority: string | undefined
  readonly authorization: string | undefined
}

/** An HTTP proxy that leads every tunnel to one port. */
async function serveHttpProxy(apiPort: number, answer = 200): Promise<{ port: number; tunnels: Tunnel[] }> {
  const tunnels: Tunnel[] = []
  const proxy = createServer()
  proxy.on('connect', (request, near: Socket) => {
    tunnels.push({ authority: request.url, authorization: request.headers['proxy-authorization'] })
    near.on('error', () => {})
    if (answer !== 200) near.end(`HTTP/1.1 ${answer} No\r\ncontent-length: 0\r\n\r\n`)
    else bridge(near, apiPort, () => near.write('HTTP/1.1 200 OK\r\n\r\n'))
  })
  return { port: await listen(proxy), tunnels }
}

interface SocksBehaviour {
  readonly password?: string
  readonly reply?: number
}

/** A SOCKS5 proxy, written from the RFC, that leads every connection to one port. */
async function serveSocks(
  apiPort: number,
  behaviour: SocksBehaviour = {},
): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = []
  const server = createTcpServer((near) => {
    let stage: 'greeting' | 'password' | 'request' = 'greeting'
    const onData = (data: Buffer): void => {
      if (stage === 'greeting') {
        stage = behaviour.password === undefined ? 'request' : 'password'
        near.write(Buffer.of(5, behaviour.password === undefined ? 0 : 2))
      } else if (stage === 'password') {
        stage = 'request'
        const userLength = data[1] ?? 0
        const password = data.subarray(3 + userLength).toString()
        near.write(Buffer.of(1, password === behaviour.password ? 0 : 1))
      } else {
        near.off('data', onData)
        const isName = data[3] === 3
        const length = isName ? (data[4] ?? 0) : 4
        const start = isName ? 5 : 4
        const host = isName
          ? data.subarray(start, start + length).toString()
          : [...data.subarray(4, 8)].join('.')
        asked.push(`${host}:${data.readUInt16BE(start + length)}`)
        const answer = Buffer.of(5, behaviour.reply ?? 0, 0, 1, 127, 0, 0, 1, 0, 80)
        if (behaviour.reply !== undefined) near.end(answer)
        else bridge(near, apiPort, () => near.write(answer))
      }
    }
    near.on('data', onData)
  })
  return { port: await listen(server), asked }
}

function open(server: string, proxyUrl: string): NetworkTransport {
  const transport = createTransport({
    server,
    proxyUrl,
    trust: { ca: () => Promise.resolve(authority.cert), insecureSkipVerify: false },
    credentials: { get: () => Promise.resolve({}), refused: () => false },
    namespace: 'default',
    origin: 'a test',
  })
  cleanups.push(() => transport.close())
  return transport
}

async function ask(transport: NetworkTransport): Promise<string> {
  const response = await transport({ method: 'GET', path: '/', headers: {} })
  let text = ''
  for await (const chunk of response.body) text += Buffer.from(chunk).toString()
  return text
}

describe('an HTTP proxy', () => {
  test('opens a tunnel in which TLS reaches to the server', async () => {
    const proxy = await serveHttpProxy(await serveApi())
    const transport = open('https://kubernetes.internal:6443', `http://127.0.0.1:${proxy.port}`)
    expect(await ask(transport)).toBe('hello')
    expect(proxy.tunnels).toEqual([{ authority: 'kubernetes.internal:6443', authorization: undefined }])
  })

  test('is told a user name and password with special characters', async () => {
    const proxy = await serveHttpProxy(await serveApi())
    const url = `http://us%40er:p%3Ass@127.0.0.1:${proxy.port}`
    expect(await ask(open('https://kubernetes.internal', url))).toBe('hello')
    const expected = `Basic ${Buffer.from('us@er:p:ss').toString('base64')}`
    expect(proxy.tunnels[0]?.authorization).toBe(expected)
  })

  test('that wants a password is named, without the one we have', async () => {
    const proxy = await serveHttpProxy(await serveApi(), 407)
    const asking = ask(open('https://kubernetes.internal', `http://user:hunter2@127.0.0.1:${proxy.port}`))
    await expect(asking).rejects.toMatchObject({
      code: 'KW_CONNECTION',
      reason: 'proxy',
      message: expect.stringContaining('407'),
    })
    await expect(asking).rejects.not.toThrow('hunter2')
  })

  test('that does not run is named', async () => {
    const closed = createTcpServer()
    const port = await listen(closed)
    closed.close()
    await once(closed, 'close')
    await expect(ask(open('https://kubernetes.internal', `http://127.0.0.1:${port}`))).rejects.toMatchObject({
      reason: 'proxy',
      message: expect.stringContaining(`http://127.0.0.1:${port}`),
    })
  })

  test('may speak TLS itself, and must then be trusted by the system', async () => {
    const proxyPort = await listen(createHttpsServer(certificate))
    await expect(
      ask(open('https://kubernetes.internal', `https://127.0.0.1:${proxyPort}`)),
    ).rejects.toMatchObject({ reason: 'proxy' })
  })
})

describe('a SOCKS5 proxy', () => {
  test('resolves the name of the server', async () => {
    const proxy = await serveSocks(await serveApi())
    const transport = open('https://kubernetes.internal:6443', `socks5://127.0.0.1:${proxy.port}`)
    expect(await ask(transport)).toBe('hello')
    expect(proxy.asked).toEqual(['kubernetes.internal:6443'])
  })

  test('is given an address as an address', async () => {
    const apiPort = await serveApi()
    const proxy = await serveSocks(apiPort)
    expect(await ask(open(`https://127.0.0.1:${apiPort}`, `socks5h://127.0.0.1:${proxy.port}`))).toBe('hello')
    expect(proxy.asked).toEqual([`127.0.0.1:${apiPort}`])
  })

  test('is told the password it wants', async () => {
    const proxy = await serveSocks(await serveApi(), { password: 'hunter2' })
    const transport = open('https://kubernetes.internal', `socks5://user:hunter2@127.0.0.1:${proxy.port}`)
    expect(await ask(transport)).toBe('hello')
  })

  test('that refuses the password is named, without the password', async () => {
    const proxy = await serveSocks(await serveApi(), { password: 'other' })
    const asking = ask(open('https://kubernetes.internal', `socks5://user:hunter2@127.0.0.1:${proxy.port}`))
    await expect(asking).rejects.toMatchObject({
      reason: 'proxy',
      message: expect.stringContaining('refused the user name or password'),
    })
    await expect(asking).rejects.not.toThrow('hunter2')
  })

  test('that refuses the connection says why', async () => {
    const proxy = await serveSocks(await serveApi(), { reply: 2 })
    await expect(
      ask(open('https://kubernetes.internal', `socks5://127.0.0.1:${proxy.port}`)),
    ).rejects.toMatchObject({
      reason: 'proxy',
      message: expect.stringContaining('not allowed by its rules'),
    })
  })

  test('that is none is recognised', async () => {
    const port = await listen(createServer((_request, response) => response.end()))
    await expect(
      ask(open('https://kubernetes.internal', `socks5://127.0.0.1:${port}`)),
    ).rejects.toMatchObject({
      reason: 'proxy',
    })
  })
})

test('a proxy URL that cannot be read is refused without repeating it', async () => {
  const transport = open('https://kubernetes.internal', 'ftp://user:hunter2@proxy')
  await expect(transport({ method: 'GET', path: '/readyz', headers: {} })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_CONNECTION', message: expect.not.stringContaining('hunter2') }),
  )
})
