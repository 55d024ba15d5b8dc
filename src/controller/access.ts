import type { AnyKind, ObjectOf, Verb } from '../objects/index.js'

/**
 * A permission as data: what a controller may do to a kind. The typed client allows nothing else, and the Role in the
 * manifests is exactly the sum of these.
 */
export interface Access<K extends AnyKind = AnyKind, V extends Verb = Verb, S extends string = string> {
  readonly kind: K
  readonly verbs: readonly V[]
  /** `''` for the object itself, else the subresource: `status`, `scale`, `eviction`... */
  readonly subresource: S
}

/** Declares what a controller does beyond what `for`, `owns` and `watches` imply: `access(Secret, 'get', 'create')`. */
export function access<K extends AnyKind, V extends Verb>(kind: K, ...verbs: readonly V[]): Access<K, V, ''> {
  return { kind, verbs, subresource: '' }
}

/** The same for a subresource: `subresourceAccess(Deployment, 'status', 'patch')`. */
export function subresourceAccess<K extends AnyKind, S extends string, V extends Verb>(
  kind: K,
  subresource: S,
  ...verbs: readonly V[]
): Access<K, V, S> {
  return { kind, verbs, subresource }
}

const reading = ['get', 'list', 'watch'] as const
const owning = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const
const statusWriting = ['get', 'update', 'patch'] as const

export type Reading = (typeof reading)[number]
export type Owning = (typeof owning)[number]
export type StatusWriting = (typeof statusWriting)[number]

/** What `for: K` implies: reading it and writing its status. Its spec belongs to its user. */
export type PrimaryAccess<K extends AnyKind> =
  | Access<K, Reading, ''>
  | ('status' extends keyof ObjectOf<K> ? Access<K, StatusWriting, 'status'> : never)
/** What `owns: [K]` implies. */
export type OwnedAccess<K extends AnyKind> = K extends AnyKind ? Access<K, Owning, ''> : never
/** What `watches: [watch(K, ...)]` implies. */
export type WatchedAccess<K extends AnyKind> = K extends AnyKind ? Access<K, Reading, ''> : never

export function primaryAccess(kind: AnyKind, finalizes: boolean): Access[] {
  const accesses: Access[] = [{ kind, verbs: reading, subresource: '' }]
  if (kind.subresources.includes('status'))
    accesses.push({ kind, verbs: statusWriting, subresource: 'status' })
  // The finalizer is put on and taken off by a patch of the object itself.
  if (finalizes) accesses.push({ kind, verbs: ['patch'], subresource: '' })
  return accesses
}

export function ownedAccess(kind: AnyKind): Access {
  return { kind, verbs: owning, subresource: '' }
}

export function watchedAccess(kind: AnyKind): Access {
  return { kind, verbs: reading, subresource: '' }
}
