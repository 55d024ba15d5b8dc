import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Clock, Timer } from '../base/index.js'
import type { Lease } from './lease.js'
import { createPriorityQueue } from './priority-queue.js'

const key = fc.constantFrom('a', 'b', 'c', 'd')
const priority = fc.constantFrom(-100, 0, 0, 7)
const ms = fc.constantFrom(0, 1, 10, 10, 50)
const kind = <K extends string>(name: K): fc.Arbitrary<K> => fc.constant(name)

const working = [
  { weight: 5, arbitrary: fc.record({ kind: kind('add'), key, priority }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('addAfter'), key, priority, ms }) },
  { weight: 5, arbitrary: fc.record({ kind: kind('get') }) },
  { weight: 5, arbitrary: fc.record({ kind: kind('done'), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('advance'), ms }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('abort'), pick: fc.nat() }) },
] as const
const shutDown = { weight: 1, arbitrary: fc.record({ kind: kind('shutDown') }) } as const

const steps = fc.array(fc.oneof(...working), { maxLength: 80, size: 'max' })
const stepsWithShutDown = fc.array(fc.oneof(...working, shutDown), { maxLength: 80, size: 'max' })
const perTurn = fc.integer({ min: 1, max: 6 })
type Step = typeof stepsWithShutDown extends fc.Arbitrary<(infer S)[]> ? S : never

type Happening =
  | { kind: 'added'; key: string; delayed: boolean }
  | { kind: 'got'; key: string }
  | { kind: 'gave back'; key: string }
  | { kind: 'shut down' }

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A queue, its getters and its holders, driven by steps; tells what happened in which order. */
function createBench() {
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
  const advance = (byMs: number): void => {
    nowMs += byMs
    for (const [timer, { atMs, callback }] of timers) {
      if (atMs > nowMs) continue
      timers.delete(timer)
      callback()
    }
  }

  const queue = createPriorityQueue({ clock })
  const history: Happening[] = []
  const held: Lease<string>[] = []
  const waiting = new Set<AbortController>()

  const get = (): void => {
    const controller = new AbortController()
    waiting.add(controller)
    void queue.get(controller.signal).then((lease) => {
      waiting.delete(controller)
      if (lease === undefined) return
      held.push(lease)
      history.push({ kind: 'got', key: lease.key })
    })
  }
  const giveBack = (pick: number): void => {
    const [lease] = held.splice(pick % held.length, 1)
    if (lease === undefined) return
    history.push({ kind: 'gave back', key: lease.key })
    lease.done()
  }

  const act = (step: Step): void => {
    switch (step.kind) {
      case 'add':
        history.push({ kind: 'added', key: step.key, delayed: false })
        return queue.add(step.key, step)
      case 'addAfter':
        history.push({ kind: 'added', key: step.key, delayed: step.ms > 0 })
        return queue.addAfter(step.key, step.ms, step)
      case 'get':
        return get()
      case 'done':
        return giveBack(step.pick)
      case 'advance':
        return advance(step.ms)
      case 'abort':
        return [...waiting][step.pick % waiting.size]?.abort()
      case 'shutDown':
        history.push({ kind: 'shut down' })
        return queue.shutDown()
    }
  }

  /** Lets every delay pass and works until nothing is left. */
  const finish = async (): Promise<void> => {
    for (;;) {
      advance(1_000_000)
      await turnOfTheLoop()
      if (queue.length === 0 && held.length === 0) return
      if (waiting.size === 0) get()
      giveBack(0)
    }
  }
  return { queue, history, held, waiting, timers, act, finish, now: () => nowMs }
}

/** Runs the steps, so many of them in each turn of the loop. */
async function run(steps: readonly Step[], perTurn: number) {
  const bench = createBench()
  for (const [at, step] of steps.entries()) {
    bench.act(step)
    if (at % perTurn === 0) await turnOfTheLoop()
  }
  await turnOfTheLoop()
  return bench
}

test('no key ever has two holders', async () => {
  await fc.assert(
    fc.asyncProperty(stepsWithShutDown, perTurn, async (steps, perTurn) => {
      const { history } = await run(steps, perTurn)
      const holding = new Set<string>()
      const doublyHeld: string[] = []
      for (const { kind, ...happening } of history) {
        const key = 'key' in happening ? happening.key : ''
        if (kind === 'got' && holding.has(key)) doublyHeld.push(key)
        if (kind === 'got') holding.add(key)
        if (kind === 'gave back') holding.delete(key)
      }
      expect(doublyHeld).toEqual([])
    }),
  )
})

test('after every add, delayed or not, the key is got once more', async () => {
  await fc.assert(
    fc.asyncProperty(steps, perTurn, async (steps, perTurn) => {
      const { history, finish } = await run(steps, perTurn)
      await finish()
      const lastAdd = new Map<string, number>()
      const lastGet = new Map<string, number>()
      for (const [at, happening] of history.entries()) {
        if (happening.kind === 'added') lastAdd.set(happening.key, at)
        if (happening.kind === 'got') lastGet.set(happening.key, at)
      }
      for (const [key, at] of lastAdd) expect(lastGet.get(key)).toBeGreaterThan(at)
    }),
  )
})

