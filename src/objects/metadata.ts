/** Who owns an object: the garbage collector matches by `uid`, never by name. */
export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export interface ManagedFieldsEntry {
  manager?: string
  operation?: 'Apply' | 'Update'
  apiVersion?: string
  time?: string
  fieldsType?: 'FieldsV1'
  /** Not to be changed: equal ones of one list or watch are one value. */
  fieldsV1?: Readonly<Record<string, unknown>>
  subresource?: string
}

/** Metadata of an object as the server returns it. */
export interface ObjectMeta {
  name: string
  namespace?: string
  generateName?: string
  uid: string
  resourceVersion: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  labels?: Record<string, string>
  annotations?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: OwnerReference[]
  managedFields?: ManagedFieldsEntry[]
}

/** Metadata of an object that lives in a namespace. */
export interface NamespacedObjectMeta extends ObjectMeta {
  namespace: string
}

/** Metadata as one writes it: the server fills in the rest. Also the metadata of templates inside other objects. */
export type ObjectMetaInput = Partial<ObjectMeta>

export interface ListMeta {
  resourceVersion?: string
  continue?: string
  remainingItemCount?: number
}

/** The least that every object has. Fields beyond it are known by the object's kind. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
}

/** A page of objects, or all of them. */
export interface KubeList<T> {
  apiVersion: string
  kind: string
  metadata: ListMeta
  items: T[]
}
