import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Logger } from '../observe/index.js'
import { exitOnFatalErrors } from './fatal-errors.js'
import { stopOnSignals } from './signals.js'

function recordingLog(): Logger & { readonly lines: { message: string; error: unknown }[] } {
  const lines: { message: string; error: unknown }[] = []
  const at = (message: string, fields?: Readonly<Record<string, unknown>>) =>
    void lines.push({ message, error: fields?.['error'] })
  return { debug: at, info: at, warn: at, error: at, with: () => recordingLog(), lines }
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}

test.each(['SIGTERM', 'SIGINT'])(
  'the first %s asks for a graceful stop, the second of any kind exits with 1',
  (name) => {
    const process = new EventEmitter()
    const exits: number[] = []
    const { signal } = stopOnSignals(process, { exit: (code) => exits.push(code) })
    expect(signal.aborted).toBe(false)
    process.emit(name, name)
    expect([signal.aborted, exits]).toEqual([true, []])
    process.emit('SIGINT', 'SIGINT')
    expect(exits).toEqual([1])
  },
)

test('after disposal signals are as they were', () => {
  const process = new EventEmitter()
  stopOnSignals(process, { exit: () => {} })[Symbol.dispose]()
  exitOnFatalErrors(process, { log: recordingLog(), exit: () => {} })[Symbol.dispose]()
  expect(process.eventNames()).toEqual([])
})

test.each(['uncaughtException', 'unhandledRejection'])(
  'an %s is logged, the log is flushed, then the process exits with 1',
  async (event) => {
    const process = new EventEmitter()
    const log = recordingLog()
    const steps: string[] = []
    exitOnFatalErrors(process, {
      log,
      exit: (code) => steps.push(`exit ${code}`),
      flush: async () => void steps.push('flush'),
    })
    const error = new Error('nobody cares', { cause: new Error('root') })
    process.emit(event, error)
    await settle()
    expect(log.lines.map((line) => line.error)).toEqual([error])
    expect(steps).toEqual(['flush', 'exit 1'])
  },
)

test('what was thrown need not be an error', async () => {
  const process = new EventEmitter()
  const log = recordingLog()
  exitOnFatalErrors(process, { log, exit: () => {} })
  process.emit('unhandledRejection', undefined)
  await settle()
  expect(log.lines[0]?.error).toBeInstanceOf(Error)
})

test('errors on the way out are logged and do not exit twice', async () => {
  const process = new EventEmitter()
  const exits: number[] = []
  exitOnFatalErrors(process, {
    log: recordingLog(),
    exit: (code) => exits.push(code),
    flush: async () => {
      process.emit('uncaughtException', new Error('EPIPE'))
      throw new Error('cannot flush')
    },
  })
  process.emit('uncaughtException', new Error('first'))
  await settle()
  expect(exits).toEqual([1])
})

test('a flush that hangs does not keep the process alive', async () => {
  const process = new EventEmitter()
  const exits: number[] = []
  let fire = (): void => {}
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    setTimer: (_: number, callback: () => void) => {
      fire = callback
      return { cancel: () => {} }
    },
  }
  exitOnFatalErrors(process, {
    log: recordingLog(),
    exit: (code) => exits.push(code),
    flush: () => new Promise(() => {}),
    clock,
  })
  process.emit('uncaughtException', new Error('first'))
  await settle()
  expect(exits).toEqual([])
  fire()
  await settle()
  expect(exits).toEqual([1])
})
