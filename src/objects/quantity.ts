import { KubewrightError } from '../base/index.js'

/** The text is not a quantity such as `500m`, `1.5Gi` or `12e6`. */
export class InvalidQuantityError extends KubewrightError {
  readonly text: string

  constructor(text: string, why: string) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}...` : text
    super(
      `${JSON.stringify(shown)} is not a quantity: ${why}. Write a number with one of the suffixes n u m k M G T P E Ki Mi Gi Ti Pi Ei or an exponent such as e6.`,
      { code: 'KW_QUANTITY_INVALID' },
    )
    this.text = text
  }
}

/** How a quantity is written: `1500m` and `2k`, `1Ki`, or `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** An exact amount, down to one billionth: what `resources.requests.cpu` and its like hold. Never a floating number. */
export interface Quantity {
  /** The amount in billionths. */
  readonly nanos: bigint
  /** The suffixes to write it with, where they fit. */
  readonly format: QuantityFormat
  /** The text it was read from, where the API server would keep that text. */
  readonly text?: string
}

/** A quantity, or the form it has in JSON. */
export type QuantityInput = Quantity | string | number | bigint

const nanosPerUnit = 1_000_000_000n
/** A quantity with a binary suffix is capped here by the API server. */
const maxBinaryNanos = (2n ** 63n - 1n) * nanosPerUnit
/** No bound exists upstream, where `1e999999999` costs memory and time in proportion. */
const maxDigits = 1000

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE])|([KMGTPE]i)|[eE]([+-]?\d+))?$/
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/**
 * Reads a quantity exactly as the API server does: more precise than one billionth is rounded away from zero, a binary
 * suffix caps at 2^63-1. Throws {@link InvalidQuantityError}, also for what the server tolerates by accident (a suffix
 * without a digit) and for amounts of more than 1,000 digits.
 */
export function parseQuantity(input: QuantityInput): Quantity {
  if (typeof input === 'object') return input
  const text = String(input)
  if (text.length > maxDigits)
    throw new InvalidQuantityError(text, `it is longer than ${maxDigits} characters`)
  const match = pattern.exec(text)
  if (match === null) throw new InvalidQuantityError(text, 'it has another form')
  const [, sign, writtenInteger = '', fraction = '', decimal, binary, exponentText] = match
  if (writtenInteger === '' && fraction === '') throw new InvalidQuantityError(text, 'it has no digit')

  const format =
    binary !== undefined ? 'BinarySI' : exponentText !== undefined ? 'DecimalExponent' : 'DecimalSI'
  const exponent = exponentText !== undefined ? Number(exponentText) : decimalExponent(decimal)
  const integer = writtenInteger.replace(/^0+/, '')
  const digits = (integer + fraction).replace(/^0+/, '')
  if (digits !== '' && digits.length - fraction.length + exponent > maxDigits)
    throw new InvalidQuantityError(text, `it has more than ${maxDigits} digits`)

  const shift = binary === undefined ? 0n : 10n * BigInt(binarySuffixes.indexOf(binary))
  let nanos = roundedNanos(digits, exponent - fraction.length, shift)
  if (binary !== undefined && nanos > maxBinaryNanos) nanos = maxBinaryNanos
  const isSmall = binary !== undefined && nanos > 0n && nanos < nanosPerUnit
  return {
    nanos: sign === '-' ? -nanos : nanos,
    format: isSmall ? 'DecimalSI' : format,
    ...(keepsText({ integer, fraction, exponent, shift }) && { text }),
  }
}

function decimalExponent(suffix: string | undefined): number {
  return suffix === undefined ? 0 : 3 * decimalSuffixes.indexOf(suffix) - 9
}

/** `digits * 10^exponent * 2^shift` in billionths, rounded up. */
function roundedNanos(digits: string, exponent: number, shift: bigint): bigint {
  if (digits === '') return 0n
  const scale = exponent + 9
  if (scale >= 0) return (BigInt(digits) << shift) * 10n ** BigInt(scale)
  // More than this many digits below a billionth cannot reach it, whatever the binary suffix (2^60 < 10^19).
  if (digits.length + 19 < -scale) return 1n
  const divisor = 10n ** BigInt(-scale)
  return ((BigInt(digits) << shift) + divisor - 1n) / divisor
}

