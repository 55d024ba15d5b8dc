import { quoteText } from '../value/text.js'

/** One `%` clause of a format. */
export interface FormatClause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o'
  readonly precision: number | undefined
}

/** What is wrong with a format or one of its arguments, in the server's words. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}

const clausePattern = /(?:\.([0-9]*))?([\s\S])?/y
const verbs = new Set(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o'])

function isVerb(text: string): text is FormatClause['verb'] {
  return verbs.has(text)
}

/**
 * Replaces the clauses of a format by what `render` makes of the argument at that index. Throws {@link FormatError}
 * for a format that is none, or that asks for more arguments than there are.
 */
export function renderFormat(
  format: string,
  argCount: number,
  render: (clause: FormatClause, index: number) => string,
): string {
  let text = ''
  let at = 0
  for (let index = 0; ; index++) {
    const percent = nextClause(format, at)
    text += format.slice(at, percent).replaceAll('%%', '%')
    if (percent === format.length) return text
    if (index >= argCount) throw new FormatError(`index ${index} out of range`)
    if (percent + 1 >= format.length) throw new FormatError('unexpected end of string')
    const { clause, end } = parseClause(format, percent + 1)
    try {
      text += render(clause, index)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      throw new FormatError(`error during formatting: ${error.message}`, { cause: error })
    }
    at = end
  }
}

function nextClause(format: string, from: number): number {
  let at = from
  for (;;) {
    const percent = format.indexOf('%', at)
    if (percent === -1) return format.length
    if (format[percent + 1] !== '%') return percent
    at = percent + 2
  }
}

function parseClause(format: string, from: number): { clause: FormatClause; end: number } {
  const problem = (text: string): FormatError => new FormatError(`could not parse formatting clause: ${text}`)
  clausePattern.lastIndex = from
  const [all = '', digits, verb] = clausePattern.exec(format) ?? []
  if (verb === undefined)
    throw problem('error while parsing precision: could not find end of precision specifier')
  if (digits === '' || (digits !== undefined && digits.length > 18)) {
    const reason = digits === '' ? 'invalid syntax' : 'value out of range'
    throw problem(
      `error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing ${quoteText(digits)}: ${reason}`,
    )
  }
  if (!isVerb(verb)) throw problem(`unrecognized formatting clause "${verb}"`)
  const precision = digits === undefined ? undefined : Number(digits)
  return { clause: { verb, precision }, end: from + all.length }
}

/** What a clause says about an argument of a type that it does not take. */
export function wrongFormatType(verb: FormatClause['verb'], typeName: string): FormatError {
  const rules: Readonly<Record<FormatClause['verb'], string>> = {
    s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    d: 'decimal clause can only be used on integers',
    f: 'fixed-point clause can only be used on doubles',
    e: 'scientific clause can only be used on doubles',
    b: 'only integers and bools can be formatted as binary',
    x: 'only integers, byte buffers, and strings can be formatted as hex',
    X: 'only integers, byte buffers, and strings can be formatted as hex',
    o: 'octal clause can only be used on integers',
  }
  return new FormatError(`${rules[verb]}, was given ${typeName}`)
}
