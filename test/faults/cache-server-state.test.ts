import { describe, expect, test } from 'vitest'
import { createClient, createTransport } from '../../src/client/index.js'
import type { Transport } from '../../src/objects/index.js'
import { expired, refuse } from './api-server/answers.js'
import type { ObjectStore } from './api-server/object-store.js'
import { createApiServer } from './api-server.js'
import { until } from './event-loop.js'
import { asked, expectBackOff, expectSame, followWidgets, isSame, synced } from './followed-widgets.js'
import { watched } from './outcome.js'
import { configFor, createRig, load } from './rig.js'
import { Gadget } from './widgets.js'

function addWidgets(store: ObjectStore, names: string): void {
  for (const name of names) store.create('widgets', { metadata: { name } })
}

const widgetType = { kind: 'Widget', apiVersion: 'faults.example.com/v1' }

describe('a server that comes back', () => {
  test('S1: with its data: the watch goes on where it was, and nobody hears of what did not change', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'abc')
    const followed = followWidgets(rig)
    await synced(followed)
    await proxy.refuse()
    proxy.reset()
    await pass(20_000)
    addWidgets(server.store, 'd')
    await proxy.accept()
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
    expect(followed.told).toEqual(['initial a', 'initial b', 'initial c', 'add d'])
    expect(server.count('list')).toBe(0)
  })

  test('S1: with its data but without its history: one list, and echoes of what did not change', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    proxy.reset()
    server.store.tick()
    server.store.compact()
    await pass(5_000)
    await until(() => followed.told.length === 4)
    expect(followed.told.slice(2)).toEqual(['echo a', 'echo b'])
    expect(asked(server)).toEqual(['stream', 'watch 102', 'stream 102'])
  })

  test('S2: restored to an older state: the list finds it, everything is read anew, and the log says so', async () => {
    const rig = await createRig()
    const { server, proxy, pass, log } = rig
    addWidgets(server.store, 'ab')
    const backup = server.store.revision
    addWidgets(server.store, 'cdefgh')
    const followed = followWidgets(rig)
    await synced(followed)
    proxy.reset()
    server.store.restore(backup)
    server.watching.futureAs = 'error-event'
    await pass(10_000)
    await until(() => isSame(followed.widgets, server))
    expectSame(followed.widgets, server)
    expect(followed.told.filter((line) => line.startsWith('lost'))).toHaveLength(6)
    expect(log.find('warn', 'went back')).toHaveLength(1)
    // It goes on from there, with versions that were given out before.
    addWidgets(server.store, 'x')
    await until(() => isSame(followed.widgets, server))
  })

  test('S2: restored to an older state, and it accepts a watch of the future in silence: found all the same', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const backup = server.store.revision
    addWidgets(server.store, 'cdefgh')
    const followed = followWidgets(rig)
    await synced(followed)
    proxy.reset()
    server.store.restore(backup)
    addWidgets(server.store, 'x')
    await pass(2_000)
    expect(asked(server).at(-1)).toBe('watch 108')
    await pass(80_000)
    await until(() => isSame(followed.widgets, server))
    expect(asked(server)).toContain('probe 108')
    addWidgets(server.store, 'y')
    await until(() => isSame(followed.widgets, server))
  })

  test('S3: begun anew: the same names with other uids are other objects', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    proxy.reset()
    server.store.reset()
    addWidgets(server.store, 'ab')
    server.watching.futureAs = 'error-event'
    await pass(10_000)
    await until(() => isSame(followed.widgets, server))
    expect(followed.told.slice(2)).toEqual(['lost a', 'lost b', 'add a', 'add b'])
  })

  test('S3: so are they when the deletion was never seen in a watch', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    const other = {
      ...widgetType,
      metadata: { name: 'a', namespace: 'default', uid: 'other', resourceVersion: '500' },
    }
    server.watches[0]?.event('MODIFIED', other)
    await until(() => followed.told.length === 3)
    expect(followed.told).toEqual(['initial a', 'lost a', 'add a'])
  })

  test('S4: one of two servers is behind: nothing older than what was seen comes into the cache', async () => {
    const rig = await createRig()
    const { server, pass, clock, random, log } = rig
    addWidgets(server.store, 'ab')
    const behind = await createApiServer({ clock, store: server.store })
    behind.lists.frozenAt = server.store.revision
    server.store.delete('widgets', 'default/a')
    addWidgets(server.store, 'c')
    // A load balancer that sends us to the fresh one first, and to the other one later.
    const [fresh, stale] = [server, behind].map(({ port }) =>
      createTransport(configFor(`http://127.0.0.1:${port}`), { clock }),
    )
    let target = fresh
    const transport: Transport = (request) =>
      target?.(request) ?? Promise.reject(new Error('nobody is there'))
    const client = createClient({ transport, clock, random, log })
    await load(client)
    const followed = followWidgets(rig, { cache: { client, rules: { streamingList: false } } })
    await synced(followed)
    expect(followed.told).toEqual(['initial b', 'initial c'])
    target = stale
    server.store.tick()
    server.store.compact()
    server.watches[0]?.error(expired)
    await pass(10_000)
    await until(() => followed.told.length === 4)
    // The deleted one is still in the memory of the one that is behind: it was not believed, the store was asked instead.
    expect(followed.told.slice(2)).toEqual(['echo b', 'echo c'])
    expect(asked(behind).slice(0, 2)).toEqual(['list 104', 'list'])
    await followed.stop()
    fresh?.close()
    stale?.close()
    await behind.close()
  })
})