interface Spelling {
  readonly integer: string
  readonly fraction: string
  readonly exponent: number
  readonly shift: bigint
}

/**
 * True where the API server takes the text for canonical and gives it back as it came, `1.500` and `+1Ki` included. A
 * quantity that we rewrote to a nicer form would differ from the server's copy for ever.
 */
function keepsText({ integer, fraction, exponent, shift }: Spelling): boolean {
  if (shift > 0n) {
    const isShort = 14 - integer.length - Math.trunc((Number(shift) * 3) / 10) >= 0
    return isShort && fraction === '' && integer !== '' && (BigInt(integer) & 7n) !== 0n
  }
  const scale = exponent - fraction.length
  const shifted = (integer || '0') + fraction
  return (
    shifted.length <= 18 &&
    scale >= -9 &&
    scale % 3 === 0 &&
    !shifted.endsWith('000') &&
    !shifted.startsWith('0')
  )
}

/**
 * The canonical text: no fraction, the largest suffix that loses nothing, so `1.5` is `1500m` and `1.5Gi` is `1536Mi`.
 * A text that the API server would keep is kept.
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text
  const { nanos, format } = quantity
  if (nanos === 0n) return '0'
  const isBinary = format === 'BinarySI' && abs(nanos) >= 1024n * nanosPerUnit && nanos % nanosPerUnit === 0n
  if (isBinary) {
    const [mantissa, times] = withoutFactors(nanos / nanosPerUnit, 1024n, binarySuffixes.length - 1)
    return `${mantissa}${binarySuffixes[times] ?? ''}`
  }
  if (format === 'DecimalExponent') {
    const [mantissa, times] = withoutFactors(nanos, 1000n, Number.POSITIVE_INFINITY)
    return times === 3 ? `${mantissa}` : `${mantissa}e${3 * times - 9}`
  }
  // Beyond the suffix E Kubernetes itself drops the suffix, and with it the amount; a longer mantissa keeps it.
  const [mantissa, times] = withoutFactors(nanos, 1000n, decimalSuffixes.length - 1)
  return `${mantissa}${decimalSuffixes[times] ?? ''}`
}

function withoutFactors(value: bigint, factor: bigint, atMost: number): [mantissa: bigint, times: number] {
  let mantissa = value
  let times = 0
  while (times < atMost && mantissa % factor === 0n) {
    mantissa /= factor
    times++
  }
  return [mantissa, times]
}

/** -1, 0 or 1: `500m` equals `0.5`, whatever the spelling. */
export function compareQuantities(left: QuantityInput, right: QuantityInput): -1 | 0 | 1 {
  const difference = parseQuantity(left).nanos - parseQuantity(right).nanos
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** The exact sum, in the format of the left side (of the right side where the left is zero). */
export function addQuantities(left: QuantityInput, right: QuantityInput): Quantity {
  const first = parseQuantity(left)
  const second = parseQuantity(right)
  return {
    nanos: first.nanos + second.nanos,
    format: first.nanos === 0n ? second.format : first.format,
  }
}

/** The exact difference, with the format as in {@link addQuantities}. */
export function subtractQuantities(left: QuantityInput, right: QuantityInput): Quantity {
  const second = parseQuantity(right)
  return addQuantities(left, { nanos: -second.nanos, format: second.format })
}

/** The amount in whole units, or in thousandths, rounded away from zero: bytes of memory, milli-CPUs. */
export function quantityToInteger(quantity: QuantityInput, unit: 'one' | 'milli' = 'one'): bigint {
  const { nanos } = parseQuantity(quantity)
  const divisor = unit === 'one' ? nanosPerUnit : nanosPerUnit / 1000n
  const rounded = (abs(nanos) + divisor - 1n) / divisor
  return nanos < 0n ? -rounded : rounded
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
