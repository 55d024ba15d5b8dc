import type { FunctionDeclaration } from '../check/declaration.js'
import { sizeOf, traversal } from '../plan/cost.js'
import { compareValues, isOrdered } from '../value/compare.js'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listTypeOf,
  mapTypeOf,
  optionalTypeOf,
  stringType,
  timestampType,
  typeParameter,
  uintType,
} from '../value/type.js'
import { type CelValue, isFailure, noSuchOverload, ofKind } from '../value/value.js'
import { declare, listOfA, mapOfAToB, overload, paramA, paramB } from './signature.js'

const orderedTypes: readonly (readonly [suffix: string, left: CelType, right: CelType])[] = [
  ['bool', boolType, boolType],
  ['int64', intType, intType],
  ['int64_double', intType, doubleType],
  ['int64_uint64', intType, uintType],
  ['uint64', uintType, uintType],
  ['uint64_double', uintType, doubleType],
  ['uint64_int64', uintType, intType],
  ['double', doubleType, doubleType],
  ['double_int64', doubleType, intType],
  ['double_uint64', doubleType, uintType],
  ['string', stringType, stringType],
  ['bytes', bytesType, bytesType],
  ['timestamp', timestampType, timestampType],
  ['duration', durationType, durationType],
]

function comparison(name: string, id: string, holds: (order: number) => boolean): FunctionDeclaration {
  return declare(
    name,
    orderedTypes.map(([suffix, left, right]) =>
      overload(
        `${id}_${suffix}`,
        [left, right],
        boolType,
        suffix === 'string' || suffix === 'bytes'
          ? { cost: ([a, b]) => traversal(Math.min(sizeOf(a), sizeOf(b))) }
          : {},
      ),
    ),
    {
      shared: {
        accepts: isOrdered,
        run: ([left = null, right = null]) => {
          const order = compareValues(left, right)
          return typeof order === 'number' ? holds(order) : order
        },
      },
    },
  )
}

function isIn(
  value: CelValue,
  container: CelValue,
  meter: Parameters<NonNullable<FunctionDeclaration['shared']>['run']>[1],
): CelValue {
  const list = ofKind(container, 'list')
  if (list !== undefined) return list.contains(value, meter)
  const map = ofKind(container, 'map')
  if (map === undefined) return noSuchOverload()
  const found = map.find(value)
  return found !== undefined && isFailure(found) ? found : found !== undefined
}

const paramK = typeParameter('K')
const paramV = typeParameter('V')
const optionalV = optionalTypeOf(paramV)
const listOfV = listTypeOf(paramV)
const mapOfKToV = mapTypeOf(paramK, paramV)

/**
 * Logic, equality, order, membership and selection. Those without an implementation are planned as what they are:
 * they do not evaluate all their operands, or extend a path.
 */
export const operators: readonly FunctionDeclaration[] = [
  declare('_?_:_', [overload('conditional', [boolType, paramA, paramA], paramA)]),
  declare('_&&_', [overload('logical_and', [boolType, boolType], boolType)]),
  declare('_||_', [overload('logical_or', [boolType, boolType], boolType)]),
  declare('!_', [overload('logical_not', [boolType], boolType)], {
    shared: { run: ([value]) => (typeof value === 'boolean' ? !value : noSuchOverload()) },
  }),
  declare('@not_strictly_false', [
    overload('not_strictly_false', [boolType], boolType, {
      nonStrict: true,
      run: ([value]) => (typeof value === 'boolean' ? value : true),
    }),
  ]),
  declare('_==_', [overload('equals', [paramA, paramA], boolType)]),
  declare('_!=_', [overload('not_equals', [paramA, paramA], boolType)]),
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
  declare(
    '@in',
    [
      overload('in_list', [paramA, listOfA], boolType, { cost: ([, list]) => sizeOf(list) }),
      overload('in_map', [paramA, mapOfAToB], boolType),
    ],
    { shared: { run: ([value = null, container = null], meter) => isIn(value, container, meter) } },
  ),
  declare('_[_]', [
    overload('index_list', [listOfA, intType], paramA),
    overload('index_map', [mapOfAToB, paramA], paramB),
    overload('optional_list_index_int', [optionalTypeOf(listOfV), intType], optionalV),
    overload('optional_map_index_value', [optionalTypeOf(mapOfKToV), paramK], optionalV),
  ]),
  declare('_[?_]', [
    overload('list_optindex_optional_int', [listOfV, intType], optionalV),
    overload('optional_list_optindex_optional_int', [optionalTypeOf(listOfV), intType], optionalV),
    overload('map_optindex_optional_value', [mapOfKToV, paramK], optionalV),
    overload('optional_map_optindex_optional_value', [optionalTypeOf(mapOfKToV), paramK], optionalV),
  ]),
  declare('_?._', [overload('select_optional_field', [dynType, stringType], optionalV)]),
]
