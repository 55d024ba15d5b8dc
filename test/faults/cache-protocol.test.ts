import { describe, expect, test } from 'vitest'
import { expired, json, raw, refuse, statusBody, tooLarge } from './api-server/answers.js'
import type { ObjectStore } from './api-server/object-store.js'
import { endMark } from './api-server/watches.js'
import { until } from './event-loop.js'
import { asked, expectBackOff, expectSame, followWidgets, isSame, synced } from './followed-widgets.js'
import { createRig, type Rig } from './rig.js'

function addWidgets(store: ObjectStore, names: string): void {
  for (const name of names) store.create('widgets', { metadata: { name } })
}

const plain = { cache: { rules: { streamingList: false } } }
const lists = (rig: Rig): string[] => asked(rig.server).filter((line) => line.startsWith('list'))

describe('a version that the server has forgotten', () => {
  test.each(['error-event', 'http-410'] as const)(
    'P1, P2: as %s: everything is read anew, not older than before, and what went missing is told as lost',
    async (expiredAs) => {
      const rig = await createRig()
      const { server, proxy, pass } = rig
      server.watching.expiredAs = expiredAs
      addWidgets(server.store, 'abc')
      const followed = followWidgets(rig, plain)
      await synced(followed)
      proxy.reset()
      server.store.delete('widgets', 'default/a')
      addWidgets(server.store, 'd')
      server.store.compact()
      await pass(5_000)
      await until(() => isSame(followed.widgets, server))
      expect(asked(server)).toEqual(['list 0', 'watch 103', 'watch 103', 'list 103', 'watch 105'])
      expect(followed.told.slice(3)).toEqual(['lost a', 'echo b', 'echo c', 'add d'])
      expectSame(followed.widgets, server)
    },
  )

  test('P1: the same through a streaming list', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await synced(followed)
    proxy.reset()
    server.store.delete('widgets', 'default/a')
    server.store.compact()
    await pass(5_000)
    await until(() => isSame(followed.widgets, server))
    expect(asked(server)).toEqual(['stream', 'watch 102', 'stream 102'])
    expect(followed.told.slice(2)).toEqual(['lost a', 'echo b'])
  })

  test.each(['error-event', 'http-410'] as const)(
    'P1, P2: a server that says so (%s) to every watch is not asked in a circle',
    async (expiredAs) => {
      const rig = await createRig()
      const { server, proxy, pass, clock } = rig
      addWidgets(server.store, 'a')
      const followed = followWidgets(rig, plain)
      await synced(followed)
      const sinceMs = clock.monotonic()
      const heal = server.fault(
        { verb: 'watch' },
        expiredAs === 'http-410'
          ? json(410, expired)
          : raw(200, {}, `${JSON.stringify({ type: 'ERROR', object: expired })}\n`),
      )
      proxy.reset()
      await pass(120_000)
      // One list and one watch belong to each step, and the very first list came at once.
      const requests = server.requests.filter(({ atMs }) => atMs > sinceMs)
      expect(requests.length).toBeLessThanOrEqual(2 * 9)
      heal()
      addWidgets(server.store, 'b')
      await pass(60_000)
      await until(() => isSame(followed.widgets, server))
    },
  )

  test('P3: a continue token that expires makes one full list, and never a mixture', async () => {
    const rig = await createRig()
    const { server } = rig
    addWidgets(server.store, 'abcde')
    server.intercept({ verb: 'list' }, ({ query }) => {
      if (query['continue'] === undefined || server.store.compactedRevision > 0) return undefined
      server.store.delete('widgets', 'default/a')
      addWidgets(server.store, 'f')
      server.store.compact()
      return undefined
    })
    const followed = followWidgets(rig, { cache: { rules: { streamingList: false, pageSize: 2 } } })
    await synced(followed)
    expect(asked(server).slice(0, 3)).toEqual(['list 0', 'page', 'list 0'])
    expect(followed.told).toEqual(['b', 'c', 'd', 'e', 'f'].map((name) => `initial ${name}`))
    expectSame(followed.widgets, server)
  })

  test('P4, P5: a list that cannot be had at our version is asked for without one, at once', async () => {
    for (const answer of [json(410, expired), json(504, tooLarge, { 'retry-after': '1' })]) {
      const rig = await createRig()
      const { server, proxy, pass, log } = rig
      addWidgets(server.store, 'a')
      const followed = followWidgets(rig, plain)
      await synced(followed)
      server.intercept({ verb: 'list' }, ({ query }) => (query['resourceVersion'] ? answer : undefined))
      proxy.reset()
      addWidgets(server.store, 'b')
      server.store.compact()
      await pass(2_000)
      await until(() => isSame(followed.widgets, server))
      expect(asked(server)).toEqual(['list 0', 'watch 101', 'watch 101', 'list 101', 'list', 'watch 102'])
      // The one pause was that for the connection.
      expect(log.find('warn', 'interrupted')).toHaveLength(1)
    }
  })
})

