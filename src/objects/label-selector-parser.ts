import type { LabelRequirement } from './label-selector.js'

type BinaryOperator = Exclude<LabelRequirement['operator'], 'exists' | '!'>

const token = /[ \t\r\n]*(==|!=|[=!<>(),]|[^ \t\r\n=!<>(),]+)/y
const binaryOperators: ReadonlyMap<string, BinaryOperator> = new Map([
  ['=', '='],
  ['==', '='],
  ['!=', '!='],
  ['in', 'in'],
  ['notin', 'notin'],
  ['>', '>'],
  ['<', '<'],
])
const symbols = new Set(['==', '!=', '=', '!', '<', '>', '(', ')', ','])

/**
 * Reads the grammar of `kubectl -l` and nothing more: keys and values are not checked here. `in` and `notin` are
 * operators only where one may stand, so both are fine as keys and as values.
 */
export function parseLabelSelectorText(text: string, fail: (why: string) => never): LabelRequirement[] {
  const tokens = tokenize(text)
  let next = 0
  const peek = (): string | undefined => tokens[next]
  const isWord = (found: string | undefined): found is string => found !== undefined && !symbols.has(found)
  const expected = (what: string): never =>
    fail(`found ${peek() === undefined ? 'the end' : `'${peek()}'`}, expected ${what}`)

  const takeWord = (): string => {
    const found = peek()
    if (!isWord(found)) return expected('a label name')
    next++
    return found
  }
  const takeExactValue = (): string[] => {
    const found = peek()
    if (found === undefined || found === ',') return ['']
    if (!isWord(found)) return expected('a value')
    next++
    return [found]
  }
  const takeValues = (): string[] => {
    if (peek() !== '(') expected("'('")
    next++
    const values = new Set<string>()
    // Between two separators may stand nothing: that is the empty value.
    for (let value = ''; ; value = '') {
      const found = peek()
      if (isWord(found)) {
        value = found
        next++
      }
      values.add(value)
      const separator = peek()
      if (separator !== ',' && separator !== ')') expected("',' or ')'")
      next++
      if (separator === ')') return [...values].toSorted()
    }
  }
  const takeRequirement = (): LabelRequirement => {
    if (peek() === '!') {
      next++
      return { key: takeWord(), operator: '!', values: [] }
    }
    const key = takeWord()
    const found = peek()
    if (found === undefined || found === ',') return { key, operator: 'exists', values: [] }
    const operator = binaryOperators.get(found) ?? expected("'=', '!=', 'in', 'notin', '>' or '<'")
    next++
    return {
      key,
      operator,
      values: operator === 'in' || operator === 'notin' ? takeValues() : takeExactValue(),
    }
  }

  if (peek() === undefined) return []
  const requirements: LabelRequirement[] = []
  for (;;) {
    requirements.push(takeRequirement())
    if (peek() === undefined) return requirements
    if (peek() !== ',') expected("',' or the end")
    next++
  }
}

function tokenize(text: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) tokens.push(match[1] ?? '')
  return tokens
}
