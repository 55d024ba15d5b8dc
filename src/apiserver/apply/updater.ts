import { deepEqual } from '../../base/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { ApiFailure } from '../failure.js'
import { unforeseen } from '../patch/patch-failure.js'
import { type Comparison, compare } from './compare.js'
import { ApplyConflictError, type Conflict, conflictWith } from './conflict.js'
import { extractSet } from './extract-set.js'
import { difference, emptySet, type FieldSet, intersection, recursiveDifference, union } from './field-set.js'
import { type Manager, type Managers, managerId } from './managers.js'
import { mergeApplied } from './merge.js'
import { compareTexts } from './path-element.js'
import { removeFields } from './remove.js'
import { fitToSchema, withNamedFields } from './schema-fit.js'
import { type TypedSchema, typedSchemaOf } from './typed-schema.js'
import { TypedValueError, validateTyped } from './validate.js'

/** An object that is valid for its schema. */
export interface TypedObject {
  readonly value: unknown
  readonly apiVersion: string
  readonly schema: TypedSchema
}

export interface VersionContext {
  schemaOf(apiVersion: string): ApiSchema | undefined
  convert(object: StoredApiObject, apiVersion: string): Promise<StoredApiObject>
}

/** What an update or an apply does to the owners of an object's fields. */
export interface Updater {
  /** The managers after an update. `self` owns what has changed, beside what it owned before. */
  update(change: UpdateChange): Promise<Managers>
  /** The object and its managers after an apply. Throws {@link ApplyConflictError}. */
  apply(change: ApplyChange): Promise<{ object: TypedObject; isChanged: boolean; managers: Managers }>
}

interface UpdateChange {
  readonly live: TypedObject
  readonly updated: TypedObject
  readonly managers: Managers
  readonly self: Manager
}

interface ApplyChange {
  readonly live: TypedObject
  readonly applied: TypedObject
  readonly managers: Managers
  readonly self: Manager
  readonly isForced: boolean
}

