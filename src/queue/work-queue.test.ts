import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../base/index.js'
import { InvalidPriorityError, InvalidQueueKeyError } from './errors.js'
import type { Lease } from './lease.js'
import { lowPriority } from './priority.js'
import type { QueueMetrics } from './queue-metrics.js'
import { createQueue, type WorkQueue } from './work-queue.js'

/** The next key, or undefined if nothing is ready now. */
async function take<K>(queue: WorkQueue<K>): Promise<Lease<K> | undefined> {
  const controller = new AbortController()
  const next = queue.get(controller.signal)
  controller.abort()
  return next
}

async function takeAll(queue: WorkQueue<string>): Promise<string[]> {
  const keys: string[] = []
  for (let lease = await take(queue); lease !== undefined; lease = await take(queue)) {
    keys.push(lease.key)
    lease.done()
  }
  return keys
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A clock that stands still until it is set. */
function settableClock(): { nowMs: number; clock: Clock } {
  const state = { nowMs: 0, clock: { ...systemClock, monotonic: () => state.nowMs } }
  return state
}

describe('merging', () => {
  test('a key that is added three times is handed out once', async () => {
    const queue = createQueue()
    queue.add('a')
    queue.add('a')
    queue.add('a')
    expect(queue.length).toBe(1)
    expect(await takeAll(queue)).toEqual(['a'])
  })

  test('keys that are objects are one key if they have the same string', async () => {
    const queue = createQueue({
      idOf: (key: { namespace: string; name: string }) => `${key.namespace}/${key.name}`,
    })
    queue.add({ namespace: 'default', name: 'foo' })
    queue.add({ namespace: 'default', name: 'foo' })
    queue.add({ namespace: 'other', name: 'foo' })
    expect(queue.length).toBe(2)
    expect(queue.has({ namespace: 'other', name: 'foo' })).toBe(true)
    expect((await take(queue))?.key).toEqual({ namespace: 'default', name: 'foo' })
  })

  test('keys with the names of prototype members are ordinary keys', async () => {
    const queue = createQueue()
    for (const key of ['__proto__', 'constructor', '']) queue.add(key)
    expect(await takeAll(queue)).toEqual(['__proto__', 'constructor', ''])
  })

  test('a burst of events is one run, also when a worker was waiting for it', async () => {
    const queue = createQueue()
    const waiting = queue.get()
    queue.add('a')
    queue.add('a')
    expect((await waiting)?.key).toBe('a')
    expect(queue.length).toBe(0)
  })
})

describe('one holder a key', () => {
  test('a key added while it runs is run once more', async () => {
    const queue = createQueue()
    queue.add('a')
    const first = await take(queue)
    queue.add('a')
    queue.add('a')
    expect(queue.has('a')).toBe(true)
    expect(await take(queue)).toBeUndefined()
    first?.done()
    expect(await takeAll(queue)).toEqual(['a'])
  })

  test('a worker that waits gets the key as soon as its holder is done', async () => {
    const queue = createQueue()
    queue.add('a')
    const first = await take(queue)
    queue.add('a')
    const waiting = queue.get()
    await turnOfTheLoop()
    first?.done()
    expect((await waiting)?.key).toBe('a')
  })

  test('a second done of a lease does not take the key from its next holder', async () => {
    const queue = createQueue()
    queue.add('a')
    const first = await take(queue)
    queue.add('a')
    first?.done()
    const second = await take(queue)
    queue.add('a')
    first?.done()
    expect(second?.key).toBe('a')
    expect(await take(queue)).toBeUndefined()
  })

  test('done by key gives the key back, and does nothing for a key that nobody holds', async () => {
    const queue = createQueue()
    queue.done('nobody')
    queue.add('a')
    await take(queue)
    queue.add('a')
    queue.done('a')
    expect((await take(queue))?.key).toBe('a')
  })

  test('a stuck worker keeps its key to itself and holds up nobody else', async () => {
    const queue = createQueue()
    queue.add('stuck')
    await take(queue)
    queue.add('stuck')
    queue.add('b')
    queue.add('c')
    expect(await takeAll(queue)).toEqual(['b', 'c'])
    expect(queue.length).toBe(1)
  })
})

describe('order', () => {
  test('without priorities keys come in the order of adding', async () => {
    const queue = createQueue()
    for (const key of ['c', 'a', 'b']) queue.add(key)
    expect(await takeAll(queue)).toEqual(['c', 'a', 'b'])
  })

  test('a fresh change overtakes a hundred thousand keys of low priority', async () => {
    const queue = createQueue()
    for (let index = 0; index < 100_000; index++) queue.add(`listed-${index}`, { priority: lowPriority })
    queue.add('changed')
    const lease = await take(queue)
    expect(lease?.key).toBe('changed')
    expect(lease?.priority).toBe(0)
    expect(await take(queue)).toMatchObject({ key: 'listed-0', priority: lowPriority })
  })

  test('a key that is added at two priorities has the higher one', async () => {
    const queue = createQueue()
    queue.add('a', { priority: 2 })
    queue.add('a', { priority: 1 })
    queue.add('b', { priority: lowPriority })
    queue.add('b')
    expect(await take(queue)).toMatchObject({ key: 'a', priority: 2 })
    expect(await take(queue)).toMatchObject({ key: 'b', priority: 0 })
  })

  test('a raised key goes behind the keys that had its new priority before', async () => {
    const queue = createQueue()
    queue.add('raised')
    queue.add('urgent', { priority: 1 })
    queue.add('raised', { priority: 1 })
    queue.add('late', { priority: 1 })
    expect(await takeAll(queue)).toEqual(['urgent', 'raised', 'late'])
  })

  test('a key added while it runs has its place by the time of adding, not of done', async () => {
    const queue = createQueue()
    queue.add('a')
    const holder = await take(queue)
    queue.add('before')
    queue.add('a')
    queue.add('after')
    holder?.done()
    expect(await takeAll(queue)).toEqual(['before', 'a', 'after'])
  })

  test('a key raised while it runs is handed out at its new priority', async () => {
    const queue = createQueue()
    queue.add('a')
    const holder = await take(queue)
    queue.add('a')
    queue.add('a', { priority: 5 })
    queue.add('b', { priority: 4 })
    holder?.done()
    expect(await take(queue)).toMatchObject({ key: 'a', priority: 5 })
  })

  test('a hot key does not starve others', async () => {
    const queue = createQueue()
    queue.add('hot')
    for (let index = 0; index < 10; index++) queue.add(`other-${index}`)
    const order: string[] = []
    for (let round = 0; round < 20; round++) {
      const lease = await take(queue)
      if (lease === undefined) break
      // The hot object changes a thousand times during every run, its own and those of others.
      for (let change = 0; change < 1000; change++) queue.add('hot')
      order.push(lease.key)
      lease.done()
    }
    expect(order.slice(0, 12)).toEqual([
      'hot',
      ...Array.from({ length: 10 }, (_, at) => `other-${at}`),
      'hot',
    ])
    expect(queue.length).toBe(1)
  })

  test('a waiting worker gets the most urgent key of a burst', async () => {
    const queue = createQueue()
    const waiting = queue.get()
    queue.add('ordinary')
    queue.add('urgent', { priority: 10 })
    expect((await waiting)?.key).toBe('urgent')
  })
})

describe('getters', () => {
  test('waiting getters are served in the order of their calls', async () => {
    const queue = createQueue()
    const getters = [queue.get(), queue.get(), queue.get()]
    for (const key of ['a', 'b', 'c']) queue.add(key)
    expect((await Promise.all(getters)).map((lease) => lease?.key)).toEqual(['a', 'b', 'c'])
  })

  test('a getter that has just come does not overtake one that waits', async () => {
    const queue = createQueue()
    const early = queue.get()
    queue.add('a')
    const late = queue.get()
    queue.add('b')
    expect((await early)?.key).toBe('a')
    expect((await late)?.key).toBe('b')
  })

  test('an aborted getter gets undefined and loses no key', async () => {
    const queue = createQueue()
    const controller = new AbortController()
    const aborted = queue.get(controller.signal)
    queue.add('a')
    controller.abort(new Error('enough'))
    expect(await aborted).toBeUndefined()
    expect(await takeAll(queue)).toEqual(['a'])
  })

  test('a getter with an aborted signal takes nothing, even if a key is ready', async () => {
    const queue = createQueue()
    queue.add('a')
    expect(await queue.get(AbortSignal.abort())).toBeUndefined()
    expect(queue.length).toBe(1)
  })
})

describe('leases', () => {
  test('a key is held while the body of the loop runs, and free for the next round', async () => {
    const queue = createQueue()
    queue.add('a')
    const ran: string[] = []
    for await (const { key } of queue.leases()) {
      ran.push(key)
      if (ran.length === 2) break
      queue.add(key)
      expect(await take(queue)).toBeUndefined()
    }
    expect(ran).toEqual(['a', 'a'])
  })

  test('leaving the loop by break or by a throw gives the key back', async () => {
    const queue = createQueue()
    queue.add('a')
    for await (const { key } of queue.leases()) {
      queue.add(key)
      break
    }
    const failing = async (): Promise<void> => {
      for await (const { key } of queue.leases()) {
        queue.add(key)
        throw new Error('reconcile failed')
      }
    }
    await expect(failing()).rejects.toThrow('reconcile failed')
    expect((await take(queue))?.key).toBe('a')
  })

  test('an aborted signal ends the loop after the body that runs', async () => {
    const queue = createQueue()
    const controller = new AbortController()
    queue.add('a')
    queue.add('b')
    const ran: string[] = []
    for await (const { key } of queue.leases(controller.signal)) {
      ran.push(key)
      controller.abort()
    }
    expect(ran).toEqual(['a'])
    expect(queue.length).toBe(1)
  })
})

describe('shutdown', () => {
  test('get does not hang after shutDown', async () => {
    const queue = createQueue()
    queue.shutDown()
    expect(await queue.get()).toBeUndefined()
    expect(await queue.get()).toBeUndefined()
  })

  test('all waiting getters return at shutdown', async () => {
    const queue = createQueue()
    const getters = Array.from({ length: 20 }, () => queue.get())
    queue.shutDown()
    expect(await Promise.all(getters)).toEqual(Array.from({ length: 20 }, () => undefined))
  })

  test('no deadlock when keys are being handed out to waiting getters at the moment of shutdown', async () => {
    const queue = createQueue()
    const getters = [queue.get(), queue.get(), queue.get()]
    queue.add('a')
    queue.add('b')
    queue.shutDown()
    expect((await Promise.all(getters)).map((lease) => lease?.key)).toEqual(['a', 'b', undefined])
    await turnOfTheLoop()
  })

  test('what was there before shutdown is still handed out, what is added later is ignored', async () => {
    const queue = createQueue()
    queue.add('a')
    queue.shutDown()
    queue.add('b')
    expect(queue.isShutDown).toBe(true)
    expect(await takeAll(queue)).toEqual(['a'])
    expect(await queue.get()).toBeUndefined()
  })

  test('a key added while it ran is handed out to its worker after shutdown', async () => {
    const queue = createQueue()
    queue.add('a')
    const lease = await queue.get()
    queue.add('a')
    queue.shutDown()
    expect(await queue.get()).toBeUndefined()
    lease?.done()
    expect((await queue.get())?.key).toBe('a')
  })

  test('a drain resolves when every key has been run, those added while they ran included', async () => {
    const queue = createQueue()
    const ran: string[] = []
    queue.add('a')
    queue.add('b')
    const first = await queue.get()
    queue.add('a')
    let drained = false
    const drain = queue.shutDownWithDrain().then(() => {
      drained = true
    })
    first?.done()
    await turnOfTheLoop()
    expect(drained).toBe(false)
    for await (const { key } of queue.leases()) ran.push(key)
    await drain
    expect(ran).toEqual(['b', 'a'])
  })

  test('a drain goes on while keys are ready, even when nothing runs at the moment', async () => {
    const queue = createQueue()
    queue.add('a')
    queue.add('b')
    const first = await queue.get()
    let drained = false
    const drain = queue.shutDownWithDrain().then(() => {
      drained = true
    })
    first?.done()
    await turnOfTheLoop()
    expect(drained).toBe(false)
    const second = await queue.get()
    second?.done()
    await drain
    expect(drained).toBe(true)
  })

  test('a drain of an idle queue resolves at once', async () => {
    await expect(createQueue().shutDownWithDrain()).resolves.toBeUndefined()
  })

  test('shutDown ends the wait for a drain that a stuck worker holds up', async () => {
    const queue = createQueue()
    queue.add('stuck')
    await queue.get()
    const drains = [queue.shutDownWithDrain(), queue.shutDownWithDrain()]
    queue.shutDown()
    expect(await Promise.all(drains)).toHaveLength(2)
  })
})

describe('reports', () => {
  function countingMetrics() {
    const seen = {
      adds: 0,
      retries: 0,
      depth: new Map<number, number>(),
      queueSeconds: [] as number[],
      workSeconds: [] as number[],
    }
    const metrics: QueueMetrics = {
      added: () => seen.adds++,
      depthChanged: (priority, by) => seen.depth.set(priority, (seen.depth.get(priority) ?? 0) + by),
      queueDuration: (seconds) => seen.queueSeconds.push(seconds),
      workDuration: (seconds) => seen.workSeconds.push(seconds),
      retried: () => seen.retries++,
    }
    return { seen, metrics }
  }

  test('adds that merge are counted once, and the depth follows the priority of each key', async () => {
    const { seen, metrics } = countingMetrics()
    const queue = createQueue({ metrics })
    queue.add('a', { priority: 1 })
    queue.add('a', { priority: 2 })
    queue.add('b')
    expect(seen.adds).toBe(2)
    expect(Object.fromEntries(seen.depth)).toEqual({ 0: 1, 1: 0, 2: 1 })
    await takeAll(queue)
    expect(Object.fromEntries(seen.depth)).toEqual({ 0: 0, 1: 0, 2: 0 })
  })

  test('a key that was added while it runs counts in the depth', async () => {
    const { seen, metrics } = countingMetrics()
    const queue = createQueue({ metrics })
    queue.add('a')
    await take(queue)
    queue.add('a')
    expect(seen.adds).toBe(2)
    expect(seen.depth.get(0)).toBe(1)
  })

  test('the time in the queue and the time at work are told in seconds', async () => {
    const { seen, metrics } = countingMetrics()
    const time = settableClock()
    const queue = createQueue({ metrics, clock: time.clock })
    queue.add('a')
    time.nowMs = 1500
    queue.add('a')
    const lease = await take(queue)
    time.nowMs = 4000
    lease?.done()
    expect(seen.queueSeconds).toEqual([1.5])
    expect(seen.workSeconds).toEqual([2.5])
  })

  test('unfinished work tells the sum and the longest of what runs', async () => {
    const time = settableClock()
    const queue = createQueue({ clock: time.clock })
    expect(queue.unfinishedWork()).toEqual({ totalSeconds: 0, longestSeconds: 0 })
    queue.add('a')
    const first = await take(queue)
    time.nowMs = 2000
    queue.add('b')
    await take(queue)
    time.nowMs = 3000
    expect(queue.unfinishedWork()).toEqual({ totalSeconds: 4, longestSeconds: 3 })
    first?.done()
    expect(queue.unfinishedWork()).toEqual({ totalSeconds: 1, longestSeconds: 1 })
  })
})

describe('mistakes', () => {
  test('a key that is no string needs idOf, and the error says so', () => {
    // @ts-expect-error The types say it first; JavaScript gets here.
    const queue = createQueue<{ name: string }>()
    expect(() => queue.add({ name: 'foo' })).toThrow(InvalidQueueKeyError)
    expect(() => queue.add({ name: 'foo' })).toThrow(/idOf/)
    expect(queue.length).toBe(0)
  })

  test('an idOf that finds no string is refused', () => {
    // A field that the type promises and the data lacks.
    const queue = createQueue({ idOf: (key: { name: string }) => key.name })
    expect(() => queue.add({} as { name: string })).toThrow(
      expect.objectContaining({ code: 'KW_QUEUE_INVALID_KEY' }),
    )
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 0.5, 'high'])('the priority %s is refused', (priority) => {
    const queue = createQueue()
    // What JavaScript without types can do.
    expect(() => queue.add('a', { priority: priority as number })).toThrow(InvalidPriorityError)
    expect(queue.length).toBe(0)
  })
})
