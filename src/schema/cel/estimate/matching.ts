import { add, byFactor, multiply, type Size } from './size.js'

const perCharacter = 0.1
const perPatternCharacter = 0.25

/** The cost of matching a pattern against a text. */
export function matching(text: Size, pattern: Size): number {
  return multiply(byFactor(add(text.max, 1), perCharacter), byFactor(pattern.max, perPatternCharacter))
}
