import { deepEqual } from '../../base/index.js'
import { goInteger, goKindOf, goTruncate } from './go-value.js'

/**
 * Whether the server finds the value in an enum. It converts the value to the type of each member first, as Go
 * converts: 1.5 is a member of [1], and 97 one of ["a"]. Null is a member of nothing.
 */
export function isEnumMember(value: unknown, members: readonly unknown[]): boolean {
  return members.some((member) => member !== null && convertsTo(value, member))
}

function convertsTo(value: unknown, member: unknown): boolean {
  const from = goKindOf(value)
  const to = goKindOf(member)
  if (to === 'int' && (from === 'int' || from === 'float')) {
    // The kinds prove that both are numbers.
    const converted = from === 'int' ? goInteger(value as number | bigint) : goTruncate(Number(value))
    return BigInt(converted) === BigInt(goInteger(member as number | bigint))
  }
  if (from === 'int' && to === 'float') return Number(value) === Number(member)
  if (from === 'int' && to === 'string') return runeOf(Number(value)) === member
  return from === to && deepEqual(value, member)
}

/** Go's `string(i)`: the character with that code. */
function runeOf(code: number): string {
  const isCharacter = code >= 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\ufffd'
}
