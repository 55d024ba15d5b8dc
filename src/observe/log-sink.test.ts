import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Clock } from '../base/index.js'
import { createLogSink, type LogSink, type LogSinkIo, type LogSinkOptions } from './log-sink.js'

const sinks: LogSink[] = []
afterEach(() => {
  for (const sink of sinks.splice(0)) sink.close()
})

type Done = (error: NodeJS.ErrnoException | null, written: number) => void

/** A file descriptor whose writes end when the test says so, and timers that fire when the test says so. */
function stage(options: Partial<LogSinkOptions> = {}) {
  const written: string[] = []
  const timers: (() => void)[] = []
  let monotonic = 0
  let current: { bytes: Uint8Array; done: Done } | undefined
  let syncError: Error | undefined
  const io: LogSinkIo = {
    write: (_fd, bytes, offset, done) => {
      expect(current).toBeUndefined()
      current = { bytes: bytes.subarray(offset), done }
    },
    writeSync: (_fd, bytes) => {
      if (syncError !== undefined) throw syncError
      written.push(Buffer.from(bytes).toString())
      return bytes.length
    },
  }
  const clock: Clock = {
    now: () => 0,
    monotonic: () => monotonic,
    setTimer: (_delayMs, callback) => {
      timers.push(callback)
      return { cancel: () => void timers.splice(timers.indexOf(callback), 1) }
    },
  }
  const sink = createLogSink({ io, clock, describeLoss: (lines) => `lost ${lines}\n`, ...options })
  sinks.push(sink)
  const finish = (error: string | undefined, count?: number): void => {
    const write = current
    current = undefined
    if (write === undefined) throw new Error('No write is under way.')
    if (error !== undefined) return write.done(Object.assign(new Error(error), { code: error }), 0)
    const part = write.bytes.subarray(0, count ?? write.bytes.length)
    written.push(Buffer.from(part).toString())
    write.done(null, part.length)
  }
  return {
    sink,
    written,
    timers,
    finish,
    isWriting: () => current !== undefined,
    pass: (ms: number) => {
      monotonic += ms
    },
    failSync: (error: Error) => {
      syncError = error
    },
  }
}