test('a key is never got more often than it was added', async () => {
  await fc.assert(
    fc.asyncProperty(steps, perTurn, async (steps, perTurn) => {
      const { history, finish } = await run(steps, perTurn)
      await finish()
      const balance = new Map<string, number>()
      for (const happening of history) {
        if (happening.kind !== 'added' && happening.kind !== 'got') continue
        const change = happening.kind === 'added' ? 1 : -1
        balance.set(happening.key, (balance.get(happening.key) ?? 0) + change)
        expect(balance.get(happening.key)).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})

test('shutdown loses no key that was there, accepts no other, and leaves no getter and no timer', async () => {
  await fc.assert(
    fc.asyncProperty(steps, perTurn, steps, async (before, perTurn, after) => {
      const bench = await run(before, perTurn)
      bench.act({ kind: 'shutDown' })
      const due = new Set<string>()
      for (const happening of bench.history) {
        if (happening.kind === 'added' && !happening.delayed) due.add(happening.key)
        if (happening.kind === 'got') due.delete(happening.key)
      }
      await turnOfTheLoop()
      expect(bench.waiting.size).toBe(0)
      for (const step of after) {
        bench.act(step)
        await turnOfTheLoop()
        expect(bench.waiting.size).toBe(0)
        expect(bench.timers.size).toBe(0)
      }
      await bench.finish()
      const late = bench.history.slice(bench.history.findIndex(({ kind }) => kind === 'shut down'))
      const got = late.flatMap((happening) => (happening.kind === 'got' ? [happening.key] : []))
      // At most once more each, although the steps went on adding.
      expect(new Set(got).size).toBe(got.length)
      for (const key of due) expect(got).toContain(key)
    }),
  )
})

interface Entry {
  priority: number
  /** Order of adding, or of becoming ready. */
  order: number
  /** Absent: ready. */
  readyAtMs?: number
}

/** The promises again, without efficiency: one entry a key, searched from end to end. */
function createModel() {
  const entries = new Map<string, Entry>()
  const holding = new Set<string>()
  let order = 0

  return {
    holding,
    add(key: string, priority: number, readyAtMs?: number): void {
      const present = entries.get(key)
      const entry: Entry = present ?? {
        priority,
        order: order++,
        ...(readyAtMs !== undefined && { readyAtMs }),
      }
      entries.set(key, entry)
      if (present === undefined) return
      const becomesReady = present.readyAtMs !== undefined && readyAtMs === undefined
      if (becomesReady) delete entry.readyAtMs
      else if (present.readyAtMs !== undefined && readyAtMs !== undefined)
        entry.readyAtMs = Math.min(present.readyAtMs, readyAtMs)
      const isRaised = priority > present.priority
      entry.priority = Math.max(present.priority, priority)
      // A wait has no place in the line yet; the time decides, and equal times keep the order of their calls.
      if (becomesReady || (isRaised && entry.readyAtMs === undefined)) entry.order = order++
    },
    passTime(nowMs: number): void {
      const due = [...entries.values()].filter(
        ({ readyAtMs }) => readyAtMs !== undefined && readyAtMs <= nowMs,
      )
      due.sort((left, right) => (left.readyAtMs ?? 0) - (right.readyAtMs ?? 0) || left.order - right.order)
      for (const entry of due) {
        delete entry.readyAtMs
        entry.order = order++
      }
    },
    next(): { key: string; priority: number } | undefined {
      const ready = [...entries].filter(([key, entry]) => entry.readyAtMs === undefined && !holding.has(key))
      ready.sort(([, left], [, right]) => right.priority - left.priority || left.order - right.order)
      const [first] = ready
      if (first === undefined) return undefined
      const [key, entry] = first
      entries.delete(key)
      holding.add(key)
      return { key, priority: entry.priority }
    },
    length: (): number => [...entries.values()].filter(({ readyAtMs }) => readyAtMs === undefined).length,
  }
}

test('keys are handed out by priority, then by the time they were added or became ready', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const bench = createBench()
      const model = createModel()
      for (const step of steps) {
        const heldBefore = [...bench.held]
        bench.act(step)
        if (step.kind === 'add') model.add(step.key, step.priority)
        if (step.kind === 'addAfter')
          model.add(step.key, step.priority, step.ms === 0 ? undefined : bench.now() + step.ms)
        if (step.kind === 'advance') model.passTime(bench.now())
        for (const lease of heldBefore) if (!bench.held.includes(lease)) model.holding.delete(lease.key)
        await turnOfTheLoop()
        const got = bench.held.filter((lease) => !heldBefore.includes(lease))
        const expected = got.map(() => model.next())
        expect(got.map(({ key, priority }) => ({ key, priority }))).toEqual(expected)
        expect(bench.queue.length).toBe(model.length())
        // Whoever still waits has nothing to get.
        expect(bench.waiting.size > 0 ? model.next() : undefined).toBeUndefined()
      }
    }),
  )
})