describe('a server that says "later"', () => {
  test('P6: to the lists: at least as long as it asks, and longer each time', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server.store, 'a')
    server.fault({}, refuse(429, 'TooManyRequests', { 'retry-after': '20' }), 2)
    const followed = followWidgets(rig)
    await pass(19_000)
    expect(server.requests).toHaveLength(1)
    await pass(40_000)
    await synced(followed)
    const gaps = server.requests.slice(1).map(({ atMs }, at) => atMs - (server.requests[at]?.atMs ?? 0))
    expect(gaps).toEqual([20_000, 20_000])
  })

  test('P7: to the watch, in either form: it is watched again after a pause and never listed', async () => {
    const rig = await createRig()
    const { server, proxy, pass, clock } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await synced(followed)
    server.watches[0]?.error(statusBody(429, 'TooManyRequests'))
    await pass(2_000)
    await until(() => server.watches.length === 1)
    const sinceMs = clock.monotonic()
    const heal = server.fault({ verb: 'watch' }, refuse(429, 'TooManyRequests'))
    proxy.reset()
    await pass(60_000)
    expectBackOff(server, sinceMs + 1)
    heal()
    addWidgets(server.store, 'b')
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
    expect(lists(rig)).toEqual([])
    expect(asked(server).filter((line) => line.startsWith('stream'))).toHaveLength(1)
  })
})

