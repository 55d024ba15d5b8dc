import type { FunctionDeclaration } from '../check/declaration.js'
import { deepReadingCost } from '../plan/cost.js'
import { compareValues, isOrdered } from '../value/compare.js'
import { equalByLeft } from '../value/equality.js'
import { elementsOf } from '../value/list.js'
import {
  boolType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listTypeOf,
  uintType,
} from '../value/type.js'
import { type CelValue, duration, failure, isFailure, noSuchOverload, uint } from '../value/value.js'
import { sumOf } from './arithmetic.js'
import { type ListFunction, listMember, orderedTypes } from './list-signature.js'
import { declare, listOfA, paramA } from './signature.js'

const zeros: readonly (readonly [name: string, type: CelType, zero: CelValue])[] = [
  ['int', intType, 0n],
  ['uint', uintType, uint(0n)],
  ['double', doubleType, 0],
  ['duration', durationType, duration(0n)],
]

const readAll = { cost: ([list]: readonly CelValue[]): number => deepReadingCost(list) }

const isSorted: ListFunction = (list) => {
  let previous: CelValue | undefined
  for (const element of elementsOf(list)) {
    if (!isOrdered(element)) return isFailure(element) ? element : noSuchOverload()
    if (previous !== undefined && compareValues(previous, element) === 1) return false
    previous = element
  }
  return true
}

function extreme(name: 'min' | 'max'): ListFunction {
  const replacing = name === 'min' ? 1 : -1
  return (list) => {
    let best: CelValue | undefined
    for (const element of elementsOf(list)) {
      if (!isOrdered(element)) return isFailure(element) ? element : noSuchOverload()
      if (best === undefined || compareValues(best, element) === replacing) best = element
    }
    return best === undefined ? failure(`${name} called on empty list`) : best
  }
}

function position(from: 'first' | 'last'): ListFunction {
  return (list, [value = null], meter) => {
    for (let step = 0; step < list.size; step++) {
      const index = from === 'first' ? step : list.size - 1 - step
      if (equalByLeft(list.at(index), value, meter) === true) return BigInt(index)
    }
    return -1n
  }
}

/** Kubernetes' own list functions. */
export const kubernetesLists: readonly FunctionDeclaration[] = [
  declare(
    'isSorted',
    orderedTypes.map(([name, type]) =>
      listMember(`list_${name}_is_sorted_bool`, [listTypeOf(type)], boolType, isSorted),
    ),
    readAll,
  ),
  declare(
    'sum',
    zeros.map(([name, type, zero]) =>
      listMember(`list_${name}_sum_${name}`, [listTypeOf(type)], type, (list, _args, meter) =>
        sumOf(elementsOf(list), zero, meter),
      ),
    ),
    readAll,
  ),
  ...(['max', 'min'] as const).map((which) =>
    declare(
      which,
      orderedTypes.map(([name, type]) =>
        listMember(`list_${name}_${which}_${name}`, [listTypeOf(type)], type, extreme(which)),
      ),
      readAll,
    ),
  ),
  declare(
    'indexOf',
    [listMember('list_a_index_of_int', [listOfA, paramA], intType, position('first'))],
    readAll,
  ),
  declare(
    'lastIndexOf',
    [listMember('list_a_last_index_of_int', [listOfA, paramA], intType, position('last'))],
    readAll,
  ),
]
