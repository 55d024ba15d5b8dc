import { type DeepReadonly, deepFreeze, parseJson, stringifyJson } from '../base/index.js'
import type { KubeObject, OwnerReference } from '../objects/index.js'
import { isKey } from './json-scan.js'
import { MetadataScan } from './metadata-scan.js'

/**
 * One object as the cache keeps it: its JSON as one byte per character, and what the cache itself needs. The object is
 * parsed when it is first read and kept only as long as somebody holds it, so a cache of many objects costs little
 * more than their text. What is handed out is frozen.
 */
export class CachedObject<T extends KubeObject = KubeObject> {
  /** `namespace/name`, or `name` for a cluster-scoped object. */
  readonly key: string
  readonly uid: string
  readonly resourceVersion: string
  /** The UTF-8 bytes of the JSON, one character each. */
  readonly #text: string
  #parsed: WeakRef<object> | undefined

  constructor(key: string, uid: string, resourceVersion: string, text: string) {
    this.key = key
    this.uid = uid
    this.resourceVersion = resourceVersion
    this.#text = text
  }

  /** From an object at hand, for example the answer to a write. */
  static of<T extends KubeObject>(object: DeepReadonly<T> | T): CachedObject<T> {
    const { namespace, name, uid, resourceVersion } = object.metadata
    const text = Buffer.from(stringifyJson(object)).toString('latin1')
    return new CachedObject<T>(keyOf(namespace ?? '', name), uid, resourceVersion, text)
  }

  get namespace(): string {
    return this.key.slice(0, Math.max(0, this.key.indexOf('/')))
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1)
  }

  /** The whole object, frozen. Parsed on the first read. */
  get object(): DeepReadonly<T> {
    const held = this.#parsed?.deref()
    // The text was stored as an object of this kind; the static type is the reader's claim about the server's data.
    if (held !== undefined) return held as DeepReadonly<T>
    const parsed = deepFreeze(parseJson(utf8Of(this.#text))) as DeepReadonly<T>
    this.#parsed = new WeakRef(parsed)
    return parsed
  }

  /** The metadata alone: cheaper than the object when nothing else is read. */
  get metadata(): DeepReadonly<T['metadata']> {
    const held = this.#parsed?.deref() as DeepReadonly<T> | undefined
    if (held !== undefined) return held.metadata as DeepReadonly<T['metadata']>
    const bytes = this.#scan()
    return parseSpan(bytes, scanner.metadataStart, scanner.metadataEnd) as DeepReadonly<T['metadata']>
  }

  get labels(): Readonly<Record<string, string>> {
    const bytes = this.#scan()
    return scanner.labelsStart === -1
      ? noLabels
      : (parseSpan(bytes, scanner.labelsStart, scanner.labelsEnd) as Readonly<Record<string, string>>)
  }

  get ownerReferences(): readonly Readonly<OwnerReference>[] {
    const bytes = this.#scan()
    return scanner.ownerReferencesStart === -1
      ? []
      : (parseSpan(
          bytes,
          scanner.ownerReferencesStart,
          scanner.ownerReferencesEnd,
        ) as readonly OwnerReference[])
  }

  /** How many bytes its text takes. */
  get size(): number {
    return this.#text.length
  }

  #scan(): Buffer {
    const bytes = Buffer.from(this.#text, 'latin1')
    scanner.scan(bytes, 0)
    return bytes
  }
}

// Scans are synchronous and their results are read at once, so that one scanner serves all.
const scanner = new MetadataScan()
const noLabels: Readonly<Record<string, string>> = Object.freeze({})

/** `namespace/name`, or `name` without a namespace. */
function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

export interface ReadOptions {
  /** Leave `metadata.managedFields` out: often a third of the bytes, and rarely read. */
  readonly stripManagedFields: boolean
  /** What objects are that do not say it themselves: the server leaves it out of the items of built-in lists. */
  readonly typeMeta: { readonly apiVersion: string; readonly kind: string }
}

/** What objects of any kind are called where only their metadata was asked for. */
const metadataKind = 'PartialObjectMetadata'

/** Reads objects out of bytes, one after the other, copying what is kept. */
export class ObjectReader {
  readonly #scan = new MetadataScan()
  readonly #stripManagedFields: boolean
  readonly #typeMeta: string
  readonly #kind: string
  /** The object that was read last; undefined when it was not a Kubernetes object of the kind. */
  last: CachedObject | undefined

  constructor(options: ReadOptions) {
    this.#stripManagedFields = options.stripManagedFields
    this.#typeMeta = JSON.stringify(options.typeMeta).slice(0, -1)
    this.#kind = options.typeMeta.kind
  }

  /** Reads the object that starts at `start`; returns the position behind it. */
  readAt(bytes: Buffer, start: number): number {
    const scan = this.#scan
    const end = scan.scan(bytes, start)
    this.last =
      scan.isObject && this.#isOfKind(bytes)
        ? new CachedObject(
            keyOf(scan.namespace, scan.name),
            scan.uid,
            scan.resourceVersion,
            this.#textOf(bytes, start, end),
          )
        : undefined
    return end
  }

  /** An object that does not say what it is, is what was asked for. */
  #isOfKind(bytes: Buffer): boolean {
    const { kindStart, kindEnd } = this.#scan
    return (
      kindStart === -1 ||
      isKey(bytes, kindStart + 1, kindEnd - 1, this.#kind) ||
      isKey(bytes, kindStart + 1, kindEnd - 1, metadataKind)
    )
  }

  #textOf(bytes: Buffer, start: number, end: number): string {
    const { managedFieldsStart, managedFieldsEnd, kindStart } = this.#scan
    const text =
      this.#stripManagedFields && managedFieldsStart !== -1
        ? cutMember(bytes, start, end, managedFieldsStart, managedFieldsEnd)
        : bytes.toString('latin1', start, end)
    return kindStart !== -1 ? text : `${this.#typeMeta},${text.slice(1)}`
  }
}

/** The text of [start, end) without the member in [from, to) and without the comma that separated it. */
// oxlint-disable-next-line max-params -- five positions in one buffer: an object for them would be allocated per event
function cutMember(bytes: Buffer, start: number, end: number, from: number, to: number): string {
  let after = to
  while (isSpace(bytes[after])) after++
  if (bytes[after] === comma)
    return bytes.toString('latin1', start, from) + bytes.toString('latin1', after + 1, end)
  let before = from - 1
  while (isSpace(bytes[before])) before--
  return (
    bytes.toString('latin1', start, bytes[before] === comma ? before : from) +
    bytes.toString('latin1', to, end)
  )
}

const comma = 0x2c
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function parseSpan(bytes: Buffer, start: number, end: number): unknown {
  return deepFreeze(parseJson(bytes.toString('utf8', start, end)))
}

// Most objects are ASCII, and then the text is its own decoding.
function utf8Of(text: string): string {
  return /[\u0080-\u00ff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text
}
