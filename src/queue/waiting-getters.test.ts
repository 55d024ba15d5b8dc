import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createWaitingGetters } from './waiting-getters.js'

test('getters are served in the order in which they came', async () => {
  const getters = createWaitingGetters<string>()
  const [first, second] = [getters.wait(undefined), getters.wait(undefined)]
  getters.serve('a')
  getters.serve('b')
  expect(await Promise.all([first, second])).toEqual(['a', 'b'])
})

test('a getter whose signal aborts leaves the line, and the next one is served in its place', async () => {
  const getters = createWaitingGetters<string>()
  const controller = new AbortController()
  const [first, second] = [getters.wait(controller.signal), getters.wait(undefined)]
  controller.abort()
  expect(getters.size).toBe(1)
  getters.serve('a')
  expect(await first).toBeUndefined()
  expect(await second).toBe('a')
})

test('a signal that has aborted before does not wait', async () => {
  const getters = createWaitingGetters<string>()
  expect(await getters.wait(AbortSignal.abort())).toBeUndefined()
  expect(getters.size).toBe(0)
})

test('fifty getters put one listener on the signal they share, and none when all are served', async () => {
  const getters = createWaitingGetters<number>()
  const { signal } = new AbortController()
  const served = Array.from({ length: 50 }, () => getters.wait(signal))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  for (let value = 0; value < 50; value++) getters.serve(value)
  await Promise.all(served)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('dismissed getters get undefined and leave no listener behind', async () => {
  const getters = createWaitingGetters<string>()
  const { signal } = new AbortController()
  const waiting = [getters.wait(signal), getters.wait(undefined)]
  getters.dismiss()
  expect(await Promise.all(waiting)).toEqual([undefined, undefined])
  expect(getters.size).toBe(0)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
