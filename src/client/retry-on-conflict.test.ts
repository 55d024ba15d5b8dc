import { expect, test } from 'vitest'
import type { Clock } from '../base/index.js'
import { ApiError, type StatusCause } from '../objects/index.js'
import { retryOnConflict } from './retry-on-conflict.js'

const conflict = (causes: readonly StatusCause[] = []): ApiError =>
  new ApiError({
    request: 'update foos',
    httpStatus: 409,
    status: { kind: 'Status', reason: 'Conflict', code: 409, details: { causes } },
  })

const waitsMs: number[] = []
const clock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  setTimer(delayMs, callback) {
    waitsMs.push(delayMs)
    queueMicrotask(callback)
    return { cancel: () => {} }
  },
}

test('a conflict is answered by reading and writing again', async () => {
  let tries = 0
  const result = await retryOnConflict(
    () => (++tries < 3 ? Promise.reject(conflict()) : Promise.resolve('done')),
    { clock, random: () => 0.5 },
  )
  expect(result).toBe('done')
  expect(tries).toBe(3)
  expect(waitsMs).toEqual([10.5, 10.5])
})

test('five conflicts are enough', async () => {
  let tries = 0
  const last = conflict()
  await expect(
    retryOnConflict(() => Promise.reject(++tries === 5 ? last : conflict()), { clock }),
  ).rejects.toBe(last)
  expect(tries).toBe(5)
})

test('a conflict about the ownership of fields is not repeated: only force or restraint helps', async () => {
  let tries = 0
  const owned = conflict([{ reason: 'FieldManagerConflict', field: '.spec.replicas' }])
  const trying = retryOnConflict(() => {
    tries++
    return Promise.reject(owned)
  })
  await expect(trying).rejects.toBe(owned)
  expect(tries).toBe(1)
})

test('other errors pass at once', async () => {
  let tries = 0
  const trying = retryOnConflict(() => {
    tries++
    return Promise.reject(new Error('other'))
  })
  await expect(trying).rejects.toThrow('other')
  expect(tries).toBe(1)
})

test('an aborted signal ends it', async () => {
  const controller = new AbortController()
  const trying = retryOnConflict(
    () => {
      controller.abort(new Error('enough'))
      return Promise.reject(conflict())
    },
    { clock, signal: controller.signal },
  )
  await expect(trying).rejects.toThrow('enough')
})
