import { expect, test } from 'vitest'
import type { KubeObject } from '../objects/index.js'
import { createFakeClock } from '../testing/fake-clock.js'
import { Informer } from './informer.js'
import type { ResourceSource } from './resource-source.js'

const thing = (name: string, resourceVersion: string): object => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name, uid: `uid of ${name}`, resourceVersion },
})

/** A server with one thing, whose watches say what the test makes them say. */
function server() {
  const lines: string[] = []
  let wake = (): void => {}
  let refuse: Error | undefined
  const source: ResourceSource = {
    description: 'things',
    typeMeta: { apiVersion: 'v1', kind: 'Thing' },
    async list() {
      if (refuse !== undefined) throw refuse
      return Buffer.from(JSON.stringify({ metadata: { resourceVersion: '10' }, items: [thing('a', '10')] }))
    },
    async *watch(_, signal) {
      if (refuse !== undefined) throw refuse
      yield []
      signal.addEventListener('abort', () => wake())
      while (!signal.aborted) {
        const text = lines.shift()
        if (text !== undefined) yield [Buffer.from(text)]
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
  return {
    source,
    say(type: string, object: object): void {
      lines.push(JSON.stringify({ type, object }))
      wake()
    },
    refuse(error: Error | undefined): void {
      refuse = error
    },
  }
}

function follow(options: { resyncMs?: number } = {}) {
  const clock = createFakeClock()
  const peer = server()
  const informer = new Informer<KubeObject>({
    source: peer.source,
    rules: { streamingList: false },
    clock,
    random: () => 0,
    ...options,
  })
  const told: string[] = []
  const registration = informer.addHandler({
    onAdd: ({ name }, { initial }) => told.push(`${initial ? 'initial' : 'add'} ${name}`),
    onUpdate: (old, { name, resourceVersion }) =>
      told.push(`${old.resourceVersion === resourceVersion ? 'echo' : 'update'} ${name}`),
    onDelete: ({ name }) => told.push(`delete ${name}`),
  })
  const run = (): (() => Promise<void>) => {
    const stop = new AbortController()
    const running = informer.run(stop.signal)
    return async () => {
      stop.abort()
      await running
    }
  }
  return { clock, peer, informer, told, run, registration }
}

test('an event that says what is known is told to nobody', async () => {
  const { clock, peer, told, run } = follow()
  const stop = run()
  await clock.advance(0)
  peer.say('MODIFIED', thing('a', '11'))
  peer.say('MODIFIED', thing('a', '11'))
  peer.say('ADDED', thing('a', '11'))
  peer.say('MODIFIED', thing('a', '12'))
  await clock.advance(0)
  expect(told).toEqual(['initial a', 'update a', 'update a'])
  await stop()
})

test('resyncs go on after a stop and a new start', async () => {
  const { clock, told, run } = follow({ resyncMs: 10_000 })
  for (let round = 0; round < 3; round++) {
    const stop = run()
    await clock.advance(0)
    told.length = 0
    await clock.advance(21_000)
    expect(told).toEqual(['echo a', 'echo a'])
    await stop()
    expect(clock.pendingTimers).toBe(0)
  }
})

test('health is good again as soon as a watch is open, though it has said nothing yet', async () => {
  const { clock, peer, informer, run } = follow()
  peer.refuse(new Error('away'))
  const stop = run()
  await clock.advance(0)
  expect(informer.health.failure).toMatchObject({ reason: 'unreachable', error: { message: 'away' } })
  peer.refuse(undefined)
  await clock.advance(1_000)
  expect(informer.health).toMatchObject({ failure: undefined, synced: true })
  await stop()
})
