import { describe, expect, test } from 'vitest'
import type { ObjectStore } from './api-server/object-store.js'
import { until } from './event-loop.js'
import { followWidgets, isSame, synced } from './followed-widgets.js'
import { createRig } from './rig.js'
import { Widget } from './widgets.js'

const key = { namespace: 'default', name: 'a' }

function addWidgets(store: ObjectStore, names: string): void {
  for (const name of names) store.create('widgets', { metadata: { name } })
}

function resize(store: ObjectStore, size: number): void {
  store.edit('widgets', 'default/a', (widget) => {
    widget['spec'] = { size }
  })
}

describe('S18: while the watch lags behind our own writes', () => {
  test('a write is visible at once, in every way of reading', async () => {
    const rig = await createRig()
    const { server, client } = rig
    addWidgets(server.store, 'b')
    const bySize = (widget: { spec?: { size?: number } }): string[] => [String(widget.spec?.size)]
    const followed = followWidgets(rig, { kind: { indexes: { bySize } } })
    const { widgets } = followed
    await synced(followed)
    server.hold(true)
    const labels = { app: 'web' }
    widgets.wrote(await client.create(Widget, { metadata: { ...key, labels }, spec: { size: 1 } }))
    expect(widgets.get(key)?.spec).toEqual({ size: 1 })
    expect(widgets.list().map(({ metadata }) => metadata.name)).toEqual(['b', 'a'])
    expect(widgets.list({ labelSelector: 'app=web' })).toHaveLength(1)
    expect(widgets.byIndex('bySize', '1')).toHaveLength(1)
    widgets.wrote(await client.patch(Widget, key, { merge: { spec: { size: 2 } } }))
    expect(widgets.get(key)?.spec).toEqual({ size: 2 })
    expect(widgets.byIndex('bySize', '1')).toHaveLength(0)
    expect(widgets.byIndex('bySize', '2')).toHaveLength(1)
    // Nobody was told: handlers hear of what the watch shows, once.
    expect(followed.told).toEqual(['initial b'])
    server.hold(false)
    await until(() => followed.told.length === 3)
    expect(followed.told).toEqual(['initial b', 'add a', 'update a'])
    expect(isSame(widgets, server)).toBe(true)
  })

  test('an event that is older than the write does not undo it', async () => {
    const rig = await createRig()
    const { server, client } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    const { widgets } = followed
    await synced(followed)
    server.hold(true)
    resize(server.store, 1)
    resize(server.store, 2)
    widgets.wrote(await client.patch(Widget, key, { merge: { spec: { size: 9 } } }))
    const [open] = server.watches
    const [first, second, ours] = server.store.eventsAfter('widgets', 101)
    open?.event('MODIFIED', first?.object)
    await until(() => followed.told.length === 2)
    expect(widgets.get(key)?.spec?.size).toBe(9)
    open?.event('MODIFIED', second?.object)
    open?.event('MODIFIED', ours?.object)
    await until(() => followed.told.length === 4)
    expect(widgets.get(key)?.spec?.size).toBe(9)
    // Once the watch has caught up, it is believed again.
    resize(server.store, 10)
    open?.event('MODIFIED', server.store.get('widgets', 'default/a'))
    await until(() => widgets.get(key)?.spec?.size === 10)
    server.watching.held = false
  })

  test('an answer that arrives after its event changes nothing', async () => {
    const rig = await createRig()
    const { server, client } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    const { widgets } = followed
    await synced(followed)
    const answer = await client.patch(Widget, key, { merge: { spec: { size: 2 } } })
    resize(server.store, 3)
    await until(() => widgets.get(key)?.spec?.size === 3)
    widgets.wrote(answer)
    expect(widgets.get(key)?.spec?.size).toBe(3)
  })

  test('two answers that overtake each other leave the newer one', async () => {
    const rig = await createRig()
    const { server, client } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    server.hold(true)
    const first = await client.patch(Widget, key, { merge: { spec: { size: 2 } } })
    const second = await client.patch(Widget, key, { merge: { spec: { size: 3 } } })
    followed.widgets.wrote(second)
    followed.widgets.wrote(first)
    expect(followed.widgets.get(key)?.spec?.size).toBe(3)
    server.hold(false)
  })

  test('a deletion is visible at once, and events from before it do not bring the object back', async () => {
    const rig = await createRig()
    const { server, client } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    const { widgets } = followed
    await synced(followed)
    server.hold(true)
    resize(server.store, 2)
    const uid = server.store.get('widgets', 'default/a')?.metadata.uid ?? ''
    await client.delete(Widget, key)
    widgets.deleted('default/a', uid)
    expect(widgets.get(key)).toBeUndefined()
    expect(widgets.list()).toEqual([])
    server.watches[0]?.event('MODIFIED', server.store.eventsAfter('widgets', 101)[0]?.object)
    await until(() => followed.told.length === 2)
    expect(widgets.get(key)).toBeUndefined()
    server.hold(false)
    await until(() => followed.told.at(-1) === 'delete a')
    expect(widgets.list()).toEqual([])
    // The next of that name is another object.
    addWidgets(server.store, 'a')
    await until(() => isSame(widgets, server))
  })

  test('what was made and deleted before the watch showed it does not appear when it does', async () => {
    const rig = await createRig()
    const { server, client } = rig
    const followed = followWidgets(rig)
    const { widgets } = followed
    await synced(followed)
    server.hold(true)
    const made = await client.create(Widget, { metadata: key })
    widgets.wrote(made)
    await client.delete(Widget, key)
    widgets.deleted('default/a', made.metadata.uid)
    expect(widgets.get(key)).toBeUndefined()
    const seen: boolean[] = []
    widgets.addHandler({ onAdd: () => seen.push(widgets.get(key) !== undefined) })
    server.hold(false)
    await until(() => followed.told.at(-1) === 'delete a')
    expect(seen).toEqual([false])
    addWidgets(server.store, 'a')
    await until(() => isSame(widgets, server))
  })

  test('a list that is taken meanwhile ends it', async () => {
    const rig = await createRig()
    const { server, client, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    const { widgets } = followed
    await synced(followed)
    server.hold(true)
    widgets.wrote(await client.patch(Widget, key, { merge: { spec: { size: 2 } } }))
    await client.delete(Widget, { ...key, name: 'b' })
    widgets.deleted('default/b', server.store.eventsAfter('widgets', 103)[0]?.object.metadata.uid ?? '')
    resize(server.store, 3)
    server.store.compact()
    proxy.reset()
    server.watching.held = false
    await pass(5_000)
    await until(() => isSame(widgets, server))
    expect(widgets.get(key)?.spec?.size).toBe(3)
  })

  test('a server that was restored to a time before the write takes it back', async () => {
    const rig = await createRig()
    const { server, client, proxy, pass } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    const { widgets } = followed
    await synced(followed)
    const backup = server.store.revision
    for (let change = 0; change < 5; change++) resize(server.store, change)
    await until(() => isSame(widgets, server))
    server.hold(true)
    widgets.wrote(await client.patch(Widget, key, { merge: { spec: { size: 20 } } }))
    widgets.wrote(await client.create(Widget, { metadata: { ...key, name: 'never' } }))
    expect(widgets.list()).toHaveLength(2)
    proxy.reset()
    server.store.restore(backup)
    server.watching.futureAs = 'error-event'
    server.watching.held = false
    await pass(10_000)
    await until(() => isSame(widgets, server))
    expect(widgets.get(key)?.spec).toBeUndefined()
  })
})
