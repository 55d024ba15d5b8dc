import { describe, expect, test } from 'vitest'
import { CacheConflictError, InformerRunningError } from '../../src/cache/index.js'
import { refuse } from './api-server/answers.js'
import { until } from './event-loop.js'
import { followWidgets, synced } from './followed-widgets.js'
import { createRig } from './rig.js'
import { Widget } from './widgets.js'

/** Whether a promise has resolved, without waiting for it. */
function watched(promise: Promise<void>): { readonly done: boolean } {
  const state = { done: false }
  void promise.then(() => (state.done = true))
  return state
}

describe('L11: a new leader whose cache lags behind', () => {
  test('waits until it shows what was written before it led', async () => {
    const rig = await createRig()
    const { server } = rig
    server.store.create('widgets', { metadata: { name: 'a' } })
    const followed = followWidgets(rig)
    await synced(followed)
    server.hold(true)
    server.store.create('widgets', { metadata: { name: 'b' } })
    const caughtUp = watched(followed.cache.caughtUp(followed.signal))
    await until(() => server.requests.filter(({ query }) => query['limit'] !== undefined).length >= 2)
    await rig.settle()
    expect(caughtUp.done).toBe(false)
    server.hold(false)
    await until(() => caughtUp.done)
    expect(followed.widgets.has('default/b')).toBe(true)
  })

  test('does not wait for a deletion that it has missed to be told by a bookmark', async () => {
    const rig = await createRig()
    const { server } = rig
    server.store.create('widgets', { metadata: { name: 'a' } })
    const followed = followWidgets(rig)
    await synced(followed)
    server.hold(true)
    server.store.delete('widgets', 'default/a')
    const caughtUp = watched(followed.cache.caughtUp(followed.signal))
    await rig.settle()
    expect(caughtUp.done).toBe(false)
    server.hold(false)
    await until(() => caughtUp.done)
    expect(followed.widgets.has('default/a')).toBe(false)
  })

  test('starts at once with a quiet resource, though others have moved the version on', async () => {
    const rig = await createRig()
    const { server } = rig
    server.store.create('widgets', { metadata: { name: 'a' } })
    const followed = followWidgets(rig)
    await synced(followed)
    for (const name of 'bcd') server.store.create('gadgets', { metadata: { name } })
    await expect(followed.cache.caughtUp(followed.signal)).resolves.toBeUndefined()
  })

  test('is not kept waiting by a resource that is not there or may not be read', async () => {
    const rig = await createRig()
    const { server } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    for (const code of [404, 403]) {
      const undo = server.fault({ verb: 'list' }, refuse(code, code === 404 ? 'NotFound' : 'Forbidden'))
      await expect(followed.cache.caughtUp(followed.signal)).resolves.toBeUndefined()
      undo()
    }
  })

  test('asks again when the answer gets lost', async () => {
    const rig = await createRig()
    const { server } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    server.fault({ verb: 'list' }, refuse(500, 'InternalError'), 1)
    const caughtUp = watched(followed.cache.caughtUp(followed.signal))
    await rig.settle()
    expect(caughtUp.done).toBe(false)
    await rig.pass(2_000)
    await until(() => caughtUp.done)
  })
})

describe('one cache for several', () => {
  test('each brings indexes of its own, also when the objects are there already', async () => {
    const rig = await createRig()
    const { server } = rig
    server.store.create('widgets', { metadata: { name: 'a' }, spec: { size: 1 } })
    const followed = followWidgets(rig, { kind: { indexes: { byName: ({ metadata }) => [metadata.name] } } })
    await synced(followed)
    const bySize = (widget: { spec?: { size?: number } }): string[] => [String(widget.spec?.size)]
    const widgets = followed.cache.of(Widget, { indexes: { bySize } })
    expect(widgets.byIndex('bySize', '1')).toHaveLength(1)
    expect(widgets.byIndex('byName', 'a')).toHaveLength(1)
    server.store.create('widgets', { metadata: { name: 'b' }, spec: { size: 1 } })
    await until(() => widgets.byIndex('bySize', '1').length === 2)
    expect(followed.cache.of(Widget, { indexes: { bySize } })).toBe(widgets)
  })

  test('what cannot be two things at once is refused', async () => {
    const rig = await createRig()
    const followed = followWidgets(rig, {
      kind: { labelSelector: 'app=a', indexes: { one: () => [] } },
    })
    await synced(followed)
    expect(() => followed.cache.of(Widget, { labelSelector: 'app=b' })).toThrow(CacheConflictError)
    expect(() => followed.cache.of(Widget, { indexes: { one: () => ['x'] } })).toThrow(CacheConflictError)
    followed.cache.of(Widget, { labelSelector: 'app=a' })
  })

  test('it is not run twice at once', async () => {
    const rig = await createRig()
    const followed = followWidgets(rig)
    await synced(followed)
    await expect(followed.widgets.run(followed.signal)).rejects.toThrow(InformerRunningError)
  })

  test('a transform decides what is kept, of what is read and of what is written', async () => {
    const rig = await createRig()
    const { server, client } = rig
    server.store.create('widgets', { metadata: { name: 'a' }, spec: { size: 1 } })
    const followed = followWidgets(rig, {
      kind: {
        transform: (widget) => {
          delete widget.spec
          return widget
        },
      },
    })
    await synced(followed)
    expect(followed.widgets.read('default/a')?.spec).toBeUndefined()
    server.hold(true)
    followed.widgets.wrote(
      await client.create(Widget, { metadata: { namespace: 'default', name: 'b' }, spec: { size: 2 } }),
    )
    expect(followed.widgets.read('default/b')?.metadata.name).toBe('b')
    expect(followed.widgets.read('default/b')?.spec).toBeUndefined()
    server.hold(false)
  })
})
