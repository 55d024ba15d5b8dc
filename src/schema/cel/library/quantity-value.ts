import { CostLimitExceeded } from '../plan/meter.js'
import { maxInt, minInt } from '../value/int64.js'
import { type CelType, structType } from '../value/type.js'
import { type CelOpaque, type CelValue, type CelVerdict, noSuchOverload } from '../value/value.js'

type Notation = 'decimal' | 'binary' | 'exponent'

/** mantissa * 10^exponent. */
interface Amount {
  readonly mantissa: bigint
  readonly exponent: number
}

/** The type of `quantity(...)`. */
export const quantityType: CelType = structType('kubernetes.Quantity')

// `1e999999999` is a quantity. Numbers are written out only as long as that is affordable.
const mostDigits = 20_000

/** A Kubernetes resource quantity: exact, of any size, never finer than a billionth. */
export class Quantity implements CelOpaque {
  readonly kind = 'opaque'
  readonly type: CelType = quantityType
  readonly amount: Amount
  /** Whether the server keeps the number in 64 bits. Only such a quantity can become an int. */
  readonly isSmall: boolean
  readonly #notation: Notation
  readonly #isSum: boolean

  constructor(amount: Amount, isSmall: boolean, notation: Notation, isSum = false) {
    this.amount = amount
    this.isSmall = isSmall
    this.#notation = notation
    this.#isSum = isSum
  }

  get nativeText(): string {
    return `(*resource.Quantity)${this.#describe()}`
  }

  #describe(): string {
    const { mantissa, exponent } = this.amount
    const suffix = decimalSuffixes.get(exponent)
    return this.#notation !== 'exponent' && suffix !== undefined
      ? `${mantissa}${suffix}`
      : `${mantissa}${exponent === 0 ? '' : `e${exponent}`}`
  }

  /** A sum is comparable only on the left: on the right the server takes it for something else. */
  equals(other: CelValue): CelVerdict {
    return other instanceof Quantity && !other.#isSum
      ? compareQuantities(this, other) === 0
      : noSuchOverload()
  }

  /** The value as an int, if it is one that the server keeps in 64 bits. */
  asInteger(): bigint | undefined {
    const { mantissa, exponent } = this.amount
    if (!this.isSmall || exponent < 0) return undefined
    if (mantissa === 0n) return 0n
    if (exponent > 18) return undefined
    const value = mantissa * 10n ** BigInt(exponent)
    return value > maxInt || value < minInt ? undefined : value
  }

  asDouble(): number {
    const { mantissa, exponent } = this.amount
    const base = Number(mantissa)
    return exponent === 0 ? base : base * powerOfTen(exponent)
  }

  plus(other: Quantity, sign: 1n | -1n): Quantity {
    const notation = this.amount.mantissa === 0n ? other.#notation : this.#notation
    const amount = addAmounts(this.amount, { ...other.amount, mantissa: other.amount.mantissa * sign })
    const fits = amount.mantissa <= maxInt && amount.mantissa >= minInt
    return new Quantity(amount, this.isSmall && other.isSmall && fits, notation, true)
  }
}

/** As the server computes it, from two exact powers: its 10^33 is not the nearest double. */
function powerOfTen(exponent: number): number {
  const size = Math.abs(exponent)
  const rest = Number(`1e${size % 32}`)
  const most = Number(`1e${exponent < 0 ? '-' : ''}${size - (size % 32)}`)
  return exponent < 0 ? most / rest : most * rest
}

function addAmounts(left: Amount, right: Amount): Amount {
  if (right.mantissa === 0n) return left
  if (left.mantissa === 0n) return right
  const exponent = Math.min(left.exponent, right.exponent)
  return { mantissa: scaleTo(left, exponent) + scaleTo(right, exponent), exponent }
}

function scaleTo({ mantissa, exponent }: Amount, target: number): bigint {
  if (exponent - target > mostDigits) throw new CostLimitExceeded()
  return mantissa * 10n ** BigInt(exponent - target)
}

