import { equalByLeft, equalValues } from '../value/equality.js'
import { type CelList, type CelValue, isFailure, noSuchOverload, ofKind } from '../value/value.js'
import { equalityCost } from './cost.js'
import { EvaluationAborted } from './meter.js'
import { constantPlan, type Plan } from './plan.js'

/** `&&` and `||`: a term that decides wins over one that fails, wherever it stands. */
export function logicPlan(terms: readonly Plan[], decisive: boolean): Plan {
  const runs = terms.map((term) => term.run)
  return {
    run: (frame) => {
      let failed: CelValue | undefined
      for (const run of runs) {
        const value = run(frame)
        if (value === decisive) return decisive
        if (typeof value !== 'boolean') failed ??= isFailure(value) ? value : noSuchOverload()
      }
      return failed ?? !decisive
    },
  }
}

/** `==` and `!=`. */
export function equalityPlan(negated: boolean, left: Plan, right: Plan): Plan {
  return {
    run: (frame) => {
      const values = [left.run(frame), right.run(frame)] as const
      frame.meter.charge(equalityCost(values[0], values[1], negated))
      const failed = values.find(isFailure)
      if (failed !== undefined) return failed
      const equal = equalValues(values[0], values[1], frame.meter)
      // What cannot be compared is not equal, so it is different.
      return negated ? equal !== true : equal
    },
  }
}

/** `or` and `orValue` look at their second operand only if the first has no value. They cost nothing themselves. */
export function orPlan(name: 'or' | 'orValue', left: Plan, right: Plan): Plan {
  return {
    run: (frame) => {
      const value = left.run(frame)
      const optional = ofKind(value, 'optional')
      if (optional === undefined) return value
      if (optional.value === undefined) return right.run(frame)
      return name === 'or' ? optional : optional.value
    },
  }
}

/** `x in [1, 2, 3]` with a constant list: free of charge on the server, which looks it up in a set. */
export function membershipPlan(value: Plan, list: CelList): Plan | undefined {
  if (list.size === 0) return constantPlan(false)
  const elements: CelValue[] = []
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index)
    if (element === null || (typeof element === 'object' && element.kind !== 'uint')) return undefined
    elements.push(element)
  }
  const texts = new Set(elements)
  return {
    run: (frame) => {
      const found = value.run(frame)
      if (isFailure(found)) return found
      if (ofKind(found, 'bytes') !== undefined)
        throw new EvaluationAborted('runtime error: hash of unhashable type types.Bytes')
      if (typeof found === 'string') return texts.has(found)
      return elements.some((element) => equalByLeft(element, found, frame.meter) === true)
    },
  }
}
