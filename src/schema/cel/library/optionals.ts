import type { FunctionDeclaration } from '../check/declaration.js'
import { describeValue } from '../value/describe.js'
import { elementsOf, listOf } from '../value/list.js'
import { insertEntry } from '../value/map.js'
import { boolType, listTypeOf, mapTypeOf, optionalTypeOf, typeParameter } from '../value/type.js'
import {
  type CelValue,
  failure,
  isFailure,
  noSuchOverload,
  noValue,
  ofKind,
  optionalOf,
} from '../value/value.js'
import { declare, member, overload } from './signature.js'

const paramK = typeParameter('K')
const paramV = typeParameter('V')
const optionalV = optionalTypeOf(paramV)
const listOfV = listTypeOf(paramV)
const mapOfKToV = mapTypeOf(paramK, paramV)

/** `""`, `0`, `[]`...: what `optional.ofNonZeroValue` takes for nothing. Lists and objects of a schema never are. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true
  if (typeof value !== 'object') return false
  switch (value.kind) {
    case 'uint':
      return value.value === 0n
    case 'bytes':
      return value.bytes.length === 0
    case 'duration':
      return value.nanos === 0n
    case 'timestamp':
      return value.seconds === -62_135_596_800 && value.nanos === 0
    case 'list':
    case 'map':
      return value.size === 0 && value.data === undefined
    default:
      return false
  }
}

function unwrap(value: CelValue): CelValue {
  const list = ofKind(value, 'list')
  if (list === undefined) return noSuchOverload()
  const values: CelValue[] = []
  for (const element of elementsOf(list)) {
    const optional = ofKind(element, 'optional')
    if (optional === undefined) return failure(`value ${describeValue(element)} is not optional`)
    if (optional.value !== undefined) values.push(optional.value)
  }
  return listOf(values)
}

function end(value: CelValue, which: 'first' | 'last'): CelValue {
  const list = ofKind(value, 'list')
  if (list === undefined) return noSuchOverload()
  if (list.size === 0) return noValue
  return optionalOf(list.at(which === 'first' ? 0 : list.size - 1))
}

/** Values that may be absent. `or` and `orValue` are planned: they do not always look at their argument. */
export const optionals: readonly FunctionDeclaration[] = [
  declare('optional.of', [
    overload('optional_of', [paramV], optionalV, ([value = null]) => optionalOf(value)),
  ]),
  declare('optional.ofNonZeroValue', [
    overload('optional_ofNonZeroValue', [paramV], optionalV, ([value = null]) =>
      isZero(value) ? noValue : optionalOf(value),
    ),
  ]),
  declare('optional.none', [overload('optional_none', [], optionalV, () => noValue)]),
  declare('value', [
    member('optional_value', [optionalV], paramV, ([value = null]) => {
      const optional = ofKind(value, 'optional')
      if (optional === undefined) return noSuchOverload()
      return optional.value === undefined ? failure('optional.none() dereference') : optional.value
    }),
  ]),
  declare('hasValue', [
    member('optional_hasValue', [optionalV], boolType, ([value = null]) => {
      const optional = ofKind(value, 'optional')
      return optional === undefined ? noSuchOverload() : optional.value !== undefined
    }),
  ]),
  declare('or', [member('optional_or_optional', [optionalV, optionalV], optionalV)]),
  declare('orValue', [member('optional_orValue_value', [optionalV, paramV], paramV)]),
  declare('first', [member('list_first', [listOfV], optionalV, ([list = null]) => end(list, 'first'))]),
  declare('last', [member('list_last', [listOfV], optionalV, ([list = null]) => end(list, 'last'))]),
  declare('optional.unwrap', [
    overload('optional_unwrap', [listTypeOf(optionalV)], listOfV, ([list = null]) => unwrap(list)),
  ]),
  declare('unwrapOpt', [
    member('optional_unwrapOpt', [listTypeOf(optionalV)], listOfV, ([list = null]) => unwrap(list)),
  ]),
]

/** What `transformMap` and `transformMapEntry` build their maps with. */
export const mapInsert: FunctionDeclaration = declare('cel.@mapInsert', [
  overload(
    '@mapInsert_map_key_value',
    [mapOfKToV, paramK, paramV],
    mapOfKToV,
    ([first = null, key = null, value = null], meter) => {
      const map = ofKind(first, 'map')
      return map === undefined ? noSuchOverload() : insertEntry(map, key, value, meter)
    },
  ),
  overload(
    '@mapInsert_map_map',
    [mapOfKToV, mapOfKToV],
    mapOfKToV,
    ([first = null, second = null], meter) => {
      const map = ofKind(first, 'map')
      const added = ofKind(second, 'map')
      if (map === undefined || added === undefined) return noSuchOverload()
      let result: CelValue = map
      for (const key of added.keys()) {
        const target = ofKind(result, 'map')
        if (target === undefined) return result
        result = insertEntry(target, key, added.find(key) ?? null, meter)
        if (isFailure(result)) return result
      }
      return result
    },
  ),
])
