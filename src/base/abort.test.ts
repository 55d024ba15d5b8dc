import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AbortedError, abortReason, raceAbort, throwIfAborted } from './abort.js'

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown): void => {
  unhandled.push(reason)
}
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', onUnhandled)
})
afterEach(() => {
  process.off('unhandledRejection', onUnhandled)
})
/** Node reports unhandled rejections after the microtasks of a turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('abortReason', () => {
  test('gives the default reason a code and keeps it as the cause', () => {
    const error = abortReason(AbortSignal.abort())
    expect(error).toBeInstanceOf(AbortedError)
    expect(error).toMatchObject({ code: 'KW_ABORTED', cause: expect.any(DOMException) })
  })

  test('is the reason of the caller where that is an Error', () => {
    const reason = new Error('shutting down')
    expect(abortReason(AbortSignal.abort(reason))).toBe(reason)
  })

  test('makes an Error of any other reason', () => {
    expect(abortReason(AbortSignal.abort('stop')).message).toBe('stop')
    expect(abortReason(undefined)).toBeInstanceOf(AbortedError)
  })

  test('keeps the reason of a signal that timed out', () => {
    const timeout = new DOMException('too slow', 'TimeoutError')
    expect(abortReason(AbortSignal.abort(timeout))).toBe(timeout)
  })
})

describe('throwIfAborted', () => {
  test('throws the reason of an aborted signal and nothing otherwise', () => {
    expect(() => throwIfAborted(undefined)).not.toThrow()
    expect(() => throwIfAborted(new AbortController().signal)).not.toThrow()
    expect(() => throwIfAborted(AbortSignal.abort(new Error('stop')))).toThrow('stop')
  })
})

describe('raceAbort', () => {
  test('passes on the outcome of the promise', async () => {
    const { signal } = new AbortController()
    await expect(raceAbort(Promise.resolve(7), signal)).resolves.toBe(7)
    await expect(raceAbort(Promise.resolve(7), undefined)).resolves.toBe(7)
    await expect(raceAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
  })

  test('rejects with the reason as soon as the signal aborts', async () => {
    const controller = new AbortController()
    const raced = raceAbort(new Promise(() => {}), controller.signal)
    controller.abort(new Error('stop'))
    await expect(raced).rejects.toThrow('stop')
  })

  test('a promise that fails after the signal aborted is not an unhandled rejection', async () => {
    for (const abortFirst of [true, false]) {
      const controller = new AbortController()
      if (abortFirst) controller.abort(new Error('stop'))
      const work = withResolvers()
      const raced = raceAbort(work.promise, controller.signal)
      controller.abort(new Error('stop'))
      await expect(raced).rejects.toThrow('stop')
      work.reject(new Error('too late'))
    }
    await nextTurn()
    expect(unhandled).toEqual([])
  })

  test('leaves no listener behind', async () => {
    const controller = new AbortController()
    const added: unknown[] = []
    const removed: unknown[] = []
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      added.push(args[1])
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      removed.push(args[1])
      remove(...args)
    }
    await raceAbort(Promise.resolve(), signal)
    await nextTurn()
    expect(added).toHaveLength(1)
    expect(removed).toEqual(added)
  })
})

function withResolvers(): { promise: Promise<void>; reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((_resolve, rejectPromise) => {
    reject = rejectPromise
  })
  return { promise, reject }
}
