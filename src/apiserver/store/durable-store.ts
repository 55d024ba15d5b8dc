import { mkdir, readFile } from 'node:fs/promises'
import { type Logger, silentLogger } from '../../observe/index.js'
import { lockDirectory } from './directory-lock.js'
import { History } from './history.js'
import { LogFile } from './log-file.js'
import { LogJournal } from './log-journal.js'
import { historyLimitOf, MemoryStore, type MemoryStoreOptions, type StoreContent } from './memory-store.js'
import { type Recovered, recover } from './recover.js'
import { Rotation } from './rotation.js'
import { writeSnapshot } from './snapshot-file.js'
import type { Store } from './store.js'
import { findStoreFiles, logPath, syncDirectory } from './store-files.js'

export interface DurableStoreOptions extends MemoryStoreOptions {
  /** The size of the log at which a snapshot takes its place: 64 MiB unless said otherwise. */
  readonly rotateBytes?: number
  /** Is told what goes wrong in the background. */
  readonly log?: Logger
}

/** As many revisions are left out after the machine went down with writes that may not have reached the disk. */
const skippedRevisions = 10_000

/**
 * A store that survives its process: every change is in the system's hands before `put` returns, and on the disk when
 * `settled` resolves. The directory is created if it is not there.
 *
 * Rejects with StoreLockedError when another server has it, and with StoreCorruptError when it is damaged. Writes throw
 * StoreWriteError when there is no room, and nothing has happened then.
 */
export async function openDurableStore(directory: string, options: DurableStoreOptions = {}): Promise<Store> {
  const { initialRevision = 1, rotateBytes = 64 * 2 ** 20, log: logger = silentLogger } = options
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const release = await lockDirectory(directory)
  try {
    const historyAt = (revision: number): History =>
      new History(historyLimitOf(options.historyLimit), revision)
    let files = await findStoreFiles(directory)
    if (files.snapshots.length === 0) {
      const content = { objects: new Map(), history: historyAt(initialRevision), revision: initialRevision }
      await writeSnapshot(directory, content)
      files = await findStoreFiles(directory)
    }
    const recovered = await recover(directory, files, historyAt)
    const bootId = await currentBootId()
    const { log, content } = goOn(directory, recovered, bootId)
    const rotation = new Rotation({ directory, rotateBytes, bootId, logger })
    const journal = new LogJournal({
      log,
      revision: content.revision,
      onAppend: () => rotation.consider(journal, store),
      onClose: () => rotation.finish(),
      onClosed: release,
    })
    const store = new MemoryStore(content, journal)
    return store
  } catch (error) {
    await release()
    throw error
  }
}

/** Opens the log behind what was recovered. */
function goOn(
  directory: string,
  { content, log, wasClosed, bootId: lastBootId }: Recovered,
  bootId: string,
): { readonly log: LogFile; readonly content: StoreContent } {
  const file = new LogFile(logPath(directory, log?.base ?? content.revision), log?.size ?? 0)
  // The system keeps what it was given when a process dies, but not when the machine does. Somebody may have seen
  // revisions that are lost: they are not given out again, and whoever asks for them has to list anew.
  const mayHaveLost = !wasClosed && (bootId === '' || bootId !== lastBootId)
  const revision = mayHaveLost ? content.revision + skippedRevisions : content.revision
  file.append({ type: 'begin', revision, note: bootId })
  if (mayHaveLost) {
    file.append({ type: 'skip', revision, note: '' })
    content.history.compact(revision)
  }
  file.syncNow()
  syncDirectory(directory)
  return { log: file, content: { ...content, revision } }
}

async function currentBootId(): Promise<string> {
  try {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  } catch {
    // Not Linux: every end without a goodbye counts as one of the machine.
    return ''
  }
}
