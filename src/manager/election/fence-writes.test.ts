import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ClusterConfig, createTransport, type NetworkTransport, readText } from '../../client/index.js'
import type { Transport, TransportRequest } from '../../objects/index.js'
import { LeadershipLostError } from './election-errors.js'
import { fenceWrites } from './fence-writes.js'

let server: Server
let network: NetworkTransport
let transport: Transport
let served: string[]
let isLeading: boolean

beforeAll(async () => {
  server = createServer((request, response) => {
    served.push(request.method ?? '')
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})
beforeEach(() => {
  // A server on a port has an address of this shape.
  const { port } = server.address() as AddressInfo
  const config: ClusterConfig = {
    server: `http://127.0.0.1:${port}`,
    trust: { ca: () => Promise.resolve(undefined), insecureSkipVerify: false },
    credentials: { get: () => Promise.resolve({}), refused: () => false },
    namespace: 'default',
    origin: 'test',
  }
  served = []
  isLeading = true
  network = createTransport(config)
  transport = fenceWrites(network, () => {
    if (!isLeading) throw new LeadershipLostError('ops/tiger', 'expired')
  })
  return () => network.close()
})

const post: TransportRequest = { method: 'POST', path: '/', headers: {}, body: '{}' }

async function send(request: TransportRequest): Promise<string> {
  return readText((await transport(request)).body)
}

test('a write of a leader is sent', async () => {
  expect(await send(post)).toBe('{}')
  expect(served).toEqual(['POST'])
})

test('a write whose connection is being made when the lease is lost is not sent', async () => {
  const write = send(post)
  isLeading = false
  await expect(write).rejects.toThrow(LeadershipLostError)
  expect(served).toEqual([])
})

test('a write for which a connection stands, but that has not left yet when the lease is lost, is not sent', async () => {
  await send(post)
  served = []
  const write = send(post)
  isLeading = false
  await expect(write).rejects.toThrow(LeadershipLostError)
  // What was not sent does not come later either.
  isLeading = true
  await send(post)
  expect(served).toEqual(['POST'])
})

test('a read needs no lease', async () => {
  isLeading = false
  expect(await send({ method: 'GET', path: '/', headers: {} })).toBe('{}')
})
