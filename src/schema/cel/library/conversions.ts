import type { FunctionDeclaration, Overload } from '../check/declaration.js'
import { readingCost, sizeOf } from '../plan/cost.js'
import { convertValue } from '../value/convert.js'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  typeOfType,
  typeType,
  uintType,
} from '../value/type.js'
import type { CelValue } from '../value/value.js'
import { declare, listOfA, mapOfAToB, member, overload, paramA } from './signature.js'

const costly = new Set(['string_to_bytes', 'bytes_to_string'])

function conversion(
  target: CelType,
  id: string,
  from: readonly (readonly [id: string, type: CelType])[],
): FunctionDeclaration {
  const overloads = from.map(
    ([source, type]): Overload =>
      overload(`${source}_to_${id}`, [type], target, {
        run: ([value = null]) => convertValue(value, target),
        ...(costly.has(`${source}_to_${id}`) ? { cost: readingCost() } : {}),
      }),
  )
  return declare(target.sort, overloads)
}

const bool = ['bool', boolType] as const
const bytesOverload = ['bytes', bytesType] as const
const double = ['double', doubleType] as const
const durationOverload = ['duration', durationType] as const
const int = ['int64', intType] as const
const string = ['string', stringType] as const
const timestampOverload = ['timestamp', timestampType] as const
const unsigned = ['uint64', uintType] as const

function sizes(): readonly Overload[] {
  const types = [
    ['bytes', bytesType],
    ['list', listOfA],
    ['map', mapOfAToB],
    ['string', stringType],
  ] as const
  return types.flatMap(([id, type]) => [
    overload(`size_${id}`, [type], intType),
    member(`${id}_size`, [type], intType),
  ])
}

const hasSize = (value: CelValue): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && ['bytes', 'list', 'map'].includes(value.kind))

/** `int()`, `string()`, `type()`, `dyn()`... and `size()`. */
export const conversions: readonly FunctionDeclaration[] = [
  conversion(boolType, 'bool', [bool, string]),
  conversion(bytesType, 'bytes', [bytesOverload, string]),
  conversion(doubleType, 'double', [double, int, string, unsigned]),
  conversion(durationType, 'duration', [durationOverload, int, string]),
  conversion(intType, 'int64', [int, double, durationOverload, string, timestampOverload, unsigned]),
  conversion(stringType, 'string', [
    string,
    bool,
    bytesOverload,
    double,
    durationOverload,
    int,
    timestampOverload,
    unsigned,
  ]),
  conversion(timestampType, 'timestamp', [timestampOverload, int, string]),
  conversion(uintType, 'uint64', [unsigned, double, int, string]),
  declare('dyn', [overload('to_dyn', [paramA], dynType)], { shared: { run: ([value = null]) => value } }),
  declare('type', [overload('type', [paramA], typeOfType(paramA))], {
    shared: { run: ([value = null]) => convertValue(value, typeType) },
  }),
  declare('size', sizes(), {
    shared: { accepts: hasSize, run: ([value]) => BigInt(sizeOf(value)) },
  }),
]
