import { getOwn, isPlainObject } from '../base/index.js'
import type { CachedObject } from '../cache/index.js'
import { type AnyKind, resourceNameOf } from '../objects/index.js'

/** Why a reconcile runs. */
export interface Cause {
  readonly type: 'initial' | 'added' | 'changed' | 'deleted' | 'resync' | 'retry' | 'again' | 'external'
  /** `deployments.apps default/web`; absent for causes without an object. */
  readonly object?: string
  /** For `changed`: the fields that differ, `spec.replicas`. Compared when read. */
  readonly fields?: readonly string[]
}

/** A key is woken by many events before it runs; the first few tell enough. */
const causesPerKey = 10

/** The causes that have gathered for each key since its last run. */
export class CauseBook {
  readonly #gathered = new Map<string, Cause[]>()

  add(key: string, cause: Cause): void {
    const causes = this.#gathered.get(key)
    if (causes === undefined) this.#gathered.set(key, [cause])
    else if (causes.length < causesPerKey) causes.push(cause)
  }

  /** The causes of the run that begins now. */
  take(key: string): readonly Cause[] {
    const causes = this.#gathered.get(key) ?? []
    this.#gathered.delete(key)
    return causes
  }
}

export function causeOf(type: Cause['type'], kind: AnyKind, cached: CachedObject): Cause {
  return { type, object: `${resourceNameOf(kind)} ${cached.key}` }
}

/** The cause of an update. Its fields are compared only when somebody looks: most causes are never looked at. */
export function causeOfChange(kind: AnyKind, old: CachedObject, current: CachedObject): Cause {
  // It is remembered long after what arrived with it has been forgotten.
  current.detach()
  let fields: readonly string[] | undefined
  return {
    type: 'changed',
    object: `${resourceNameOf(kind)} ${current.key}`,
    get fields() {
      fields ??= changedFields(old.object, current.object)
      return fields
    },
  }
}

/** One readable line: `changed deployments.apps default/web: status.availableReplicas`. */
export function describeCause(cause: Cause): string {
  const object = cause.object === undefined ? '' : ` ${cause.object}`
  const fields = cause.fields === undefined || cause.fields.length === 0 ? '' : `: ${cause.fields.join(', ')}`
  return `${cause.type}${object}${fields}`
}

const fieldsToName = 12
// What changes with every write and explains none.
const bookkeeping = new Set(['metadata.resourceVersion', 'metadata.managedFields', 'metadata.generation'])

/** The paths at which two objects differ, at most a dozen, lists as a whole. */
export function changedFields(old: unknown, current: unknown): readonly string[] {
  const found: string[] = []
  compare(old, current, '', found)
  return found
}

function compare(old: unknown, current: unknown, path: string, found: string[]): void {
  if (old === current || found.length >= fieldsToName || bookkeeping.has(path)) return
  if (isPlainObject(old) && isPlainObject(current)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(current)])) {
      compare(getOwn(old, key), getOwn(current, key), path === '' ? key : `${path}.${key}`, found)
    }
    return
  }
  if (JSON.stringify(old) !== JSON.stringify(current)) found.push(path)
}
