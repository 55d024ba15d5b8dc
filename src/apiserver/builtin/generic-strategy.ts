import { deepCopy, deepEqual, getOwn } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import type { Strategy, WriteContext } from '../resource.js'
import { applyCanonicalForm, zeroValue } from './canonical-form.js'
import type { KindRules } from './kind-rules.js'
import { metadataChecksOf } from './metadata-checks.js'
import { subdomainName } from './name-rules.js'

export interface StrategyParts {
  /** Asked for on the first write. */
  readonly schema: () => ApiSchema
  readonly rules: KindRules
  readonly kind: string
  /** Whether there is a subresource `status`. */
  readonly hasStatus: boolean
}

/** The strategy of a built-in kind: what all have in common, with what is particular to it. */
export function createStrategy({ schema, rules, kind, hasStatus }: StrategyParts): Strategy {
  const resetsStatus = rules.resetsStatus ?? hasStatus
  return {
    metadataChecks: metadataChecksOf(kind),
    nameProblems: (name, isPrefix) => rules.nameProblems?.(name, isPrefix) ?? subdomainName(name, isPrefix),
    applyDefaults(draft) {
      rules.earlyDefaults?.(draft)
      applyCanonicalForm(schema(), draft, true)
      rules.defaults?.(draft)
    },
    dropEmptyLists(draft) {
      if (holdsEmptyList(draft)) applyCanonicalForm(schema(), draft)
    },
    prepareForCreate(draft, context) {
      if (resetsStatus) setStatus(draft, undefined, schema())
      if (rules.hasGeneration === true) draft.metadata.generation = 1
      rules.prepareForCreate?.(draft, context)
    },
    prepareForUpdate(draft, old, context) {
      if (resetsStatus) setStatus(draft, old, schema())
      rules.prepareForUpdate?.(draft, old, context)
      keepGeneration(draft, old)
      if (rules.hasGeneration === true && isNewGeneration(draft, old, rules))
        draft.metadata.generation = (old.metadata.generation ?? 0) + 1
    },
    validateCreate(object, context) {
      const errors = rules.validateCreate?.(object, context) ?? []
      if (errors.length === 0) warn(rules.warnings?.(object, undefined), context)
      return errors
    },
    validateUpdate(object, old, context) {
      const errors =
        rules.validateUpdate === undefined
          ? (rules.validateCreate?.(object, context) ?? [])
          : rules.validateUpdate(object, old, context)
      if (errors.length === 0) warn(rules.warnings?.(object, old), context)
      return errors
    },
    allowsUnconditionalUpdate: rules.allowsUnconditionalUpdate ?? true,
    allowsCreateOnUpdate: rules.allowsCreateOnUpdate ?? false,
    ...(rules.gracePeriodSeconds !== undefined && {
      gracePeriodSeconds: (object, requested) => rules.gracePeriodSeconds?.(object, requested) ?? 0,
    }),
    ...(rules.isFinalized !== undefined && { isFinalized: (object) => rules.isFinalized?.(object) ?? true }),
    ...(rules.beginDeletion !== undefined && {
      beginDeletion: (draft, context) => rules.beginDeletion?.(draft, context),
    }),
    ...(rules.orphansDependents === true && { orphansDependents: true }),
    ...(rules.orphanWarning !== undefined && { orphanWarning: rules.orphanWarning }),
    resetFields: rules.resetFields ?? (resetsStatus ? [['status']] : []),
  }
}

function holdsEmptyList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length === 0 || value.some(holdsEmptyList)
  for (const key in value) if (holdsEmptyList(getOwn(value, key))) return true
  return false
}

function warn(texts: readonly string[] | undefined, context: WriteContext): void {
  for (const text of texts ?? []) context.warn(text)
}

/** The strategy of the subresource `status`: nothing but the status and some metadata changes. */
export function createStatusStrategy(parts: StrategyParts): Strategy {
  const { rules, schema } = parts
  return {
    ...createStrategy(parts),
    metadataChecks: ['change'],
    prepareForUpdate(draft, old, context) {
      keepAllBut(draft, old, new Set(['status']))
      if (!Object.hasOwn(draft, 'status')) setStatus(draft, undefined, schema())
      keepGeneration(draft, old)
      rules.prepareForStatusUpdate?.(draft, old, context)
    },
    validateUpdate: (object, old, context) => rules.validateStatusUpdate?.(object, old, context) ?? [],
    resetFields: rules.statusResetFields ?? [['spec']],
  }
}

/**
 * Puts everything back to what is stored but apiVersion, kind, metadata and the named fields: what the strategy of a
 * part of an object begins with.
 */
export function keepAllBut(draft: ApiObject, old: StoredApiObject, changeable: ReadonlySet<string>): void {
  const isFree = (field: string): boolean =>
    changeable.has(field) || field === 'apiVersion' || field === 'kind' || field === 'metadata'
  for (const field of Object.keys(draft))
    if (!isFree(field) && !Object.hasOwn(old, field)) delete draft[field]
  for (const field of Object.keys(old)) if (!isFree(field)) draft[field] = deepCopy(old[field])
}

/** Nobody but the strategy counts generations. */
export function keepGeneration(draft: ApiObject, old: StoredApiObject): void {
  if (old.metadata.generation === undefined) delete draft.metadata.generation
  else draft.metadata.generation = old.metadata.generation
}

function setStatus(draft: ApiObject, old: StoredApiObject | undefined, schema: ApiSchema): void {
  const status = schema.properties?.['status']
  const kept = old === undefined ? undefined : getOwn(old, 'status')
  if (kept !== undefined) draft['status'] = deepCopy(kept)
  else if (status === undefined || status.empty !== 'zero') delete draft['status']
  else draft['status'] = zeroValue(status)
}

function isNewGeneration(draft: ApiObject, old: StoredApiObject, rules: KindRules): boolean {
  if (rules.isNewGeneration !== undefined) return rules.isNewGeneration(draft, old)
  const fields = rules.generationFields ?? ['spec']
  return fields.some((field) => !deepEqual(getOwn(draft, field), getOwn(old, field)))
}
