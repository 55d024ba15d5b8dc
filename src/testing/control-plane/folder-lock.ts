import { randomUUID } from 'node:crypto'
import { mkdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { type Clock, isPlainObject, sleep, toError } from '../../base/index.js'

export interface FolderLockOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** Called now and then while another process holds the lock. */
  readonly onWait?: (holder: string, elapsedMs: number) => void
}

interface Holder {
  readonly pid: number
  readonly host: string
  readonly token: string
}

const pollMs = 250
const heartbeatMs = 2_000
const silentForMs = 30_000

/**
 * Does the work while no other process does it under the same lock file. The holder shows that it lives by touching
 * the file; a lock whose holder has ended, or has been silent for half a minute, is taken over.
 *
 * A takeover by two waiters in the same instant can let both in. That costs time and nothing else: everything done
 * under this lock replaces files atomically.
 */
export async function withFolderLock<T>(
  file: string,
  options: FolderLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { clock } = options
  const token = randomUUID()
  await mkdir(dirname(file), { recursive: true })
  await acquire(file, token, options)
  const heartbeat = beat(file, clock)
  try {
    return await work()
  } finally {
    heartbeat.stop()
    if ((await readHolder(file))?.token === token) await unlink(file)
  }
}

async function acquire(file: string, token: string, options: FolderLockOptions): Promise<void> {
  const { clock, signal } = options
  const since = clock.monotonic()
  const sign: Holder = { pid: process.pid, host: hostname(), token }
  let lastSeen = { life: '', atMs: since }
  while (!(await createExclusively(file, JSON.stringify(sign)))) {
    const holder = await readHolder(file)
    const life = `${holder?.token} ${await touchedAt(file)}`
    // Our own clock measures the silence: the time stamps may come from the clock of a file server.
    if (life !== lastSeen.life) lastSeen = { life, atMs: clock.monotonic() }
    if (hasEnded(holder) || clock.monotonic() - lastSeen.atMs > silentForMs) {
      await unlink(file).catch(() => {})
      continue
    }
    options.onWait?.(
      holder === undefined ? 'another process' : `process ${holder.pid}`,
      clock.monotonic() - since,
    )
    await sleep(clock, pollMs, signal)
  }
}

async function createExclusively(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw toError(error)
  }
}

function hasEnded(holder: Holder | undefined): boolean {
  if (holder === undefined || holder.host !== hostname()) return false
  try {
    process.kill(holder.pid, 0)
    return false
  } catch (error) {
    return isErrno(error, 'ESRCH')
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isPlainObject(parsed)) return undefined
    const { pid, host, token } = parsed
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof token !== 'string') return undefined
    return { pid, host, token }
  } catch {
    return undefined
  }
}

async function touchedAt(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.mtimeMs,
    () => undefined,
  )
}

function beat(file: string, clock: Clock): { stop(): void } {
  let timer = clock.setTimer(heartbeatMs, touch, { background: true })
  let stopped = false
  function touch(): void {
    const seconds = clock.now() / 1000
    // A file that has gone was taken over: the work goes on, for its results are welcome.
    utimes(file, seconds, seconds)
      .catch(() => {})
      .finally(() => {
        if (!stopped) timer = clock.setTimer(heartbeatMs, touch, { background: true })
      })
  }
  return {
    stop: () => {
      stopped = true
      timer.cancel()
    },
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
