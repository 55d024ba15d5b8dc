import { describe, expect, test } from 'vitest'
import type { Clock, Timer } from '../base/index.js'
import { type DelayingQueue, withDelays } from './delaying-queue.js'
import { InvalidQueueDelayError } from './errors.js'
import { createQueue } from './work-queue.js'

const day = 86_400_000

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

function newQueue() {
  const time = fakeClock()
  let retries = 0
  const metrics = {
    added() {},
    depthChanged() {},
    queueDuration() {},
    workDuration() {},
    retried: () => retries++,
  }
  const queue = withDelays(createQueue({ clock: time.clock }), { clock: time.clock, metrics })
  return { ...time, queue, retries: () => retries }
}

/** What is ready now, in order. */
async function ready(queue: DelayingQueue<string>): Promise<string[]> {
  const keys: string[] = []
  while (queue.length > 0) {
    const lease = await queue.get()
    if (lease === undefined) break
    keys.push(lease.key)
    lease.done()
  }
  return keys
}

test('a delayed key is ready when its delay has passed, not before', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('a', 100)
  advance(99)
  expect(queue.length).toBe(0)
  expect(queue.has('a')).toBe(false)
  advance(1)
  expect(await ready(queue)).toEqual(['a'])
})

test('a waiting worker is woken by a delayed key', async () => {
  const { queue, advance } = newQueue()
  const waiting = queue.get()
  queue.addAfter('a', 100)
  advance(100)
  expect((await waiting)?.key).toBe('a')
})

test('keys come in the order of their times, and of their calls where the times are equal', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('late', 300)
  queue.addAfter('first', 100)
  queue.addAfter('second', 100)
  queue.addAfter('third', 100)
  advance(1000)
  expect(await ready(queue)).toEqual(['first', 'second', 'third', 'late'])
})

test('a key that waits keeps the earlier time, whichever call brought it', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('a', 100)
  queue.addAfter('a', 500)
  queue.addAfter('b', 500)
  queue.addAfter('b', 100)
  advance(100)
  expect(await ready(queue)).toEqual(['a', 'b'])
  advance(10_000)
  expect(queue.length).toBe(0)
})

test('a key that is wanted earlier overtakes the keys that wait before it', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('a', 100)
  queue.addAfter('b', 500)
  queue.addAfter('b', 50)
  advance(50)
  expect(await ready(queue)).toEqual(['b'])
  advance(50)
  expect(await ready(queue)).toEqual(['a'])
})

test('a key that waits has the highest priority that was asked for', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('a', 100, { priority: 3 })
  queue.addAfter('a', 50, { priority: 1 })
  queue.addAfter('b', 50, { priority: 2 })
  advance(50)
  expect(await ready(queue)).toEqual(['a', 'b'])
})

test('add takes a key out of its wait, at the higher of the two priorities', async () => {
  const { queue, advance, timers } = newQueue()
  queue.addAfter('a', 100, { priority: 7 })
  queue.add('a')
  expect(timers.size).toBe(0)
  expect(await queue.get()).toMatchObject({ key: 'a', priority: 7 })
  queue.done('a')
  advance(1000)
  expect(queue.length).toBe(0)
})

test('a key that is ready does not wait as well, but its priority counts', async () => {
  const { queue, advance, timers } = newQueue()
  queue.add('other')
  queue.add('a')
  queue.addAfter('a', 100, { priority: 1 })
  expect(timers.size).toBe(0)
  expect(await ready(queue)).toEqual(['a', 'other'])
  advance(1000)
  expect(queue.length).toBe(0)
})

test('a worker that asks for its key again later gets it again later', async () => {
  const { queue, advance } = newQueue()
  queue.add('a')
  const lease = await queue.get()
  queue.addAfter('a', 100)
  lease?.done()
  expect(queue.length).toBe(0)
  advance(100)
  expect(await ready(queue)).toEqual(['a'])
})

test('a delay that passes while the key runs makes it run once more', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('a', 100)
  queue.addAfter('b', 50)
  advance(50)
  const lease = await queue.get()
  queue.addAfter('b', 10)
  advance(10)
  expect(queue.has('b')).toBe(true)
  lease?.done()
  expect(await ready(queue)).toEqual(['b'])
})

test('a delay of zero adds at once and counts as no retry', () => {
  const { queue, timers, retries } = newQueue()
  queue.addAfter('a', 0)
  expect(queue.length).toBe(1)
  expect(timers.size).toBe(0)
  expect(retries()).toBe(0)
  queue.addAfter('b', 1)
  expect(retries()).toBe(1)
})

test('a delay of 30 days takes 30 days', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('a', 30 * day)
  advance(30 * day - 1)
  expect(queue.length).toBe(0)
  advance(1)
  expect(await ready(queue)).toEqual(['a'])
})

test('a thousand keys wait on one timer, and it is gone when none is left', async () => {
  const { queue, advance, timers } = newQueue()
  for (let index = 0; index < 1000; index++) {
    queue.addAfter(`key-${index}`, 1 + ((index * 7919) % 1000))
    expect(timers.size).toBe(1)
  }
  advance(500)
  expect(timers.size).toBe(1)
  advance(500)
  expect(timers.size).toBe(0)
  expect(await ready(queue)).toHaveLength(1000)
})

test('the wait of a key outlives the leaving of the key before it', async () => {
  const { queue, advance } = newQueue()
  queue.addAfter('first', 100)
  queue.addAfter('second', 200)
  queue.add('first')
  expect(await ready(queue)).toEqual(['first'])
  advance(200)
  expect(await ready(queue)).toEqual(['second'])
})

describe('shutdown', () => {
  test('drops the keys that wait, and leaves no timer', async () => {
    const { queue, advance, timers } = newQueue()
    queue.addAfter('a', 100)
    queue.shutDown()
    expect(timers.size).toBe(0)
    queue.addAfter('b', 100)
    queue.addAfter('c', 0)
    expect(timers.size).toBe(0)
    advance(1000)
    expect(await queue.get()).toBeUndefined()
  })

  test('a drain does not wait for delays', async () => {
    const { queue, timers } = newQueue()
    queue.addAfter('a', 30 * day)
    await queue.shutDownWithDrain()
    expect(timers.size).toBe(0)
    expect(queue.isShutDown).toBe(true)
  })
})

describe('mistakes', () => {
  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '5s', undefined, 5n])(
    'a delay of %s is refused, with what to write instead',
    (delayMs) => {
      const { queue, timers } = newQueue()
      // What JavaScript without types can do.
      expect(() => queue.addAfter('a', delayMs as number)).toThrow(InvalidQueueDelayError)
      expect(() => queue.addAfter('a', delayMs as number)).toThrow(/30_000/)
      expect(queue.length).toBe(0)
      expect(timers.size).toBe(0)
    },
  )

  test('a priority that makes no sense does not take the key out of its wait', async () => {
    const { queue, advance } = newQueue()
    queue.addAfter('a', 100)
    expect(() => queue.add('a', { priority: Number.NaN })).toThrow(
      expect.objectContaining({ code: 'KW_QUEUE_INVALID_PRIORITY' }),
    )
    advance(100)
    expect(await ready(queue)).toEqual(['a'])
  })
})