describe('a log sink', () => {
  test('writes the first line at once and the lines that come meanwhile with the next write', () => {
    const { sink, written, finish, isWriting } = stage()
    sink.write('a\n')
    sink.write('b\n')
    sink.write('c\n')
    finish(undefined)
    finish(undefined)
    expect(written).toEqual(['a\n', 'b\nc\n'])
    expect(isWriting()).toBe(false)
    sink.write('d\n')
    finish(undefined)
    expect(written).toEqual(['a\n', 'b\nc\n', 'd\n'])
  })

  test('goes on where a write stopped halfway, also within a character', () => {
    const { sink, written, finish } = stage()
    sink.write('ab\u00e4\n')
    finish(undefined, 1)
    finish(undefined, 1)
    finish(undefined)
    expect(written.join('')).toBe('ab\u00e4\n')
  })

  test('tries again when the output is full for the moment', () => {
    const { sink, written, finish, timers } = stage()
    sink.write('a\n')
    finish('EAGAIN')
    sink.write('b\n')
    expect(written).toEqual([])
    timers.splice(0).forEach((fire) => fire())
    finish(undefined)
    finish(undefined)
    expect(written).toEqual(['a\n', 'b\n'])
  })

  test('loses lines when a reader stands still, keeps its memory bounded, and says how many', () => {
    const { sink, written, finish } = stage({ maxPendingChars: 10 })
    sink.write('first\n')
    for (let index = 0; index < 1000; index++) sink.write(`${index % 10}\n`)
    finish(undefined)
    finish(undefined)
    expect(written).toEqual(['first\n', '0\n1\n2\n3\n4\nlost 995\n'])
  })

  test('a line that is too long for the buffer is lost alone', () => {
    const { sink, written, finish } = stage({ maxPendingChars: 10 })
    sink.write('a\n')
    sink.write('a line that is too long\n')
    sink.write('b\n')
    finish(undefined)
    finish(undefined)
    expect(written).toEqual(['a\n', 'b\nlost 1\n'])
  })

  test('falls silent when the reader is gone, and never throws', async () => {
    const { sink, written, finish, isWriting } = stage()
    sink.write('a\n')
    sink.write('b\n')
    const flushed = sink.flush()
    finish('EPIPE')
    await flushed
    sink.write('c\n')
    expect(written).toEqual([])
    expect(isWriting()).toBe(false)
  })

  test('never throws when a write throws at once', () => {
    const sink = createLogSink({
      io: {
        write: () => {
          throw new Error('EBADF')
        },
        writeSync: () => {
          throw new Error('EBADF')
        },
      },
    })
    expect(() => sink.write('a\n')).not.toThrow()
    expect(() => sink.write('b\n')).not.toThrow()
    expect(() => sink.close()).not.toThrow()
  })

  test('a flush resolves when everything is written', async () => {
    const { sink, finish } = stage()
    await sink.flush()
    let isFlushed = false
    sink.write('a\n')
    sink.write('b\n')
    const flushed = sink.flush().then(() => {
      isFlushed = true
    })
    finish(undefined)
    await Promise.resolve()
    expect(isFlushed).toBe(false)
    finish(undefined)
    await flushed
    expect(isFlushed).toBe(true)
  })

  test('a flush resolves although lines were lost that nobody describes', async () => {
    const { sink, finish } = stage({ maxPendingChars: 4, describeLoss: () => '' })
    sink.write('a\n')
    sink.write('too long\n')
    const flushed = sink.flush()
    finish(undefined)
    await expect(flushed).resolves.toBeUndefined()
  })

  test('at the end writes at once what is left, in order', () => {
    const { sink, written, finish } = stage()
    sink.write('a\n')
    sink.write('b\n')
    sink.write('c\n')
    sink.close()
    expect(written).toEqual(['b\nc\n'])
    finish(undefined)
    expect(written).toEqual(['b\nc\n', 'a\n'])
    sink.write('d\n')
    expect(written).toHaveLength(2)
  })

  test('at the end writes first what was refused for the moment', () => {
    const { sink, written, finish, timers } = stage()
    sink.write('a\n')
    finish('EAGAIN')
    sink.write('b\n')
    sink.close()
    expect(written).toEqual(['a\n', 'b\n'])
    expect(timers).toEqual([])
  })

  test('at the end does not wait for a reader that stands still', () => {
    const { sink, written, pass } = stage()
    sink.write('a\n')
    sink.write('b\n')
    pass(5_000)
    sink.close()
    expect(written).toEqual([])
  })

  test('at the end gives up on an output that stays full', () => {
    const { sink, finish, failSync } = stage()
    sink.write('a\n')
    finish('EAGAIN')
    failSync(Object.assign(new Error('full'), { code: 'EAGAIN' }))
    expect(() => sink.close()).not.toThrow()
  })

  test('leaves no listener on the process behind', () => {
    const before = process.listenerCount('exit')
    const { sink } = stage()
    expect(process.listenerCount('exit')).toBe(before + 1)
    sink.close()
    sink.close()
    expect(process.listenerCount('exit')).toBe(before)
  })
})

describe.runIf(process.platform === 'linux')('on a real pipe that is full', () => {
  test('every line arrives once the reader reads, and the event loop never waited', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'log-sink-'))
    const path = join(directory, 'pipe')
    execFileSync('mkfifo', [path])
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    try {
      const sink = createLogSink({ fd })
      const lines = Array.from({ length: 3000 }, (_item, index) => `line ${index} ${'x'.repeat(60)}\n`)
      for (const line of lines) sink.write(line)
      const flushed = sink.flush()
      let isFlushed = false
      void flushed.then(() => {
        isFlushed = true
      })
      let received = ''
      const chunk = Buffer.alloc(65_536)
      while (!isFlushed || received.length < lines.join('').length) {
        // A turn of the event loop: the sink writes and waits in between.
        await new Promise((resolve) => setImmediate(resolve))
        received += chunk.toString('latin1', 0, readIfAny(fd, chunk))
      }
      expect(received).toBe(lines.join(''))
      sink.close()
    } finally {
      closeSync(fd)
      rmSync(directory, { recursive: true })
    }
  })
})

describe('a program that logs and ends at once', () => {
  test.each([['process.exit(3)'], ['throw new Error("crash")']])(
    'loses nothing by %s',
    (end) => {
      const logger = new URL('./create-logger.ts', import.meta.url).href
      const program = `
      import { createLogger } from ${JSON.stringify(logger)}
      const log = createLogger()
      for (let line = 0; line < 300; line++) log.info('Hello.', { line })
      ${end}`
      const { stdout, status } = spawnSync(
        process.execPath,
        ['--import', 'tsx', '--input-type=module', '--eval', program],
        { encoding: 'utf8' },
      )
      expect(status).toBeGreaterThan(0)
      expect(stdout.split('\n')).toHaveLength(301)
    },
    60_000,
  )
})

function readIfAny(fd: number, chunk: Buffer): number {
  try {
    return readSync(fd, chunk)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0
    throw error
  }
}