/** `ignored` are fields that nobody comes to own through this path, in any version. */
export function createUpdater(context: VersionContext, ignored: FieldSet): Updater {
  const withoutIgnored = (set: FieldSet): FieldSet => recursiveDifference(set, ignored)

  /**
   * Undefined for a version of a built-in kind that is gone: what was owned in it is owned no more. A custom resource
   * cannot be converted to one, and the write ends there, with the server's words for what it was about to do.
   */
  async function convert(
    object: TypedObject,
    apiVersion: string,
    failure = '',
  ): Promise<TypedObject | undefined> {
    if (object.apiVersion === apiVersion) return object
    try {
      return await converted(object, apiVersion)
    } catch (error) {
      if (!(error instanceof TypedValueError) && !(error instanceof ApiFailure)) throw error
      throw unforeseen(`${failure}${error.message}`)
    }
  }

  async function converted(object: TypedObject, apiVersion: string): Promise<TypedObject | undefined> {
    const schema = context.schemaOf(apiVersion)
    const isCustom = context.schemaOf(object.apiVersion)?.goType === undefined
    if (schema === undefined && !isCustom) return undefined
    // Only whole objects are converted, and they have been checked against their schema.
    const value = await context.convert(object.value as StoredApiObject, apiVersion)
    if (value.apiVersion !== apiVersion) {
      throw unforeseen(`request to convert CR to an invalid group/version: ${apiVersion}`)
    }
    // A version that is no longer served has no schema here: the present one says best how its fields belong together.
    const typed = { value, apiVersion, schema: schema === undefined ? object.schema : typedSchemaOf(schema) }
    validateTyped(value, typed.schema, false)
    return typed
  }

  /** Drops managers of versions that are gone, and fits the sets of the others to the schema of today. */
  async function fit(live: TypedObject, managers: Managers): Promise<Managers> {
    const fitted: Managers = new Map()
    for (const [id, manager] of managers) {
      const versioned = await convert(live, manager.apiVersion)
      if (versioned !== undefined) {
        fitted.set(id, withSet(manager, fitToSchema(manager.set, versioned.schema)))
      }
    }
    return fitted
  }

  /** Takes what has changed away from all managers but `self`. In place. Throws ApplyConflictError unless it is forced. */
  async function takeAway(
    [before, after]: readonly [TypedObject, TypedObject],
    managers: Managers,
    selfId: string,
    isForced: boolean,
  ): Promise<Comparison> {
    const comparisons = new Map<string, Comparison>()
    const compareIn = (left: TypedObject, right: TypedObject): Comparison => {
      const { removed, modified, added } = compare(left.value, right.value, left.schema)
      const comparison = {
        removed: withoutIgnored(removed),
        modified: withoutIgnored(modified),
        added: withoutIgnored(added),
      }
      comparisons.set(left.apiVersion, comparison)
      return comparison
    }
    const own = deepEqual(before.value, after.value) ? sameness : compareIn(before, after)
    if (own === sameness) {
      dropEmpty(managers)
      return own
    }
    const conflicts: Conflict[] = []
    const losses = new Map<string, FieldSet>()
    for (const [id, manager] of managers) {
      if (id === selfId) continue
      let comparison = comparisons.get(manager.apiVersion)
      if (comparison === undefined) {
        const [former, later] = [
          await convert(before, manager.apiVersion, 'failed to convert old object: '),
          await convert(after, manager.apiVersion, 'failed to convert new object: '),
        ]
        if (former === undefined || later === undefined) {
          managers.delete(id)
          continue
        }
        comparison = compareIn(former, later)
      }
      const lost = intersection(manager.set, union(comparison.modified, comparison.added))
      if (lost.size > 0) conflicts.push(conflictWith(manager, lost))
      losses.set(id, union(lost, comparison.removed))
    }
    if (!isForced && conflicts.length > 0) {
      throw new ApplyConflictError(
        conflicts.toSorted((left, right) => compareTexts(managerId(left.manager), managerId(right.manager))),
      )
    }
    for (const [id, loss] of losses) {
      const manager = managers.get(id)
      if (manager !== undefined) managers.set(id, withSet(manager, difference(manager.set, loss)))
    }
    dropEmpty(managers)
    return own
  }

  /** The merged object without the fields that the manager applied before, applies no more, and nobody else owns. */
  async function prune(
    merged: TypedObject,
    managers: Managers,
    { last, now }: { readonly last: Manager | undefined; readonly now: Manager },
  ): Promise<TypedObject> {
    if (last === undefined) return merged
    const isDropping = last.apiVersion !== now.apiVersion || difference(last.set, now.set).size > 0
    if (!isDropping || last.set.size === 0) return merged
    const inLastVersion = await convert(
      merged,
      last.apiVersion,
      'failed to prune fields: failed to convert merged object to last applied version: ',
    )
    if (inLastVersion === undefined) return merged
    const { schema } = inLastVersion
    const dropped = without(inLastVersion, withNamedFields(last.set, schema))
    const kept = await addBackOwned(inLastVersion, dropped, managers)
    const keptThen = await convert(
      kept,
      last.apiVersion,
      'failed to prune fields: failed add back dangling items: failed to convert pruned object to last applied version: ',
    )
    if (keptThen === undefined) return merged
    const gone = difference(namedSet(inLastVersion), namedSet(keptThen))
    const pruned = without(inLastVersion, intersection(gone, withNamedFields(last.set, schema)))
    return (await convert(pruned, merged.apiVersion, 'failed to prune fields: ')) ?? merged
  }

  async function addBackOwned(
    merged: TypedObject,
    pruned: TypedObject,
    managers: Managers,
  ): Promise<TypedObject> {
    const owned = new Map<string, FieldSet>()
    for (const { apiVersion, set } of managers.values()) {
      owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, set))
    }
    // The version of the pruned object first: others may not be reached without the fields that it needs.
    const versions = [...owned.keys()].toSorted(
      (left, right) => Number(right === pruned.apiVersion) - Number(left === pruned.apiVersion),
    )
    let [whole, rest] = [merged, pruned]
    for (const version of versions) {
      const failure = (what: string): string =>
        `failed to prune fields: failed add back owned items: failed to convert ${what} object at version ${version}: `
      const [wholeThen, restThen] = [
        await convert(whole, version, failure('merged')),
        await convert(rest, version, failure('pruned')),
      ]
      if (wholeThen === undefined || restThen === undefined) continue
      const kept = union(
        namedSet(restThen),
        withNamedFields(owned.get(version) ?? emptySet, wholeThen.schema),
      )
      whole = wholeThen
      rest = without(wholeThen, difference(namedSet(wholeThen), kept))
    }
    return rest
  }

  return {
    async update({ live, updated, managers, self }) {
      const owners = await fit(live, managers)
      const selfId = managerId(self)
      const { removed, modified, added } = await takeAway([live, updated], owners, selfId, true)
      const before = owners.get(selfId)?.set ?? emptySet
      const set = withoutIgnored(union(union(difference(before, removed), modified), added))
      if (set.size > 0) owners.set(selfId, { ...self, set })
      else owners.delete(selfId)
      return owners
    },
    async apply({ live, applied, managers, self, isForced }) {
      const owners = await fit(live, managers)
      const selfId = managerId(self)
      const merged = { ...live, value: mergeApplied(live.value, applied.value, live.schema) }
      const last = owners.get(selfId)
      const now = { ...self, set: withoutIgnored(extractSet(applied.value, applied.schema)) }
      owners.set(selfId, now)
      const pruned = await prune(merged, owners, { last, now })
      await takeAway([live, pruned], owners, selfId, isForced)
      return { object: pruned, isChanged: !deepEqual(live.value, pruned.value), managers: owners }
    },
  }
}

const sameness: Comparison = { removed: emptySet, modified: emptySet, added: emptySet }

function dropEmpty(managers: Managers): void {
  for (const [id, manager] of managers) if (manager.set.size === 0) managers.delete(id)
}

function withSet(manager: Manager, set: FieldSet): Manager {
  return set === manager.set ? manager : { ...manager, set }
}

function without(object: TypedObject, fields: FieldSet): TypedObject {
  return { ...object, value: removeFields(object.value, fields, object.schema) }
}

function namedSet({ value, schema }: TypedObject): FieldSet {
  return withNamedFields(extractSet(value, schema), schema)
}
