import { type LabelRequirement, labelKeyErrors, labelValueErrors } from '../../objects/index.js'
import { goQuote } from '../../schema/internal.js'
import { badRequest } from '../failure.js'
import { parseGoInt64 } from './go-integer.js'

/** A symbol, a word, or the end, which reads as an empty text in the server's messages. */
interface Token {
  readonly kind: 'symbol' | 'word' | 'error' | 'end'
  readonly text: string
}

const operators: ReadonlyMap<string, LabelRequirement['operator']> = new Map([
  ['in', 'in'],
  ['=', '='],
  ['==', '='],
  ['>', '>'],
  ['<', '<'],
  ['notin', 'notin'],
  ['!=', '!='],
])
const symbols = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '('])
const expectedOperators = 'in, notin, =, ==, !=, gt, lt'

/**
 * The terms of the parameter `labelSelector`. Throws a 400 in the words of the real server, which the parser that
 * clients use does not speak.
 */
export function readLabelSelector(text: string): LabelRequirement[] {
  const requirements = new Parser(text).run()
  return requirements.toSorted(({ key: left }, { key: right }) => (left < right ? -1 : left > right ? 1 : 0))
}

class Parser {
  readonly #tokens: readonly Token[]
  #next = 0

  constructor(text: string) {
    this.#tokens = tokenize(text)
  }

  run(): LabelRequirement[] {
    const requirements: LabelRequirement[] = []
    for (;;) {
      const first = this.#peek()
      if (first.kind === 'end') return requirements
      if (!begins(first))
        throw badRequest(`found '${first.text}', expected: !, identifier, or 'end of string'`)
      requirements.push(this.#requirement())
      const separator = this.#take()
      if (separator.kind === 'end') return requirements
      if (separator.text !== ',')
        throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`)
      const following = this.#peek()
      if (!begins(following)) throw badRequest(`found '${following.text}', expected: identifier after ','`)
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#peek().text === '!'
    if (isNegated) this.#take()
    const { kind, text: key } = this.#take()
    if (kind !== 'word') throw unreadable(`found '${key}', expected: identifier`)
    const keyProblems = labelKeyErrors(key)
    if (keyProblems.length > 0)
      throw unreadable(`<nil>: Invalid value: ${goQuote(key)}: ${keyProblems.join('; ')}`)
    if (isNegated) return { key, operator: '!', values: [] }
    const after = this.#peek()
    if (after.kind === 'end' || after.text === ',') return { key, operator: 'exists', values: [] }
    const { text } = this.#take()
    const operator = operators.get(text)
    if (operator === undefined) throw unreadable(`found '${text}', expected: ${expectedOperators}`)
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#value()]
    checkValues(key, operator, values)
    return { key, operator, values }
  }

  #value(): string {
    const { kind, text } = this.#peek()
    if (kind === 'end' || text === ',') return ''
    this.#take()
    if (kind !== 'word') throw unreadable(`found '${text}', expected: identifier`)
    return text
  }

  #values(): string[] {
    const open = this.#take()
    if (open.text !== '(') throw unreadable(`found '${open.text}' expected: '('`)
    const first = this.#peek()
    if (first.kind !== 'word' && first.text !== ',' && first.text !== ')')
      throw unreadable(`found '${first.text}', expected: ',', ')' or identifier`)
    const values = new Set<string>()
    // Between two separators may stand nothing: that is the empty value.
    for (let isAfterComma = false; ; ) {
      const { kind, text } = this.#take()
      if (kind === 'word') {
        values.add(text)
        const next = this.#peek()
        if (next.text !== ',' && next.text !== ')')
          throw unreadable(`found '${next.text}', expected: ',' or ')'`)
        isAfterComma = false
      } else if (text === ',') {
        if (values.size === 0 || isAfterComma) values.add('')
        isAfterComma = true
      } else if (text === ')') {
        if (values.size === 0 || isAfterComma) values.add('')
        return [...values].toSorted()
      } else throw unreadable(`found '${text}', expected: ',', or identifier`)
    }
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '' }
  }

  #take(): Token {
    const token = this.#peek()
    this.#next++
    return token
  }
}

function begins({ kind, text }: Token): boolean {
  return kind === 'word' || (kind === 'symbol' && text === '!')
}

function checkValues(key: string, operator: string, values: readonly string[]): void {
  const problems: string[] = []
  const say = (path: string, value: string, detail: string): void => {
    problems.push(`${path}: Invalid value: ${goQuote(value)}: ${detail}`)
  }
  values.forEach((value, index) => {
    const isNumeric = operator === '>' || operator === '<'
    if (isNumeric && 'problem' in parseGoInt64(value))
      say(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")
  })
  values.forEach((value, index) => {
    const errors = labelValueErrors(value)
    if (errors.length > 0) say(`values[${index}][${key}]`, value, errors.join('; '))
  })
  if (problems.length > 0)
    throw unreadable(problems.length === 1 ? (problems[0] ?? '') : `[${problems.join(', ')}]`)
}

function unreadable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`)
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  for (const [, special, word] of text.matchAll(/([=!(),<>]+)|([^=!(),<>\s]+)/g)) {
    if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else for (const symbol of symbolsIn(special ?? '')) tokens.push(symbol)
  }
  return tokens
}

/** The longest symbol goes first; what begins none is taken to the end of the run. */
function* symbolsIn(run: string): Generator<Token> {
  for (let at = 0; at < run.length; ) {
    const two = run.slice(at, at + 2)
    const one = run.slice(at, at + 1)
    const found = symbols.has(two) ? two : symbols.has(one) ? one : undefined
    if (found === undefined) {
      yield { kind: 'error', text: `error expected: keyword found '${run.slice(at)}'` }
      return
    }
    yield { kind: 'symbol', text: found }
    at += found.length
  }
}
