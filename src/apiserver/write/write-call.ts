import { apiVersionOf } from '../../objects/index.js'
import type { AdmissionChain, AdmissionRequest } from '../admission/admission.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { FieldManagerContext } from '../apply/field-manager.js'
import type { Authorizer } from '../auth/authorizer.js'
import type { ClusterState, Nature } from '../cluster-state.js'
import { type Subject, timedOut } from '../failure.js'
import { type Rendition, renditionOf } from '../output/rendition.js'
import type { RequestInfo } from '../request/request-info.js'
import type { Resource, ServedVersion, Strategy, WriteContext } from '../resource.js'
import type { Store, StoredObject } from '../store/store.js'
import type { User } from '../user.js'

/** What all writes are done with. */
export interface WriteParts {
  readonly store: Store
  readonly nature: Nature
  readonly cluster: ClusterState
  readonly admission: AdmissionChain
  readonly authorizer: Authorizer
}

/** One write: who, where to, and how. */
export interface WriteCall {
  readonly info: RequestInfo
  readonly user: User
  readonly resource: Resource
  readonly version: ServedVersion
  /** Of the object, or of the part of it that is written. */
  readonly strategy: Strategy
  /** Who owns the fields that are written. */
  readonly manager: string
  readonly isDryRun: boolean
  /** Of the request. */
  readonly bodyBytes: number
  /** Whether nobody waits for the outcome any more: then nothing is stored. */
  isAbandoned(): boolean
  warn(text: string): void
  annotate(key: string, value: string): void
}

/** An object after a write, in the version of the request. */
export interface Written {
  readonly object: Rendition
  readonly isCreated: boolean
}

/** Throws where a write comes too late: the client has gone, or was told that it took too long. */
export function assertWanted(call: Pick<WriteCall, 'isAbandoned'>): void {
  if (call.isAbandoned()) throw timedOut()
}

/** The key of an object of this name, in the namespace of the request. */
export function keyFor({ resource, info }: Pick<WriteCall, 'resource' | 'info'>, name: string): string {
  return resource.scope === 'Namespaced' ? `${info.namespace}/${name}` : name
}

/** By which failures name the resource. */
export function subjectOf({ resource }: Pick<WriteCall, 'resource'>): Subject {
  return { group: resource.group, resource: resource.plural }
}

/** By which failures name the kind: invalid objects, preconditions. */
export function kindSubjectOf({ resource }: Pick<WriteCall, 'resource'>): Subject {
  return { group: resource.group, resource: resource.kind }
}

/** The apiVersion that the request speaks. */
export function apiVersionFor({ resource, version }: Pick<WriteCall, 'resource' | 'version'>): string {
  return apiVersionOf({ group: resource.group, version: version.name })
}

type Served = Pick<WriteCall, 'resource' | 'version'>

function isPlain({ resource, version }: Served, { apiVersion, revision }: StoredObject): boolean {
  return apiVersion === apiVersionFor({ resource, version }) && revision >= (resource.reshapesBefore ?? 0)
}

/** A stored object in the version of the request. */
export async function inVersionOf(served: Served, stored: StoredObject): Promise<StoredApiObject> {
  if (isPlain(served, stored)) return stored.object
  const { resource, version } = served
  const { object, revision } = stored
  const shaped = revision < (resource.reshapesBefore ?? 0) ? (resource.reshape?.(object) ?? object) : object
  return resource.convert(shaped, version.name)
}

/** The same as an answer: the bytes of the store where they fit. */
export async function answerOf(served: Served, stored: StoredObject): Promise<Rendition> {
  return isPlain(served, stored) ? stored : renditionOf(await inVersionOf(served, stored))
}

/** An object of the request's version as it is stored. */
export async function inStorageVersion(
  { resource, version }: Served,
  draft: ApiObject,
): Promise<ApiObject | StoredApiObject> {
  if (resource.storedAs !== undefined) return resource.storedAs.toStored(draft)
  if (version.name === resource.storageVersion) return draft
  return resource.convert(draft, resource.storageVersion)
}

/**
 * What a strategy is told. Its warnings wait in `warnings`: a client whose object is refused hears of nothing else.
 */
export function writeContext(
  { nature, cluster }: WriteParts,
  call: WriteCall,
  warnings: string[] = [],
): WriteContext {
  return {
    user: call.user,
    isDryRun: call.isDryRun,
    nature,
    cluster,
    subresource: call.info.subresource,
    warn: (text) => void warnings.push(text),
  }
}

export function fieldManagerContext({ nature }: WriteParts, call: WriteCall): FieldManagerContext {
  const { resource, manager, info, strategy } = call
  const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.lastIndexOf('/') + 1)
  const isOurs = (apiVersion: string): boolean =>
    apiVersion === apiVersionOf({ group: resource.group, version: versionOf(apiVersion) })
  return {
    manager,
    apiVersion: apiVersionFor(call),
    kind: resource.kind,
    subresource: info.subresource,
    timestamp: nature.timestamp(),
    schemaOf: (apiVersion) =>
      isOurs(apiVersion)
        ? resource.versions.find(({ name }) => name === versionOf(apiVersion))?.schema
        : undefined,
    convert: async (object, apiVersion) => {
      const version = versionOf(apiVersion)
      return await (resource.convertAsIs?.(object, version) ?? resource.convert(object, version))
    },
    resetFields: strategy.resetFields ?? [],
  }
}

/** What admission is told, apart from the objects. */
export function admissionRequest(
  call: WriteCall,
  what: Pick<AdmissionRequest, 'operation' | 'name' | 'object' | 'oldObject' | 'options'> & {
    readonly kind?: AdmissionRequest['kind']
  },
): AdmissionRequest {
  const { info, resource, version, user, isDryRun } = call
  const isNamespace = resource.group === '' && resource.plural === 'namespaces'
  return {
    kind: { group: resource.group, version: version.name, kind: resource.kind },
    ...what,
    info,
    resource,
    namespace: isNamespace ? what.name : info.namespace,
    user,
    isDryRun,
    warn: (text) => call.warn(text),
    annotate: (key, value) => call.annotate(key, value),
  }
}
