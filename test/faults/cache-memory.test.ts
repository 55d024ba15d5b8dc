import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createClientSource, Informer } from '../../src/cache/index.js'
import { until } from './event-loop.js'
import { createRig } from './rig.js'
import { Widget } from './widgets.js'

setFlagsFromString('--expose-gc')
// The flag makes it a global of every new context.
const collectGarbage = runInNewContext('gc') as () => void

/** What is really held, on the heap and outside of it, by the server too: it is in this process. */
function heldBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const note = 'n'.repeat(4_000)

test('T14: what has passed through a cache is not held', async () => {
  const rig = await createRig()
  const { server, client, clock, random, log } = rig
  server.store.create('widgets', { metadata: { name: 'a' } })
  const informer = new Informer<Widget>({ source: createClientSource(client, Widget), clock, random, log })
  let version = ''
  informer.addHandler({
    onUpdate(_, { resourceVersion }) {
      version = resourceVersion
    },
  })
  const running = rig.start((signal) => informer.run(signal))
  await until(() => server.watches.length === 1 && informer.hasSynced)
  const stored = server.store.get('widgets', 'default/a')
  let last = 1_000
  const held: number[] = []
  for (let burst = 0; burst < 20; burst++) {
    for (let event = 0; event < 1_000; event++) {
      const metadata = { ...stored?.metadata, resourceVersion: String(++last) }
      const object = { ...stored, metadata, spec: { size: last, note } }
      server.watches[0]?.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`)
    }
    await until(() => version === String(last))
    held.push(heldBytes())
  }
  // The second half of the bursts, 40 MB, adds nothing to what buffers and code took in the first.
  expect(Math.max(...held.slice(10)) - Math.max(...held.slice(0, 10))).toBeLessThan(4_000_000)
  await running.stop()
})

test.each([
  ['as a stream', { streamingList: true }],
  ['in pages', { streamingList: false, pageSize: 500 }],
])('P20: while many objects are listed %s, memory holds them once on either side', async (_, rules) => {
  const rig = await createRig()
  const { server, client, clock, random, log } = rig
  const objects = 5_000
  for (let index = 0; index < objects; index++)
    server.store.create('widgets', { metadata: { name: `w${index}` }, spec: { size: index, note } })
  const source = createClientSource(client, Widget)
  const informer = new Informer<Widget>({ source, rules, clock, random, log })
  let told = 0
  const registration = informer.addHandler({ onAdd: () => void told++ })
  const before = heldBytes()
  let peak = before
  const running = rig.start((signal) => informer.run(signal))
  for (let turns = 0; !registration.hasSynced; turns++) {
    if (turns % 20 === 0) peak = Math.max(peak, heldBytes())
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(told).toBe(objects)
  // The objects in the cache, those that the server has written into its socket, and as much again for all else.
  expect(peak - before).toBeLessThan(3 * objects * note.length)
  await running.stop()
})