describe('errors inside a watch', () => {
  test('P10: an internal error is followed by a watch, and by a list when it does not stop', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig, plain)
    await synced(followed)
    server.watches[0]?.error(statusBody(500, 'InternalError'))
    await pass(2_000)
    addWidgets(server.store, 'b')
    await until(() => isSame(followed.widgets, server))
    expect(asked(server)).toEqual(['list 0', 'watch 101', 'watch 101'])
    const heal = server.fault(
      { verb: 'watch' },
      raw(200, {}, `${JSON.stringify({ type: 'ERROR', object: statusBody(500, 'InternalError') })}\n`),
    )
    server.watches[0]?.error(statusBody(500, 'InternalError'))
    await pass(120_000)
    expect(lists(rig).length).toBeGreaterThanOrEqual(2)
    heal()
    addWidgets(server.store, 'c')
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
  })

  test('P11: an object that cannot be read from storage disappears with the next list', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig, plain)
    await synced(followed)
    server.hold(true)
    server.store.delete('widgets', 'default/a')
    server.watches[0]?.error(statusBody(500, 'StoreReadError'))
    await pass(2_000)
    await until(() => isSame(followed.widgets, server))
    expect(followed.told).toContain('lost a')
    server.hold(false)
  })

  test.each([
    ['no JSON at all', 'garbage\n'],
    ['an event that was cut and closed by a newline', '{"type":"ADDED","object":{"metadata":{"name":"x"\n'],
    ['an event without its object', '{"type":"ADDED"}\n'],
    ['a bookmark that is no JSON', '{"type":"BOOKMARK","object":{"metadata":oops}}\n'],
  ])('P12: %s: the stream is left, resumed once, then listed; never is a line skipped', async (_, bytes) => {
    const rig = await createRig()
    const { server, pass } = rig
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig, plain)
    await synced(followed)
    const heal = server.fault({ verb: 'watch' }, (response) => {
      response.writeHead(200)
      response.write(bytes)
    })
    server.watches[0]?.write(bytes)
    // The event behind the broken line must not be taken before the line has been replaced.
    addWidgets(server.store, 'b')
    await rig.settle()
    expect(followed.told).toEqual(['initial a'])
    await pass(10_000)
    await until(() => isSame(followed.widgets, server))
    expect(asked(server).slice(0, 4)).toEqual(['list 0', 'watch 101', 'watch 101', 'list 101'])
    heal()
    addWidgets(server.store, 'c')
    await pass(60_000)
    await until(() => isSame(followed.widgets, server))
    expect(
      rig.log.find('warn', 'interrupted').some(({ fields }) => fields['failure'] === 'undecodable'),
    ).toBe(true)
    expect(rig.proxy.open).toBeLessThanOrEqual(2)
  })

  test('P13: split anywhere, with marks, blank lines and other line ends, the objects arrive byte for byte', async () => {
    const rig = await createRig()
    const { server, proxy } = rig
    proxy.drip(true)
    const followed = followWidgets(rig, plain)
    await synced(followed)
    server.watches[0]?.write('\ufeff\r\n\n')
    server.store.create('widgets', {
      metadata: { name: 'a', annotations: { ключ: 'ä€😀\u2028\u0000"\\' } },
      spec: { note: 'ß'.repeat(500) },
    })
    server.watches[0]?.write('\n\r\n')
    server.store.edit('widgets', 'default/a', (widget) => {
      widget['status'] = { at: '日本' }
    })
    await until(() => isSame(followed.widgets, server))
    expectSame(followed.widgets, server)
  })

  test('P14: events that are none of ours are told and passed over; one without a version does not move ours', async () => {
    const rig = await createRig()
    const { server, proxy, pass, log } = rig
    const followed = followWidgets(rig, plain)
    await synced(followed)
    const [open] = server.watches
    open?.event('SURPRISE', { metadata: { name: 'x', resourceVersion: '900' } })
    open?.write('{"type":"PING"}\n')
    open?.event('ADDED', { spec: {} })
    open?.event('ADDED', { metadata: { resourceVersion: '901' } })
    open?.event('ADDED', { kind: 'Table', metadata: { resourceVersion: '902' }, rows: [] })
    open?.event('ADDED', { kind: 'Stranger', metadata: { name: 'y', uid: 'y', resourceVersion: '903' } })
    open?.event('ADDED', { kind: 'Widget', metadata: { name: 'z', namespace: 'default', uid: 'z' } })
    addWidgets(server.store, 'a')
    await until(() => followed.told.length === 2)
    expect(followed.told).toEqual(['add z', 'add a'])
    expect(log.find('warn', 'skipped')).toHaveLength(6)
    // The versions of what was passed over were not believed.
    proxy.reset()
    await pass(2_000)
    await until(() => server.watches.length === 1)
    expect(asked(server).at(-1)).toBe('watch 101')
  })

  test('P14: a list that is none is not taken for an empty one', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig, plain)
    await synced(followed)
    const odd = [
      { kind: 'Table', metadata: { resourceVersion: '500' }, rows: [] },
      { kind: 'Status', metadata: {}, status: 'Success' },
      {},
      [],
    ]
    for (const body of odd) server.fault({ verb: 'list' }, json(200, body), 1)
    proxy.reset()
    server.store.compact()
    server.store.tick()
    server.store.compact()
    await pass(60_000)
    expect(server.count('list')).toBeGreaterThanOrEqual(6)
    await until(() => isSame(followed.widgets, server))
    expect(followed.told.filter((line) => line.startsWith('lost'))).toEqual([])
  })

  test('P15: bookmarks only move forward, and those of others mean nothing more', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    const followed = followWidgets(rig, plain)
    await synced(followed)
    const [open] = server.watches
    open?.bookmark({ version: '150' })
    open?.bookmark({ version: '120' })
    open?.bookmark({ version: '160', annotations: { 'example.com/other': 'true' } })
    open?.bookmark({ version: '' })
    await rig.settle()
    proxy.reset()
    await pass(2_000)
    expect(asked(server).at(-1)).toBe('watch 160')
    expect(followed.told).toEqual([])
  })

  test('P18: versions beyond 2^53 and versions that are no numbers are carried along, never computed with', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    const followed = followWidgets(rig, plain)
    await synced(followed)
    const [open] = server.watches
    const widget = (name: string, resourceVersion: string): object => ({
      kind: 'Widget',
      metadata: { name, namespace: 'default', uid: name, resourceVersion },
    })
    open?.event('ADDED', widget('a', '9007199254740992'))
    open?.event('MODIFIED', widget('a', '9007199254740993'))
    open?.event('ADDED', widget('b', 'not-a-number'))
    await until(() => followed.told.length === 3)
    expect(followed.widgets.get({ namespace: 'default', name: 'a' })?.metadata.resourceVersion).toBe(
      '9007199254740993',
    )
    server.fault({ verb: 'watch' }, refuse(500, 'InternalError'))
    proxy.reset()
    await pass(2_000)
    expect(asked(server).at(-1)).toBe('watch not-a-number')
    expect(followed.told).toEqual(['add a', 'update a', 'add b'])
  })
})

