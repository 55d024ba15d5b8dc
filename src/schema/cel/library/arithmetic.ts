import type { FunctionDeclaration } from '../check/declaration.js'
import { sizeOf, traversal } from '../plan/cost.js'
import type { Meter } from '../plan/meter.js'
import { checkedInt, checkedUint } from '../value/int64.js'
import { addToTimestamp, timeBetween } from '../value/timestamp.js'
import {
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  stringType,
  timestampType,
  uintType,
} from '../value/type.js'
import {
  bytes,
  type CelFailure,
  type CelValue,
  duration,
  failure,
  isFailure,
  noSuchOverload,
  ofKind,
  uint,
} from '../value/value.js'
import { declare, listOfA, overload } from './signature.js'

type Binary = (left: CelValue, right: CelValue, meter: Meter) => CelValue

function asUint(value: bigint | CelFailure): CelValue {
  return typeof value === 'bigint' ? uint(value) : value
}

function asDuration(value: bigint | CelFailure): CelValue {
  return typeof value === 'bigint' ? duration(value) : value
}

/** `+`: numbers and times are added, texts and lists joined. */
const addValues: Binary = (left, right, meter) => {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? checkedInt(left + right) : noSuchOverload()
  if (typeof left === 'number') return typeof right === 'number' ? left + right : noSuchOverload()
  if (typeof left === 'string') return typeof right === 'string' ? left + right : noSuchOverload()
  if (typeof left !== 'object' || left === null) return noSuchOverload()
  switch (left.kind) {
    case 'uint': {
      const other = ofKind(right, 'uint')
      return other === undefined ? noSuchOverload() : asUint(checkedUint(left.value + other.value))
    }
    case 'bytes': {
      const other = ofKind(right, 'bytes')
      return other === undefined ? noSuchOverload() : bytes(Buffer.concat([left.bytes, other.bytes]))
    }
    case 'duration': {
      const moment = ofKind(right, 'timestamp')
      if (moment !== undefined) return addToTimestamp(moment, left.nanos)
      const other = ofKind(right, 'duration')
      return other === undefined ? noSuchOverload() : asDuration(checkedInt(left.nanos + other.nanos))
    }
    case 'timestamp': {
      const other = ofKind(right, 'duration')
      return other === undefined ? noSuchOverload() : addToTimestamp(left, other.nanos)
    }
    case 'list': {
      const other = ofKind(right, 'list')
      return other === undefined ? noSuchOverload() : left.concat(other, meter)
    }
    default:
      return noSuchOverload()
  }
}

const subtract: Binary = (left, right) => {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? checkedInt(left - right) : noSuchOverload()
  if (typeof left === 'number') return typeof right === 'number' ? left - right : noSuchOverload()
  if (typeof left !== 'object' || left === null) return noSuchOverload()
  const time = ofKind(right, 'duration')
  switch (left.kind) {
    case 'uint': {
      const other = ofKind(right, 'uint')
      return other === undefined ? noSuchOverload() : asUint(checkedUint(left.value - other.value))
    }
    case 'duration':
      return time === undefined ? noSuchOverload() : asDuration(checkedInt(left.nanos - time.nanos))
    case 'timestamp': {
      if (time !== undefined) return addToTimestamp(left, -time.nanos)
      const other = ofKind(right, 'timestamp')
      return other === undefined ? noSuchOverload() : timeBetween(left, other)
    }
    default:
      return noSuchOverload()
  }
}

interface NumberOperation {
  readonly whole: (left: bigint, right: bigint) => bigint | CelFailure
  readonly real?: (left: number, right: number) => number
}

function numeric({ whole, real }: NumberOperation): Binary {
  return (left, right) => {
    if (typeof left === 'number') {
      return typeof right === 'number' && real !== undefined ? real(left, right) : noSuchOverload()
    }
    if (typeof left === 'bigint') {
      if (typeof right !== 'bigint') return noSuchOverload()
      const value = whole(left, right)
      return typeof value === 'bigint' ? checkedInt(value) : value
    }
    const a = ofKind(left, 'uint')
    const b = ofKind(right, 'uint')
    if (a === undefined || b === undefined) return noSuchOverload()
    const value = whole(a.value, b.value)
    return typeof value === 'bigint' ? asUint(checkedUint(value)) : value
  }
}

