import { open, rename, unlink } from 'node:fs/promises'
import { yieldToEventLoop } from '../../base/index.js'
import type { StoreContent } from './memory-store.js'
import { OrderedIndex } from './ordered-index.js'
import { encodeRecord } from './record.js'
import { readRecords } from './record-file.js'
import type { StoredObject } from './store.js'
import { StoreCorruptError } from './store-errors.js'
import { snapshotPath, syncDirectory } from './store-files.js'

/** As much as is gathered for one write; between two of them others get their turn. */
const sliceBytes = 2 ** 20

/**
 * Writes everything that there is to a snapshot of its revision. It appears under its name when it is whole and safe, or
 * not at all.
 */
export async function writeSnapshot(directory: string, { objects, revision }: StoreContent): Promise<void> {
  const path = snapshotPath(directory, revision)
  const temporary = `${path}.tmp`
  try {
    const file = await open(temporary, 'w')
    try {
      let slice: Buffer[] = encodeRecord({ type: 'begin', revision, note: '' })
      let bytes = 0
      let count = 0
      for (const index of objects.values()) {
        for (const state of index.valuesFrom('', true)) {
          slice.push(...encodeRecord({ type: 'put', state }))
          bytes += state.json.length
          count++
          if (bytes < sliceBytes) continue
          await file.writeFile(Buffer.concat(slice))
          slice = []
          bytes = 0
          await yieldToEventLoop()
        }
      }
      slice.push(...encodeRecord({ type: 'end', revision, note: String(count) }))
      await file.writeFile(Buffer.concat(slice))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    syncDirectory(directory)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
}

/** Reads a snapshot. Rejects with {@link StoreCorruptError} when it is not whole. */
export async function readSnapshot(
  directory: string,
  revision: number,
  remedy: string,
): Promise<Map<string, OrderedIndex<StoredObject>>> {
  const path = snapshotPath(directory, revision)
  const objects = new Map<string, OrderedIndex<StoredObject>>()
  const file = await open(path, 'r')
  try {
    const records = readRecords(file)
    let count = 0
    let isWhole = false
    for (;;) {
      const step = await records.next()
      if (step.done === true) {
        const { offset, problem } = step.value
        if (isWhole) return objects
        throw new StoreCorruptError({ file: path, offset, problem: problem || 'its end is missing', remedy })
      }
      const { record } = step.value
      if (record.type === 'put') {
        const { resource, key } = record.state
        const index = objects.get(resource) ?? new OrderedIndex<StoredObject>()
        objects.set(resource, index)
        index.set(key, record.state)
        count++
      } else if (record.type === 'end') isWhole = record.note === String(count)
    }
  } finally {
    await file.close()
  }
}
