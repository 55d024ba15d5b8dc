import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sleep } from '../base/index.js'
import { createFakeClock } from './fake-clock.js'

describe('a fake clock', () => {
  test('stands still until it is moved, and moves both of its hands', async () => {
    const clock = createFakeClock({ now: 1000, monotonic: 5 })
    expect([clock.now(), clock.monotonic()]).toEqual([1000, 5])
    await clock.advance(250)
    expect([clock.now(), clock.monotonic()]).toEqual([1250, 255])
  })

  test('fires timers in order, each at its own time', async () => {
    const clock = createFakeClock()
    const fired: string[] = []
    const note = (name: string) => () => void fired.push(`${name} at ${clock.monotonic()}`)
    clock.setTimer(20, note('c'))
    clock.setTimer(10, note('a'))
    clock.setTimer(10, note('b'))
    clock.setTimer(31, note('late'))
    await clock.advance(30)
    expect(fired).toEqual(['a at 10', 'b at 10', 'c at 20'])
    expect(clock.pendingTimers).toBe(1)
    await clock.advance(1)
    expect(fired.at(-1)).toBe('late at 31')
    expect(clock.pendingTimers).toBe(0)
  })

  test('timers that are set by timers and by promises take part', async () => {
    const clock = createFakeClock()
    const woken: number[] = []
    const work = (async () => {
      for (let round = 0; round < 3; round++) {
        await sleep(clock, 100)
        await Promise.resolve().then(() => Promise.resolve())
        woken.push(clock.monotonic())
      }
    })()
    await clock.advance(1000)
    await work
    expect(woken).toEqual([100, 200, 300])
    expect(clock.monotonic()).toBe(1000)
  })

  test('a timer of a year fires without a wait', async () => {
    const clock = createFakeClock()
    let fired = 0
    clock.setTimer(365 * 86_400_000, () => fired++)
    await clock.advance(365 * 86_400_000 - 1)
    expect(fired).toBe(0)
    await clock.advance(1)
    expect(fired).toBe(1)
  })

  test('a timer never fires within the call that sets it, and fires at once when its delay is over', async () => {
    const clock = createFakeClock()
    let fired = 0
    clock.setTimer(0, () => fired++)
    clock.setTimer(-5, () => fired++)
    expect(fired).toBe(0)
    await clock.advance(0)
    expect(fired).toBe(2)
  })

  test('a cancelled timer does not fire, cancelled twice or too late included', async () => {
    const clock = createFakeClock()
    let fired = 0
    const first = clock.setTimer(10, () => fired++)
    const second = clock.setTimer(10, () => first.cancel())
    clock.setTimer(5, () => first.cancel())
    await clock.advance(20)
    first.cancel()
    second.cancel()
    expect(fired).toBe(0)
    expect(clock.pendingTimers).toBe(0)
  })

  test('what a callback throws comes out of advance, and the clock goes on', async () => {
    const clock = createFakeClock()
    clock.setTimer(10, () => {
      throw new Error('in a timer')
    })
    let fired = 0
    clock.setTimer(20, () => fired++)
    await expect(clock.advance(30)).rejects.toThrow('in a timer')
    await clock.advance(20)
    expect(fired).toBe(1)
  })

  test('timers that set timers without a delay, for ever, are reported instead of a test that hangs', async () => {
    const clock = createFakeClock()
    const again = (): void => void clock.setTimer(0, again)
    again()
    await expect(clock.advance(10)).rejects.toMatchObject({ code: 'KW_RUNAWAY_TIMERS' })
  })

  test('two advances at once come one after the other', async () => {
    const clock = createFakeClock()
    const at: number[] = []
    clock.setTimer(10, () => at.push(clock.monotonic()))
    clock.setTimer(15, () => at.push(clock.monotonic()))
    await Promise.all([clock.advance(10), clock.advance(10)])
    expect(at).toEqual([10, 15])
    expect(clock.monotonic()).toBe(20)
  })

  test('a delay that is not a number is refused, as by the real clock', () => {
    const clock = createFakeClock()
    expect(() => clock.setTimer(Number.NaN, () => {})).toThrow(
      expect.objectContaining({ code: 'KW_INVALID_DELAY' }),
    )
    expect(() => clock.advance(Number.NaN)).toThrow(expect.objectContaining({ code: 'KW_INVALID_DELAY' }))
  })

  test('fires every timer exactly once, sorted, for any set of delays', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 50 }), { maxLength: 20 }),
        fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
        async (delays, steps) => {
          const clock = createFakeClock()
          const fired: number[] = []
          for (const delay of delays) clock.setTimer(delay, () => fired.push(clock.monotonic()))
          for (const step of steps) await clock.advance(step)
          const elapsed = steps.reduce((sum, step) => sum + step, 0)
          const due = steps.length === 0 ? [] : delays.filter((delay) => delay <= elapsed)
          expect(fired).toEqual(due.toSorted((left, right) => left - right))
          expect(clock.pendingTimers).toBe(delays.length - due.length)
        },
      ),
    )
  })
})
