import { throughOptional } from '../value/native.js'
import {
  type CelValue,
  failure,
  isFailure,
  noSuchOverload,
  noValue,
  ofKind,
  optionalOf,
} from '../value/value.js'
import type { Attribute, Evaluate, Frame, Qualifier } from './plan.js'

/** A path that starts at a variable. */
export function variableAttribute(name: string, slot: number): Attribute {
  return pathAttribute((frame) => {
    const start = frame.pending[slot]
    if (start !== undefined) {
      frame.pending[slot] = undefined
      frame.slots[slot] = start(frame)
    }
    const value = frame.slots[slot]
    // null is a value.
    return value === undefined ? failure(`no such attribute(s): ${name}`) : value
  })
}

/** A path that starts at the value of any other piece of program. */
export function valueAttribute(operand: Evaluate): Attribute {
  return pathAttribute(operand)
}

function pathAttribute(start: Evaluate): Attribute {
  const qualifiers: Qualifier[] = []
  return {
    isConditional: false,
    add: (qualifier) => void qualifiers.push(qualifier),
    resolve(frame) {
      const value = start(frame)
      return isFailure(value) ? value : applyQualifiers(frame, value, qualifiers)
    },
  }
}

/** A path whose start depends on a condition. Selections go into both branches. */
export function conditionalAttribute(condition: Evaluate, yes: Attribute, no: Attribute): Attribute {
  return {
    isConditional: true,
    add(qualifier) {
      yes.add(qualifier)
      no.add(qualifier)
    },
    resolve(frame) {
      const verdict = condition(frame)
      if (verdict === true) return yes.resolve(frame)
      if (verdict === false) return no.resolve(frame)
      return isFailure(verdict) ? verdict : noSuchOverload()
    },
  }
}

/** From the first optional part on, everything that is absent makes the whole path absent. */
function applyQualifiers(frame: Frame, start: CelValue, qualifiers: readonly Qualifier[]): CelValue {
  const wrapped = ofKind(start, 'optional')
  if (wrapped !== undefined && wrapped.value === undefined) return start
  let optional = wrapped !== undefined
  let value = wrapped?.value === undefined ? start : throughOptional(wrapped.value)
  for (const qualifier of qualifiers) {
    optional ||= qualifier.optional
    const part = optional ? qualifier.selectIfPresent(frame, value) : qualifier.select(frame, value)
    if (part === undefined) return noValue
    if (isFailure(part)) return part
    value = part
  }
  return optional ? optionalOf(value) : value
}
