import { expect, test } from 'vitest'
import { createClientSource, Informer } from '../../src/cache/index.js'
import type { ApiServer } from './api-server.js'
import { until } from './event-loop.js'
import { createRig } from './rig.js'
import { Widget } from './widgets.js'

/** Counts the turns of the event loop while something is going on. */
function countTurns(): { readonly turns: number; stop(): void } {
  const count = { turns: 0, isStopped: false }
  const turn = (): void => {
    count.turns++
    if (!count.isStopped) setImmediate(turn)
  }
  setImmediate(turn)
  return Object.assign(count, {
    stop() {
      count.isStopped = true
    },
  })
}

function fill(server: ApiServer, objects: number): void {
  for (let index = 0; index < objects; index++) {
    server.store.create('widgets', {
      metadata: { name: `w${index}` },
      spec: { size: index % 7, note: 'n'.repeat(200) },
    })
  }
}

// How long a turn takes depends on the machine; that the work is cut into many turns does not.
test.each([
  ['a list in pages', { streamingList: false, pageSize: 500 }],
  ['a list in one piece', { streamingList: false, pageSize: 0 }],
  ['a streaming list', { streamingList: true }],
])(
  'P20: %s of many objects is read, indexed and told in slices, and becomes visible all at once',
  async (_, rules) => {
    const rig = await createRig()
    const { server, client, clock, random, log } = rig
    const objects = 10_000
    fill(server, objects)
    const turns = countTurns()
    const indexedAt = new Set<number>()
    const toldAt = new Set<number>()
    const sizes = new Set<number>()
    const sizesTold = new Set<number>()
    const informer = new Informer<Widget>({
      source: createClientSource(client, Widget),
      rules,
      clock,
      random,
      log,
      indexes: {
        bySize(widget) {
          indexedAt.add(turns.turns)
          sizes.add(informer.health.objects)
          return [String(widget.spec?.size)]
        },
      },
    })
    let told = 0
    const registration = informer.addHandler({
      onAdd() {
        told++
        toldAt.add(turns.turns)
        sizesTold.add(informer.health.objects)
      },
    })
    const running = rig.start((signal) => informer.run(signal))
    await until(() => registration.hasSynced)
    turns.stop()
    expect(told).toBe(objects)
    expect([...(informer.view.byIndex('bySize', '3') ?? [])].length).toBe(Math.ceil((objects - 3) / 7))
    // About 500 objects in a turn, and never half of a state to be seen.
    expect(indexedAt.size).toBeGreaterThanOrEqual(objects / 1_000)
    expect(toldAt.size).toBeGreaterThanOrEqual(objects / 1_000)
    expect([...sizes]).toEqual([0])
    expect([...sizesTold]).toEqual([objects])
    await running.stop()
  },
)

test('P20: a list that replaces another is compared in slices too, and events wait behind it in order', async () => {
  const rig = await createRig()
  const { server, client, clock, random, log, proxy, pass } = rig
  const objects = 5_000
  fill(server, objects)
  const informer = new Informer<Widget>({ source: createClientSource(client, Widget), clock, random, log })
  const counts = { echo: 0, update: 0, lost: 0 }
  informer.addHandler({
    onUpdate: (old, object) =>
      void counts[old.resourceVersion === object.resourceVersion ? 'echo' : 'update']++,
    onDelete: () => void counts.lost++,
  })
  const running = rig.start((signal) => informer.run(signal))
  await until(() => informer.hasSynced)
  proxy.reset()
  server.store.delete('widgets', 'default/w0')
  server.store.edit('widgets', 'default/w1', (widget) => {
    widget['spec'] = {}
  })
  server.store.compact()
  await pass(5_000)
  await until(() => counts.lost === 1 && counts.update === 1 && counts.echo === objects - 2)
  expect([...informer.view.values()]).toHaveLength(objects - 1)
  await running.stop()
})

test('T14: a burst while slow handlers are being told waits in the socket and arrives complete', async () => {
  const rig = await createRig()
  const { server, client, clock, random, log } = rig
  fill(server, 3_000)
  const informer = new Informer<Widget>({ source: createClientSource(client, Widget), clock, random, log })
  let burst = false
  const last = new Map<string, string>()
  informer.addHandler({
    onAdd: (object) => {
      last.set(object.key, object.resourceVersion)
      if (burst) return
      burst = true
      for (let index = 0; index < 3_000; index++) {
        server.store.edit('widgets', 'default/w5', (widget) => {
          widget['spec'] = { size: index, note: 'n'.repeat(1_000) }
        })
      }
    },
    onUpdate: (_, object) => last.set(object.key, object.resourceVersion),
  })
  const running = rig.start((signal) => informer.run(signal))
  const final = (): string | undefined => server.store.get('widgets', 'default/w5')?.metadata.resourceVersion
  await until(() => burst && last.get('default/w5') === final())
  expect(last.size).toBe(3_000)
  await running.stop()
})
