import { describe, expect, test } from 'vitest'
import { isKubewrightError, systemClock } from '../../src/base/index.js'
import { createCertificateAuthority, issueCertificate } from '../../src/base/x509/index.js'
import { ConnectionError, type ServerTrust, UnknownOutcomeError } from '../../src/client/index.js'
import { isAlreadyExists } from '../../src/objects/index.js'
import { silence } from './api-server/answers.js'
import type { ObjectStore } from './api-server/object-store.js'
import { until } from './event-loop.js'
import { failureOf, watched } from './outcome.js'
import { createRig } from './rig.js'
import { followWatch } from './watch-follower.js'
import { Widget } from './widgets.js'

const key = { namespace: 'default', name: 'a' }

function addWidgets(store: ObjectStore, names: string): void {
  for (const name of names) store.create('widgets', { metadata: { name } })
}

describe('a watch of the client', () => {
  test('T1: a reset between two events ends it with an error, and the next watch goes on behind the last event', async () => {
    const { client, server, proxy } = await createRig()
    const first = followWatch(client, { resourceVersion: '100' })
    addWidgets(server.store, 'ab')
    await until(() => first.seen.length === 2)
    proxy.reset()
    await until(() => first.end !== undefined)
    expect(first.end).toMatchObject({ code: 'KW_CONNECTION_LOST' })
    addWidgets(server.store, 'c')
    const second = followWatch(client, { resourceVersion: first.version })
    await until(() => second.seen.length === 1)
    expect([...first.seen, ...second.seen]).toEqual(['added a 101', 'added b 102', 'added c 103'])
    await second.stop()
  })

  test('T2: a reset in the middle of an event line delivers nothing of that line, and the next watch all of it', async () => {
    const { client, server, proxy } = await createRig()
    const first = followWatch(client, { resourceVersion: '100' })
    await until(() => server.watches.length === 1)
    addWidgets(server.store, 'a')
    await until(() => first.seen.length === 1)
    proxy.resetBehind('"name":"b"')
    addWidgets(server.store, 'b')
    await until(() => first.end !== undefined)
    expect(first.seen).toEqual(['added a 101'])
    const second = followWatch(client, { resourceVersion: first.version })
    await until(() => second.seen.length === 1)
    expect(second.seen).toEqual(['added b 102'])
    await second.stop()
  })

  test('T3: a half-open connection is found within 75 seconds, and its socket is closed', async () => {
    const { client, server, proxy, pass } = await createRig()
    const follower = followWatch(client, { resourceVersion: '100' })
    await until(() => server.watches.length === 1)
    server.watches[0]?.bookmark()
    await until(() => follower.seen.length === 1)
    proxy.freeze()
    addWidgets(server.store, 'a')
    await pass(74_000)
    expect(follower.end).toBeUndefined()
    await pass(1_500)
    await until(() => follower.end !== undefined)
    expect(follower.end).toMatchObject({ code: 'KW_IDLE_TIMEOUT' })
    await until(() => proxy.open === 0)
  })

  test('T4: one that never gets an answer is given up, counted from the request', async () => {
    const { client, server, pass } = await createRig()
    server.fault({ verb: 'watch' }, silence)
    const follower = followWatch(client, { resourceVersion: '100' })
    await until(() => server.count('watch') === 1)
    await pass(74_000)
    expect(follower.end).toBeUndefined()
    await pass(1_500)
    expect(follower.end).toMatchObject({ code: 'KW_RESPONSE_TIMEOUT' })
  })

  test('T6: one that ends at once just ends, and asks nothing more by itself', async () => {
    const { client, server, pass } = await createRig()
    const follower = followWatch(client, { resourceVersion: '100' })
    await until(() => server.watches.length === 1)
    server.watches[0]?.end()
    await until(() => follower.end === null)
    await pass(600_000)
    expect(server.count('watch')).toBe(1)
  })

  test('T13: one byte at a time is slow, not dead', async () => {
    const { client, server, proxy, pass } = await createRig()
    proxy.drip(true)
    const follower = followWatch(client, { resourceVersion: '100' })
    await until(() => server.watches.length === 1)
    for (let second = 0; second < 10; second++) {
      server.watches[0]?.write('\n')
      await pass(30_000)
    }
    addWidgets(server.store, 'a')
    await until(() => follower.seen.length === 1)
    expect(follower.end).toBeUndefined()
    await follower.stop()
  })

  test('T14: nobody reads it, so the server is slowed down instead of the memory filled', async () => {
    const { client, server, proxy, settle } = await createRig()
    const events = client.watch(Widget, { resourceVersion: '100' })
    addWidgets(server.store, 'a')
    const first = await events.next()
    expect(first.done).toBe(false)
    const line = `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '101' }, pad: 'x'.repeat(100_000) } })}\n`
    for (let sent = 0; sent < 300; sent++) server.watches[0]?.write(line)
    await settle()
    // Our own buffer, the socket's and those of the two kernels' sides; far below the 30 MB that were written.
    expect(proxy.bytesToClient).toBeLessThan(20_000_000)
    let bookmarks = 0
    while (bookmarks < 300) {
      const next = await events.next()
      if (next.done === true) break
      bookmarks++
    }
    expect(bookmarks).toBe(300)
    await events.return?.()
  })
})

