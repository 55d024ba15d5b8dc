import { resourceNameOf, type Scope, type TransportResponse } from '../objects/index.js'
import type { FieldError } from '../schema/index.js'
import type { ApiObject, GroupResource, StoredApiObject } from './api-object.js'
import type { ApiSchema } from './api-schema.js'
import type { ClusterState, Nature } from './cluster-state.js'
import type { RequestInfo } from './request/request-info.js'
import type { User } from './user.js'

/** What a strategy may know of the write that it is asked about. */
export interface WriteContext {
  readonly user: User
  readonly isDryRun: boolean
  readonly nature: Nature
  readonly cluster: ClusterState
  /** Empty for the object itself. */
  readonly subresource: string
  /** A text for the `Warning` header of the answer. */
  warn(text: string): void
}

/**
 * What is particular to the writes of one kind in one version; all the rest is the same for all. Drafts are changed in
 * place. What every kind has (metadata, names, uid, generation of custom ones) the verbs take care of.
 */
export interface Strategy {
  /** What is wrong with a name, in the server's words; with `isPrefix`, with a generateName. */
  nameProblems(name: string, isPrefix: boolean): readonly string[]
  /** Drops what the schema of a custom resource does not know, as decoding does. Absent: decoding knows the kind. */
  prune?(draft: ApiObject): void
  /**
   * What is checked of the metadata of an update, besides what all updates check: the change, as all do, or the whole, as
   * that of a new object. Absent: the change.
   */
  readonly metadataChecks?: readonly ('change' | 'whole')[]
  /** Brings an object into the form that is worked on. */
  applyDefaults(draft: ApiObject): void
  /**
   * Forgets lists that are there but empty. Only field managers tell them from none: whoever sends one owns it. Absent:
   * empty lists are values like others.
   */
  dropEmptyLists?(draft: ApiObject): void
  /** Drops what a creator may not set (status), and sets what only the server sets (generation). */
  prepareForCreate(draft: ApiObject, context: WriteContext): void
  /** The same for an update of an object, or through the subresource that this strategy belongs to. */
  prepareForUpdate(draft: ApiObject, old: StoredApiObject, context: WriteContext): void
  validateCreate(object: ApiObject, context: WriteContext): readonly FieldError[]
  validateUpdate(object: ApiObject, old: StoredApiObject, context: WriteContext): readonly FieldError[]
  /** Whether an update without a resourceVersion is taken as "whatever is there". */
  readonly allowsUnconditionalUpdate: boolean
  /** Whether an update of what is not there creates it. */
  readonly allowsCreateOnUpdate: boolean
  /**
   * The seconds that an object stays after its deletion was asked for; absent for kinds that go at once.
   * `requested` is what the request says.
   */
  gracePeriodSeconds?(object: StoredApiObject, requested: number | undefined): number
  /**
   * Changes the draft of an object whose deletion begins while something still holds it: the phase of a namespace, the
   * condition of a CRD. The deletionTimestamp is set already.
   */
  beginDeletion?(draft: ApiObject, context: WriteContext): void
  /** Whether nothing but metadata.finalizers holds a deleted object: namespaces have finalizers of their own. */
  isFinalized?(object: ApiObject | StoredApiObject): boolean
  /** Whether a deletion is answered with the object that is gone. With a Status, if absent. */
  readonly answersDeletedObject?: boolean
  /** Whether a deletion that does not say what becomes of dependents leaves them behind: Jobs and ReplicationControllers do. */
  readonly orphansDependents?: boolean
  /** What those are told who delete without saying what becomes of dependents. */
  readonly orphanWarning?: string
  /** Whether the garbage collector looks after dependents: `orphan` and `foregroundDeletion` are never set if not. Default: true. */
  readonly isGarbageCollected?: boolean
  /** The fields that apply through this path does not own, as FieldsV1 sets them: the status, for the object itself. */
  readonly resetFields?: readonly (readonly string[])[]
}

