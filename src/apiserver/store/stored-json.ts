import { deepFreeze, parseJson, stringifyJson } from '../../base/index.js'
import type { ApiObject, GroupResource, StoredApiObject } from '../api-object.js'
import type { StoredObject } from './store.js'

interface StoredJsonParts {
  readonly resource: GroupResource
  readonly key: string
  readonly revision: number
  readonly apiVersion: string
  readonly json: Buffer
}

/** An object as its bytes. The parsed form lives as long as somebody uses it, and no longer. */
export class StoredJson implements StoredObject {
  readonly resource: GroupResource
  readonly key: string
  readonly revision: number
  readonly apiVersion: string
  readonly json: Buffer
  #parsed: WeakRef<StoredApiObject> | undefined

  constructor({ resource, key, revision, apiVersion, json }: StoredJsonParts) {
    this.resource = resource
    this.key = key
    this.revision = revision
    this.apiVersion = apiVersion
    this.json = json
  }

  get object(): StoredApiObject {
    const known = this.#parsed?.deref()
    if (known !== undefined) return known
    // What `encodeObject` wrote from an ApiObject is one.
    const parsed = deepFreeze(parseJson(this.json.toString('utf8')) as ApiObject)
    this.#parsed = new WeakRef(parsed)
    return parsed
  }
}

/**
 * The bytes of an object with this resourceVersion. Kind and apiVersion come first and metadata third, as the real
 * server has it, so that lists of built-in kinds can leave the first two out without parsing.
 */
export function encodeObject(draft: ApiObject | StoredApiObject, revision: number): Buffer {
  const { kind, apiVersion, metadata, ...rest } = draft
  const text = stringifyJson({
    kind,
    apiVersion,
    metadata: { ...metadata, resourceVersion: String(revision) },
    ...rest,
  })
  // Not from the pool: a small object that lives for days would hold a slab of others' bytes.
  const json = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  json.write(text)
  return json
}
