import type { ExpressionEngine, FieldError } from '../../schema/index.js'
import type { ApiObject, GroupResource, StoredApiObject } from '../api-object.js'
import type { ClusterState, Nature, SystemDeleteOptions } from '../cluster-state.js'
import type { Handler, Resource, ScaleProjection, Strategy, Subresource, WriteContext } from '../resource.js'
import type { User } from '../user.js'

/** How binding and eviction write: past the rules of the object's own verbs, as the server itself. */
export interface ObjectWriter {
  /**
   * Changes a stored object. `change` gets a fresh draft in the storage version, again when somebody was quicker, and
   * refuses by throwing ApiFailure. Rejects with a 404 when there is no such object.
   */
  change(target: WriteTarget, change: (draft: ApiObject) => void): Promise<StoredApiObject>
  /** The same for a status, but by the verb: the server is its own client there. */
  changeStatus(target: WriteTarget, change: (draft: ApiObject) => void): Promise<StoredApiObject>
  /** As the verb does, grace period and preconditions included, but for admission. */
  delete(target: WriteTarget, options: SystemDeleteOptions): Promise<void>
}

/** What an {@link ObjectWriter} writes, and for whom. */
export interface WriteTarget {
  readonly resource: GroupResource
  readonly namespace: string
  readonly name: string
  readonly user: User
  readonly isDryRun: boolean
}

/** What the resources of the built-in kinds are made with. */
export interface BuiltinOptions {
  readonly nature: Nature
  readonly cluster: ClusterState
  /**
   * What answers for resources and subresources that are not kept in the store, by `plural.group` or
   * `plural.group/subresource`: `tokenreviews.authentication.k8s.io`, `serviceaccounts/token`, `pods/log`.
   */
  readonly handlers?: Readonly<Record<string, Handler>>
  /** Without it there is no binding and no eviction. */
  readonly writer?: ObjectWriter
  /** Compiles the expressions of policies and webhooks when they are written; unchecked while there is none. */
  readonly expressions?: () => ExpressionEngine | undefined
}

/**
 * What is particular to one built-in kind. Everything may be left out: the generic strategy does what all kinds have in
 * common (the form of values, status reset and kept, generation, names). An entry stands for all versions of the kind
 * unless it says otherwise.
 */
export interface KindRules {
  /** The rules in one server, in place of these: for kinds that need parts of it. */
  forServer?(options: BuiltinOptions): KindRules
  /** A DNS subdomain, if absent. */
  nameProblems?(name: string, isPrefix: boolean): readonly string[]
  /** Defaults that stand for absent lists and not for empty ones, set while both are told apart. */
  earlyDefaults?(draft: ApiObject): void
  /** Fills in what the server fills in. Called for every write, on a draft that already has its zero values. */
  defaults?(draft: ApiObject): void
  /** After the status was dropped and the generation set. */
  prepareForCreate?(draft: ApiObject, context: WriteContext): void
  /** After the status was kept from the old object; the generation is compared after it. */
  prepareForUpdate?(draft: ApiObject, old: StoredApiObject, context: WriteContext): void
  validateCreate?(object: ApiObject, context: WriteContext): readonly FieldError[]
  /** Says everything: `validateCreate` is not asked on an update, unless this is absent. */
  validateUpdate?(object: ApiObject, old: StoredApiObject, context: WriteContext): readonly FieldError[]
  /** What to tell who wrote something that is right but doubtful. `old` is there for an update. */
  warnings?(object: ApiObject, old: StoredApiObject | undefined): readonly string[]
  /** After everything but the status (and metadata as the server allows) was kept from the old object. */
  prepareForStatusUpdate?(draft: ApiObject, old: StoredApiObject, context: WriteContext): void
  validateStatusUpdate?(object: ApiObject, old: StoredApiObject, context: WriteContext): readonly FieldError[]
  /**
   * Whether metadata.generation counts the changes of the spec (1 on creation). Default: false; kinds that have it say so.
   */
  readonly hasGeneration?: boolean
  /** What makes a new generation when it changes. Default: the field `spec`. */
  readonly generationFields?: readonly string[]
  /** In place of the fields, where more than they make a new generation. */
  isNewGeneration?(draft: ApiObject, old: StoredApiObject): boolean
  /** Whether the status is dropped on creation and kept on update. Default: whether there is a subresource `status`. */
  readonly resetsStatus?: boolean
  /** Default: status, for kinds that reset it. */
  readonly resetFields?: readonly (readonly string[])[]
  /** Of the subresource `status`. Default: spec. */
  readonly statusResetFields?: readonly (readonly string[])[]
  /** Default: true. */
  readonly allowsUnconditionalUpdate?: boolean
  /** Default: false. */
  readonly allowsCreateOnUpdate?: boolean
  /** See {@link Strategy.orphansDependents}. */
  readonly orphansDependents?: boolean
  /** See {@link Strategy.orphanWarning}. */
  readonly orphanWarning?: string
  gracePeriodSeconds?(object: StoredApiObject, requested: number | undefined): number
  /** See {@link Strategy.isFinalized}. */
  isFinalized?(object: ApiObject | StoredApiObject): boolean
  /** See {@link Strategy.beginDeletion}. */
  beginDeletion?(draft: ApiObject, context: WriteContext): void
  /** By the name that a field selector has; each gives the text that is compared. */
  readonly selectableFields?: Readonly<Record<string, (object: StoredApiObject) => string>>
  /** For the subresource `scale`. */
  readonly scale?: ScaleProjection
  /** All others but `status` and `scale`, by name. `strategy` is that of the object itself, to begin with. */
  subresources?(options: BuiltinOptions, strategy: Strategy): Readonly<Record<string, Subresource>>
  /** Between the versions of a kind that has several. Gives a fresh object. */
  convert?(object: StoredApiObject, toVersion: string): ApiObject
  /** Default: the preferred version. */
  readonly storageVersion?: string
  /** See {@link Resource.storedAs}. */
  readonly storedAs?: Resource['storedAs']
  /** What differs in one of several versions, over what is said here. */
  readonly versions?: Readonly<Record<string, KindRules>>
  readonly deprecationWarning?: string
}

/** By kind: the rules of one API group. */
export type GroupRules = Readonly<Record<string, KindRules>>
