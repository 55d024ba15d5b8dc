import { type DeepReadonly, stringifyJson } from '../base/index.js'
import type { KubeObject, OwnerReference } from '../objects/index.js'
import { keyOf } from './cache-key.js'
import { isKey } from './json-scan.js'
import { MetadataScan } from './metadata-scan.js'
import { readLabels, readMetadata, readObject, readOwnerReferences } from './object-bytes.js'

/**
 * One object at one version: the bytes of its JSON, and what the cache itself needs. The object is parsed when it is
 * first read and kept only as long as somebody holds it. What is handed out is frozen.
 */
export class CachedObject<T extends KubeObject = KubeObject> {
  /** `namespace/name`, or `name` for a cluster-scoped object. */
  readonly key: string
  readonly uid: string
  readonly resourceVersion: string
  /** How many bytes its JSON takes. */
  readonly size: number
  /** The UTF-8 bytes of the JSON: among others, or alone as a string of one character each. */
  #home: Buffer | string
  #start: number
  #parsed: WeakRef<object> | undefined

  // oxlint-disable-next-line max-params -- an object for them would be allocated per event
  constructor(
    key: string,
    uid: string,
    resourceVersion: string,
    home: Buffer | string,
    start = 0,
    end: number = home.length,
  ) {
    this.key = key
    this.uid = uid
    this.resourceVersion = resourceVersion
    this.size = end - start
    this.#home = home
    this.#start = start
  }

  /** From an object at hand, for example the answer to a write. */
  static of<T extends KubeObject>(object: DeepReadonly<T> | T): CachedObject<T> {
    const { namespace, name, uid, resourceVersion } = object.metadata
    const text = Buffer.from(stringifyJson(object))
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
    // What is held was made below.
    if (held !== undefined) return held as DeepReadonly<T>
    const parsed = readObject<T>(this.#bytes, this.#start, this.#start + this.size)
    this.#parsed = new WeakRef(parsed)
    return parsed
  }

  /** The metadata alone: cheaper than the object when nothing else is read. */
  get metadata(): DeepReadonly<T['metadata']> {
    const held = this.#parsed?.deref() as DeepReadonly<T> | undefined
    if (held !== undefined) return held.metadata as DeepReadonly<T['metadata']>
    return readMetadata<T>(this.#bytes, this.#start)
  }

  get labels(): Readonly<Record<string, string>> {
    return readLabels(this.#bytes, this.#start)
  }

  get ownerReferences(): readonly Readonly<OwnerReference>[] {
    return readOwnerReferences(this.#bytes, this.#start)
  }

  /** Writes the bytes of the JSON to a place. For the store. */
  copyTo(target: Buffer, at: number): void {
    if (typeof this.#home === 'string') target.write(this.#home, at, 'latin1')
    else this.#home.copy(target, at, this.#start, this.#start + this.size)
  }

  /** Takes its bytes out from among others: held for long, it would hold on to all that arrived with it. */
  detach(): void {
    if (typeof this.#home === 'string') return
    this.#home = this.#home.toString('latin1', this.#start, this.#start + this.size)
    this.#start = 0
  }

  /** Itself: it never changes. */
  copy(): this {
    return this
  }

  get #bytes(): Buffer {
    return typeof this.#home === 'string' ? Buffer.from(this.#home, 'latin1') : this.#home
  }
}

export interface ReadOptions {
  /** Leave `metadata.managedFields` out: often a third of the bytes, and rarely read. */
  readonly stripManagedFields: boolean
  /** What objects are that do not say it themselves: the server leaves it out of the items of built-in lists. */
  readonly typeMeta: { readonly apiVersion: string; readonly kind: string }
  /** What is kept of each object; all of it, if absent. */
  readonly transform?: ((object: CachedObject) => CachedObject) | undefined
}

/** What objects of any kind are called where only their metadata was asked for. */
const metadataKind = 'PartialObjectMetadata'

/**
 * Reads objects out of bytes, one after the other. What it reads are views of those bytes: a store copies them, and
 * whoever else keeps one detaches it.
 */
export class ObjectReader {
  readonly #scan = new MetadataScan()
  readonly #stripManagedFields: boolean
  readonly #transform: ReadOptions['transform']
  readonly #typeMeta: string
  readonly #kind: string
  /** The object that was read last; undefined when it was not a Kubernetes object of the kind. */
  last: CachedObject | undefined

  constructor(options: ReadOptions) {
    this.#stripManagedFields = options.stripManagedFields
    this.#transform = options.transform
    this.#typeMeta = JSON.stringify(options.typeMeta).slice(0, -1)
    this.#kind = options.typeMeta.kind
  }

  /** Reads the object that starts at `start`; returns the position behind it. */
  readAt(bytes: Buffer, start: number): number {
    const scan = this.#scan
    const end = scan.scan(bytes, start)
    const read = scan.isObject && this.#isOfKind(bytes) ? this.#objectIn(bytes, start, end) : undefined
    this.last = read !== undefined && this.#transform !== undefined ? this.#transform(read) : read
    return end
  }

  #objectIn(bytes: Buffer, start: number, end: number): CachedObject {
    const { key, uid, resourceVersion, managedFieldsStart, kindStart } = this.#scan
    const isVerbatim = kindStart !== -1 && !(this.#stripManagedFields && managedFieldsStart !== -1)
    return isVerbatim
      ? new CachedObject(key, uid, resourceVersion, bytes, start, end)
      : new CachedObject(key, uid, resourceVersion, this.#textOf(bytes, start, end))
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

  /** One character a byte, without what is stripped and with what is missing. */
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
