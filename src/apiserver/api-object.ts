import type { DeepReadonly } from '../base/index.js'
import type { ObjectMetaInput } from '../objects/index.js'

/** An object of any kind on its way through the server: plain data, mutable until it is stored. */
export interface ApiObject {
  apiVersion: string
  kind: string
  metadata: ObjectMetaInput
  [field: string]: unknown
}

/** An object that is stored: frozen, complete. */
export type StoredApiObject = DeepReadonly<ApiObject>

/** `pods`, `deployments.apps`: a resource whatever its version, as RBAC and people name it. */
export type GroupResource = string
