import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createClientSource, Informer } from '../../src/cache/index.js'
import { refuse } from './api-server/answers.js'
import type { ObjectStore } from './api-server/object-store.js'
import { until } from './event-loop.js'
import { expectSame, followWidgets, isSame, recordInto, synced } from './followed-widgets.js'
import { watched } from './outcome.js'
import { createRig } from './rig.js'
import { Widget } from './widgets.js'

const key = { namespace: 'default', name: 'a' }

function addWidgets(store: ObjectStore, names: string): void {
  for (const name of names)
    store.create('widgets', { metadata: { name, labels: { app: 'web' } }, spec: { size: 1 } })
}

describe('C15: code that changes what it was given', () => {
  test('fails, and the cache stays as it was', async () => {
    const rig = await createRig()
    addWidgets(rig.server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    const widget = followed.widgets.get(key) as Widget | undefined
    if (widget === undefined) throw new Error('there is a widget')
    expect(() => {
      widget.spec = { size: 2 }
    }).toThrow(TypeError)
    expect(() => {
      widget.metadata.labels = {}
    }).toThrow(TypeError)
    expect(() => Object.assign(widget.spec ?? {}, { size: 3 })).toThrow(TypeError)
    expect(() => followed.widgets.list().splice(0)).not.toThrow()
    for (const cached of followed.widgets.entries()) {
      expect(() => Object.assign(cached.labels, { app: 'other' })).toThrow(TypeError)
      expect(() => Object.assign(cached.metadata, { name: 'other' })).toThrow(TypeError)
    }
    expectSame(followed.widgets, rig.server)
  })

  test('an own write is frozen too, and the answer of the client is not', async () => {
    const rig = await createRig()
    const followed = followWidgets(rig)
    await synced(followed)
    rig.server.hold(true)
    const made = await rig.client.create(Widget, { metadata: key, spec: { size: 1 } })
    followed.widgets.wrote(made)
    made.spec = { size: 9 }
    expect(followed.widgets.get(key)?.spec).toEqual({ size: 1 })
    expect(Object.isFrozen(followed.widgets.get(key)?.spec)).toBe(true)
    rig.server.hold(false)
  })
})

describe('C16: user code that throws', () => {
  test('a handler goes on with the next event, and others hear everything', async () => {
    const rig = await createRig()
    const { server, log } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    const bad: string[] = []
    followed.widgets.addHandler({
      onAdd({ name }) {
        bad.push(name)
        throw new Error(`no ${name}`)
      },
      onUpdate() {
        // oxlint-disable-next-line typescript/only-throw-error -- what JavaScript allows, users do
        throw undefined
      },
    })
    const late: string[] = []
    followed.widgets.addHandler(recordInto(late))
    await synced(followed)
    addWidgets(server.store, 'c')
    server.store.edit('widgets', 'default/a', (widget) => {
      widget['spec'] = { size: 2 }
    })
    server.store.delete('widgets', 'default/b')
    await until(() => late.length === 5)
    expect(bad).toEqual(['a', 'b', 'c'])
    expect(late).toEqual(['initial a', 'initial b', 'add c', 'update a', 'delete b'])
    expect(followed.told).toEqual(late)
    expect(log.find('error', 'handler')).toHaveLength(4)
    expectSame(followed.widgets, server)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('no index')
      },
    ],
    ['returns nothing', () => undefined],
    ['returns no list', () => 'a'],
  ])(
    'an index function that %s keeps its object out of that index, and out of nothing else',
    async (_, bad) => {
      const rig = await createRig()
      const { server, log } = rig
      addWidgets(server.store, 'ab')
      // Plain JavaScript may return anything.
      const picky = (widget: { metadata: { name: string } }): string[] =>
        widget.metadata.name === 'b' ? (bad() as unknown as string[]) : ['ok']
      const followed = followWidgets(rig, { kind: { indexes: { picky } } })
      await synced(followed)
      server.store.edit('widgets', 'default/b', (widget) => {
        widget['spec'] = { size: 2 }
      })
      addWidgets(server.store, 'c')
      await until(() => isSame(followed.widgets, server))
      expect(followed.widgets.byIndex('picky', 'ok').map(({ metadata }) => metadata.name)).toEqual(['a', 'c'])
      expect(followed.told).toEqual(['initial a', 'initial b', 'update b', 'add c'])
      expect(log.find('error', 'index').length).toBeGreaterThan(0)
      expect(log.find('warn', 'interrupted')).toEqual([])
    },
  )
})

