import { isKubewrightError } from '../base/index.js'

const mostFacts = 10
const longestStack = 4_000
const longestChain = 5

/**
 * What a record says of an error: its code, its message, its facts (plain values only), its causes, and its stack where
 * that helps: always when asked for, otherwise only for an error that nobody expected.
 */
export function describeError(error: Error, stacks: boolean): [string, unknown][] {
  return describe(error, stacks, longestChain)
}

function describe(error: Error, stacks: boolean, chain: number): [string, unknown][] {
  const entries: [string, unknown][] = []
  const code: unknown = 'code' in error ? error.code : undefined
  if (typeof code === 'string') entries.push(['code', code])
  else entries.push(['name', error.name])
  entries.push(['message', error.message])
  for (const [key, value] of Object.entries(error)) {
    if (entries.length >= mostFacts) break
    const isFact = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    if (isFact && !described.has(key)) entries.push([key, value])
  }
  if (stacks || !isExpected(error, code)) entries.push(['stack', error.stack?.slice(0, longestStack)])
  if (chain > 1) {
    const { cause } = error
    if (cause instanceof Error) entries.push(['cause', asObject(describe(cause, stacks, chain - 1))])
    else if (cause !== undefined) entries.push(['cause', cause])
    if (error instanceof AggregateError) entries.push(['errors', describeAll(error.errors, stacks, chain)])
  }
  return entries
}

const described = new Set(['name', 'code', 'message', 'stack', 'cause', 'errors'])

function describeAll(errors: readonly unknown[], stacks: boolean, chain: number): unknown[] {
  return errors
    .slice(0, longestChain)
    .map((error) => (error instanceof Error ? asObject(describe(error, stacks, chain - 1)) : error))
}

function asObject(entries: [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries)
}

/** An error with a code was foreseen by who threw it; `ERR_...` is Node's way to say that a call was wrong. */
function isExpected(error: Error, code: unknown): boolean {
  return isKubewrightError(error) || (typeof code === 'string' && !code.startsWith('ERR_'))
}
