import { isPlainObject } from '../base/index.js'
import { KeyBuilder, stringAt } from './cache-key.js'
import { isKey, skipSpace, skipValue, walkArraySliced, walkObject, walkObjectStepwise } from './json-scan.js'

const emptyBytes: Buffer = Buffer.alloc(0)

/**
 * Reads an object's identity from its bytes. One scanner is used again and again: a result is valid until the next scan.
 */
export class MetadataScan {
  /** `namespace/name`, or `name` for a cluster-scoped object. */
  key = ''
  uid = ''
  resourceVersion = ''
  /** Where `"managedFields":[...]` stands in the bytes; -1 when it does not. */
  managedFieldsStart = -1
  managedFieldsEnd = -1
  ownerReferencesStart = -1
  ownerReferencesEnd = -1
  labelsStart = -1
  labelsEnd = -1
  metadataStart = -1
  metadataEnd = -1
  /** Where the value of `kind` stands; -1 when the object does not say what it is: items of built-in lists do not. */
  kindStart = -1
  kindEnd = -1

  #bytes: Buffer = emptyBytes
  #nameStart = 0
  #nameEnd = 0
  #namespaceStart = 0
  #namespaceEnd = 0
  readonly #keys = new KeyBuilder()

  /**
   * Scans the whole object that starts at `at` and returns the position behind it. `isObject` tells whether it is a
   * Kubernetes object: one with metadata and a name.
   */
  scan(bytes: Buffer, at: number): number {
    this.#bytes = bytes
    this.key = this.uid = this.resourceVersion = ''
    this.#nameStart = this.#nameEnd = this.#namespaceStart = this.#namespaceEnd = 0
    this.managedFieldsStart = this.ownerReferencesStart = this.labelsStart = this.metadataStart = -1
    this.kindStart = -1
    const end = bytes[at] === openBrace ? walkObject(bytes, at, this.#visitMember) : skipValue(bytes, at)
    if (this.#nameEnd > 0)
      this.key = this.#keys.build(
        bytes,
        this.#namespaceStart,
        this.#namespaceEnd,
        this.#nameStart,
        this.#nameEnd,
      )
    this.#bytes = emptyBytes
    return end
  }

  get isObject(): boolean {
    return this.metadataStart !== -1 && this.key !== ''
  }

  readonly #visitMember = (keyStart: number, keyEnd: number, valueStart: number): number => {
    const bytes = this.#bytes
    if (bytes[valueStart] !== openBrace || !isKey(bytes, keyStart, keyEnd, 'metadata')) {
      const end = skipValue(bytes, valueStart)
      if (isKey(bytes, keyStart, keyEnd, 'kind')) {
        this.kindStart = valueStart
        this.kindEnd = end
      }
      return end
    }
    this.metadataStart = valueStart
    this.metadataEnd = walkObject(bytes, valueStart, this.#visitMetadata)
    return this.metadataEnd
  }

  readonly #visitMetadata = (keyStart: number, keyEnd: number, valueStart: number): number => {
    const bytes = this.#bytes
    const end = skipValue(bytes, valueStart)
    // The length tells most keys apart before a single byte is compared.
    switch (keyEnd - keyStart) {
      case 3:
        if (isKey(bytes, keyStart, keyEnd, 'uid')) this.uid = stringAt(bytes, valueStart, end)
        break
      case 4:
        if (isKey(bytes, keyStart, keyEnd, 'name')) {
          this.#nameStart = valueStart
          this.#nameEnd = end
        }
        break
      case 6:
        if (isKey(bytes, keyStart, keyEnd, 'labels')) {
          this.labelsStart = valueStart
          this.labelsEnd = end
        }
        break
      case 9:
        if (isKey(bytes, keyStart, keyEnd, 'namespace')) {
          this.#namespaceStart = valueStart
          this.#namespaceEnd = end
        }
        break
      case 13:
        if (isKey(bytes, keyStart, keyEnd, 'managedFields')) {
          this.managedFieldsStart = keyStart - 1
          this.managedFieldsEnd = end
        }
        break
      case 15:
        if (isKey(bytes, keyStart, keyEnd, 'resourceVersion'))
          this.resourceVersion = stringAt(bytes, valueStart, end)
        else if (isKey(bytes, keyStart, keyEnd, 'ownerReferences')) {
          this.ownerReferencesStart = valueStart
          this.ownerReferencesEnd = end
        }
        break
    }
    return end
  }
}

const openBrace = 0x7b
const openBracket = 0x5b

/** What a list answer holds besides its items. */
export interface ListHead {
  readonly resourceVersion: string
  readonly continueToken: string | undefined
}

/**
 * Walks a list answer: `visitItem(start)` is called for each item and returns the position behind it. Pauses now and then,
 * so that long lists can be read in slices. Throws a RangeError when the bytes are cut short or no list: an answer without
 * items must not be taken for an empty one.
 */
export function* scanList(
  bytes: Buffer,
  visitItem: (start: number) => number,
): Generator<undefined, ListHead, undefined> {
  let metadata: unknown
  let hasItems = false
  const members = walkObjectStepwise(bytes, skipSpace(bytes, 0))
  let member = members.next()
  while (member.done !== true) {
    const { keyStart, keyEnd, valueStart } = member.value
    const isItems = isKey(bytes, keyStart, keyEnd, 'items')
    let end: number
    if (isItems && bytes[valueStart] === openBracket) {
      hasItems = true
      end = yield* walkArraySliced(bytes, valueStart, visitItem)
    } else {
      end = skipValue(bytes, valueStart)
      // Go writes an empty list of some kinds as null.
      if (isItems) hasItems = bytes.toString('latin1', valueStart, end) === 'null'
      if (isKey(bytes, keyStart, keyEnd, 'metadata'))
        metadata = JSON.parse(bytes.toString('utf8', valueStart, end))
    }
    member = members.next(end)
  }
  if (!hasItems || !isPlainObject(metadata)) throw new RangeError('The answer is not a list')
  const { resourceVersion, continue: token } = metadata
  return {
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    continueToken: typeof token === 'string' && token !== '' ? token : undefined,
  }
}

/** A line of a watch: `visitObject(start)` is called for its object and returns the position behind it. */
export function scanWatchLine(line: Buffer, visitObject: (start: number) => number): string {
  let type = ''
  walkObject(line, skipSpace(line, 0), (keyStart, keyEnd, valueStart) => {
    if (isKey(line, keyStart, keyEnd, 'object')) return visitObject(valueStart)
    const end = skipValue(line, valueStart)
    if (isKey(line, keyStart, keyEnd, 'type')) type = stringAt(line, valueStart, end)
    return end
  })
  return type
}
