import { connect as connectPlainly } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { createCluster, type EmbeddedCluster } from 'kubewright/testing'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

// The listener, spoken to by hand: what a client library would never send.

const configMaps = '/api/v1/namespaces/default/configmaps'
const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}}'

let cluster: EmbeddedCluster
let target: ConnectionOptions
const sockets = new Set<TLSSocket>()

beforeAll(async () => {
  cluster = await createCluster({ kind: 'embedded' })
  const { server } = cluster
  const { hostname, port } = new URL(cluster.config.server)
  const { cert, key } = server.issueClientCertificate({ name: 'admin', groups: ['system:masters'] })
  target = { host: hostname, port: Number(port), ca: server.authority.cert, cert, key }
}, 60_000)
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})
afterAll(() => cluster.stop())

/** A connection that has said this. */
async function open(bytes: string | Buffer, options: ConnectionOptions = target): Promise<TLSSocket> {
  const socket = connect(options)
  sockets.add(socket)
  await new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}

/** All that comes back until the server closes the connection. */
async function answerOf(bytes: string | Buffer, options?: ConnectionOptions): Promise<string> {
  const socket = await open(bytes, options)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString()
}

const usual = 'Host: x\r\nConnection: close\r\n'
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${usual}${headers}\r\n`
const post = (headers: string, body: string): string =>
  `POST ${configMaps} HTTP/1.1\r\n${usual}Content-Type: application/json\r\n${headers}\r\n${body}`
const long = 2 * 1024 * 1024

async function expectAlive(): Promise<void> {
  expect(await answerOf(get('/readyz'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
}

describe('a request that is none', () => {
  const rows: Readonly<Record<string, readonly [request: string | Buffer, answer: RegExp]>> = {
    'with bytes that are no HTTP': [Buffer.from([0, 1, 2, 3, 13, 10, 13, 10]), /^HTTP\/1\.1 400 /],
    'with the beginning of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/1\.1 400 /],
    'with another version': ['GET /version HTTP/3.0\r\n\r\n', /^HTTP\/1\.1 400 /],
    'with a method that is none': [`F(O /api HTTP/1.1\r\n${usual}\r\n`, /^HTTP\/1\.1 400 /],
    'with no host': ['GET /healthz HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    'with a space in its path': [get('/a b'), /^HTTP\/1\.1 400 /],
    'with a path of two megabytes': [get(`/${'a'.repeat(long)}`), /^HTTP\/1\.1 431 /],
    'with a header of two megabytes': [get('/healthz', `X-A: ${'v'.repeat(long)}\r\n`), /^HTTP\/1\.1 431 /],
    'with a zero byte in a header': [get('/healthz', 'X-A: b\0c\r\n'), /^HTTP\/1\.1 400 /],
    'with a space before the colon': [get('/healthz', 'X-A : b\r\n'), /^HTTP\/1\.1 400 /],
    'with a header without a name': [get('/healthz', ': b\r\n'), /^HTTP\/1\.1 400 /],
    'with two lengths': [post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello!'), /^HTTP\/1\.1 400 /],
    'with a negative length': [post('Content-Length: -5\r\n', object), /^HTTP\/1\.1 400 /],
    'with a length beyond all numbers': [
      post(`Content-Length: ${'9'.repeat(30)}\r\n`, object),
      /^HTTP\/1\.1 400 /,
    ],
    'with a length and with chunks': [
      post(`Content-Length: ${object.length}\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n'),
      /^HTTP\/1\.1 400 /,
    ],
    'with an encoding that is none': [post('Transfer-Encoding: xchunked\r\n', object), /^HTTP\/1\.1 400 /],
    'with a chunk that is none': [post('Transfer-Encoding: chunked\r\n', 'zz\r\n\r\n'), /^HTTP\/1\.1 400 /],
    'with an expectation that nobody meets': [
      post(`Expect: nonsense\r\nContent-Length: ${object.length}\r\n`, object),
      /^HTTP\/1\.1 417 /,
    ],
    'for another server, through this one': [`CONNECT example.com:443 HTTP/1.1\r\n${usual}\r\n`, /^$/],
  }
  test.each(Object.entries(rows))('%s', async (_, [request, answer]) => {
    const { revision } = cluster.server.store
    expect((await answerOf(request)).slice(0, 200)).toMatch(answer)
    expect(cluster.server.store.revision).toBe(revision)
    await expectAlive()
  })
})

test('a whole URL instead of a path is answered as the path, whosever it is', async () => {
  expect(await answerOf(get('https://example.com/readyz'))).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('what follows a body is the next request, and what is in a body is none', async () => {
  const inside = 'DELETE /api/v1/namespaces/default HTTP/1.1\r\nHost: x\r\n\r\n'
  const first = post(`Content-Length: ${inside.length}\r\n`, inside).replace('Connection: close\r\n', '')
  const answers = await answerOf(first + get('/readyz'))
  expect(answers.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 200'])
})

test('of a body that is too long, the rest is not waited for', async () => {
  const body = 'x'.repeat(4 * 1024 * 1024)
  const answer = await answerOf(post(`Content-Length: ${10 ** 12}\r\n`, body))
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('Request entity too large: limit is 3145728')
  await expectAlive()
})

test('a body that breaks off is never written', async () => {
  const { store } = cluster.server
  const { revision } = store
  // All of the object is there, but it was announced to be longer.
  const socket = await open(post(`Content-Length: ${object.length + 1}\r\n`, object))
  await new Promise<void>((resolve) => socket.end(resolve))
  await expectAlive()
  expect(store.revision).toBe(revision)
})

test('whoever shows no credentials learns nothing', async () => {
  const { cert: _cert, key: _key, ...nobody } = target
  for (const path of [configMaps, '/apis', '/metrics', '/nothing', `${configMaps}/x?watch=1`])
    expect(await answerOf(get(path), nobody)).toMatch(/^HTTP\/1\.1 401 /)
  expect(await answerOf(get(configMaps, 'Authorization: Bearer nonsense\r\n'), nobody)).toMatch(
    /^HTTP\/1\.1 401 /,
  )
})

test('whoever speaks no TLS is cut off', async () => {
  const { host, port } = target
  const socket = connectPlainly({ host: host ?? '', port: port ?? 0 })
  socket.on('error', () => {})
  socket.write(get('/readyz'))
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString()
  })
  await new Promise((resolve) => socket.once('close', resolve))
  expect(answer).not.toContain('200 OK')
  await expectAlive()
})

test('connections that say nothing, or half of something, keep nobody else waiting', async () => {
  const halves = ['', 'GET', 'GET /api HTTP/1.1\r\nHost:', post('Content-Length: 1000\r\n', '{')]
  for (let count = 0; count < 100; count++) await open(halves[count % halves.length] ?? '')
  await expectAlive()
  expect(await answerOf(get(configMaps))).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('watchers that never read, and go away, keep nobody from writing', async () => {
  const watch = get(`${configMaps}?watch=1`)
  const watchers = await Promise.all(Array.from({ length: 30 }, () => open(watch)))
  for (const watcher of watchers) watcher.pause()
  const write = (name: string): Promise<string> => {
    const body = object.replace('"x"', `"${name}"`).replace(/}$/, `,"data":{"a":"${'x'.repeat(500_000)}"}}`)
    return answerOf(post(`Content-Length: ${body.length}\r\n`, body))
  }
  for (let count = 0; count < 10; count++) expect(await write(`unread-${count}`)).toMatch(/^HTTP\/1\.1 201 /)
  for (const watcher of watchers) watcher.destroy()
  expect(await write('after-them')).toMatch(/^HTTP\/1\.1 201 /)
  await expectAlive()
})
