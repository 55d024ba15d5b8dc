import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../base/index.js'
import { createSharedCache } from '../cache/index.js'
import { createClient } from '../client/index.js'
import { ConfigMap } from '../kinds/core/v1.js'
import type { Transport } from '../objects/index.js'
import { createController } from './controller.js'
import { defineController } from './define-controller.js'

const objects = 1_000

const transport: Transport = async ({ path, signal }) => {
  async function* body(): AsyncGenerator<Uint8Array> {
    if (path.includes('watch=true'))
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }))
    const items = Array.from({ length: objects }, (_, index) => ({
      metadata: { name: `n${index}`, namespace: 'default', uid: `u${index}`, resourceVersion: '1' },
    }))
    yield Buffer.from(JSON.stringify({ metadata: { resourceVersion: '1' }, items }))
  }
  return { status: 200, headers: {}, body: body() }
}

test('runs that wait for nothing leave others their turns', async () => {
  // Every look at this clock takes a millisecond, so that a turn is over after a few runs on any machine.
  let nowMs = 0
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs++,
    setTimer: (delayMs, callback, options) => systemClock.setTimer(delayMs, callback, options),
  }
  const client = createClient({ transport })
  const cache = createSharedCache({ client, rules: { streamingList: false } })
  const stop = new AbortController()
  let runs = 0
  let turns = 0
  const countTurns = (): void => {
    turns++
    if (!stop.signal.aborted) setImmediate(countTurns)
  }
  const reconciled = new Promise<void>((resolve) => {
    const definition = defineController({
      for: ConfigMap,
      workers: 10,
      reconcile() {
        if (++runs === 1) countTurns()
        if (runs === objects) resolve()
      },
    })
    const events = { normal: () => {}, warning: () => {} }
    const controller = createController(definition, { client, cache, clock, events })
    void cache.run(stop.signal)
    void controller.run(stop.signal)
  })
  await reconciled
  stop.abort()
  // Workers that take turns one after the other would have ten times fewer.
  expect(turns).toBeGreaterThan(objects / 20)
})
