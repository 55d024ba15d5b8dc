import type { Overload } from '../check/declaration.js'
import type { Meter } from '../plan/meter.js'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  stringType,
  timestampType,
  uintType,
} from '../value/type.js'
import { type CelList, type CelValue, noSuchOverload, ofKind } from '../value/value.js'
import { member } from './signature.js'

/** The types whose values have an order, and the names that overloads have for them. */
export const orderedTypes: readonly (readonly [name: string, type: CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
]

/** What a function does to the list that it is called on. */
export type ListFunction = (list: CelList, args: readonly CelValue[], meter: Meter) => CelValue

/** A function that is called on a list. */
export function listMember(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  run: ListFunction,
): Overload {
  return member(id, parameters, result, ([first = null, ...rest], meter) => {
    const list = ofKind(first, 'list')
    return list === undefined ? noSuchOverload() : run(list, rest, meter)
  })
}