const multiply = numeric({ whole: (left, right) => left * right, real: (left, right) => left * right })
const divide = numeric({
  whole: (left, right) => (right === 0n ? failure('division by zero') : left / right),
  real: (left, right) => left / right,
})
const remainder = numeric({
  whole: (left, right) => (right === 0n ? failure('modulus by zero') : left % right),
})

const isWhole = (value: CelValue): boolean => typeof value === 'bigint' || ofKind(value, 'uint') !== undefined
const isNumber = (value: CelValue): boolean => typeof value === 'number' || isWhole(value)

function hasKind(value: CelValue, ...kinds: string[]): boolean {
  return typeof value === 'object' && value !== null && kinds.includes(value.kind)
}

function binary(
  name: string,
  run: Binary,
  accepts: (value: CelValue) => boolean,
  signatures: readonly (readonly [id: string, left: CelType, right: CelType, result: CelType])[],
): FunctionDeclaration {
  const joins = new Set(['add_string', 'add_bytes'])
  return declare(
    name,
    signatures.map(([id, left, right, result]) =>
      overload(
        id,
        [left, right],
        result,
        joins.has(id) ? { cost: ([a, b]) => traversal(sizeOf(a) + sizeOf(b)) } : {},
      ),
    ),
    { shared: { run: ([left = null, right = null], meter) => run(left, right, meter), accepts } },
  )
}

function same(prefix: string, ...types: readonly (readonly [suffix: string, type: CelType])[]) {
  return types.map(([suffix, type]) => [`${prefix}_${suffix}`, type, type, type] as const)
}

const negate: FunctionDeclaration = declare(
  '-_',
  [overload('negate_double', [doubleType], doubleType), overload('negate_int64', [intType], intType)],
  {
    shared: {
      accepts: (value) => isNumber(value) || hasKind(value, 'duration') || typeof value === 'boolean',
      run: ([value = null]) => {
        if (typeof value === 'number') return -value
        if (typeof value === 'bigint') return checkedInt(-value)
        const time = ofKind(value, 'duration')
        return time === undefined ? noSuchOverload() : asDuration(checkedInt(-time.nanos))
      },
    },
  },
)

const whole = [
  ['int64', intType],
  ['uint64', uintType],
] as const
const numbers = [['double', doubleType], ...whole] as const

/** `+ - * / %` and unary `-`. */
export const arithmetic: readonly FunctionDeclaration[] = [
  binary(
    '_+_',
    addValues,
    (value) =>
      isNumber(value) ||
      typeof value === 'string' ||
      hasKind(value, 'bytes', 'duration', 'timestamp', 'list'),
    [
      ...same('add', ['bytes', bytesType], ['double', doubleType]),
      ['add_duration_duration', durationType, durationType, durationType],
      ['add_duration_timestamp', durationType, timestampType, timestampType],
      ['add_timestamp_duration', timestampType, durationType, timestampType],
      ...same('add', ['int64', intType], ['list', listOfA], ['string', stringType], ['uint64', uintType]),
    ],
  ),
  binary('_-_', subtract, (value) => isNumber(value) || hasKind(value, 'duration', 'timestamp'), [
    ...same('subtract', ...numbers),
    ['subtract_duration_duration', durationType, durationType, durationType],
    ['subtract_timestamp_duration', timestampType, durationType, timestampType],
    ['subtract_timestamp_timestamp', timestampType, timestampType, durationType],
  ]),
  binary('_*_', multiply, isNumber, same('multiply', ...numbers)),
  binary('_/_', divide, isNumber, same('divide', ...numbers)),
  binary('_%_', remainder, isWhole, same('modulo', ...whole)),
  negate,
]

/** The sum of a list, starting from a zero of its type. */
export function sumOf(values: Iterable<CelValue>, zero: CelValue, meter: Meter): CelValue {
  let sum = zero
  for (const value of values) {
    if (isFailure(value)) return value
    sum = addValues(sum, value, meter)
    if (isFailure(sum)) return sum
  }
  return sum
}
