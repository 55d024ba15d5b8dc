import { expect, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { runCommand } from './run-command.js'

const shell = (script: string): [string, string[]] => ['/bin/sh', ['-c', script]]

test('output, errors and exit code come back as they are', async () => {
  expect(await runCommand(...shell('echo out; echo err >&2; exit 7'))).toEqual({
    stdout: 'out\n',
    stderr: 'err\n',
    exitCode: 7,
  })
})

test('a program gets its input, and may end without reading it', async () => {
  expect((await runCommand(...shell('cat'), { input: 'äöü' })).stdout).toBe('äöü')
  expect((await runCommand(...shell('exit 0'), { input: 'x'.repeat(1_000_000) })).exitCode).toBe(0)
})

test('arguments reach the program untouched: no shell reads them', async () => {
  expect((await runCommand('/bin/echo', ['$HOME', '*', '; ls'])).stdout).toBe('$HOME * ; ls\n')
})

test('a program that is not there is an error with its name', async () => {
  await expect(runCommand('/no/such/program', [])).rejects.toThrow(
    expect.objectContaining({ code: 'KW_COMMAND_NOT_STARTED', command: '/no/such/program' }),
  )
})

test('aborting ends the program, and the call fails only when it has ended', async () => {
  const controller = new AbortController()
  const running = runCommand(...shell('echo started >&2; exec sleep 1000'), {
    signal: controller.signal,
    onStderr: () => controller.abort(new Error('enough')),
  })
  await expect(running).rejects.toThrow('enough')
  await expect(runCommand('/bin/echo', [], { signal: controller.signal })).rejects.toThrow('enough')
})

test('a program that does not listen is killed', async () => {
  const controller = new AbortController()
  const hasty: Clock = {
    ...systemClock,
    setTimer: (_delayMs, callback) => systemClock.setTimer(20, callback),
  }
  const running = runCommand(...shell("trap '' TERM; echo started >&2; exec sleep 1000"), {
    signal: controller.signal,
    clock: hasty,
    onStderr: () => controller.abort(new Error('enough')),
  })
  await expect(running).rejects.toThrow('enough')
})
