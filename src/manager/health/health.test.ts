import { describe, expect, test } from 'vitest'
import { type Clock, systemClock, type Timer } from '../../base/index.js'
import type { InformerHealth } from '../../cache/index.js'
import type { Logger } from '../../observe/index.js'
import type { HttpAnswer } from '../http/http-handler.js'
import { createHealth, type Health, InvalidHealthCheckError } from './health.js'
import { createHealthServer } from './health-server.js'
import { createLoopLagMonitor } from './loop-lag.js'
import { eventLoopResponsive, informersActive, informersSynced, leaseRenewed } from './standard-checks.js'

function ask(health: Health, target: string): Promise<HttpAnswer> {
  const [path = '', query = ''] = target.split('?')
  return health.handler({
    method: 'GET',
    path,
    query: new URLSearchParams(query),
    headers: {},
    signal: new AbortController().signal,
  })
}

function fakeClock() {
  let nowMs = 0
  const timers = new Set<{ atMs: number; callback: () => void }>()
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback): Timer {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.add(timer)
      return { cancel: () => timers.delete(timer) }
    },
  }
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms
    for (const timer of timers) if (timer.atMs <= nowMs && timers.delete(timer)) timer.callback()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, timers, advance }
}

const fails = (): void => {
  throw new Error('the password is hunter2')
}
const passes = (): void => {}

describe('the endpoints', () => {
  test('without checks all is well', async () => {
    const health = createHealth()
    expect(await ask(health, '/healthz')).toMatchObject({ status: 200, body: 'ok\n' })
    expect(await ask(health, '/readyz?verbose')).toMatchObject({
      status: 200,
      body: '[+]ping ok\nreadyz check passed\n',
    })
    expect(await ask(health, '/readyz/ping')).toMatchObject({ status: 200 })
  })

  test('a failed check makes 500, lists which one, and says why only in the log', async () => {
    const errors: unknown[] = []
    const log: Logger = {
      debug: () => {},
      info: () => {},
      warn: (_, fields) => errors.push(fields),
      error: () => {},
      with: () => log,
    }
    const health = createHealth({ log })
    health.addCheck('healthz', 'disk', passes)
    health.addCheck('healthz', 'database', fails)
    expect(await ask(health, '/healthz')).toMatchObject({
      status: 500,
      body: '[+]disk ok\n[-]database failed: reason withheld\nhealthz check failed\n',
    })
    expect(await ask(health, '/healthz/database')).toMatchObject({
      status: 500,
      body: 'failed: reason withheld\n',
    })
    expect(errors[0]).toMatchObject({ check: 'database', error: new Error('the password is hunter2') })
    expect(await ask(health, '/readyz')).toMatchObject({ status: 200 })
  })

  test('each check has a path of its own', async () => {
    const health = createHealth()
    health.addCheck('readyz', 'informers', passes)
    expect(await ask(health, '/readyz/informers')).toMatchObject({ status: 200, body: 'ok\n' })
    expect(await ask(health, '/readyz/informers?verbose')).toMatchObject({ status: 200 })
    expect(await ask(health, '/readyz/')).toMatchObject({ status: 200 })
    for (const path of [
      '/readyz/other',
      '/readyz/informers/x',
      '/healthz/informers',
      '/',
      '/metrics',
      '//healthz',
    ])
      expect([path, (await ask(health, path)).status]).toEqual([path, 404])
  })

  test('checks can be left out, and a name that does not exist is pointed at', async () => {
    const health = createHealth()
    health.addCheck('readyz', 'a', passes)
    health.addCheck('readyz', 'b', fails)
    health.addCheck('readyz', 'c', fails)
    expect(await ask(health, '/readyz?verbose&exclude=b&exclude=c&exclude=z')).toMatchObject({
      status: 200,
      body:
        '[+]a ok\n[+]b excluded: ok\n[+]c excluded: ok\n' +
        'warn: some checks that were excluded do not exist\nreadyz check passed\n',
    })
    expect((await ask(health, '/readyz?exclude=b')).status).toBe(500)
  })

  test('a check that hangs is answered for in time, is told so, and never runs twice at once', async () => {
    const { clock, advance } = fakeClock()
    const health = createHealth({ clock, checkTimeoutMs: 2_000 })
    const signals: AbortSignal[] = []
    let finish = (): void => {}
    health.addCheck('healthz', 'slow', (signal) => {
      signals.push(signal)
      return new Promise((resolve) => {
        finish = resolve
      })
    })
    const first = ask(health, '/healthz')
    await advance(2_000)
    expect(await first).toMatchObject({ status: 500 })
    const second = ask(health, '/healthz')
    await advance(2_000)
    expect(await second).toMatchObject({ status: 500 })
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
    const third = ask(health, '/healthz')
    finish()
    expect(await third).toMatchObject({ status: 200 })
  })

  test.each([
    ['taken', 'there is one of that name'],
    ['a/b', 'letters, digits'],
    ['', 'letters, digits'],
    ['../x', 'letters, digits'],
  ])('the name %j cannot be added', (name, problem) => {
    const health = createHealth()
    health.addCheck('healthz', 'taken', passes)
    expect(() => health.addCheck('healthz', name, passes)).toThrow(InvalidHealthCheckError)
    expect(() => health.addCheck('healthz', name, passes)).toThrow(problem)
  })

  test('are served over HTTP, also while a check hangs', async () => {
    const health = createHealth({ checkTimeoutMs: 50 })
    health.addCheck('readyz', 'stuck', () => new Promise(() => {}))
    const server = createHealthServer({ address: '127.0.0.1:0', health })
    const abort = new AbortController()
    const run = server.run(abort.signal)
    await server.ready(abort.signal)
    const url = `http://127.0.0.1:${server.port}`
    const [ready, alive] = await Promise.all([fetch(`${url}/readyz`), fetch(`${url}/healthz`)])
    expect([ready.status, alive.status, await alive.text()]).toEqual([500, 200, 'ok\n'])
    abort.abort()
    await run
  })
})

