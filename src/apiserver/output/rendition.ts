import { stringifyJson } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'

/** An object in the version that it was asked for in, as bytes and as data: each is made when it is first wanted. */
export interface Rendition {
  readonly json: Buffer
  readonly object: ApiObject | StoredApiObject
}

/** An object that is not in the store: converted, computed, or the outcome of a dry run. It must not change any more. */
export function renditionOf(object: ApiObject | StoredApiObject): Rendition {
  let json: Buffer | undefined
  return {
    object,
    get json() {
      json ??= Buffer.from(stringifyJson(object))
      return json
    },
  }
}
