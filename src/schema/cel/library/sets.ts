import type { CallCost, FunctionDeclaration } from '../check/declaration.js'
import { sizeOf } from '../plan/cost.js'
import type { Meter } from '../plan/meter.js'
import { elementsOf } from '../value/list.js'
import { boolType, listTypeOf, typeParameter } from '../value/type.js'
import { type CelList, type CelValue, type CelVerdict, noSuchOverload, ofKind } from '../value/value.js'
import { declare, overload } from './signature.js'

const listOfT = listTypeOf(typeParameter('T'))

function contains(list: CelList, part: CelList, meter: Meter): CelVerdict {
  for (const element of elementsOf(part)) {
    const found = list.contains(element, meter)
    if (found !== true) return found
  }
  return true
}

function intersects(left: CelList, right: CelList, meter: Meter): CelVerdict {
  for (const element of elementsOf(left)) if (right.contains(element, meter) === true) return true
  return false
}

function equivalent(left: CelList, right: CelList, meter: Meter): CelVerdict {
  const holds = contains(left, right, meter)
  return holds === true ? contains(right, left, meter) : holds
}

function onLists(run: (left: CelList, right: CelList, meter: Meter) => CelVerdict) {
  return ([first = null, second = null]: readonly CelValue[], meter: Meter): CelValue => {
    const left = ofKind(first, 'list')
    const right = ofKind(second, 'list')
    return left === undefined || right === undefined ? noSuchOverload() : run(left, right, meter)
  }
}

const productCost =
  (factor: number): CallCost =>
  ([left, right]) =>
    1 + sizeOf(left) * sizeOf(right) * factor

/** Lists as sets: order and repetition do not count. */
export const sets: readonly FunctionDeclaration[] = [
  declare('sets.contains', [
    overload('list_sets_contains_list', [listOfT, listOfT], boolType, {
      run: onLists(contains),
      cost: productCost(1),
    }),
  ]),
  declare('sets.equivalent', [
    overload('list_sets_equivalent_list', [listOfT, listOfT], boolType, {
      run: onLists(equivalent),
      cost: productCost(2),
    }),
  ]),
  declare('sets.intersects', [
    overload('list_sets_intersects_list', [listOfT, listOfT], boolType, {
      run: onLists(intersects),
      cost: productCost(1),
    }),
  ]),
]
