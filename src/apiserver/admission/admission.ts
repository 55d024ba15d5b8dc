import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ClusterState, Nature } from '../cluster-state.js'
import type { RequestInfo } from '../request/request-info.js'
import type { Resource } from '../resource.js'
import type { User } from '../user.js'

/** One write, as admission sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly info: RequestInfo
  /** Undefined for what is not a resource of the catalogue. */
  readonly resource: Resource
  /** The kind of the object or, for a subresource like scale, of the body. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly namespace: string
  /** Empty when it is still to be generated. */
  readonly name: string
  readonly user: User
  /** The object to be stored; mutating plugins change it in place (its members; the object stays). Undefined for DELETE. */
  readonly object: ApiObject | undefined
  /** What is stored now, in the version of the request. Undefined for CREATE. */
  readonly oldObject: StoredApiObject | undefined
  /** The options of the request (CreateOptions, UpdateOptions, PatchOptions, DeleteOptions). */
  readonly options: ApiObject
  readonly isDryRun: boolean
  warn(text: string): void
  /** For the audit log and for tests. */
  annotate(key: string, value: string): void
}

export interface AdmissionContext {
  readonly cluster: ClusterState
  readonly nature: Nature
}

/** One step of admission. Refuses by throwing ApiFailure. */
export interface AdmissionPlugin {
  readonly name: string
  /** Asked before anything is called. */
  handles(request: AdmissionRequest): boolean
  /** May change `request.object`. */
  mutate?(request: AdmissionRequest, context: AdmissionContext): Promise<void> | void
  /**
   * Asked once, after all plugins have mutated: whether what came later concerns what this plugin has done before. If so,
   * all mutate once more.
   */
  wantsAnotherRound?(request: AdmissionRequest): boolean
  /** Sees the object as it would be stored, after all mutations and the strategy's validation. */
  validate?(request: AdmissionRequest, context: AdmissionContext): Promise<void> | void
}

/** Plugins in order: all that mutate, then all that validate. */
export interface AdmissionChain {
  mutate(request: AdmissionRequest): Promise<void>
  validate(request: AdmissionRequest): Promise<void>
}
