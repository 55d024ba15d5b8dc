import type { KubeObject, ObjectMetaInput } from './metadata.js'

export type Scope = 'Namespaced' | 'Cluster'

/**
 * A kind of object as a value: what the client needs to build a request, and (at compile time only) the type of its
 * objects. Built-in kinds come from `kubewright/kinds/...`, your own from `defineKind`.
 */
export interface Kind<TObject extends KubeObject = KubeObject, TInput = InputFor<TObject>> {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: TObject['kind']
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly scope: Scope
  /** For example `status`, `scale`, `log`. */
  readonly subresources: readonly string[]
  /** Never present at run time: carries the type of a stored object. */
  readonly '~object'?: TObject
  /** Never present at run time: carries the type of an object to be sent. */
  readonly '~input'?: TInput
}

/** Any kind, whatever its objects are: for lists of kinds and for type constraints. */
export type AnyKind = Kind<KubeObject, unknown>

/** An object as one sends it: `apiVersion` and `kind` may be left out, `metadata` needs only a name. */
export type InputFor<TObject extends KubeObject> = Omit<TObject, 'apiVersion' | 'kind' | 'metadata'> & {
  apiVersion?: TObject['apiVersion']
  kind?: TObject['kind']
  metadata: ObjectMetaInput
}

/** The type of the objects of a kind: `type Foo = ObjectOf<typeof Foo>`. */
export type ObjectOf<K> = K extends { readonly '~object'?: infer TObject } ? NonNullable<TObject> : never

/** The type of what may be sent to create an object of a kind: fields with defaults are optional in it. */
export type InputOf<K> = K extends { readonly '~input'?: infer TInput } ? NonNullable<TInput> : never

/** What names one object of a type: a namespace is required exactly where the kind is namespaced. */
export type KeyOf<TObject extends KubeObject> = TObject['metadata'] extends { namespace: string }
  ? { readonly namespace: string; readonly name: string }
  : { readonly namespace?: string | undefined; readonly name: string }

/** Group, version and kind: how an object names its type. */
export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(kind: { readonly group: string; readonly version: string }): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`
}

/** The reverse of {@link apiVersionOf}. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/')
  return slash === -1
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) }
}

/** `deployments.apps`, or `pods` for the core group: how people and error messages name a resource. */
export function resourceNameOf(kind: { readonly group: string; readonly plural: string }): string {
  return kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
}
