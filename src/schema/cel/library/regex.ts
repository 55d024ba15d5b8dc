import { RE2JS } from 're2js'
import { toError } from '../../../base/index.js'
import type { FunctionDeclaration, Implementation } from '../check/declaration.js'
import { matchCost, sizeOf } from '../plan/cost.js'
import { type CompilePattern, PlanError } from '../plan/planner.js'
import { listOf } from '../value/list.js'
import { boolType, intType, listTypeOf, stringType } from '../value/type.js'
import { type CelValue, failure, noSuchOverload } from '../value/value.js'
import { declare, member, overload } from './signature.js'

// Patterns that come out of data are compiled again and again; the last few are worth keeping.
const mostPatterns = 100

/** A compiled pattern, or the text of what is wrong with it. Matching takes time linear in the text. */
export type Patterns = (pattern: string) => RE2JS | string

/** Compiles patterns and remembers the latest. */
export function createPatterns(): Patterns {
  const known = new Map<string, RE2JS | string>()
  return (pattern) => {
    const found = known.get(pattern)
    if (found !== undefined) return found
    const compiled = compile(pattern)
    known.set(pattern, compiled)
    const oldest = known.size > mostPatterns ? known.keys().next() : undefined
    if (oldest?.done === false) known.delete(oldest.value)
    return compiled
  }
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    // Whatever the pattern did to the compiler, it is no pattern.
    const { message } = toError(error)
    return message.endsWith('trailing backslash at end of expression') ? `${message}: \`\`` : message
  }
}

function findFirst(regex: RE2JS, text: string): string {
  const matcher = regex.matcher(text)
  return matcher.find() ? (matcher.group() ?? '') : ''
}

function findAll(regex: RE2JS, text: string, limit: bigint): CelValue {
  const found: string[] = []
  const matcher = regex.matcher(text)
  let previousEnd = -1
  while (limit < 0n || BigInt(found.length) < limit) {
    if (!matcher.find()) break
    // An empty match right after another match does not count.
    const empty = matcher.start() === matcher.end()
    if (!empty || matcher.start() !== previousEnd) found.push(matcher.group() ?? '')
    previousEnd = matcher.end()
  }
  return listOf(found)
}

function run(name: string, regex: RE2JS, text: string, rest: readonly CelValue[]): CelValue {
  if (name === 'matches') return regex.matcher(text).find()
  if (name === 'find') return findFirst(regex, text)
  const [limit = -1n] = rest
  return typeof limit === 'bigint' ? findAll(regex, text, limit) : noSuchOverload()
}

const names = new Set(['matches', 'find', 'findAll'])

/** Compiles the constant patterns of a program together with it. */
export function patternCompiler(patterns: Patterns): CompilePattern {
  return (name, pattern) => {
    if (!names.has(name)) return undefined
    const regex = patterns(pattern)
    if (typeof regex === 'string') throw new PlanError(regex)
    return (text, rest) => run(name, regex, text, rest)
  }
}

const cost = ([text, pattern]: readonly CelValue[]): number => matchCost(sizeOf(text), sizeOf(pattern))

/** `matches`, `find` and `findAll`, with RE2's syntax and its promise: no pattern takes more than linear time. */
export function regexFunctions(patterns: Patterns): readonly FunctionDeclaration[] {
  const implementation =
    (name: string): Implementation =>
    ([text, pattern, ...rest]) => {
      if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload()
      const regex = patterns(pattern)
      if (typeof regex !== 'string') return run(name, regex, text, rest)
      return failure(name === 'matches' ? regex : `Illegal regex: ${regex}`)
    }
  return [
    declare(
      'matches',
      [
        overload('matches', [stringType, stringType], boolType),
        member('matches_string', [stringType, stringType], boolType, { cost }),
      ],
      { shared: { run: implementation('matches'), accepts: (value) => typeof value === 'string' } },
    ),
    declare(
      'find',
      [member('string_find_string', [stringType, stringType], stringType, implementation('find'))],
      {
        cost,
      },
    ),
    declare(
      'findAll',
      [
        member(
          'string_find_all_string',
          [stringType, stringType],
          listTypeOf(stringType),
          implementation('findAll'),
        ),
        member(
          'string_find_all_string_int',
          [stringType, stringType, intType],
          listTypeOf(stringType),
          implementation('findAll'),
        ),
      ],
      { cost },
    ),
  ]
}
