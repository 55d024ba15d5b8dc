import { parseDouble } from '../value/double.js'
import { maxInt, maxUint, minInt } from '../value/int64.js'
import { bytes, type CelValue, uint } from '../value/value.js'
import type { Token } from './lexer.js'
import { bytesOfLiteral, stringOfLiteral } from './string-literal.js'

/** The value of a number, string or bytes token with the sign before it, or what is wrong with it. */
export function literalValue(token: Token, sign: '' | '-'): CelValue | { problem: string } {
  switch (token.kind) {
    case 'int': {
      const magnitude = BigInt(token.text)
      const value = sign === '-' ? -magnitude : magnitude
      return value > maxInt || value < minInt ? { problem: 'invalid int literal' } : value
    }
    case 'uint': {
      const value = BigInt(token.text.slice(0, -1))
      return value > maxUint ? { problem: 'invalid uint literal' } : uint(value)
    }
    case 'float':
      return parseDouble(sign + token.text) ?? { problem: 'invalid double literal' }
    case 'bytes': {
      const literal = bytesOfLiteral(token.text.slice(1))
      return 'problem' in literal ? literal : bytes(literal.value)
    }
    default: {
      const literal = stringOfLiteral(token.text)
      return 'problem' in literal ? literal : literal.value
    }
  }
}
