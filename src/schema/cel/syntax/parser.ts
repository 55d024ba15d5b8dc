import type { Expr, MapEntry, StructField } from './ast.js'
import { type Token, tokenize } from './lexer.js'
import { literalValue } from './literal.js'
import { balanced } from './logic-tree.js'
import { expandMacro, MacroError } from './macros.js'
import { CelSyntaxError, type Issue } from './source.js'

const reservedNames = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
)
const relations = new Set(['<', '<=', '>=', '>', '==', '!=', 'in'])
const products = new Set(['*', '/', '%'])
const sums = new Set(['+', '-'])

const expressionStart =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

// The server's limits: deeper programs are refused, which also bounds the stack that checking and running need.
const deepestNesting = 250
const longestProgram = 100_000

/** The tree of a program, macros expanded. Throws {@link CelSyntaxError}. */
export function parse(source: string): Expr {
  const length = Array.from(source).length
  if (length > longestProgram) {
    const message = `expression code point size exceeds limit: size: ${length}, limit ${longestProgram}`
    throw new CelSyntaxError(source, [{ offset: -1, message }])
  }
  return new Parser(source).program()
}

const afterExpression = new Set([
  ...relations,
  ...products,
  ...sums,
  ')',
  ']',
  '}',
  ',',
  ':',
  '?',
  '.',
  '[',
  '&&',
  '||',
])

function startsExpression(token: Token): boolean {
  if (token.kind === 'symbol') return ['[', '{', '(', '.', '-', '!'].includes(token.text)
  return token.kind !== 'end' && token.kind !== 'escaped' && token.text !== 'in'
}