describe('a request of the client', () => {
  test('T4: one that gets no answer fails after 30 seconds, and no other waits behind it', async () => {
    const { client, server, proxy, pass } = await createRig()
    addWidgets(server.store, 'ab')
    await client.get(Widget, key)
    server.fault({ verb: 'get' }, silence, 1)
    const stalled = watched(client.get(Widget, key))
    await until(() => server.count('get') === 2)
    await expect(client.get(Widget, { ...key, name: 'b' })).resolves.toMatchObject({
      metadata: { name: 'b' },
    })
    await pass(29_000)
    expect(stalled.isSettled).toBe(false)
    await pass(1_500)
    expect(stalled.error).toMatchObject({ code: 'KW_RESPONSE_TIMEOUT' })
    await until(() => proxy.open <= 1)
  })

  test('T4: a connection that is accepted and then says nothing is given up too', async () => {
    const { client, server, proxy, pass } = await createRig()
    addWidgets(server.store, 'a')
    proxy.stallNew(true)
    const stalled = watched(client.get(Widget, key))
    await until(() => proxy.accepted === 1)
    proxy.stallNew(false)
    await expect(client.get(Widget, key)).resolves.toMatchObject({ metadata: { name: 'a' } })
    await pass(31_000)
    expect(stalled.error).toMatchObject({ code: 'KW_RESPONSE_TIMEOUT' })
  })

  test('T9: a refused connection says so at once, and the next request after the restart succeeds', async () => {
    const { client, server, proxy } = await createRig()
    addWidgets(server.store, 'a')
    await proxy.refuse()
    const refused = await failureOf(client.get(Widget, key))
    expect(refused).toBeInstanceOf(ConnectionError)
    expect(refused).toMatchObject({ reason: 'refused' })
    await proxy.accept()
    await expect(client.get(Widget, key)).resolves.toMatchObject({ metadata: { name: 'a' } })
  })

  test('T9: a server that restarts cuts the idle connections, and nobody notices', async () => {
    const { client, server, proxy } = await createRig()
    addWidgets(server.store, 'a')
    await client.get(Widget, key)
    proxy.reset()
    await expect(client.get(Widget, key)).resolves.toMatchObject({ metadata: { name: 'a' } })
  })

  test('T16: a read that is cut off is repeated', async () => {
    const { client, server, proxy, pass } = await createRig()
    addWidgets(server.store, 'a')
    proxy.swallowNextAnswer()
    const read = watched(client.get(Widget, key))
    await until(() => server.count('get') === 1)
    await pass(5_000)
    await until(() => read.isSettled)
    expect(read.value?.metadata.name).toBe('a')
    expect(server.count('get')).toBe(2)
  })

  test('T16: a write whose answer is lost is sent once, and its outcome is called unknown', async () => {
    const { client, server, proxy, pass } = await createRig()
    proxy.swallowNextAnswer()
    const create = watched(client.create(Widget, { metadata: key }))
    await until(() => create.isSettled)
    await pass(120_000)
    expect(create.error).toBeInstanceOf(UnknownOutcomeError)
    expect(server.count('create')).toBe(1)
    // It was done, and whoever tries again learns that.
    expect(isAlreadyExists(await failureOf(client.create(Widget, { metadata: key })))).toBe(true)
  })

  test.each(['update', 'patch', 'delete'] as const)('T16: so is a lost %s', async (verb) => {
    const { client, server, proxy, pass } = await createRig()
    addWidgets(server.store, 'a')
    const present = await client.get(Widget, key)
    proxy.swallowNextAnswer()
    const write = watched<unknown>(
      verb === 'update'
        ? client.update(Widget, { ...present, spec: { size: 2 } })
        : verb === 'patch'
          ? client.patch(Widget, key, { merge: { spec: { size: 2 } } })
          : client.delete(Widget, key),
    )
    await until(() => write.isSettled)
    await pass(120_000)
    expect(write.error).toBeInstanceOf(UnknownOutcomeError)
    expect(server.count(verb)).toBe(1)
  })

  test('T16: a write on a kept connection that had died may have arrived, so it is not repeated either', async () => {
    const { client, server, proxy } = await createRig()
    addWidgets(server.store, 'a')
    await client.get(Widget, key)
    proxy.freeze()
    const write = watched(client.create(Widget, { metadata: { name: 'b', namespace: 'default' } }))
    await until(() => proxy.open === 1)
    proxy.reset()
    await until(() => write.isSettled)
    expect(write.error).toBeInstanceOf(UnknownOutcomeError)
  })
})

