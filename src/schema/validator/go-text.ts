import { getOwn, isPrintable } from '../../base/index.js'
import { guardDepth } from './depth.js'
import { goInteger, goKindOf } from './go-value.js'

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** A string as Go prints it with `%q`. */
export function goQuote(text: string): string {
  // Printable ASCII without quotes and backslashes is what nearly all strings are.
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`
  let quoted = '"'
  for (const character of wellFormed(text)) quoted += escapeCharacter(character)
  return `${quoted}"`
}

function escapeCharacter(character: string): string {
  const escape = getOwn(shortEscapes, character)
  if (typeof escape === 'string') return escape
  if (isPrintable(character)) return character
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}

/** Half of a surrogate pair cannot travel in UTF-8: Go reads the replacement character instead. */
export function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

/** A float64 as Go prints it with `%v`: the shortest digits, with an exponent below 1e-4 and from 1e6 on. */
export function goFloat(value: number): string {
  const [mantissa = '0', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  if (exponent >= -4 && exponent < 6) return String(value)
  const sign = exponent < 0 ? '-' : '+'
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** A number as Go prints it with `%v`. */
export function goNumber(value: number | bigint): string {
  return goKindOf(value) === 'int' ? String(goInteger(value)) : goFloat(Number(value))
}

/** A value as Go's `json.Marshal` writes it: sorted keys, HTML characters escaped. */
export function goJson(value: unknown, depth = 0): string {
  guardDepth(depth)
  switch (goKindOf(value)) {
    case 'null':
      return 'null'
    case 'int':
      // The kind proves that it is a number.
      return String(goInteger(value as number | bigint))
    case 'string':
      return jsonString(String(value))
    case 'array':
      return `[${(value as unknown[]).map((item) => goJson(item, depth + 1)).join(',')}]`
    case 'object': {
      const members = sortedMembers(value as object)
      return `{${members.map(([key, member]) => `${jsonString(key)}:${goJson(member, depth + 1)}`).join(',')}}`
    }
    case 'float':
      return String(Number(value))
    case 'boolean':
      return String(value)
  }
}

function jsonString(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A value as Go prints it with `%v`. */
export function goPrint(value: unknown, depth = 0): string {
  guardDepth(depth)
  switch (goKindOf(value)) {
    case 'null':
      return '<nil>'
    case 'int':
    case 'float':
      return goNumber(value as number | bigint)
    case 'array':
      return `[${(value as unknown[]).map((item) => goPrint(item, depth + 1)).join(' ')}]`
    case 'object': {
      const members = sortedMembers(value as object)
      return `map[${members.map(([key, member]) => `${key}:${goPrint(member, depth + 1)}`).join(' ')}]`
    }
    case 'string':
    case 'boolean':
      return String(value)
  }
}

/** The Go type of a decoded value, as `%T` prints it. */
export function goTypeName(value: unknown): string {
  switch (goKindOf(value)) {
    case 'null':
      return '<nil>'
    case 'int':
      return 'int64'
    case 'float':
      return 'float64'
    case 'boolean':
      return 'bool'
    case 'string':
      return 'string'
    case 'array':
      return '[]interface {}'
    case 'object':
      return 'map[string]interface {}'
  }
}

// Go sorts by bytes of UTF-8, which is the order of code points; JavaScript's own order is that of UTF-16 units.
function sortedMembers(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => compareCodePoints(left, right))
}

export function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}
