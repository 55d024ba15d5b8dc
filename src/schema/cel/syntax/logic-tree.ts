import type { Expr } from './ast.js'

/** A chain of `&&` or `||` as a tree of least depth. There is one operator less than there are terms. */
export function balanced(terms: readonly Expr[], offsets: readonly number[], name: string): Expr {
  const build = (low: number, high: number): Expr => {
    const middle = Math.floor((low + high + 1) / 2)
    const left = middle === low ? terms[middle] : build(low, middle - 1)
    const right = middle === high ? terms[middle + 1] : build(middle + 1, high)
    const args = [left, right].filter((term) => term !== undefined)
    return { node: 'call', offset: offsets[middle] ?? -1, name, target: undefined, args }
  }
  const only = terms[0]
  return terms.length === 1 && only !== undefined ? only : build(0, offsets.length - 1)
}