class Parser {
  readonly #source: string
  readonly #tokens: readonly Token[]
  readonly #issues: Issue[] = []
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
    this.#tokens = tokenize(source, this.#issues)
  }

  program(): Expr {
    const expr = this.#expression()
    if (this.#token.kind !== 'end') {
      const only = this.#tokens[this.#at + 1]?.kind === 'end'
      this.#fail(`${only ? 'extraneous' : 'mismatched'} input '${this.#token.text}' expecting <EOF>`)
    }
    if (this.#issues.length > 0) throw new CelSyntaxError(this.#source, this.#issues)
    return expr
  }

  get #token(): Token {
    return this.#tokens[this.#at] ?? this.#end
  }

  get #end(): Token {
    return { kind: 'end', text: '<EOF>', offset: this.#source.length }
  }

  #report(message: string): void {
    this.#issues.push({ offset: this.#token.offset, message: `Syntax error: ${message}` })
  }

  #fail(message: string): never {
    this.#report(message)
    throw new CelSyntaxError(this.#source, this.#issues)
  }

  #tooDeep(message: string): never {
    throw new CelSyntaxError(this.#source, [{ offset: -1, message }])
  }

  #next(): Token {
    const token = this.#token
    this.#at++
    return token
  }

  #peek(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token !== undefined && (token.kind === 'symbol' || token.kind === 'keyword') && token.text === text
  }

  #accept(text: string): Token | undefined {
    return this.#peek(text) ? this.#next() : undefined
  }

  /** The symbol, which may be missing or come one token late: then that is reported and the rest is read on. */
  #expect(text: ')' | ']' | '}' | ':'): Token {
    const token = this.#accept(text)
    if (token !== undefined) return token
    const wrong = this.#token
    if (this.#peek(text, 1)) {
      this.#report(`extraneous input '${wrong.text}' expecting '${text}'`)
      this.#next()
      return this.#next()
    }
    const mayFollow =
      text === ':' ? startsExpression(wrong) : wrong.kind === 'end' || afterExpression.has(wrong.text)
    if (!mayFollow) this.#fail(`mismatched input '${wrong.text}' expecting '${text}'`)
    this.#report(`missing '${text}' at '${wrong.text}'`)
    return { kind: 'symbol', text, offset: wrong.offset }
  }

  #call(offset: number, name: string, ...args: Expr[]): Expr {
    return { node: 'call', offset, name, target: undefined, args }
  }

  #expression(): Expr {
    if (++this.#depth > deepestNesting) {
      this.#tooDeep(`expression recursion limit exceeded: ${deepestNesting}`)
    }
    const condition = this.#logic('||')
    const mark = this.#accept('?')
    let expr = condition
    if (mark !== undefined) {
      const yes = this.#logic('||')
      this.#expect(':')
      expr = this.#call(mark.offset, '_?_:_', condition, yes, this.#expression())
    }
    this.#depth--
    return expr
  }

  /** A chain of `||` or `&&`, as a balanced tree: a rule may have hundreds of terms. */
  #logic(operator: '||' | '&&'): Expr {
    const term = (): Expr => (operator === '||' ? this.#logic('&&') : this.#relation())
    const terms = [term()]
    const offsets: number[] = []
    for (let mark = this.#accept(operator); mark !== undefined; mark = this.#accept(operator)) {
      offsets.push(mark.offset)
      terms.push(term())
    }
    return balanced(terms, offsets, `_${operator}_`)
  }

  #relation(): Expr {
    return this.#chain(relations, () => this.#sum())
  }

  #sum(): Expr {
    return this.#chain(sums, () => this.#product())
  }

  #product(): Expr {
    return this.#chain(products, () => this.#unary())
  }

  #chain(operators: ReadonlySet<string>, operand: () => Expr): Expr {
    let left = operand()
    for (let links = 1; operators.has(this.#token.text); links++) {
      if (links + this.#depth > deepestNesting) this.#tooDeep('max recursion depth exceeded')
      const mark = this.#next()
      const name = mark.text === 'in' ? '@in' : `_${mark.text}_`
      left = this.#call(mark.offset, name, left, operand())
    }
    return left
  }

  #unary(): Expr {
    const operator = this.#peek('!') ? '!' : this.#peek('-') && !this.#signedNumber() ? '-' : undefined
    if (operator === undefined) return this.#member()
    const first = this.#next()
    let count = 1
    while (this.#accept(operator) !== undefined) count++
    const operand = this.#member()
    return count % 2 === 0 ? operand : this.#call(first.offset, `${operator}_`, operand)
  }

  #signedNumber(): boolean {
    const kind = this.#tokens[this.#at + 1]?.kind
    return kind === 'int' || kind === 'float'
  }

  #member(): Expr {
    let expr = this.#primary()
    for (let links = 1; ; links++) {
      if (links + this.#depth > deepestNesting) this.#tooDeep('max recursion depth exceeded')
      if (this.#peek('.')) expr = this.#selection(expr, this.#next())
      else if (this.#peek('[')) expr = this.#index(expr, this.#next())
      else return expr
    }
  }

  #selection(operand: Expr, dot: Token): Expr {
    const optional = this.#accept('?') !== undefined
    const name = this.#token
    if (name.kind === 'escaped') {
      this.#next()
      this.#issues.push({ offset: name.offset, message: "unsupported syntax: '`'" })
    } else if (name.kind !== 'identifier') {
      const keyword = name.kind === 'keyword' && name.text !== 'in'
      this.#fail(
        keyword
          ? `mismatched input '${name.text}' expecting IDENTIFIER`
          : `no viable alternative at input '.${name.kind === 'end' ? '' : name.text}'`,
      )
    } else this.#next()
    if (optional) {
      const field: Expr = { node: 'literal', offset: name.offset, value: name.text }
      return this.#call(dot.offset, '_?._', operand, field)
    }
    const open = this.#accept('(')
    if (open === undefined) {
      return { node: 'select', offset: dot.offset, operand, field: name.text, testOnly: false }
    }
    return this.#macroOrCall({ name: name.text, target: operand, args: this.#args(), offset: open.offset })
  }

  #index(operand: Expr, open: Token): Expr {
    const optional = this.#accept('?') !== undefined
    const index = this.#expression()
    this.#expect(']')
    return this.#call(open.offset, optional ? '_[?_]' : '_[_]', operand, index)
  }

  #args(): Expr[] {
    const args: Expr[] = []
    if (this.#accept(')') !== undefined) return args
    do args.push(this.#expression())
    while (this.#accept(',') !== undefined)
    this.#expect(')')
    return args
  }

  #macroOrCall(call: { name: string; target: Expr | undefined; args: Expr[]; offset: number }): Expr {
    try {
      return expandMacro(call) ?? { node: 'call', ...call }
    } catch (error) {
      if (!(error instanceof MacroError)) throw error
      this.#issues.push(error.issue)
      return this.#nothing(call.offset)
    }
  }

  /** Stands where an issue was found, so that the rest of the program is read too. */
  #nothing(offset: number): Expr {
    return { node: 'literal', offset, value: null }
  }

  #primary(): Expr {
    const token = this.#token
    switch (token.kind) {
      case 'int':
      case 'uint':
      case 'float':
      case 'string':
      case 'bytes':
        return this.#literal(this.#next(), '')
      case 'identifier':
        return this.#name(undefined)
      case 'keyword':
        if (token.text === 'in') break
        this.#next()
        return {
          node: 'literal',
          offset: token.offset,
          value: token.text === 'null' ? null : token.text === 'true',
        }
      default:
        break
    }
    const dot = this.#accept('.')
    if (dot !== undefined) return this.#name(dot)
    const sign = this.#signedNumber() ? this.#accept('-') : undefined
    if (sign !== undefined) return { ...this.#literal(this.#next(), '-'), offset: sign.offset }
    if (this.#accept('(') !== undefined) {
      const expr = this.#expression()
      this.#expect(')')
      return expr
    }
    if (this.#peek('[')) return this.#list(this.#next())
    if (this.#peek('{')) return this.#map(this.#next())
    const next = this.#tokens[this.#at + 1]
    if (next === undefined || !startsExpression(next))
      return this.#fail(`mismatched input '${token.text}' expecting ${expressionStart}`)
    this.#report(`extraneous input '${token.text}' expecting ${expressionStart}`)
    this.#next()
    return this.#primary()
  }

  #name(dot: Token | undefined): Expr {
    const token = this.#token
    if (token.kind !== 'identifier') this.#fail(`mismatched input '${token.text}' expecting IDENTIFIER`)
    this.#next()
    const offset = dot?.offset ?? token.offset
    const typeName = this.#structName(token.text)
    if (typeName !== undefined) return typeName
    const open = this.#accept('(')
    const args = open === undefined ? [] : this.#args()
    if (reservedNames.has(token.text)) {
      this.#issues.push({ offset, message: `reserved identifier: ${token.text}` })
      return this.#nothing(offset)
    }
    const name = token.text
    if (open === undefined) return { node: 'ident', offset: token.offset, name }
    return this.#macroOrCall({ name, target: undefined, args, offset: open.offset })
  }

  /** `a.b.Name{...}`. */
  #structName(first: string): Expr | undefined {
    let ahead = 0
    let name = first
    while (this.#peek('.', ahead) && this.#tokens[this.#at + ahead + 1]?.kind === 'identifier') {
      name += `.${this.#tokens[this.#at + ahead + 1]?.text}`
      ahead += 2
    }
    if (!this.#peek('{', ahead)) return undefined
    this.#at += ahead
    const open = this.#next()
    const fields: StructField[] = []
    while (!this.#peek('}')) {
      const optional = this.#accept('?') !== undefined
      const field = this.#next()
      if (field.kind === 'escaped')
        this.#issues.push({ offset: field.offset, message: "unsupported syntax: '`'" })
      else if (field.kind !== 'identifier') this.#fail(`mismatched input '${field.text}'`)
      const colon = this.#expect(':')
      fields.push({ offset: colon.offset, name: field.text, value: this.#expression(), optional })
      if (this.#accept(',') === undefined) break
    }
    this.#expect('}')
    return { node: 'struct', offset: open.offset, typeName: name, fields }
  }

  #list(open: Token): Expr {
    const elements: Expr[] = []
    const optional = new Set<number>()
    while (!this.#peek(']')) {
      if (this.#accept('?') !== undefined) optional.add(elements.length)
      elements.push(this.#expression())
      if (this.#accept(',') === undefined) break
    }
    this.#expect(']')
    return { node: 'list', offset: open.offset, elements, optional }
  }

  #map(open: Token): Expr {
    const entries: MapEntry[] = []
    while (!this.#peek('}')) {
      const optional = this.#accept('?') !== undefined
      const key = this.#expression()
      const colon = this.#expect(':')
      entries.push({ offset: colon.offset, key, value: this.#expression(), optional })
      if (this.#accept(',') === undefined) break
    }
    this.#expect('}')
    return { node: 'map', offset: open.offset, entries }
  }

  #literal(token: Token, sign: '' | '-'): Expr {
    const value = literalValue(token, sign)
    if (typeof value === 'object' && value !== null && 'problem' in value) {
      this.#issues.push({ offset: token.offset, message: value.problem })
      return this.#nothing(token.offset)
    }
    return { node: 'literal', offset: token.offset, value }
  }
}
