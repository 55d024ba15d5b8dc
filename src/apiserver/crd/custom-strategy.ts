import { deepCopy, deepEqual } from '../../base/index.js'
import { NestingTooDeepError, type Validator } from '../../schema/index.js'
import { dnsSubdomainProblems } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { badRequest } from '../failure.js'
import type { Strategy } from '../resource.js'
import { warnOfFinalizers } from './finalizer-warnings.js'

interface StrategyParts {
  /** Made when it is first needed. */
  readonly validator: () => Validator
  /** Whether there is a status subresource: the object itself cannot change its status then. */
  readonly hasStatus: boolean
}

/** How custom resources of one version are written. */
export function customStrategy({ validator, hasStatus }: StrategyParts): Strategy {
  return {
    ...sharedParts(validator),
    prepareForCreate(draft) {
      if (hasStatus) delete draft['status']
      draft.metadata.generation = 1
    },
    prepareForUpdate(draft, old) {
      if (hasStatus) {
        if (Object.hasOwn(old, 'status')) draft['status'] = old['status']
        else delete draft['status']
      }
      if (!isSameContent(draft, old)) draft.metadata.generation = Number(old.metadata.generation ?? 0) + 1
    },
    validateCreate(object, context) {
      const errors = validator().validate(object)
      if (errors.length === 0) warnOfFinalizers(object, undefined, context)
      return errors
    },
    validateUpdate(object, old, context) {
      const errors = validator().validate(object, { old })
      if (errors.length === 0) warnOfFinalizers(object, old, context)
      return errors
    },
    ...(hasStatus && { resetFields: [['status']] }),
  }
}

/** How their status is written: nothing else changes, whatever is sent. */
export function customStatusStrategy({ validator }: Pick<StrategyParts, 'validator'>): Strategy {
  return {
    ...sharedParts(validator),
    prepareForCreate() {},
    prepareForUpdate(draft, old) {
      const hasStatus = Object.hasOwn(draft, 'status')
      const { status } = draft
      const { managedFields } = draft.metadata
      replaceContent(draft, deepCopy(old))
      if (managedFields === undefined) delete draft.metadata.managedFields
      else draft.metadata.managedFields = managedFields
      if (hasStatus) draft['status'] = status
      else delete draft['status']
    },
    validateCreate: () => [],
    validateUpdate: (object, old) => validator().validate(object, { old, subresource: 'status' }),
    resetFields: [['metadata'], ['spec']],
  }
}

function sharedParts(
  validator: () => Validator,
): Pick<
  Strategy,
  'nameProblems' | 'prune' | 'applyDefaults' | 'allowsUnconditionalUpdate' | 'allowsCreateOnUpdate'
> {
  return {
    nameProblems(name, isPrefix) {
      const masked = isPrefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
      return dnsSubdomainProblems(masked)
    },
    prune(draft) {
      replaceContent(
        draft,
        walked(() => validator().prune(draft)),
      )
    },
    applyDefaults(draft) {
      replaceContent(
        draft,
        walked(() => validator().applyDefaults(draft)),
      )
    },
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
  }
}

/** An object as it is decoded: pruned, then defaulted. A copy. Throws ApiFailure for one that cannot be walked. */
export function shaped<T extends ApiObject | StoredApiObject>(validator: Validator, object: T): T {
  return walked(() => validator.applyDefaults(validator.prune(object)))
}

function walked<T>(walk: () => T): T {
  try {
    return walk()
  } catch (error) {
    if (error instanceof NestingTooDeepError) throw badRequest(error.message)
    throw error
  }
}

function replaceContent(draft: ApiObject, content: ApiObject): void {
  for (const name of Object.keys(draft)) if (!Object.hasOwn(content, name)) delete draft[name]
  for (const [name, value] of Object.entries(content))
    Object.defineProperty(draft, name, { value, writable: true, enumerable: true, configurable: true })
}

/** Everything but metadata, the status included: it counts where there is no subresource for it. */
function isSameContent(draft: ApiObject, old: StoredApiObject): boolean {
  const names = Object.keys(draft).filter((name) => name !== 'metadata')
  return (
    names.length === Object.keys(old).filter((name) => name !== 'metadata').length &&
    names.every((name) => Object.hasOwn(old, name) && deepEqual(draft[name], old[name]))
  )
}
