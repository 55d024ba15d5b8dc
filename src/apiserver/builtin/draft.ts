import type { ApiObject, StoredApiObject } from '../api-object.js'

/** An object of a kind while it is made: every field may be missing, whatever the kind demands. */
export type Draft<T> = T extends readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]?: Draft<T[K]> | undefined }
    : T

/** The same to look at. A {@link Draft} is one. Words are any text until a rule has looked at them. */
export type View<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly View<Item>[]
    : T extends object
      ? { readonly [K in keyof T]?: View<T[K]> | undefined }
      : T

/** The object as its kind describes it, to be changed in place. The caller names the kind that the object is of. */
export function draftOf<T>(object: ApiObject): Draft<T> {
  // The decoder has checked the type of every field against the kind's schema, and a Draft demands no field at all.
  return object as Draft<T>
}

/** The object as its kind describes it, to look at. The caller names the kind that the object is of. */
export function viewOf<T>(object: ApiObject | StoredApiObject): View<T> {
  // As in draftOf.
  return object as View<T>
}