describe('a resource that is not there', () => {
  test('S5: missing at the start: nobody else waits for it, it is not taken for empty, and followed when it comes', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.store.removeResource('widgets')
    const followed = followWidgets(rig)
    const gadgets = followed.cache.of(Gadget)
    const sync = watched(followed.cache.synced({ timeoutMs: 120_000 }))
    await pass(10_000)
    expect(sync).toMatchObject({ isSettled: true, error: undefined })
    expect(gadgets.hasSynced).toBe(true)
    expect(followed.widgets.hasSynced).toBe(false)
    expect(followed.registration.hasSynced).toBe(false)
    expect(followed.widgets.health).toMatchObject([{ failure: { reason: 'missing' }, synced: false }])
    await pass(110_000)
    const widgetRequests = server.requests.filter(({ plural }) => plural === 'widgets')
    // The streaming list that is refused first, and the plain one at once behind it.
    expectBackOff({ ...server, requests: widgetRequests.slice(1) }, 0)
    server.store.addResource('widgets', widgetType)
    addWidgets(server.store, 'a')
    await pass(60_000)
    await synced(followed)
    expectSame(followed.widgets, server)
    expect(followed.told).toEqual(['initial a'])
  })

  test('S5: one that cannot be reached is not a missing one: waiting for it ends in an error that names it', async () => {
    const rig = await createRig()
    rig.server.fault({ plural: 'widgets' }, refuse(403, 'Forbidden'))
    const { cache } = followWidgets(rig)
    const sync = watched(cache.synced({ timeoutMs: 60_000 }))
    await rig.pass(61_000)
    expect(sync.error).toMatchObject({
      code: 'KW_CACHE_SYNC_TIMEOUT',
      message: expect.stringMatching(/widgets.*Forbidden/),
    })
  })

  test('S6: deleted while it is watched: its objects go, and no storm follows', async () => {
    const rig = await createRig()
    const { server, proxy, pass, clock } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    server.hold(true)
    server.store.removeResource('widgets')
    proxy.reset()
    const sinceMs = clock.monotonic()
    await pass(15_000)
    expect(followed.widgets.list()).toEqual([])
    expect(followed.told.slice(2)).toEqual(['lost a', 'lost b'])
    expect(followed.widgets.health[0]?.failure?.reason).toBe('missing')
    await pass(300_000)
    expect(server.requests.filter(({ atMs }) => atMs >= sinceMs).length).toBeLessThanOrEqual(20)
    server.hold(false)
  })

  test('S6: a single 404 of a server that has just started empties nothing', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    server.fault({}, refuse(404, 'NotFound'), 2)
    proxy.reset()
    await pass(30_000)
    await until(() => server.watches.length === 1)
    expect(followed.told.filter((line) => line.startsWith('lost'))).toEqual([])
    expectSame(followed.widgets, server)
  })

  test('S7: deleted and made again: its new objects are other objects, also without namespaces', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    server.store.removeResource('widgets')
    server.store.compact()
    proxy.reset()
    await pass(15_000)
    expect(followed.widgets.list()).toEqual([])
    server.store.addResource('widgets', widgetType)
    addWidgets(server.store, 'a')
    server.store.create('widgets', { metadata: { name: 'cluster-wide', namespace: '' } })
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
    expect(followed.told.filter((line) => line.endsWith(' a')).slice(-1)).toEqual(['add a'])
    expect(followed.told).toContain('add cluster-wide')
  })
})

