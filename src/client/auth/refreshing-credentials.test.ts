import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { bearerCredentials } from './credentials.js'
import { createRefreshingCredentials, type LoadedCredentials } from './refreshing-credentials.js'

interface Load {
  readonly signal: AbortSignal
  resolve(loaded: LoadedCredentials): void
  reject(error: Error): void
}

/** A source whose loads the test answers by hand, and whose time the test moves. */
function setUp(onFailure: 'keep' | 'throw' = 'throw', repeatPauseMs = 0) {
  let nowMs = 0
  const loads: Load[] = []
  const warnings: string[] = []
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs }
  const log: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  const source = createRefreshingCredentials({
    what: 'a secret',
    onFailure,
    repeatPauseMs,
    clock,
    log,
    load: (signal) => new Promise((resolve, reject) => loads.push({ signal, resolve, reject })),
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    source,
    loads,
    warnings,
    settle,
    advance: (ms: number) => {
      nowMs += ms
    },
    /** Starts a get, answers the load that it causes, and returns what it got. */
    load: async (token: string, freshForMs = Number.POSITIVE_INFINITY) => {
      const before = loads.length
      const result = source.get()
      await settle()
      expect(loads.length).toBe(before + 1)
      const loadedAtMs = nowMs
      loads[before]?.resolve({
        credentials: bearerCredentials(token),
        isFresh: () => nowMs - loadedAtMs < freshForMs,
      })
      return result
    },
  }
}

test('fresh credentials are handed out without loading again', async () => {
  const { source, loads, load } = setUp()
  const first = await load('a')
  expect(await source.get()).toBe(first)
  expect(loads).toHaveLength(1)
})

test('stale credentials are loaded again', async () => {
  const { load, advance } = setUp()
  await load('a', 1_000)
  advance(1_000)
  expect((await load('b')).authorization).toBe('Bearer b')
})

test('everybody who asks at the same time shares one load', async () => {
  const { source, loads, settle } = setUp()
  const asking = [source.get(), source.get(), source.get()]
  await settle()
  expect(loads).toHaveLength(1)
  loads[0]?.resolve({ credentials: bearerCredentials('a'), isFresh: () => true })
  const [first, ...others] = await Promise.all(asking)
  expect(others.every((other) => other === first)).toBe(true)
})

test('N parallel refusals cause one load', async () => {
  const { source, loads, load } = setUp()
  const refused = await load('a')
  expect(source.refused(refused)).toBe(true)
  const renewed = await load('b')
  for (let n = 0; n < 5; n += 1) expect(source.refused(refused)).toBe(true)
  expect(await source.get()).toBe(renewed)
  expect(loads).toHaveLength(2)
})

test('parallel refusals cause one load even if it brings the same secret', async () => {
  const { source, loads, load } = setUp()
  const refused = await load('a')
  source.refused(refused)
  await load('a')
  for (let n = 0; n < 5; n += 1) {
    source.refused(refused)
    await source.get()
  }
  expect(loads).toHaveLength(2)
})

test('a secret that comes back unchanged after a refusal is not loaded again during the pause', async () => {
  const { source, loads, load, advance } = setUp('throw', 10_000)
  source.refused(await load('a'))
  const same = await load('a')
  expect(source.refused(same)).toBe(false)
  expect(await source.get()).toBe(same)
  expect(loads).toHaveLength(2)
  advance(10_000)
  expect(source.refused(same)).toBe(true)
  expect((await load('b')).authorization).toBe('Bearer b')
})

test('without a pause, each refusal of what is held causes a load', async () => {
  const { source, load } = setUp()
  source.refused(await load('a'))
  expect(source.refused(await load('a'))).toBe(true)
  expect((await load('b')).authorization).toBe('Bearer b')
})

test('an unchanged secret stays the same object, so that its connections stay in use', async () => {
  const { load, advance } = setUp()
  const first = await load('a', 1_000)
  advance(1_000)
  expect(await load('a', 1_000)).toBe(first)
})

test('a failed load reaches the caller, and the next caller tries again', async () => {
  const { source, loads, settle, load } = setUp('throw')
  const failing = source.get()
  await settle()
  loads[0]?.reject(new Error('no luck'))
  await expect(failing).rejects.toThrow('no luck')
  expect((await load('a')).authorization).toBe('Bearer a')
})

test('with keep, the old secret outlives a failed load, the failure is logged once and retried after a second', async () => {
  const { source, loads, warnings, settle, load, advance } = setUp('keep')
  const old = await load('a', 1_000)
  advance(1_000)
  for (const round of [1, 2]) {
    const result = source.get()
    await settle()
    expect(loads).toHaveLength(1 + round)
    loads[round]?.reject(new Error('half-written'))
    expect(await result).toBe(old)
    expect(await source.get()).toBe(old)
    advance(1_000)
  }
  expect(warnings).toEqual(['Cannot reload a secret: the old one stays in use.'])
  expect((await load('b')).authorization).toBe('Bearer b')
})

test('with keep, a refusal tries at once, even right after a failure', async () => {
  const { source, loads, settle, load, advance } = setUp('keep')
  const old = await load('a', 1_000)
  advance(1_000)
  const result = source.get()
  await settle()
  loads[1]?.reject(new Error('half-written'))
  await result
  expect(source.refused(old)).toBe(true)
  expect((await load('b')).authorization).toBe('Bearer b')
})

test('one caller that gives up leaves the load to the others', async () => {
  const { source, loads, settle } = setUp()
  const impatient = new AbortController()
  const gone = source.get(impatient.signal)
  const patient = source.get()
  await settle()
  impatient.abort(new Error('too slow'))
  await expect(gone).rejects.toThrow('too slow')
  expect(loads[0]?.signal.aborted).toBe(false)
  loads[0]?.resolve({ credentials: bearerCredentials('a'), isFresh: () => true })
  expect((await patient).authorization).toBe('Bearer a')
})

test('a load that nobody waits for is cancelled, and the next one starts after it has ended', async () => {
  const { source, loads, settle } = setUp()
  const impatient = new AbortController()
  const gone = source.get(impatient.signal)
  await settle()
  impatient.abort(new Error('too slow'))
  await expect(gone).rejects.toThrow('too slow')
  expect(loads[0]?.signal.aborted).toBe(true)

  const next = source.get()
  await settle()
  expect(loads).toHaveLength(1)
  // It ends with a result after all: nobody may see it.
  loads[0]?.resolve({ credentials: bearerCredentials('late'), isFresh: () => true })
  await settle()
  expect(loads).toHaveLength(2)
  loads[1]?.resolve({ credentials: bearerCredentials('b'), isFresh: () => true })
  expect((await next).authorization).toBe('Bearer b')
})

test('an aborted signal gets nothing, not even what is there', async () => {
  const { source, load } = setUp()
  await load('a')
  await expect(source.get(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped')
})