describe('T11: a server that cannot prove who it is', () => {
  const minuteMs = 60_000
  const yesterday = { ...systemClock, now: () => Date.now() - 24 * 60 * minuteMs }
  const authority = createCertificateAuthority({ commonName: 'the cluster', clock: yesterday })
  const stranger = createCertificateAuthority({ commonName: 'a stranger' })
  const forLoopback = { commonName: 'server', ipAddresses: ['127.0.0.1'], purposes: ['server'] } as const
  const good = issueCertificate(authority, forLoopback)
  const cases = [
    ['an unknown authority', issueCertificate(stranger, forLoopback), /not signed by a trusted authority/],
    [
      'an expired certificate',
      issueCertificate(authority, { ...forLoopback, clock: yesterday, validForMs: minuteMs }),
      /expired/,
    ],
    [
      'another name',
      issueCertificate(authority, {
        commonName: 'server',
        dnsNames: ['elsewhere.example'],
        purposes: ['server'],
      }),
      /for other names/,
    ],
  ] as const

  test.each(cases)('%s: nothing is sent, and the message says why', async (_, certificate, message) => {
    const { connect, server } = await createRig({ tls: certificate })
    const client = await connect({ trust: trusting(authority.cert) })
    const failure = await failureOf(client.get(Widget, key))
    expect(failure).toMatchObject({ reason: 'tls', message: expect.stringMatching(message) })
    expect(isKubewrightError(failure, 'KW_CONNECTION')).toBe(true)
    expect(server.requests).toEqual([])
  })

  test('is trusted as soon as its authority is', async () => {
    const { connect, server } = await createRig({ tls: good })
    addWidgets(server.store, 'a')
    let ca = stranger.cert
    const client = await connect({ trust: { ca: () => Promise.resolve(ca), insecureSkipVerify: false } })
    await expect(client.get(Widget, key)).rejects.toMatchObject({ reason: 'tls' })
    ca = authority.cert
    await expect(client.get(Widget, key)).resolves.toMatchObject({ metadata: { name: 'a' } })
  })
})

function trusting(ca: string): ServerTrust {
  return { ca: () => Promise.resolve(ca), insecureSkipVerify: false }
}
