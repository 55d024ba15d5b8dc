import { expect, test } from 'vitest'
import type { Clock, Timer } from '../base/index.js'
import { createPriorityQueue } from './priority-queue.js'

/** Time that moves only when told to. */
function fakeClock() {
  let nowMs = 0
  const timers = new Map<Timer, { atMs: number; callback: () => void }>()
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback) {
      const timer: Timer = { cancel: () => timers.delete(timer) }
      timers.set(timer, { atMs: nowMs + delayMs, callback })
      return timer
    },
  }
  const advance = (ms: number): void => {
    nowMs += ms
    for (const [timer, { atMs, callback }] of timers) {
      if (atMs > nowMs) continue
      timers.delete(timer)
      callback()
    }
  }
  return { clock, timers, advance }
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a hand-written worker in the style of client-go', async () => {
  const { clock, advance } = fakeClock()
  const queue = createPriorityQueue({ clock })
  const outcomes = new Map([['flaky', 2]])
  const log: string[] = []
  const processNext = async (): Promise<boolean> => {
    const lease = await queue.get()
    if (lease === undefined) return false
    const { key, priority, done } = lease
    try {
      const failuresLeft = outcomes.get(key) ?? 0
      outcomes.set(key, failuresLeft - 1)
      if (failuresLeft > 0) throw new Error('not yet')
      queue.forget(key)
      log.push(`synced ${key}`)
    } catch {
      log.push(`retry ${key} after ${queue.retries(key)} retries`)
      queue.addRateLimited(key, { priority })
    } finally {
      done()
    }
    return true
  }
  const worker = (async () => {
    while (await processNext());
  })()
  queue.add('flaky')
  queue.add('fine')
  for (let turn = 0; turn < 3; turn++) {
    await turnOfTheLoop()
    advance(1000)
  }
  await turnOfTheLoop()
  queue.shutDown()
  await worker
  expect(log).toEqual([
    'retry flaky after 0 retries',
    'synced fine',
    'retry flaky after 1 retries',
    'synced flaky',
  ])
})

test('metrics of a delayed key start when it becomes ready', async () => {
  const depth: Record<number, number> = {}
  const seen = { adds: 0, retries: 0, queueSeconds: [] as number[] }
  const { clock, advance } = fakeClock()
  const queue = createPriorityQueue({
    clock,
    metrics: {
      added: () => seen.adds++,
      depthChanged: (priority, by) => {
        depth[priority] = (depth[priority] ?? 0) + by
      },
      queueDuration: (seconds) => seen.queueSeconds.push(seconds),
      workDuration() {},
      retried: () => seen.retries++,
    },
  })
  queue.addWithOptions({ afterMs: 60_000, priority: 1 }, 'a')
  expect([seen.adds, seen.retries, depth]).toEqual([0, 1, {}])
  advance(60_000)
  expect([seen.adds, depth]).toEqual([1, { 1: 1 }])
  advance(500)
  await queue.get()
  expect([seen.queueSeconds, depth]).toEqual([[0.5], { 1: 0 }])
})