describe('standard checks', () => {
  const informer = (change: Partial<InformerHealth>): InformerHealth => ({
    description: 'pods in ops',
    synced: true,
    objects: 0,
    resourceVersion: '1',
    lastActivityMs: 0,
    failure: undefined,
    ...change,
  })
  const signal = new AbortController().signal

  test('informers that have not been filled are not ready, with what hinders them', () => {
    const failure = { reason: 'rejected', error: new Error('foos is forbidden') } as const
    const health = [informer({}), informer({ synced: false, description: 'foos in ops', failure })]
    expect(() => informersSynced({ health })(signal)).toThrow(
      'Not filled yet: foos in ops (rejected: foos is forbidden).',
    )
    expect(() => informersSynced({ health: [informer({})] })(signal)).not.toThrow()
    expect(() => informersSynced({ health: [] })(signal)).not.toThrow()
  })

  test('informers that have heard nothing for too long are not active', async () => {
    const { clock, advance } = fakeClock()
    const check = informersActive({ health: [informer({})] }, { clock, maxSilenceMs: 60_000 })
    await advance(60_000)
    expect(() => check(signal)).not.toThrow()
    await advance(1)
    expect(() => check(signal)).toThrow('Nothing heard for 60000 ms: pods in ops.')
  })

  test('the lease is judged by its elector', () => {
    const tolerances: (number | undefined)[] = []
    const elector = { checkHealth: (toleranceMs?: number) => void tolerances.push(toleranceMs) }
    void leaseRenewed(elector, 7)(signal)
    expect(tolerances).toEqual([7])
  })

  test('a blocked event loop is noticed, remembered for a while, then forgotten', async () => {
    const { clock, advance, timers } = fakeClock()
    const monitor = createLoopLagMonitor({ clock, intervalMs: 500, windowMs: 30_000 })
    const check = eventLoopResponsive(monitor)
    const abort = new AbortController()
    const run = monitor.run(abort.signal)
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += 500) await advance(500)
    }
    await pass(10_000)
    expect(monitor.worstLagMs()).toBe(0)
    await advance(8_500)
    expect(monitor.worstLagMs()).toBe(8_000)
    expect(() => check(signal)).toThrow('The event loop was blocked for 8000 ms.')
    await pass(25_000)
    expect(() => check(signal)).toThrow('blocked for 8000 ms')
    await pass(40_000)
    expect(() => check(signal)).not.toThrow()
    abort.abort()
    await run
    expect(timers.size).toBe(0)
  })

  test('a block that has not ended for the timers counts as well', async () => {
    let nowMs = 0
    const clock: Clock = { ...systemClock, monotonic: () => nowMs, setTimer: () => ({ cancel: () => {} }) }
    const monitor = createLoopLagMonitor({ clock })
    const abort = new AbortController()
    const run = monitor.run(abort.signal)
    nowMs = 6_500
    expect(monitor.worstLagMs()).toBe(6_000)
    abort.abort()
    await run
    expect(createLoopLagMonitor({ clock }).worstLagMs()).toBe(0)
  })
})
