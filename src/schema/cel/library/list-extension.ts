import type { FunctionDeclaration } from '../check/declaration.js'
import { sizeOf } from '../plan/cost.js'
import { CostLimitExceeded, EvaluationAborted, type Meter } from '../plan/meter.js'
import { compareValues, isOrdered } from '../value/compare.js'
import { equalByLeft } from '../value/equality.js'
import { elementsOf, listOf } from '../value/list.js'
import { implementationName, runtimeType } from '../value/runtime-type.js'
import { dynType, intType, listTypeOf, typeParameter } from '../value/type.js'
import { type CelList, type CelValue, failure, isFailure, noSuchOverload, ofKind } from '../value/value.js'
import { type ListFunction, listMember, orderedTypes } from './list-signature.js'
import { declare, member, overload } from './signature.js'

const listCreation = 11
const paramT = typeParameter('T')
const listOfT = listTypeOf(paramT)

function notAList(value: CelValue): EvaluationAborted {
  const type = isFailure(value) ? '*types.Err' : implementationName(value)
  const adds = ['int', 'uint', 'double', 'string', 'bytes', 'duration', 'timestamp'].includes(
    runtimeType(value).sort,
  )
  return new EvaluationAborted(
    `interface conversion: ${type} is not traits.Lister: missing method ${adds ? 'Contains' : 'Add'}`,
  )
}

/** Every element against every other. */
function pairwiseCost(list: CelValue = null): number {
  const elements = ofKind(list, 'list')
  // The server forgets that its argument may have failed, or be no list at all.
  if (elements === undefined) throw notAList(list)
  const { size } = elements
  const sample = size > 0 ? elements.at(0) : null
  const texts = typeof sample === 'string' || ofKind(sample, 'bytes') !== undefined
  return Math.trunc(size * size * (texts ? 2.1 : 2)) + listCreation
}

const slice: ListFunction = (list, [start, end]) => {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return noSuchOverload()
  const call = `cannot slice(${start}, ${end})`
  if (start < 0n || end < 0n) return failure(`${call}, negative indexes not supported`)
  if (start > end) return failure(`${call}, start index must be less than or equal to end index`)
  if (BigInt(list.size) < end) return failure(`${call}, list is length ${list.size}`)
  const elements: CelValue[] = []
  for (let index = Number(start); index < Number(end); index++) elements.push(list.at(index))
  return listOf(elements)
}

function sliceSize([list, start, end]: readonly CelValue[]): number {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return 1
  return start >= 0n && start <= end && end <= BigInt(sizeOf(list)) ? Number(end - start) : 1
}

function flatten(list: CelList, depth: bigint, into: CelValue[], meter: Meter): void {
  for (const element of elementsOf(list)) {
    meter.work(1)
    const nested = depth > 0n ? ofKind(element, 'list') : undefined
    if (nested === undefined) into.push(element)
    else flatten(nested, depth - 1n, into, meter)
  }
}

const flattenTo =
  (fixed?: bigint): ListFunction =>
  (list, [given], meter) => {
    const depth = fixed ?? given
    if (typeof depth !== 'bigint') return noSuchOverload()
    if (depth < 0n) return failure('level must be non-negative')
    const elements: CelValue[] = []
    flatten(list, depth, elements, meter)
    return listOf(elements)
  }

function sortByKeys(list: CelList, keys: CelList): CelValue {
  if (list.size !== keys.size)
    return failure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    )
  if (list.size === 0) return list
  const first = keys.at(0)
  if (!isOrdered(first)) return failure('list elements must be comparable')
  const type = runtimeType(first).name
  const order = Array.from({ length: list.size }, (_, index) => index)
  if (order.length > 1 && order.some((index) => runtimeType(keys.at(index)).name !== type))
    return failure('list elements must have the same type')
  order.sort((left, right) => {
    const compared = compareValues(keys.at(left), keys.at(right))
    return typeof compared === 'number' ? compared : 0
  })
  return listOf(order.map((index) => list.at(index)))
}

const distinct: ListFunction = (list, _args, meter) => {
  const unique: CelValue[] = []
  for (const element of elementsOf(list)) {
    if (!unique.some((seen) => equalByLeft(element, seen, meter) === true)) unique.push(element)
  }
  return listOf(unique)
}

function range(count: CelValue | undefined): CelValue {
  if (typeof count !== 'bigint') return noSuchOverload()
  return listOf(Array.from({ length: Number(count < 0n ? 0n : count) }, (_, index) => BigInt(index)))
}

function rangeCost([count]: readonly CelValue[]): number {
  // Refused before it is allocated.
  if (typeof count === 'bigint' && count > 100_000_000n) throw new CostLimitExceeded()
  return (typeof count === 'bigint' && count > 0n ? Number(count) : 0) + listCreation
}

/** Version 3 of the lists extension. */
export const listExtension: readonly FunctionDeclaration[] = [
  declare('slice', [
    {
      ...listMember('list_slice', [listOfT, intType, intType], listOfT, slice),
      cost: (args) => sliceSize(args) + listCreation,
    },
  ]),
  declare(
    'flatten',
    [
      {
        ...listMember('list_flatten', [listTypeOf(listOfT)], listOfT, flattenTo(1n)),
        cost: ([list]) => sizeOf(list) + listCreation,
      },
      {
        ...listMember('list_flatten_int', [listTypeOf(dynType), intType], listTypeOf(dynType), flattenTo()),
        cost: ([list, depth]) =>
          sizeOf(list) * Math.max(0, Number(typeof depth === 'bigint' ? depth : 1n)) + listCreation,
      },
    ],
    { unguarded: true },
  ),
  declare(
    'sort',
    orderedTypes.map(([, type]) => ({
      ...member(`list_${type.name}_sort`, [listTypeOf(type)], listTypeOf(type)),
      cost: ([list]: readonly CelValue[]) => pairwiseCost(list),
    })),
    {
      shared: {
        accepts: (value) => ofKind(value, 'list') !== undefined,
        run: ([value = null]) => {
          const list = ofKind(value, 'list')
          return list === undefined ? noSuchOverload() : sortByKeys(list, list)
        },
      },
    },
  ),
  declare(
    '@sortByAssociatedKeys',
    orderedTypes.map(([, type]) => ({
      ...member(`list_${type.name}_sortByAssociatedKeys`, [listOfT, listTypeOf(type)], listOfT),
      cost: ([, keys]: readonly CelValue[]) => pairwiseCost(keys),
    })),
    {
      shared: {
        accepts: (value) => ofKind(value, 'list') !== undefined,
        run: ([first = null, second = null]) => {
          const list = ofKind(first, 'list')
          const keys = ofKind(second, 'list')
          return list === undefined || keys === undefined ? noSuchOverload() : sortByKeys(list, keys)
        },
      },
    },
  ),
  declare('lists.range', [
    overload('lists_range', [intType], listTypeOf(intType), {
      run: ([count]) => range(count),
      cost: rangeCost,
    }),
  ]),
  declare('reverse', [
    {
      ...listMember('list_reverse', [listOfT], listOfT, (list) => listOf([...elementsOf(list)].reverse())),
      cost: ([list = null]) => (ofKind(list, 'list')?.size ?? 1) + listCreation,
    },
  ]),
  declare('distinct', [
    {
      ...listMember('list_distinct', [listOfT], listOfT, distinct),
      cost: ([list]) => pairwiseCost(list),
    },
  ]),
]