describe('P16: a streaming list', () => {
  test('without its end mark is given up for a plain list within a minute, and its objects are not used', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.watching.initialEvents = 'never-marked'
    addWidgets(server.store, 'ab')
    const followed = followWidgets(rig)
    await until(() => server.watches.length === 1)
    server.store.delete('widgets', 'default/a')
    await pass(60_000)
    await synced(followed)
    expect(followed.told).toEqual(['initial b'])
    expect(asked(server)).toEqual(['stream', 'list 0', 'watch 103'])
    expect(rig.proxy.open).toBeLessThanOrEqual(2)
  })

  test('without its end mark is given up although changes and bookmarks keep coming', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.watching.initialEvents = 'never-marked'
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    for (let second = 0; second < 12 && !followed.widgets.hasSynced; second++) {
      server.store.edit('widgets', 'default/a', (widget) => {
        widget['spec'] = { size: second }
      })
      server.watches[0]?.bookmark()
      await pass(10_000)
    }
    expect(followed.widgets.hasSynced).toBe(true)
    await until(() => isSame(followed.widgets, server))
  })

  test('whose mark has another value has not ended', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.watching.initialEvents = 'false-mark'
    addWidgets(server.store, 'a')
    const followed = followWidgets(rig)
    await rig.settle()
    expect(followed.widgets.hasSynced).toBe(false)
    await pass(60_000)
    await synced(followed)
    expect(asked(server)).toContain('list 0')
  })

  test('may take its time while new objects come, and holds what changed meanwhile', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    server.watching.initialEvents = 'late-mark'
    addWidgets(server.store, 'abc')
    const followed = followWidgets(rig)
    await until(() => server.watches.length === 1)
    for (const name of 'defghijklm') {
      await pass(20_000)
      addWidgets(server.store, name)
    }
    server.store.delete('widgets', 'default/a')
    server.store.edit('widgets', 'default/b', (widget) => {
      widget['spec'] = { size: 7 }
    })
    await rig.settle()
    expect(followed.widgets.hasSynced).toBe(false)
    server.watches[0]?.bookmark({ annotations: endMark })
    await synced(followed)
    expectSame(followed.widgets, server)
    // The same stream goes on as the watch.
    addWidgets(server.store, 'z')
    await until(() => isSame(followed.widgets, server))
    expect(asked(server)).toEqual(['stream'])
  })

  test('that goes on as the watch is not cut for being quiet before the first bookmark is due', async () => {
    const rig = await createRig()
    const { server, pass } = rig
    const followed = followWidgets(rig)
    await synced(followed)
    await pass(59_000)
    expect(asked(server)).toEqual(['stream'])
  })

  test('that is cut again and again before its end gives way to a plain list', async () => {
    const rig = await createRig()
    const { server, proxy, pass } = rig
    addWidgets(server.store, 'abc')
    const cut = server.intercept({ verb: 'watch', streaming: true }, () => (response) => {
      response.writeHead(200)
      response.write(`${JSON.stringify({ type: 'ADDED', object: server.store.objects('widgets')[0] })}\n`)
      response.end()
    })
    const followed = followWidgets(rig)
    await pass(10_000)
    await synced(followed)
    expect(asked(server).slice(0, 3)).toEqual(['stream', 'stream', 'list 0'])
    expectSame(followed.widgets, server)
    cut()
    expect(proxy.open).toBeLessThanOrEqual(2)
  })
})

describe('P17: a server that knows no streaming lists', () => {
  test.each(['refused-400', 'refused-422', 'ignored'] as const)(
    '%s: lists plainly, and remembers',
    async (initialEvents) => {
      const rig = await createRig()
      const { server, proxy, pass } = rig
      server.watching.initialEvents = initialEvents
      addWidgets(server.store, 'ab')
      const followed = followWidgets(rig)
      await pass(60_000)
      await synced(followed)
      expect(asked(server)).toEqual(['stream', 'list 0', 'watch 102'])
      expect(followed.told).toEqual(['initial a', 'initial b'])
      proxy.reset()
      addWidgets(server.store, 'c')
      server.store.compact()
      await pass(10_000)
      await until(() => isSame(followed.widgets, server))
      expect(asked(server).slice(3)).toEqual(['watch 102', 'list 102', 'watch 103'])
    },
  )
})
