import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { StoreLockedError } from './store-errors.js'

/** Gives the directory free. */
export type ReleaseLock = () => Promise<void>

/** `open` of macOS and the BSDs takes an exclusive lock with this flag; Node has no name for it. */
const openLocked = 0x20

/**
 * Takes a directory for this server alone. The system holds the lock, not a file: it goes with the process, however that
 * ends, and nobody has to guess whether its holder lives. Rejects with {@link StoreLockedError}. On Linux, containers
 * with networks of their own do not see each other's locks.
 */
export async function lockDirectory(directory: string): Promise<ReleaseLock> {
  const { dev, ino } = await stat(directory, { bigint: true })
  const name = `kubewright-store-${dev}-${ino}`
  if (process.platform === 'linux') return listenOn(`\0${name}`, directory)
  if (process.platform === 'win32') return listenOn(`\\\\.\\pipe\\${name}`, directory)
  return lockFile(join(directory, 'lock'), directory)
}

/** Of two processes only one can listen on a name of the system. Nobody is meant to connect. */
function listenOn(name: string, directory: string): Promise<ReleaseLock> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(isTaken(error) ? new StoreLockedError(directory, error) : error))
    server.listen(name, () => {
      server.unref()
      resolve(() => new Promise((done) => void server.close(() => done())))
    })
  })
}

async function lockFile(path: string, directory: string): Promise<ReleaseLock> {
  try {
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NONBLOCK | openLocked)
    return () => handle.close()
  } catch (error) {
    throw isTaken(error) ? new StoreLockedError(directory, error) : error
  }
}

function isTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EADDRINUSE' || code === 'EACCES' || code === 'EAGAIN' || code === 'EWOULDBLOCK'
}