describe('credentials', () => {
  test('S12: a permission that is withdrawn and given back: the cache is kept, health shows it, and it recovers', async () => {
    const rig = await createRig()
    const { server, proxy, pass, clock } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    const heal = server.fault({}, refuse(403, 'Forbidden'))
    proxy.reset()
    const sinceMs = clock.monotonic()
    await pass(300_000)
    expectBackOff(server, sinceMs + 1)
    expect(followed.widgets.list()).toHaveLength(1)
    expect(followed.widgets.health[0]?.failure).toMatchObject({
      reason: 'rejected',
      error: { httpStatus: 403 },
    })
    heal()
    await pass(61_000)
    await until(() => server.watches.length === 1)
    await rig.settle()
    // Well again as soon as the watch is open, though nothing has been said in it.
    expect(followed.widgets.health[0]?.failure).toBeUndefined()
    addWidgets(server.store, 'b')
    await until(() => isSame(followed.widgets, server))
    expect(followed.told).toEqual(['initial a', 'add b'])
  })

  test('S12: a permission that is missing from the start is waited for', async () => {
    const rig = await createRig()
    const { server, pass, log } = rig
    addWidgets(server.store, 'a')
    const heal = server.fault({}, refuse(403, 'Forbidden'))
    const followed = followWidgets(rig)
    await pass(120_000)
    expect(followed.widgets.hasSynced).toBe(false)
    expectBackOff(server, 1)
    expect(log.find('warn', 'interrupted').length).toBeLessThanOrEqual(9)
    heal()
    await pass(61_000)
    await synced(followed)
    expectSame(followed.widgets, server)
  })

  test('S13: a token that has expired is renewed once for all who need it, and the watch is open again', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'a')
    let accepted = 'Bearer one'
    let stored = 'Bearer one'
    let held: string | undefined
    let reads = 0
    server.intercept({}, ({ headers }) =>
      headers.authorization === accepted ? undefined : refuse(401, 'Unauthorized'),
    )
    const client = await rig.connect({
      credentials: {
        get: () => {
          if (held === undefined) reads++
          held ??= stored
          return Promise.resolve({ authorization: held })
        },
        refused: ({ authorization }) => {
          if (authorization === held) held = undefined
          return true
        },
      },
    })
    const followed = followWidgets(rig, { cache: { client } })
    const gadgets = followed.cache.of(Gadget)
    await until(() => gadgets.hasSynced)
    await synced(followed)
    accepted = stored = 'Bearer two'
    proxy.reset()
    await pass(3_000)
    await until(() => server.watches.length === 2)
    expect(reads).toBe(2)
    addWidgets(server.store, 'b')
    await until(() => isSame(followed.widgets, server))
    expect(followed.told).toEqual(['initial a', 'add b'])
    expect(rig.log.lines.some(({ fields }) => JSON.stringify(fields).includes('Bearer'))).toBe(false)
  })

  test('S13: a token that cannot be renewed yet is waited for', async () => {
    const rig = await createRig()
    const { server, proxy, pass, clock } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    const heal = server.fault({}, refuse(401, 'Unauthorized'))
    proxy.reset()
    const sinceMs = clock.monotonic()
    await pass(120_000)
    expectBackOff(server, sinceMs + 1)
    heal()
    addWidgets(server.store, 'b')
    await pass(61_000)
    await until(() => isSame(followed.widgets, server))
  })
})
