import { closeSync, fsyncSync, openSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a store: what there was at a revision, and what changed after it. */
export interface StoreFiles {
  /** Revisions, the oldest first. */
  readonly snapshots: readonly number[]
  readonly logs: readonly number[]
}

const digits = 16

export function snapshotPath(directory: string, revision: number): string {
  return join(directory, `snapshot-${String(revision).padStart(digits, '0')}`)
}

export function logPath(directory: string, revision: number): string {
  return join(directory, `log-${String(revision).padStart(digits, '0')}`)
}

/** Finds the files, and removes what a server left half written. */
export async function findStoreFiles(directory: string): Promise<StoreFiles> {
  const names = (await readdir(directory)).toSorted()
  const revisionsOf = (kind: string): number[] =>
    names.flatMap((name) => {
      const match = /^([a-z]+)-(\d{16})$/.exec(name)
      return match?.[1] === kind ? [Number(match[2])] : []
    })
  for (const name of names) if (name.endsWith('.tmp')) await unlink(join(directory, name))
  return { snapshots: revisionsOf('snapshot'), logs: revisionsOf('log') }
}

/** Makes the names in a directory safe: those that were created, renamed or removed. */
export function syncDirectory(directory: string): void {
  // Windows has no such thing, and writes names through.
  if (process.platform === 'win32') return
  const fd = openSync(directory, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
