import { stringifyJson } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { ApiFailure } from '../failure.js'

/** What etcd takes in one request. */
const maxBytes = 1.5 * 1024 * 1024

/**
 * Throws ApiFailure for an object that etcd would not take. `bytes` is what it was made of, the request and the state
 * before: only where that is large is the object measured.
 */
export function refuseLargeObject(object: ApiObject | StoredApiObject, bytes: number): void {
  if (bytes < maxBytes / 2 || Buffer.byteLength(stringifyJson(object)) <= maxBytes) return
  throw new ApiFailure({ code: 500, reason: '', message: 'etcdserver: request is too large' })
}
