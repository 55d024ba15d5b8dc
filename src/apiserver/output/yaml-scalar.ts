import { parseUtcTime } from '../../base/index.js'

/** How a text is written: without quotes, in them, or as a block of lines. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal'

/** The style that the server's library takes for a text: the plainest one that is read back as this text. */
export function styleOf(text: string): ScalarStyle {
  const { isPlain, isSingle, isBlock } = analyse(text)
  if (text.includes('\n')) return isBlock ? 'literal' : 'double'
  if (hasOtherMeaning(text)) return 'double'
  if (isPlain) return 'plain'
  return isSingle ? 'single' : 'double'
}

// Of YAML 1.1: newer ones know fewer.
const words: ReadonlySet<string> = new Set(
  ['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', 'null']
    .flatMap((word) => [word, word.toUpperCase(), `${word.charAt(0).toUpperCase()}${word.slice(1)}`])
    .concat('', '~', '.nan', '.NaN', '.NAN')
    .concat(['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => `${sign}${word}`))),
)

const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/
const decimal = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const based = /^[-+]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/
const timestamp =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt](?=.*(?:Z|[-+]\d\d:\d\d)$)| (?!.*[-+Z]))(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(Z|[-+]\d\d:\d\d)?)?$/

/** Whether it would be read as something else than a text. */
function hasOtherMeaning(text: string): boolean {
  if (words.has(text)) return true
  if (!/^[-+.0-9]/.test(text)) return false
  // Lines between digits are for the eye.
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '')
  if (decimal.test(digits)) return Number.isFinite(Number(digits))
  return sexagesimal.test(text) || (based.test(digits) && fits(digits)) || isTime(text)
}

/** Whether a number of another base is one of 64 bits: a larger one is none at all. */
function fits(digits: string): boolean {
  const value = BigInt(digits.replace(/^[-+]/, '').toLowerCase())
  return value < (/^[-+]/.test(digits) ? 2n ** 63n : 2n ** 64n)
}

/** A date, or a time in one of two forms: with a zone, or behind a space and without. */
function isTime(text: string): boolean {
  const found = timestamp.exec(text)
  if (found === null) return false
  const [year, month, day, hour, minute, second, zone = 'Z'] = found.slice(1)
  const two = (digits = '0'): string => digits.padStart(2, '0')
  const time = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${zone}`
  return parseUtcTime(time) !== undefined
}

interface Analysis {
  readonly isPlain: boolean
  readonly isSingle: boolean
  readonly isBlock: boolean
}

const startsAsSyntax = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?: |$)|---|\.\.\.)/
const continuesAsSyntax = /:(?: |$)| #/
/** All but control characters, what ends lines elsewhere, and what is beyond the first plane. */
const unprintable = /[^\n\x20-\x7e\u{a0}-\u{2027}\u{202a}-\u{d7ff}\u{e000}-\u{fefe}\u{ff00}-\u{fffd}]/u

function analyse(text: string): Analysis {
  const isSpecial = unprintable.test(text) || text.includes(' \n')
  const isSingle = !isSpecial && !text.includes('\n ')
  const isAtEdge = text.startsWith(' ') || text.endsWith(' ')
  const isSyntax = startsAsSyntax.test(text) || continuesAsSyntax.test(text.slice(1))
  return { isPlain: isSingle && !isAtEdge && !isSyntax, isSingle, isBlock: !isSpecial && !text.endsWith(' ') }
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\0': '0',
    '\x07': 'a',
    '\b': 'b',
    '\t': 't',
    '\n': 'n',
    '\v': 'v',
    '\f': 'f',
    '\r': 'r',
    '\x1b': 'e',
    '"': '"',
    '\\': '\\',
    '\x85': 'N',
    '\u2028': 'L',
    '\u2029': 'P',
  }),
)

/** A character within double quotes. */
export function escaped(character: string): string {
  const short = escapes.get(character)
  if (short !== undefined) return `\\${short}`
  if (!unprintable.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** A number as Go prints it in its shortest form. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint') {
    const isInteger = value >= -(2n ** 63n) && value < 2n ** 64n
    return isInteger ? String(value) : numberText(Number(value))
  }
  if (Number.isSafeInteger(value)) return String(value)
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  const digits = mantissa.replace(/[-.]/g, '').length
  const widest = digits > power && digits < 6 ? digits : 6
  if (power >= -4 && power < widest) return String(value)
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
