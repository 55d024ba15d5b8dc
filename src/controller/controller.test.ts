import { describe, expect, test } from 'vitest'
import { KubewrightError } from '../base/index.js'
import { createSharedCache } from '../cache/index.js'
import { createClient } from '../client/index.js'
import { ConfigMap } from '../kinds/core/v1.js'
import type { KubeObject, Transport } from '../objects/index.js'
import { createFakeClock } from '../testing/fake-clock.js'
import { createController } from './controller.js'
import { type ControllerDefinition, defineController } from './define-controller.js'

const configMap = (metadata: Partial<KubeObject['metadata']> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    namespace: 'default',
    uid: 'u',
    resourceVersion: '7',
    creationTimestamp: '',
    ...metadata,
  },
})

/** A server that has one object, never changes, and says yes to everything. */
function serverOf(object: KubeObject) {
  const writes: string[] = []
  const transport: Transport = async ({ method, path, signal }) => {
    async function* body(): AsyncGenerator<Uint8Array> {
      if (path.includes('watch=true'))
        await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }))
      else if (method === 'GET')
        yield Buffer.from(JSON.stringify({ metadata: { resourceVersion: '7' }, items: [object] }))
      else yield Buffer.from(JSON.stringify(object))
    }
    if (method !== 'GET') writes.push(`${method} ${path.split('?')[0]}`)
    return { status: 200, headers: {}, body: body() }
  }
  return { transport, writes }
}

/** Runs a controller over one object. */
async function run(definition: ControllerDefinition, object = configMap(), drainMs = 5_000) {
  const clock = createFakeClock()
  const { transport, writes } = serverOf(object)
  const client = createClient({ transport, clock, random: () => 0 })
  const cache = createSharedCache({ client, clock, random: () => 0, rules: { streamingList: false } })
  const controller = createController(definition, {
    client,
    cache,
    clock,
    drainMs,
    events: { normal: () => {}, warning: () => {} },
  })
  const cacheStop = new AbortController()
  const caching = cache.run(cacheStop.signal)
  const stop = new AbortController()
  let hasEnded = false
  const running = controller.run(stop.signal).finally(() => {
    hasEnded = true
  })
  await clock.advance(0)
  return {
    clock,
    cache,
    controller,
    writes,
    stop: (reason?: Error) => stop.abort(reason),
    hasEnded: () => hasEnded,
    async end() {
      await running
      cacheStop.abort()
      await caching
      expect(clock.pendingTimers).toBe(0)
    },
  }
}

describe('a stop', () => {
  const untilAborted = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

  test('reaches a run that waits for its signal when the time to finish is over', async () => {
    const reasons: unknown[] = []
    const definition = defineController({
      for: ConfigMap,
      async reconcile(_, { signal }) {
        await untilAborted(signal)
        reasons.push(signal.reason)
      },
    })
    const running = await run(definition)
    const why = new Error('enough')
    running.stop(why)
    await running.clock.advance(4_999)
    expect([reasons, running.hasEnded()]).toEqual([[], false])
    await running.clock.advance(1)
    expect([reasons, running.hasEnded()]).toEqual([[why], true])
    await running.end()
  })

  test('reaches it at once when the lease was lost', async () => {
    const definition = defineController({
      for: ConfigMap,
      reconcile: (_, { signal }) => untilAborted(signal),
    })
    const running = await run(definition)
    running.stop(new KubewrightError('gone', { code: 'KW_LEADERSHIP_LOST' }))
    await running.clock.advance(0)
    expect(running.hasEnded()).toBe(true)
    await running.end()
  })
})

test('an object whose last finalizer was ours is gone from the cache before the watch says so', async () => {
  const finalizer = 'example.com/ours'
  let cleanUps = 0
  const definition = defineController({
    for: ConfigMap,
    finalizer,
    reconcile: () => {},
    finalize: () => void cleanUps++,
  })
  const dying = configMap({ deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [finalizer] })
  const running = await run(definition, dying)
  expect(running.writes).toEqual(['PATCH /api/v1/namespaces/default/configmaps/a'])
  expect(running.cache.of(ConfigMap).get({ namespace: 'default', name: 'a' })).toBeUndefined()
  running.controller.wake({ namespace: 'default', name: 'a' })
  await running.clock.advance(0)
  expect(cleanUps).toBe(1)
  running.stop()
  await running.end()
})