/** -1, 0 or 1. */
export function compareQuantities(left: Quantity, right: Quantity): -1 | 0 | 1 {
  const a = left.amount
  const b = right.amount
  const signA = a.mantissa < 0n ? -1 : a.mantissa > 0n ? 1 : 0
  const signB = b.mantissa < 0n ? -1 : b.mantissa > 0n ? 1 : 0
  if (signA !== signB) return signA < signB ? -1 : 1
  if (signA === 0) return 0
  // The number of digits decides without writing the numbers out.
  const digitsA = digitCount(a)
  const digitsB = digitCount(b)
  if (digitsA !== digitsB) return digitsA < digitsB === signA > 0 ? -1 : 1
  const exponent = Math.min(a.exponent, b.exponent)
  const difference = scaleTo(a, exponent) - scaleTo(b, exponent)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function digitCount({ mantissa, exponent }: Amount): number {
  return (mantissa < 0n ? -mantissa : mantissa).toString().length + exponent
}

const decimalSuffixes: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
])
const decimalExponents: ReadonlyMap<string, number> = new Map(
  Array.from(decimalSuffixes, ([exponent, suffix]) => [suffix, exponent]),
)
const binaryExponents: ReadonlyMap<string, number> = new Map([
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
])

const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)$/
const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const wrongSuffix = "unable to parse quantity's suffix"
const wrongNumber = 'unable to parse numeric part of quantity'
const nano = -9

/** A quantity, or what is wrong with the text in the server's words. */
export function parseQuantity(text: string): Quantity | string {
  if (text === '') return wrongFormat
  const match = shape.exec(text)
  if (match === null) return wrongFormat
  const [, sign = '', allDigits = '', fraction = '', suffix = ''] = match
  if (allDigits.length + fraction.length > mostDigits) return wrongNumber
  const scale = interpretSuffix(suffix)
  if (scale === undefined) return wrongSuffix
  const digits = allDigits.replace(/^0+/, '')
  const whole = digits === '' ? '0' : digits
  const magnitude = BigInt(whole + fraction)
  const mantissa = sign === '-' ? -magnitude : magnitude
  const quantity =
    scale.notation === 'binary'
      ? binaryQuantity(mantissa, whole, fraction, scale.exponent)
      : decimalQuantity(mantissa, whole, fraction, scale)
  // Small numbers may do without digits (`Mi` is 0), large ones may not.
  return quantity.isSmall || allDigits + fraction !== '' ? quantity : wrongNumber
}

function interpretSuffix(suffix: string): { notation: Notation; exponent: number } | undefined {
  const decimal = decimalExponents.get(suffix)
  if (decimal !== undefined) return { notation: 'decimal', exponent: decimal }
  const binary = binaryExponents.get(suffix)
  if (binary !== undefined) return { notation: 'binary', exponent: binary }
  const exponent = /^[eE]([+-]?[0-9]{1,18})$/.exec(suffix)?.[1]
  if (exponent === undefined) return undefined
  // Kept in 32 bits on the server.
  return { notation: 'exponent', exponent: Number(BigInt.asIntN(32, BigInt(exponent))) }
}

function decimalQuantity(
  mantissa: bigint,
  whole: string,
  fraction: string,
  scale: { notation: Notation; exponent: number },
): Quantity {
  const exponent = scale.exponent - fraction.length
  const isSmall = whole.length + fraction.length <= 18 && exponent >= nano
  const amount = { mantissa, exponent }
  return new Quantity(isSmall ? amount : roundUp(amount), isSmall, scale.notation)
}

function binaryQuantity(mantissa: bigint, whole: string, fraction: string, exponent: number): Quantity {
  const product = mantissa * 2n ** BigInt(exponent)
  const precision = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1
  if (fraction === '' && precision >= 0)
    return new Quantity({ mantissa: product, exponent: 0 }, true, 'binary')
  const rounded = roundUp({ mantissa: product, exponent: -fraction.length })
  const limit = { mantissa: maxInt, exponent: 0 }
  const sign = product < 0n ? -1n : 1n
  const size = { mantissa: rounded.mantissa * sign, exponent: rounded.exponent }
  const tooLarge = addAmounts(size, { mantissa: -maxInt, exponent: 0 }).mantissa > 0n
  const amount = tooLarge ? { mantissa: limit.mantissa * sign, exponent: 0 } : rounded
  const belowOne = amount.mantissa !== 0n && digitCount(amount) <= 0
  return new Quantity(amount, false, belowOne ? 'decimal' : 'binary')
}

/** In billionths. What is finer is rounded away from zero. */
function roundUp(amount: Amount): Amount {
  if (amount.mantissa === 0n) return amount
  if (amount.exponent >= nano) return { mantissa: scaleTo(amount, nano), exponent: nano }
  const away = amount.mantissa < 0n ? -1n : 1n
  const drop = nano - amount.exponent
  if (drop > mostDigits) return { mantissa: away, exponent: nano }
  const divisor = 10n ** BigInt(drop)
  const quotient = amount.mantissa / divisor
  return { mantissa: quotient * divisor === amount.mantissa ? quotient : quotient + away, exponent: nano }
}
