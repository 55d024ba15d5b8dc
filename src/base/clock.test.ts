import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Clock, sleep, systemClock, yieldToEventLoop } from './clock.js'

const day = 86_400_000

describe('systemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(performance, 'now').mockImplementation(() => Date.now() - startedAt)
    startedAt = Date.now()
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })
  let startedAt = 0

  test('a timer of 30 days fires after 30 days, not at once', () => {
    let fired = 0
    systemClock.setTimer(30 * day, () => fired++)
    vi.advanceTimersByTime(30 * day - 1)
    expect(fired).toBe(0)
    vi.advanceTimersByTime(1)
    expect(fired).toBe(1)
    vi.advanceTimersByTime(60 * day)
    expect(fired).toBe(1)
  })

  test('a timer of a year passes through many links and fires once', () => {
    let fired = 0
    systemClock.setTimer(365 * day, () => fired++)
    vi.advanceTimersByTime(365 * day - 1)
    expect(fired).toBe(0)
    vi.advanceTimersByTime(1)
    expect(fired).toBe(1)
  })

  test('a long timer can be cancelled in its second link', () => {
    let fired = 0
    const timer = systemClock.setTimer(30 * day, () => fired++)
    vi.advanceTimersByTime(29 * day)
    timer.cancel()
    timer.cancel()
    vi.advanceTimersByTime(30 * day)
    expect(fired).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a timer of infinite length never fires and can be cancelled', () => {
    let fired = 0
    const timer = systemClock.setTimer(Number.POSITIVE_INFINITY, () => fired++)
    vi.advanceTimersByTime(100 * day)
    expect(fired).toBe(0)
    timer.cancel()
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([[0], [-5], [Number.NEGATIVE_INFINITY]])('a delay of %d fires in a later turn', (delayMs) => {
    let fired = 0
    systemClock.setTimer(delayMs, () => fired++)
    expect(fired).toBe(0)
    vi.advanceTimersByTime(1)
    expect(fired).toBe(1)
  })

  test('a delay that is not a number is refused with a code', () => {
    expect(() => systemClock.setTimer(Number.NaN, () => {})).toThrow(
      expect.objectContaining({ code: 'KW_INVALID_DELAY' }),
    )
    expect(vi.getTimerCount()).toBe(0)
  })

  test('cancelling after it fired does nothing', () => {
    let fired = 0
    const timer = systemClock.setTimer(5, () => fired++)
    vi.advanceTimersByTime(5)
    timer.cancel()
    expect(fired).toBe(1)
  })
})

test('a background timer does not keep the process alive', () => {
  const unref = vi.fn<() => void>()
  const spy = vi.spyOn(globalThis, 'setTimeout').mockReturnValue({ unref } as never)
  try {
    systemClock.setTimer(1000, () => {}, { background: true })
    expect(unref).toHaveBeenCalledTimes(1)
    systemClock.setTimer(1000, () => {})
    expect(unref).toHaveBeenCalledTimes(1)
  } finally {
    spy.mockRestore()
  }
})

test('the wall clock tells the time and the monotonic one never goes back', () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000)
  const first = systemClock.monotonic()
  expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first)
})

test('yieldToEventLoop lets what is ready run first', async () => {
  const order: string[] = []
  setImmediate(() => order.push('other work'))
  await yieldToEventLoop()
  order.push('long loop')
  expect(order).toEqual(['other work', 'long loop'])
})

describe('sleep', () => {
  /** Holds its timers until they are fired by hand. */
  function handClock(): Clock & { fire(): void; pending(): number } {
    const callbacks = new Set<() => void>()
    return {
      now: () => 0,
      monotonic: () => 0,
      setTimer(_delayMs, callback) {
        callbacks.add(callback)
        return { cancel: () => void callbacks.delete(callback) }
      },
      fire() {
        for (const callback of callbacks) {
          callbacks.delete(callback)
          callback()
        }
      },
      pending: () => callbacks.size,
    }
  }

  test('resolves when its timer fires', async () => {
    const clock = handClock()
    const slept = sleep(clock, 1000)
    expect(clock.pending()).toBe(1)
    clock.fire()
    await expect(slept).resolves.toBeUndefined()
  })

  test('rejects with the reason of the signal and gives back its timer', async () => {
    const clock = handClock()
    const controller = new AbortController()
    const slept = sleep(clock, 1000, controller.signal)
    controller.abort(new Error('stop'))
    await expect(slept).rejects.toThrow('stop')
    expect(clock.pending()).toBe(0)
  })

  test('sets no timer when the signal has aborted before', async () => {
    const clock = handClock()
    await expect(sleep(clock, 1000, AbortSignal.abort())).rejects.toMatchObject({ code: 'KW_ABORTED' })
    expect(clock.pending()).toBe(0)
  })

  test('rejects when the delay is not a number', async () => {
    await expect(sleep(systemClock, Number.NaN)).rejects.toMatchObject({ code: 'KW_INVALID_DELAY' })
  })
})
