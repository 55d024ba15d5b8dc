import { describe, expect, test } from 'vitest'
import { createCertificateAuthority, issueCertificate } from '../../src/base/x509/index.js'
import { htmlPage, silence } from './api-server/answers.js'
import type { ObjectStore } from './api-server/object-store.js'
import { until } from './event-loop.js'
import { asked, expectBackOff, expectSame, followWidgets, isSame, synced } from './followed-widgets.js'
import { createRig } from './rig.js'
import { Gadget } from './widgets.js'

function addWidgets(store: ObjectStore, names: string): void {
  for (const name of names) store.create('widgets', { metadata: { name } })
}

function resize(store: ObjectStore, name: string, size: number): void {
  store.edit('widgets', `default/${name}`, (widget) => {
    widget['spec'] = { size }
  })
}

describe('a broken connection', () => {
  test('T1: a reset between two events is followed by a watch from the last one: no list, nothing twice', async () => {
    const rig = await createRig()
    const { server, proxy, pass, log } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    addWidgets(server.store, 'c')
    await until(() => followed.told.length === 3)
    proxy.reset()
    addWidgets(server.store, 'd')
    resize(server.store, 'a', 2)
    await pass(2_000)
    await until(() => isSame(followed.widgets, server))
    expect(asked(server)).toEqual(['stream', 'watch 103'])
    expect(followed.told).toEqual(['initial a', 'initial b', 'add c', 'add d', 'update a'])
    expect(log.find('warn', 'interrupted')).toHaveLength(1)
    expectSame(followed.widgets, server)
  })

  test('T2: a reset in the middle of an event line loses nothing and repeats nothing', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    addWidgets(server.store, 'a')
    await until(() => followed.told.length === 1)
    proxy.resetBehind('"name":"b"')
    addWidgets(server.store, 'bc')
    await pass(2_000)
    await until(() => isSame(followed.widgets, server))
    expect(followed.told).toEqual(['add a', 'add b', 'add c'])
    expect(asked(server)).toEqual(['stream', 'watch 101'])
  })

  test('T2: a reset in the middle of the initial events leaves no torn state behind', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'abcdef')
    proxy.resetBehind('"name":"d"')
    const followed = followWidgets(rig)
    await until(() => proxy.open === 0 && proxy.accepted === 1)
    expect(followed.widgets.list()).toEqual([])
    server.store.delete('widgets', 'default/a')
    await pass(2_000)
    await synced(followed)
    expectSame(followed.widgets, server)
    expect(followed.told).toEqual(['b', 'c', 'd', 'e', 'f'].map((name) => `initial ${name}`))
  })

  test('T3: a half-open connection is found within 75 seconds, its socket is closed, and the watch goes on', async () => {
    const rig = await createRig()
    const { server, proxy, pass, clock } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    // The cluster lives, so bookmarks come.
    for (let minute = 0; minute < 3; minute++) {
      server.store.tick()
      await pass(60_000)
    }
    proxy.freeze()
    const frozenMs = clock.monotonic()
    addWidgets(server.store, 'a')
    await pass(75_000)
    await until(() => isSame(followed.widgets, server))
    expect(clock.monotonic() - frozenMs).toBeLessThanOrEqual(75_000)
    expect(proxy.open).toBe(1)
    expect(followed.told).toEqual(['add a'])
    expect(asked(server).filter((line) => line.startsWith('list'))).toEqual([])
    expect(
      rig.log.lines.some(({ level, fields }) => level !== 'debug' && fields['failure'] === 'stalled'),
    ).toBe(true)
  })

  test('T9: a server that is away for minutes is asked ever more rarely, and then watched, not listed', async () => {
    const rig = await createRig()
    const { server, proxy, pass, log } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    await proxy.refuse()
    proxy.reset()
    await pass(300_000)
    expect(followed.cache.health[0]?.failure?.reason).toBe('unreachable')
    const attempts = log.find('warn', 'interrupted')
    // 0.8, 1.6, 3.2 ... 25.6, 30, 30 ... seconds, each up to twice as long.
    expect(attempts.length).toBeGreaterThanOrEqual(9)
    expect(attempts.length).toBeLessThanOrEqual(16)
    expect(followed.widgets.list()).toHaveLength(1)
    addWidgets(server.store, 'b')
    await proxy.accept()
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
    expect(asked(server)).toEqual(['stream', 'watch 101'])
    expect(followed.told).toEqual(['initial a', 'add b'])
    expect(followed.cache.health[0]?.failure).toBeUndefined()
  })

  test('T9: one that is away at the start is waited for', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'a')
    await proxy.refuse()
    const followed = followWidgets(rig)
    await pass(120_000)
    expect(followed.widgets.hasSynced).toBe(false)
    await proxy.accept()
    await pass(60_000)
    await synced(followed)
    expectSame(followed.widgets, server)
  })
})

