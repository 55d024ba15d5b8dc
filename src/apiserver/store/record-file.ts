import type { FileHandle } from 'node:fs/promises'
import { hasRecordAfter, readRecord, type StoreRecord } from './record.js'

export interface FoundRecord {
  readonly record: StoreRecord
  readonly offset: number
}

/** How a file ends: with its last record, within one that was being written, or in damage. */
export interface FileEnd {
  /** Where the last whole record ends. */
  readonly offset: number
  readonly damage: 'none' | 'torn' | 'corrupt'
  readonly problem: string
}

const blockBytes = 4 * 2 ** 20

/** The records of a file in order; returns how it ends. Reads in blocks, and lets others work between them. */
export async function* readRecords(file: FileHandle): AsyncGenerator<FoundRecord, FileEnd, undefined> {
  const { size } = await file.stat()
  let block: Buffer = Buffer.alloc(0)
  /** Where in the file the block begins. */
  let base = 0
  let at = 0
  const read = async (needs: number): Promise<void> => {
    const wanted = Math.min(Math.max(needs, blockBytes), size - base - at)
    const next = Buffer.allocUnsafe(wanted)
    const { bytesRead } = await file.read(next, 0, wanted, base + at)
    base += at
    at = 0
    block = next.subarray(0, bytesRead)
  }
  for (;;) {
    const offset = base + at
    if (offset >= size) return { offset, damage: 'none', problem: '' }
    const reading = readRecord(block, at)
    if (reading.kind === 'record') {
      yield { record: reading.record, offset }
      at += reading.length
      continue
    }
    if (reading.kind === 'partial' && block.length - at < size - offset && reading.needs <= size - offset) {
      await read(reading.needs)
      continue
    }
    if (reading.kind === 'partial') return { offset, damage: 'torn', problem: 'a record is cut off' }
    await read(size)
    const isInTheMiddle = hasRecordAfter(block, 1)
    return { offset, damage: isInTheMiddle ? 'corrupt' : 'torn', problem: reading.problem }
  }
}
