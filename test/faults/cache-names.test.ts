import dns from 'node:dns'
import { expect, onTestFinished, test } from 'vitest'
import { until } from './event-loop.js'
import { expectSame, followWidgets, isSame, synced } from './followed-widgets.js'
import { createRig, type Rig } from './rig.js'
import { createTcpProxy } from './tcp-proxy.js'

const name = 'api.faults.test'

/** The resolver of this machine, which answers for one name as the test wants. */
interface Resolver {
  /** An address, or the code of the error. */
  answer: string
  /** How often the name was asked for. */
  asked: number
}

function replaceResolver(answer: string): Resolver {
  const resolver: Resolver = { answer, asked: 0 }
  const real = dns.lookup
  // As sockets call it, who ask for all addresses of a name.
  const lookup = (
    host: string,
    _options: dns.LookupAllOptions,
    callback: (error: Error | null, addresses: dns.LookupAddress[]) => void,
  ): void => {
    if (host !== name) throw new Error(`${host} is not to be looked up in this test.`)
    resolver.asked++
    const answered = resolver.answer
    const error = answered.startsWith('E')
      ? Object.assign(new Error(`getaddrinfo ${answered} ${host}`), { code: answered, hostname: host })
      : null
    setImmediate(() => callback(error, error === null ? [{ address: answered, family: 4 }] : []))
  }
  dns.lookup = Object.assign(lookup, real)
  onTestFinished(() => {
    dns.lookup = real
  })
  return resolver
}

async function clientByName(rig: Rig): Promise<Awaited<ReturnType<Rig['connect']>>> {
  return rig.connect({ server: `http://${name}:${rig.proxy.port}` })
}

test.each(['ENOTFOUND', 'EAI_AGAIN'])(
  'T10: a name that nobody knows (%s) is asked for ever more rarely, and found when it is there',
  async (code) => {
    const rig = await createRig()
    const { server, log, pass } = rig
    server.store.create('widgets', { metadata: { name: 'a' } })
    const resolver = replaceResolver(code)
    const followed = followWidgets(rig, { cache: { client: await clientByName(rig) } })
    await pass(300_000)
    expect(followed.widgets.hasSynced).toBe(false)
    expect(followed.cache.health[0]?.failure?.error?.message).toContain(name)
    const attempts = log.find('warn', 'interrupted')
    expect(attempts.length).toBeGreaterThanOrEqual(9)
    expect(resolver.asked).toBeLessThanOrEqual(attempts.length + 1)
    expect(server.requests).toEqual([])
    resolver.answer = '127.0.0.1'
    await pass(60_000)
    await synced(followed)
    expectSame(followed.widgets, server)
  },
)

// Elsewhere the loopback has one address.
test.skipIf(process.platform !== 'linux')(
  'T10: a server that has moved to another address is found there, and nothing is sent to the old one',
  async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    const moved = await createTcpProxy(server.port, { host: '127.0.0.2', port: proxy.port })
    onTestFinished(() => moved.close())
    const resolver = replaceResolver('127.0.0.1')
    const client = await clientByName(rig)
    const followed = followWidgets(rig, { cache: { client } })
    server.store.create('widgets', { metadata: { name: 'a' } })
    await synced(followed)
    resolver.answer = '127.0.0.2'
    // The old address goes on listening, as that of another server would.
    proxy.reset()
    const acceptedBefore = proxy.accepted
    server.store.create('widgets', { metadata: { name: 'b' } })
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
    expect(moved.accepted).toBeGreaterThan(0)
    expect(proxy.accepted).toBe(acceptedBefore)
    expect(followed.told).toEqual(['initial a', 'add b'])
  },
)