test('T11: a server that cannot prove who it is gets nothing, is asked ever more rarely, and is trusted when it can', async () => {
  const authority = createCertificateAuthority({ commonName: 'the cluster' })
  const stranger = createCertificateAuthority({ commonName: 'a stranger' })
  const tls = issueCertificate(authority, {
    commonName: 'server',
    ipAddresses: ['127.0.0.1'],
    purposes: ['server'],
  })
  const rig = await createRig({ tls })
  const { server, pass, log } = rig
  addWidgets(server.store, 'a')
  let ca = stranger.cert
  const client = await rig.connect({ trust: { ca: () => Promise.resolve(ca), insecureSkipVerify: false } })
  const followed = followWidgets(rig, { cache: { client } })
  await until(() => log.find('warn', 'interrupted').length === 1)
  for (let seconds = 0; seconds < 120; seconds += 10) {
    await pass(10_000)
    // Handshakes take turns of other threads, which no clock of ours counts.
    await until(() => followed.cache.health[0]?.failure !== undefined)
  }
  expect(server.requests).toEqual([])
  expect(followed.cache.health[0]?.failure?.error?.message).toMatch(/not signed by a trusted authority/)
  expect(log.find('warn', 'interrupted').length).toBeLessThanOrEqual(9)
  ca = authority.cert
  await pass(60_000)
  await synced(followed)
  expectSame(followed.widgets, server)
})

describe('a silent server', () => {
  test('T4: a streaming list without an answer is given up for a plain one', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server.store, 'a')
    server.fault({ verb: 'watch', streaming: true }, silence)
    const followed = followWidgets(rig)
    await until(() => server.count('watch') === 1)
    await pass(30_000)
    await synced(followed)
    expect(asked(server)).toEqual(['stream', 'list 0', 'watch 101'])
    expectSame(followed.widgets, server)
  })

  test('T4: lists without an answer are given up and tried again; others do not wait behind them', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server.store, 'a')
    const heal = server.fault({ plural: 'widgets' }, silence)
    const followed = followWidgets(rig)
    const gadgets = followed.cache.of(Gadget)
    await until(() => gadgets.hasSynced)
    await pass(180_000)
    expect(followed.widgets.hasSynced).toBe(false)
    expect(asked(server).length).toBeLessThanOrEqual(8)
    heal()
    await pass(90_000)
    await synced(followed)
    expectSame(followed.widgets, server)
    expect(rig.proxy.open).toBeLessThanOrEqual(4)
  })

  test('T4: a watch whose headers never come is given up and tried again', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    server.fault({ verb: 'watch' }, silence, 1)
    proxy.reset()
    await pass(2_000)
    addWidgets(server.store, 'a')
    await pass(80_000)
    await until(() => isSame(followed.widgets, server))
    expect(followed.told).toEqual(['add a'])
  })

  test('T5: no bookmarks on a quiet resource are no fault: few watches, no list, and events at once', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.watching.bookmarks = false
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    await pass(3_600_000)
    // A watch lasts 5 to 10 minutes; only the first may be cut short, because nobody knew yet.
    expect(server.count('watch')).toBeLessThanOrEqual(14)
    expect(asked(server).filter((line) => line.startsWith('list'))).toEqual([])
    expect(followed.told).toEqual(['initial a'])
    await until(() => server.watches.length === 1)
    addWidgets(server.store, 'b')
    await until(() => isSame(followed.widgets, server))
  })

  test('T15: headers that come only with the first event make no short watch', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    const followed = followWidgets(rig, { cache: { rules: { streamingList: false } } })
    let release = (): void => {}
    server.fault({ verb: 'watch' }, (response) => {
      release = () => response.writeHead(200).end()
    })
    await until(() => server.count('watch') === 1)
    await pass(20_000)
    release()
    await until(() => server.count('watch') === 2)
    expect(log.find('warn', 'interrupted')).toEqual([])
    expect(followed.widgets.hasSynced).toBe(true)
  })
})