/** A column of `kubectl get`, as a Table names it. */
export interface TableColumn {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

/** How objects become rows. */
export interface TableLayout {
  readonly columns: readonly TableColumn[]
  /** The cells of one row. `now` is in milliseconds: ages are texts. */
  cells(object: StoredApiObject, now: number): readonly unknown[]
  /** The conditions of the row: a pod that is over says so. Rows without any have no such field. */
  conditions?(object: StoredApiObject): readonly unknown[]
}

/** A request for something that is not kept in the store, authenticated, authorised and decoded. */
export interface Call {
  readonly info: RequestInfo
  readonly user: User
  readonly query: URLSearchParams
  /** The decoded body of a write, defaulted by nobody. */
  readonly body: ApiObject | undefined
  readonly isDryRun: boolean
  readonly nature: Nature
  readonly signal: AbortSignal | undefined
  warn(text: string): void
  /** Lets admission validate the object of an action that `validatesLate`. Rejects with ApiFailure. */
  validate(object: ApiObject): Promise<void>
}

/** An object is answered as asked for (JSON, YAML, protobuf); anything else goes out as it is. */
export type Answer =
  | { readonly object: ApiObject | StoredApiObject; readonly status?: number }
  | { readonly raw: TransportResponse }

export type Handler = (call: Call) => Promise<Answer>

/** What hangs below an object. */
export type Subresource =
  /** A part of the object itself, written by a strategy of its own: `status`, `ephemeralcontainers`, `resize`, `approval`. */
  | {
      readonly type: 'part'
      readonly strategy: Strategy
      /** Default: get, update and patch. */
      readonly verbs?: readonly string[]
    }
  /** Another shape of the object: reads and writes are translated. Only `scale` is. */
  | { readonly type: 'scale'; readonly scale: ScaleProjection }
  /** Something done to it: `eviction`, `binding`, `token`, `log`. Keys are verbs: `get`, `create`. */
  | {
      readonly type: 'action'
      readonly verbs: Readonly<Record<string, Handler>>
      /** The kind of the body, for discovery and decoding. */
      readonly group: string
      readonly version: string
      readonly kind: string
      /** Completes a body, in place. */
      applyDefaults?(body: ApiObject): void
      /** The handler completes the body before admission validates it. Absent: admission is over when it is called. */
      readonly validatesLate?: boolean
    }

/** How a Scale is read from an object and written back to it. */
export interface ScaleProjection {
  /** `autoscaling/v1` Scale of the object. */
  read(object: StoredApiObject): ApiObject
  /**
   * Throws for an object whose Scale can be updated but not shown: that of a custom resource without replicas. Asked
   * before a Scale is answered to a read.
   */
  checkReadable?(object: StoredApiObject): void
  /** The Scale that an update begins with. Absent: the one that is read. */
  readToUpdate?(object: StoredApiObject): ApiObject
  /** Changes the replicas in the draft of the object. */
  write(draft: ApiObject, scale: ApiObject): void
  /** The path of the replicas, for managed fields: `['spec', 'replicas']`. */
  readonly replicasPath: readonly string[]
}

/** One version of a resource as it is served. */
export interface ServedVersion {
  readonly name: string
  readonly verbs: readonly string[]
  readonly schema: ApiSchema | undefined
  readonly strategy: Strategy
  readonly subresources: ReadonlyMap<string, Subresource>
  readonly table: TableLayout
  /** Sent as a warning with every answer. */
  readonly deprecationWarning?: string
  /** What field selectors may name besides metadata.name and metadata.namespace, with their values. */
  selectableFields(object: StoredApiObject): Readonly<Record<string, string>>
  /** The names of them: others are refused. */
  readonly selectableFieldNames: readonly string[]
}

/** A resource in all its versions: what is kept under one name in the store. */
export interface Resource {
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly scope: Scope
  /** Served versions, the preferred one first. */
  readonly versions: readonly ServedVersion[]
  readonly storageVersion: string
  /**
   * Where the objects are kept, when not under the resource's own name: the events of events.k8s.io are those of the core
   * group. What is read there goes through `convert`, what is written through `toStored`.
   */
  readonly storedAs?: {
    readonly resource: GroupResource
    toStored(object: ApiObject | StoredApiObject): ApiObject | StoredApiObject
  }
  /** CRDs are shown by a published schema of their own and pruned; unknown fields of built-ins never get that far. */
  readonly isCustom: boolean
  /** Aborts when the resource is no longer served in this form (its CRD changed or went): watches of it end. */
  readonly retired?: AbortSignal
  /** Resources that only answer (reviews) have no objects: what to do with a verb instead of storing. */
  readonly actions?: Readonly<Record<string, Handler>>
  /** From any version to any other. The object may be returned as it is when it is of that version already. */
  convert(object: StoredApiObject, toVersion: string): Promise<StoredApiObject>
  /**
   * The same, keeping what the schema of the new version does not know: objects on their way to the store are not pruned
   * when field managers and webhooks look at them in other versions. Absent: `convert` prunes nothing.
   */
  convertAsIs?(object: StoredApiObject, toVersion: string): Promise<StoredApiObject>
  /** The same as `convert` for a whole list, in one call where a webhook converts. Absent: convert them one by one. */
  convertAll?(objects: readonly StoredApiObject[], toVersion: string): Promise<readonly StoredApiObject[]>
  /** Watches cannot begin before this revision: the server has forgotten what was when a CRD came or changed. */
  readonly watchesFrom?: number
  /**
   * Objects stored before this revision were stored under another schema of their CRD: whoever reads one (get, list,
   * watch, write) takes `reshape` of it, which prunes and defaults it as the server does on every read.
   */
  readonly reshapesBefore?: number
  /** A stored object in today's form, in the storage version. */
  reshape?(object: StoredApiObject): StoredApiObject
}

/** What is served at this moment. CRDs come and go. */
export interface ResourceCatalogue {
  find(
    group: string,
    version: string,
    plural: string,
  ): { readonly resource: Resource; readonly version: ServedVersion } | undefined
  /** All, in the order of discovery. */
  all(): Iterable<Resource>
}

/** The name under which the objects of a resource are kept. */
export function storageNameOf(resource: Pick<Resource, 'group' | 'plural' | 'storedAs'>): GroupResource {
  return resource.storedAs?.resource ?? resourceNameOf(resource)
}
