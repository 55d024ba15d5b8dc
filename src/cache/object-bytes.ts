import { type DeepReadonly, deepFreeze, parseJson } from '../base/index.js'
import type { KubeObject, OwnerReference } from '../objects/index.js'
import { MetadataScan } from './metadata-scan.js'

// Scans are synchronous and their results are read at once, so that one scanner serves all.
const scanner = new MetadataScan()
const noLabels: Readonly<Record<string, string>> = Object.freeze({})

/** The object whose JSON stands in [start, end), parsed and frozen. */
export function readObject<T extends KubeObject>(bytes: Buffer, start: number, end: number): DeepReadonly<T> {
  // The bytes were stored as an object of this kind; the static type is the reader's claim about the server's data.
  return readPart(bytes, start, end) as DeepReadonly<T>
}

/** Its metadata alone, like the other parts below: cheaper than the object when nothing else is read. */
export function readMetadata<T extends KubeObject>(
  bytes: Buffer,
  start: number,
): DeepReadonly<T['metadata']> {
  scanner.scan(bytes, start)
  return readPart(bytes, scanner.metadataStart, scanner.metadataEnd) as DeepReadonly<T['metadata']>
}

export function readLabels(bytes: Buffer, start: number): Readonly<Record<string, string>> {
  scanner.scan(bytes, start)
  const { labelsStart, labelsEnd } = scanner
  if (labelsStart === -1) return noLabels
  return readPart(bytes, labelsStart, labelsEnd) as Readonly<Record<string, string>>
}

export function readOwnerReferences(bytes: Buffer, start: number): readonly Readonly<OwnerReference>[] {
  scanner.scan(bytes, start)
  const { ownerReferencesStart, ownerReferencesEnd } = scanner
  if (ownerReferencesStart === -1) return []
  return readPart(bytes, ownerReferencesStart, ownerReferencesEnd) as readonly OwnerReference[]
}

function readPart(bytes: Buffer, start: number, end: number): unknown {
  const value = parseJson(bytes.toString('utf8', start, end))
  if (typeof value !== 'object' || value === null) return value
  try {
    freezeParsed(value)
    return value
  } catch (error) {
    // Deeper than the stack.
    if (error instanceof RangeError) return deepFreeze(value)
    throw error
  }
}

/** What a parser has just made is plain and new: that saves two thirds of what it costs to freeze any data. */
function freezeParsed(value: object): void {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (typeof item === 'object' && item !== null) freezeParsed(item)
  } else {
    for (const key in value) {
      // The key was found in it.
      const member = (value as Record<string, unknown>)[key]
      if (typeof member === 'object' && member !== null) freezeParsed(member)
    }
  }
  Object.freeze(value)
}
