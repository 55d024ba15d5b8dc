import { describeValue } from '../value/describe.js'
import { listOf } from '../value/list.js'
import { mapOf } from '../value/map.js'
import { Struct } from '../value/struct.js'
import type { CelType } from '../value/type.js'
import { type CelValue, failure, isFailure, ofKind } from '../value/value.js'
import { constantPlan, type Plan } from './plan.js'

const creationCost = { list: 10, map: 30, struct: 40 }

/** `[a, ?b]`. A list of constants is a constant and free. */
export function listPlan(elements: readonly Plan[], optional: ReadonlySet<number>): Plan {
  const constants = elements.map((element) => element.constant)
  if (constants.every((constant) => constant !== undefined))
    return constantPlan(listOf(constants.map(({ value }) => value)))
  return {
    run: (frame) => {
      const values: CelValue[] = []
      let failed: CelValue | undefined
      for (const [index, element] of elements.entries()) {
        const value = element.run(frame)
        failed = isFailure(value) ? value : addElement(values, value, optional.has(index))
        if (failed !== undefined) break
      }
      frame.meter.charge(creationCost.list)
      return failed ?? listOf(values)
    },
  }
}

interface EntryPlan {
  readonly key: Plan
  readonly value: Plan
  readonly optional: boolean
}

/** `{a: b, ?c: d}`. A map of constants is a constant and free. */
export function mapPlan(entries: readonly EntryPlan[]): Plan {
  const constants = entries.map(({ key, value }): readonly [CelValue, CelValue] | undefined =>
    key.constant === undefined || value.constant === undefined
      ? undefined
      : [key.constant.value, value.constant.value],
  )
  if (constants.every((pair) => pair !== undefined)) return constantPlan(mapOf(constants))
  return {
    run: (frame) => {
      const pairs: [CelValue, CelValue][] = []
      let failed: CelValue | undefined
      for (const entry of entries) {
        const key = entry.key.run(frame)
        const value = isFailure(key) ? key : entry.value.run(frame)
        failed = isFailure(value) ? value : addEntry(pairs, key, value, entry.optional)
        if (failed !== undefined) break
      }
      const made = failed ?? mapOf(pairs)
      frame.meter.charge(creationCost.map)
      return made
    },
  }
}

interface FieldPlan {
  readonly name: string
  readonly value: Plan
  readonly optional: boolean
}

/** `Name{a: b, ?c: d}`. */
export function structPlan(type: CelType, fields: readonly FieldPlan[]): Plan {
  return {
    run: (frame) => {
      const pairs: [string, CelValue][] = []
      let failed: CelValue | undefined
      for (const field of fields) {
        const value = field.value.run(frame)
        failed = isFailure(value) ? value : addEntry(pairs, field.name, value, field.optional)
        if (failed !== undefined) break
      }
      frame.meter.charge(creationCost.struct)
      return failed ?? new Struct(type, new Map(pairs))
    },
  }
}

function addElement(values: CelValue[], value: CelValue, optional: boolean): CelValue | undefined {
  const content = optional ? ofKind(value, 'optional') : { value }
  if (content === undefined)
    return failure(`cannot initialize optional list element from non-optional value ${describeValue(value)}`)
  if (content.value !== undefined) values.push(content.value)
  return undefined
}

function addEntry<K extends CelValue>(
  pairs: [K, CelValue][],
  key: K,
  value: CelValue,
  optional: boolean,
): CelValue | undefined {
  const content = optional ? ofKind(value, 'optional') : { value }
  if (content === undefined)
    return failure(
      `cannot initialize optional entry '${describeValue(key)}' from non-optional value ${describeValue(value)}`,
    )
  if (content.value !== undefined) pairs.push([key, content.value])
  return undefined
}
