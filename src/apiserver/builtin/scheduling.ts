import type { PriorityClass } from '../../kinds/scheduling.k8s.io/v1.js'
import { draftOf, viewOf } from './draft.js'
import { type FieldError, forbidden } from './field-errors.js'
import type { GroupRules } from './kind-rules.js'
import { isAbsent, validateImmutable, validateWord } from './value-rules.js'

const reservedPrefix = 'system-'
const highestPriority = 1_000_000_000
const systemClasses: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

/** What is particular to the kinds of scheduling.k8s.io. */
export const schedulingRules: GroupRules = {
  PriorityClass: {
    hasGeneration: true,
    isNewGeneration: () => false,
    defaults(draft) {
      draftOf<PriorityClass>(draft).preemptionPolicy ??= 'PreemptLowerPriority'
    },
    validateCreate(object) {
      const { value = 0, globalDefault = false, preemptionPolicy } = viewOf<PriorityClass>(object)
      return [
        ...validateReserved(object.metadata.name ?? '', value, globalDefault),
        ...(isAbsent(preemptionPolicy)
          ? []
          : validateWord(preemptionPolicy, ['PreemptLowerPriority', 'Never'], 'preemptionPolicy', '')),
      ]
    },
    validateUpdate(object, old) {
      const now = viewOf<PriorityClass>(object)
      const before = viewOf<PriorityClass>(old)
      return [
        ...((now.value ?? 0) === (before.value ?? 0)
          ? []
          : [forbidden('value', 'may not be changed in an update.')]),
        ...validateImmutable(now.preemptionPolicy, before.preemptionPolicy, 'preemptionPolicy'),
      ]
    },
  },
}

function validateReserved(name: string, value: number, isDefault: boolean): FieldError[] {
  if (!name.startsWith(reservedPrefix)) {
    return value > highestPriority
      ? [forbidden('value', `maximum allowed value of a user defined priority is ${highestPriority}`)]
      : []
  }
  const expected = Object.hasOwn(systemClasses, name) ? systemClasses[name] : undefined
  const problem =
    expected === undefined
      ? `${name} is not a known system priority class`
      : expected !== value
        ? `value of ${name} PriorityClass must be ${expected}`
        : isDefault
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined
  if (problem === undefined) return []
  const rule = `priority class names with '${reservedPrefix}' prefix are reserved for system use only. error: ${problem}`
  return [forbidden('metadata.name', rule)]
}