describe('C25: informers and handlers that come and go', () => {
  test('a handler that comes late is first told what is there', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    const late: string[] = []
    const registration = followed.widgets.addHandler(recordInto(late))
    expect(registration.hasSynced).toBe(false)
    addWidgets(server.store, 'c')
    await registration.synced
    await until(() => late.length === 3)
    expect(late).toEqual(['initial a', 'initial b', 'add c'])
  })

  test('a handler that is removed while events flow hears nothing more', async () => {
    const rig = await createRig()
    const { server } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    const heard: string[] = []
    const registration = followed.widgets.addHandler({
      onAdd({ name }) {
        heard.push(name)
        if (name === 'b') registration.remove()
      },
    })
    await registration.synced
    addWidgets(server.store, 'abcd')
    await until(() => isSame(followed.widgets, server))
    expect(heard).toEqual(['a', 'b'])
  })

  test('one that is removed before it was told everything is told no more of it', async () => {
    const rig = await createRig()
    for (let index = 0; index < 2_000; index++)
      rig.server.store.create('widgets', { metadata: { name: `w${index}` } })
    const followed = followWidgets(rig)
    await synced(followed)
    let heard = 0
    const registration = followed.widgets.addHandler({ onAdd: () => void heard++ })
    await until(() => heard > 0)
    registration.remove()
    const before = heard
    await rig.settle()
    expect(heard).toBe(before)
    await registration.synced
  })

  test('an informer that is stopped keeps what it has, and one that is started again catches up', async () => {
    const rig = await createRig()
    const { server, client, clock, random, log } = rig
    addWidgets(server.store, 'ab')
    const informer = new Informer<Widget>({ source: createClientSource(client, Widget), clock, random, log })
    const told: string[] = []
    informer.addHandler(recordInto(told))
    for (let round = 0; round < 5; round++) {
      const running = rig.start((signal) => informer.run(signal))
      await until(() => server.watches.length === 1 && informer.hasSynced)
      await rig.settle()
      await running.stop()
      expect(getEventListeners(running.signal, 'abort')).toEqual([])
      await until(() => server.watches.length === 0)
      expect([...informer.view.values()]).toHaveLength(round + 2)
      addWidgets(server.store, `${round}`)
    }
    const running = rig.start((signal) => informer.run(signal))
    await until(() => [...informer.view.values()].length === 7)
    await running.stop()
    expect(told.filter((line) => line.startsWith('initial'))).toEqual(['initial a', 'initial b'])
    expect(told.filter((line) => line.startsWith('add'))).toEqual([
      'add 0',
      'add 1',
      'add 2',
      'add 3',
      'add 4',
    ])
    expect(rig.proxy.open).toBeLessThanOrEqual(1)
  })

  test('one that is stopped in the middle of anything stops', async () => {
    const rig = await createRig()
    const { server, client, clock, random, log, proxy } = rig
    const start = () => {
      const informer = new Informer<Widget>({
        source: createClientSource(client, Widget),
        clock,
        random,
        log,
      })
      return rig.start((signal) => informer.run(signal))
    }
    // In a request without an answer.
    proxy.stallNew(true)
    const stalled = start()
    await until(() => proxy.accepted === 1)
    await stalled.stop()
    proxy.stallNew(false)
    // In a pause.
    await proxy.refuse()
    const waiting = start()
    await until(() => log.find('warn', 'interrupted').length === 1)
    await waiting.stop()
    await proxy.accept()
    // In the initial events.
    server.watching.initialEvents = 'never-marked'
    const listing = start()
    await until(() => server.watches.length === 1)
    await listing.stop()
    expect(rig.time.pendingTimers).toBeLessThanOrEqual(2)
  })

  test('a resync repeats what the cache has, asks the server nothing, and goes on after a restart', async () => {
    const rig = await createRig()
    const { server, client, clock, random, log, pass } = rig
    addWidgets(server.store, 'a')
    const source = createClientSource(client, Widget)
    const informer = new Informer<Widget>({ source, clock, random, log, resyncMs: 10_000 })
    const told: string[] = []
    informer.addHandler(recordInto(told))
    for (let round = 0; round < 2; round++) {
      const running = rig.start((signal) => informer.run(signal))
      await until(() => server.watches.length === 1 && informer.hasSynced)
      await rig.settle()
      told.length = 0
      const requests = server.requests.length
      await pass(25_000)
      expect(told).toEqual(['echo a', 'echo a'])
      expect(server.requests.length).toBe(requests)
      await running.stop()
    }
  })

  test('waiting in vain for caches leaves nothing behind', async () => {
    const rig = await createRig()
    const heal = rig.server.fault({}, refuse(403, 'Forbidden'))
    const { cache, widgets } = followWidgets(rig)
    const waits = Array.from({ length: 20 }, () => watched(cache.synced({ timeoutMs: 5_000 })))
    await rig.pass(6_000)
    expect(waits.every(({ error }) => error !== undefined)).toBe(true)
    heal()
    await rig.pass(60_000)
    await until(() => widgets.hasSynced)
  })
})
