import { open } from 'node:fs/promises'
import type { History } from './history.js'
import { applyEvent, type StoreContent } from './memory-store.js'
import type { OrderedIndex } from './ordered-index.js'
import type { StoreRecord } from './record.js'
import { readRecords } from './record-file.js'
import { readSnapshot } from './snapshot-file.js'
import type { StoredObject, StoreEvent } from './store.js'
import { StoreCorruptError } from './store-errors.js'
import { logPath, type StoreFiles, snapshotPath } from './store-files.js'

/** What was found on the disk. */
export interface Recovered {
  readonly content: StoreContent
  /** The log to go on with: its revision, and where its last whole record ends. */
  readonly log: { readonly base: number; readonly size: number } | undefined
  /** Whether the last server wrote its end. */
  readonly wasClosed: boolean
  /** The boot of the machine that the last server ran in. */
  readonly bootId: string
}

/**
 * Brings the content back: from the oldest snapshot, so that as much history as possible comes with it, through all that
 * was logged since. A record that was being written when the server died is cut off. Rejects with
 * {@link StoreCorruptError} for damage anywhere else.
 */
export async function recover(
  directory: string,
  { snapshots, logs }: StoreFiles,
  historyAt: (revision: number) => History,
): Promise<Recovered> {
  const [base = 0, newer] = snapshots
  const path = snapshotPath(directory, base)
  const remedy =
    newer === undefined
      ? 'Restore the directory from a backup, or delete it to begin with nothing.'
      : `Delete ${path} to begin with ${snapshotPath(directory, newer)}: only history is lost.`
  const replay = new Replay(await readSnapshot(directory, base, remedy), historyAt(base), base)
  const following = logs.filter((revision) => revision >= base)
  let size = 0
  for (const [index, revision] of following.entries()) {
    if (revision !== replay.revision)
      throw new StoreCorruptError({
        file: logPath(directory, revision),
        offset: 0,
        problem: `it begins at revision ${revision}, but what comes before it ends at ${replay.revision}`,
        remedy: backupRemedy,
      })
    size = await replayLog(logPath(directory, revision), replay, index === following.length - 1)
  }
  const last = following.at(-1)
  return {
    content: { objects: replay.objects, history: replay.history, revision: replay.revision },
    log: last === undefined ? undefined : { base: last, size },
    wasClosed: replay.wasClosed,
    bootId: replay.bootId,
  }
}

const backupRemedy = 'Restore the directory from a backup.'

async function replayLog(path: string, replay: Replay, isLast: boolean): Promise<number> {
  const file = await open(path, 'r+')
  try {
    const records = readRecords(file)
    for (;;) {
      const step = await records.next()
      if (step.done !== true) {
        const { record, offset } = step.value
        const problem = replay.take(record)
        if (problem !== undefined)
          throw new StoreCorruptError({ file: path, offset, problem, remedy: backupRemedy })
        continue
      }
      const { offset, damage, problem } = step.value
      if (damage === 'none') return offset
      // Nobody was told that the last record is safe before it was whole; an older log was whole before the next began.
      if (damage === 'corrupt' || !isLast)
        throw new StoreCorruptError({ file: path, offset, problem, remedy: backupRemedy })
      await file.truncate(offset)
      await file.sync()
      return offset
    }
  } finally {
    await file.close()
  }
}

/** The state as it grows out of the records. */
class Replay {
  readonly objects: Map<string, OrderedIndex<StoredObject>>
  readonly history: History
  revision: number
  wasClosed = true
  bootId = ''

  constructor(objects: Map<string, OrderedIndex<StoredObject>>, history: History, revision: number) {
    this.objects = objects
    this.history = history
    this.revision = revision
  }

  /** Returns what is wrong with the record in this place, if anything. */
  take(record: StoreRecord): string | undefined {
    switch (record.type) {
      case 'begin':
        this.wasClosed = false
        this.bootId = record.note
        return undefined
      case 'end':
        this.wasClosed = true
        return undefined
      case 'skip':
        this.revision = record.revision
        this.history.compact(record.revision)
        return undefined
      case 'put':
      case 'delete':
        return this.#change(record.type, record.state)
      default:
        return record satisfies never
    }
  }

  #change(type: 'put' | 'delete', current: StoredObject): string | undefined {
    const { resource, key, revision } = current
    if (revision !== this.revision + 1)
      return `revision ${revision} follows ${this.revision}: there is something missing between them`
    const previous = this.objects.get(resource)?.get(key)
    if (type === 'delete' && previous === undefined)
      return `it deletes ${resource} ${key}, which is not there`
    const event: StoreEvent = {
      type: type === 'delete' ? 'deleted' : previous === undefined ? 'added' : 'modified',
      resource,
      key,
      revision,
      current,
      previous,
    }
    applyEvent(this.objects, event)
    this.history.push(event)
    this.revision = revision
    return undefined
  }
}
