import { goQuote } from '../../schema/internal.js'

/** What Go's strconv makes of a text: the number, or its words about it. */
export type GoInteger = { readonly value: bigint } | { readonly problem: string }

const signed = /^[+-]?[0-9]+$/
const unsigned = /^[0-9]+$/

export function parseGoInt64(text: string): GoInteger {
  if (!signed.test(text)) return { problem: `strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax` }
  const value = BigInt(text.replace('+', ''))
  if (BigInt.asIntN(64, value) !== value)
    return { problem: `strconv.ParseInt: parsing ${goQuote(text)}: value out of range` }
  return { value }
}

export function parseGoUint64(text: string): GoInteger {
  if (!unsigned.test(text)) return { problem: `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax` }
  const value = BigInt(text)
  if (BigInt.asUintN(64, value) !== value)
    return { problem: `strconv.ParseUint: parsing ${goQuote(text)}: value out of range` }
  return { value }
}
