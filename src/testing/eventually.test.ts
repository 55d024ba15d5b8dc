import { describe, expect, test } from 'vitest'
import { eventually } from './eventually.js'
import { createFakeClock } from './fake-clock.js'

/** Taken before the clock moves, so that the rejection is never without a handler. */
function failureOf(result: Promise<unknown>): Promise<unknown> {
  return result.then(
    () => undefined,
    (error: unknown) => error,
  )
}

describe('eventually', () => {
  test('returns what the assertion returns as soon as it passes', async () => {
    const clock = createFakeClock()
    let tries = 0
    const result = eventually(
      async () => {
        tries++
        expect(tries).toBeGreaterThan(2)
        return tries
      },
      { clock, intervalMs: 100 },
    )
    await clock.advance(199)
    expect(tries).toBe(2)
    await clock.advance(1)
    await expect(result).resolves.toBe(3)
    expect(clock.pendingTimers).toBe(0)
  })

  test('a plain function will do, and passes at once', async () => {
    await expect(eventually(() => 'yes')).resolves.toBe('yes')
  })

  test('gives up after the timeout with the last failure and how long it tried', async () => {
    const clock = createFakeClock()
    let tries = 0
    const result = eventually(
      () => {
        tries++
        throw new Error(`still ${tries}`)
      },
      { clock, timeoutMs: 1000, intervalMs: 300 },
    )
    const failure = failureOf(result)
    await clock.advance(1000)
    expect(await failure).toMatchObject({
      code: 'KW_EVENTUALLY_TIMEOUT',
      message: 'Not true after 1000 ms and 4 tries: still 4',
      tries: 4,
      elapsedMs: 1000,
      cause: new Error('still 4'),
    })
    expect(clock.pendingTimers).toBe(0)
  })

  test('an assertion that hangs is given up and told to stop', async () => {
    const clock = createFakeClock()
    let seen: AbortSignal | undefined
    const result = eventually(
      (signal) => {
        seen = signal
        return new Promise(() => {})
      },
      { clock, timeoutMs: 500 },
    )
    const failure = failureOf(result)
    await clock.advance(500)
    expect(await failure).toMatchObject({
      message: 'Not true after 500 ms and 1 try: the first try did not finish',
    })
    expect(seen?.aborted).toBe(true)
  })

  test('the signal of the caller stops it with its own reason', async () => {
    const clock = createFakeClock()
    const controller = new AbortController()
    const result = eventually(() => Promise.reject(new Error('not yet')), {
      clock,
      signal: controller.signal,
    })
    const failure = failureOf(result)
    await clock.advance(100)
    controller.abort(new Error('test is over'))
    expect(await failure).toMatchObject({ message: 'test is over' })
    expect(clock.pendingTimers).toBe(0)
  })

  test('does not try at all when the signal has aborted before', async () => {
    let tries = 0
    await expect(eventually(() => tries++, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow(
      'over',
    )
    expect(tries).toBe(0)
  })
})