describe('watches that end', () => {
  test('T6: a watch that ends at once is tried again ever more rarely', async () => {
    const rig = await createRig()
    const { server, pass, clock } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    const sinceMs = clock.monotonic()
    server.fault({ verb: 'watch' }, (response) => response.writeHead(200).end())
    server.watches[0]?.end()
    await pass(120_000)
    expectBackOff(server, sinceMs + 1)
    expect(server.count('list')).toBe(0)
    expect(
      rig.log.find('warn', 'interrupted').every(({ fields }) => fields['failure'] === 'short-watch'),
    ).toBe(true)
  })

  test('T6: so is one that says only what is known, and ends', async () => {
    const rig = await createRig()
    const { server, pass, clock } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    const sinceMs = clock.monotonic()
    server.fault({ verb: 'watch' }, (response) => {
      response.writeHead(200)
      response.end('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"101"}}}\n')
    })
    server.watches[0]?.end()
    await pass(120_000)
    expectBackOff(server, sinceMs + 1)
  })

  test('T6: one that lasts a second without an event is never asked for more than once in 0.8 seconds', async () => {
    const rig = await createRig()
    const { server, pass, clock } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    const sinceMs = clock.monotonic()
    for (let second = 0; second < 20; second++) {
      await pass(1_000)
      server.watches[0]?.end()
      await rig.settle()
    }
    const times = server.requests.filter(({ atMs }) => atMs > sinceMs).map(({ atMs }) => atMs)
    expect(times.length).toBeLessThanOrEqual(2 * 20)
    expect(asked(server).filter((line) => line.startsWith('list'))).toEqual([])
  })

  test('T7: one that ends each second with events is followed at once, each event once and in order', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    const names = [...'abcdefghij']
    for (const name of names) {
      await until(() => server.watches.length === 1)
      addWidgets(server.store, name)
      await until(() => isSame(followed.widgets, server))
      await pass(1_000)
      server.watches[0]?.end()
      await until(() => server.watches.length === 0)
      resize(server.store, name, 1)
    }
    await until(() => isSame(followed.widgets, server))
    expect(followed.told).toEqual(names.flatMap((name) => [`add ${name}`, `update ${name}`]))
    expect(log.find('warn', 'interrupted')).toEqual([])
    expect(server.count('list')).toBe(0)
  })

  test('T8: the normal end at its time limit is followed by the next watch at once', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    for (let minute = 0; minute < 30; minute++) {
      server.store.tick()
      await pass(60_000)
    }
    addWidgets(server.store, 'b')
    await until(() => isSame(followed.widgets, server))
    expect(server.count('watch')).toBeGreaterThanOrEqual(4)
    expect(server.count('watch')).toBeLessThanOrEqual(7)
    expect(server.count('list')).toBe(0)
    expect(log.find('warn')).toEqual([])
    // Spread over five minutes, so that a fleet does not return together.
    const limits = new Set(server.requests.map(({ query }) => query['timeoutSeconds']))
    expect(limits.size).toBeGreaterThan(1)
  })

  test('P9: pages of HTML in place of a watch are waited out', async () => {
    const rig = await createRig()
    const { server, proxy, pass, clock } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    const sinceMs = clock.monotonic()
    const heal = server.fault({}, htmlPage(502))
    proxy.reset()
    await pass(60_000)
    expectBackOff(server, sinceMs + 1)
    heal()
    addWidgets(server.store, 'a')
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
    expect(asked(server).filter((line) => line.startsWith('list'))).toEqual([])
  })
})
