interface Digits {
  readonly negative: boolean
  /** The shortest digits that read back as the same number. */
  readonly digits: string
  /** The value is 0.digits * 10^point. */
  readonly point: number
}

function shortestDigits(value: number): Digits {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e')
  return {
    negative: value < 0 || Object.is(value, -0),
    digits: mantissa.replace('.', ''),
    point: Number(exponent) + 1,
  }
}

function notFinite(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return undefined
  return value > 0 ? '+Inf' : '-Inf'
}

/** Plain notation without an exponent, as short as it may be: `1000000`, `0.25`. */
export function formatPlain(value: number): string {
  const special = notFinite(value)
  if (special !== undefined) return special
  const { negative, digits, point } = shortestDigits(value)
  let text: string
  if (point <= 0) text = digits === '0' ? '0' : `0.${'0'.repeat(-point)}${digits}`
  else if (point >= digits.length) text = digits + '0'.repeat(point - digits.length)
  else text = `${digits.slice(0, point)}.${digits.slice(point)}`
  return negative ? `-${text}` : text
}

/** What `string(1e6)` gives: plain notation for exponents from -4 to 5, scientific beyond. */
export function formatGeneral(value: number): string {
  const special = notFinite(value)
  if (special !== undefined) return special
  const { negative, digits, point } = shortestDigits(value)
  const exponent = point - 1
  if (value === 0 || (exponent >= -4 && exponent < 6)) return formatPlain(value)
  const mantissa = digits.length > 1 ? `${digits.charAt(0)}.${digits.slice(1)}` : digits
  return `${negative ? '-' : ''}${mantissa}${formatExponent(exponent)}`
}

function formatExponent(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Exactly `precision` digits after the point, rounded half to even on the exact binary value. */
export function formatFixed(value: number, precision: number): string {
  const special = notFinite(value)
  if (special !== undefined) return special
  const { numerator, denominator } = exactFraction(Math.abs(value))
  const scaled = divideToEven(numerator * 10n ** BigInt(precision), denominator).toString()
  const padded = scaled.padStart(precision + 1, '0')
  const text =
    precision === 0 ? padded : `${padded.slice(0, -precision)}.${padded.slice(padded.length - precision)}`
  return value < 0 || Object.is(value, -0) ? `-${text}` : text
}

/** One digit, `precision` digits after the point, and an exponent of at least two digits. */
export function formatScientific(value: number, precision: number): string {
  const special = notFinite(value)
  if (special !== undefined) return special
  // JavaScript rounds to at most 100 digits; a double has no more than 767, the rest are zeros.
  const places = Math.min(precision, 100)
  const [mantissa = '0', exponent = '0'] = value.toExponential(places).split('e')
  const sign = Object.is(value, -0) ? '-' : ''
  return `${sign}${mantissa}${'0'.repeat(precision - places)}${formatExponent(Number(exponent))}`
}

function exactFraction(value: number): { numerator: bigint; denominator: bigint } {
  let mantissa = value
  let shift = 0
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    shift++
  }
  return { numerator: BigInt(mantissa), denominator: 2n ** BigInt(shift) }
}

function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator
  const twice = (numerator % denominator) * 2n
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n
  return quotient
}

const decimal =
  /^[+-]?(?:[0-9]+(?:_[0-9]+)*\.?(?:[0-9]+(?:_[0-9]+)*)?|\.[0-9]+(?:_[0-9]+)*)(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?$/
const hexadecimal = /^([+-]?)0[xX]_?([0-9a-fA-F_]*)\.?([0-9a-fA-F_]*)[pP]([+-]?[0-9]+)$/
const special = /^([+-]?)(?:(inf(?:inity)?)|nan)$/i

/** A double as `double('1e3')` reads it, or `undefined`. Out of range is no double. */
export function parseDouble(text: string): number | undefined {
  if (decimal.test(text)) {
    const value = Number(text.replaceAll('_', ''))
    return Number.isFinite(value) ? value : undefined
  }
  const named = special.exec(text)
  if (named !== null) {
    if (named[2] === undefined) return named[1] === '' ? Number.NaN : undefined
    return named[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  return parseHexadecimal(text)
}

function parseHexadecimal(text: string): number | undefined {
  const match = hexadecimal.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', part = '', exponent = '0'] = match
  const digits = (whole + part).replaceAll('_', '')
  if (digits === '' || digits.length > 300) return undefined
  const value = Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent) - 4 * part.replaceAll('_', '').length)
  if (!Number.isFinite(value)) return undefined
  return sign === '-' ? -value : value
}
