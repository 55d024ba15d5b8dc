import { spawn } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { withFolderLock } from './folder-lock.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

const clock = systemClock
const lock = (): string => join(folder, 'x.lock')

test('the second waits for the first and is told for whom', async () => {
  const order: string[] = []
  let letGo: (() => void) | undefined
  let first: Promise<void> | undefined
  // The second comes when the first is at work: only then does the file say whose it is.
  await new Promise<void>((atWork) => {
    first = withFolderLock(lock(), { clock }, async () => {
      order.push('first begins')
      await new Promise<void>((resolve) => {
        letGo = resolve
        atWork()
      })
      order.push('first ends')
    })
  })
  const second = withFolderLock(
    lock(),
    {
      clock,
      onWait: (holder) => {
        order.push(`second waits for ${holder}`)
        letGo?.()
      },
    },
    async () => order.push('second begins'),
  )
  await Promise.all([first, second])
  expect([order[0], order[1], order.at(-1)]).toEqual([
    'first begins',
    `second waits for process ${process.pid}`,
    'second begins',
  ])
  expect(order.indexOf('first ends')).toBeLessThan(order.indexOf('second begins'))
})

test('the lock is gone after the work, also when the work fails', async () => {
  await expect(withFolderLock(lock(), { clock }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await readdir(folder)).toEqual([])
})

test('the lock of a process that has ended is taken over at once', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => child.once('exit', resolve))
  await writeFile(lock(), JSON.stringify({ pid: child.pid, host: hostname(), token: 'old' }))
  expect(await withFolderLock(lock(), { clock }, async () => 'done')).toBe('done')
})

test('a lock whose holder elsewhere stays silent is taken over after half a minute', async () => {
  await writeFile(lock(), JSON.stringify({ pid: 1, host: 'another-machine', token: 'old' }))
  // Each look at this clock is ten seconds later: no real time passes.
  let nowMs = 0
  const hasty: Clock = {
    ...systemClock,
    monotonic: () => (nowMs += 10_000),
    setTimer: (_delayMs, callback) => systemClock.setTimer(0, callback),
  }
  expect(await withFolderLock(lock(), { clock: hasty }, async () => 'done')).toBe('done')
})

test('a lock that is touched now and then is respected, and waiting can be given up', async () => {
  await writeFile(lock(), JSON.stringify({ pid: 1, host: 'another-machine', token: 'living' }))
  const controller = new AbortController()
  let nowMs = 0
  let waits = 0
  const hasty: Clock = { ...systemClock, monotonic: () => (nowMs += 10_000) }
  const waiting = withFolderLock(
    lock(),
    {
      clock: { ...hasty, setTimer: (_delayMs, callback) => systemClock.setTimer(5, callback) },
      signal: controller.signal,
      onWait: () => {
        waits++
        // The holder's heartbeat, in its own time.
        utimesSync(lock(), waits, waits)
        if (waits === 20) controller.abort(new Error('enough'))
      },
    },
    async () => 'done',
  )
  await expect(waiting).rejects.toThrow('enough')
  expect(waits).toBe(20)
})
