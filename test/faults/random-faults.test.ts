import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { type Random, seededRandom } from '../../src/base/index.js'
import type { CachedObject, KindCache } from '../../src/cache/index.js'
import { htmlPage, refuse, silence, statusBody } from './api-server/answers.js'
import { control } from './controlled-widgets.js'
import { until } from './event-loop.js'
import { isSame } from './followed-widgets.js'
import { createRig, type Rig } from './rig.js'
import { type Accounts, widgetOperator, worldOf } from './widget-operator.js'
import { Gadget, Widget } from './widgets.js'

const names = [...'abcdef']
const pick = <T>(random: Random, items: readonly T[]): T => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is something to pick from')
  return item
}

/** Something that a user of the cluster does. */
function changeSomething({ server: { store } }: Rig, random: Random): void {
  const name = pick(random, names)
  const key = `default/${name}`
  if (store.get('widgets', key) === undefined) {
    store.create('widgets', { metadata: { name }, spec: { size: Math.ceil(random() * 100) } })
  } else if (random() < 0.3) {
    store.delete('widgets', key)
  } else {
    store.edit('widgets', key, (widget) => {
      widget['spec'] = { size: Math.ceil(random() * 100) }
    })
  }
}

type Fault = (rig: Rig, random: Random) => Promise<void>

/** Whatever can go wrong between two machines, for a while. */
const faults: Readonly<Record<string, Fault>> = {
  async reset({ proxy, pass }, random) {
    proxy.reset()
    await pass(random() * 3_000)
  },
  async 'half-open'({ proxy, pass }, random) {
    proxy.freeze()
    await pass(random() * 100_000)
  },
  async refused({ proxy, pass }, random) {
    await proxy.refuse()
    proxy.reset()
    await pass(random() * 60_000)
    await proxy.accept()
  },
  async stalled({ proxy, pass }, random) {
    proxy.stallNew(true)
    proxy.reset()
    await pass(random() * 60_000)
    proxy.stallNew(false)
  },
  async 'cut after some bytes'({ proxy, pass }, random) {
    proxy.reset()
    proxy.resetNextAfter(Math.ceil(random() * 2_000))
    await pass(random() * 5_000)
  },
  async 'byte by byte'({ proxy, pass }, random) {
    proxy.drip(true)
    await pass(random() * 5_000)
    proxy.drip(false)
  },
  async compaction({ server, proxy, pass }, random) {
    server.store.tick()
    server.store.compact()
    if (random() < 0.5) proxy.reset()
    await pass(random() * 5_000)
  },
  async 'an error event'({ server, pass }, random) {
    const status = pick(random, [
      statusBody(410, 'Expired'),
      statusBody(429, 'TooManyRequests'),
      statusBody(500, 'InternalError'),
      statusBody(500, 'StoreReadError'),
    ])
    for (const watch of server.watches) watch.error(status)
    await pass(random() * 5_000)
  },
  async garbage({ server, pass }, random) {
    for (const watch of server.watches)
      watch.write(pick(random, ['garbage\n', '{"type":"ADDED"}\n', '{"type":"X']))
    await pass(random() * 5_000)
  },
  async 'the end of the watches'({ server, pass }, random) {
    for (const watch of server.watches) watch.end()
    await pass(random() * 5_000)
  },
  async 'a server that refuses'({ server, proxy, pass }, random) {
    const answer = pick(random, [
      refuse(401, 'Unauthorized'),
      refuse(403, 'Forbidden'),
      refuse(429, 'TooManyRequests', { 'retry-after': '7' }),
      refuse(500, 'InternalError'),
      htmlPage(502),
      htmlPage(503, { 'retry-after': '2' }),
      silence,
    ])
    const heal = server.fault({}, answer)
    if (random() < 0.7) proxy.reset()
    await pass(random() * 60_000)
    heal()
  },
  async 'a watch cache that lags'({ server, pass }, random) {
    server.hold(true)
    await pass(random() * 5_000)
    server.hold(false)
  },
  async 'no streaming lists'({ server }, random) {
    server.watching.initialEvents = pick(random, [
      'refused-400',
      'ignored',
      'never-marked',
      'false-mark',
      'honoured',
    ])
    server.watching.expiredAs = pick(random, ['error-event', 'http-410'])
  },
}

/** Invariant of every handler: an object comes, changes forward, and goes; then another one may come. */
function checkOrder(widgets: KindCache<Widget>): { readonly violations: string[] } {
  const violations: string[] = []
  const present = new Map<string, CachedObject<Widget>>()
  const expectPresent = (object: CachedObject<Widget>, what: string): void => {
    const known = present.get(object.key)
    if (known === undefined || known.uid !== object.uid)
      violations.push(`${what} of ${object.key} that is not there`)
    else if (Number(known.resourceVersion) > Number(object.resourceVersion))
      violations.push(`${object.key} went back`)
  }
  widgets.addHandler({
    onAdd(object) {
      if (present.has(object.key)) violations.push(`added ${object.key} twice`)
      present.set(object.key, object)
    },
    onUpdate(_, object) {
      expectPresent(object, 'update')
      present.set(object.key, object)
    },
    onDelete(last) {
      expectPresent(last, 'deletion')
      present.delete(last.key)
    },
  })
  return { violations }
}

test.each(Array.from({ length: 25 }, (_, seed) => seed))(
  'whatever goes wrong, the cache ends as the server, the operator is done, and nothing grows: seed %i',
  async (seed) => {
    const rig = await createRig({ seed })
    const { server, pass, proxy } = rig
    const random = seededRandom(seed)
    const accounts: Accounts = new Map()
    const running = control(rig, widgetOperator(accounts))
    const widgets = running.cache.of(Widget)
    const gadgets = running.cache.of(Gadget)
    const order = checkOrder(widgets)
    const happened: string[] = []
    for (let step = 0; step < 12; step++) {
      for (let change = 0; change < 3; change++) changeSomething(rig, random)
      const name = pick(random, Object.keys(faults))
      happened.push(name)
      await faults[name]?.(rig, random)
    }
    server.watching.initialEvents = 'honoured'
    // Long enough for any pause that has grown meanwhile, and for a dead connection of a server that seemed to have no
    // bookmarks. The rest of the cluster lives.
    for (let minute = 0; minute < 12; minute++) {
      server.store.tick()
      await pass(60_000)
    }
    const story = happened.join(', ')
    await until(() => isSame(widgets, server), story)
    expect(order.violations, `after ${story}`).toEqual([])
    expect(gadgets.list().length, `after ${story}`).toBe(server.store.objects('gadgets').length)
    const sizes = server.store.objects('widgets').map(({ spec }) => (spec as { size: number }).size)
    expect(worldOf(server, accounts), `after ${story}`).toMatchObject({
      widgets: sizes.map((size) => ({ spec: { size }, status: { observed: size } })),
      gadgets: sizes.flatMap((size) => [{ spec: { size } }, { spec: { size } }]),
      accounts: sizes,
      strayAccounts: 0,
    })
    // A watch for each of the two kinds, and what is kept for the next request.
    expect(proxy.open, `after ${story}`).toBeLessThanOrEqual(6)
    expect(rig.time.pendingTimers, `after ${story}`).toBeLessThanOrEqual(20)
    expect(getEventListeners(running.signal, 'abort').length, `after ${story}`).toBeLessThanOrEqual(5)
  },
)
