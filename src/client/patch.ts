import type { KeyOf, KubeObject, ObjectMeta } from '../objects/index.js'

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** Part of a value: every field optional, at every level. */
export type DeepPartial<T> = T extends (infer Item)[]
  ? DeepPartial<Item>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T

/** A part of an object in which `null` deletes a field. Lists are replaced as a whole. */
export type MergePatch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: MergePatch<T[K]> | null | undefined }
    : T

/**
 * A change to an object, in one of three notations. `merge` fits most cases. `strategic` merges lists by their keys and
 * exists for built-in kinds only; it also takes directives (`$patch`), so it is not checked against the kind.
 */
export type Patch<TObject> =
  | { readonly merge: MergePatch<TObject> }
  | { readonly strategic: object }
  | { readonly json: readonly JsonPatchOperation[] }

/** The media type and body of a patch. */
export function patchBody(patch: Patch<unknown>): { readonly contentType: string; readonly body: unknown } {
  if ('merge' in patch) return { contentType: 'application/merge-patch+json', body: patch.merge }
  if ('json' in patch) return { contentType: 'application/json-patch+json', body: patch.json }
  return { contentType: 'application/strategic-merge-patch+json', body: patch.strategic }
}

/** The media type of a server-side apply. Its body may be JSON, which is YAML too. */
export const applyContentType = 'application/apply-patch+yaml'

/**
 * What one applies: the fields one wants to own, and no others. Only the name (and the namespace, where the kind has one)
 * must be there.
 */
export type ApplyInput<TObject extends KubeObject, TInput> = DeepPartial<
  Omit<TInput, 'apiVersion' | 'kind' | 'metadata'>
> & {
  readonly apiVersion?: TObject['apiVersion']
  readonly kind?: TObject['kind']
  readonly metadata: KeyOf<TObject> &
    Partial<
      Pick<
        ObjectMeta,
        'labels' | 'annotations' | 'finalizers' | 'ownerReferences' | 'uid' | 'resourceVersion'
      >
    >
}
