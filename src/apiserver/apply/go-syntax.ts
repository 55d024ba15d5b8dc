import { isPlainObject } from '../../base/index.js'
import { goPrint, goQuote } from '../../schema/internal.js'
import { goTypeOf } from '../patch/go-type-of.js'

/** A value as Go's `%#v` prints it: `map[string]interface {}{"a":1}`. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `${goTypeOf(value)}{${value.map(goSyntax).join(', ')}}`
  if (!isPlainObject(value)) return goPrint(value)
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${goQuote(key)}:${goSyntax(value[key])}`)
  return `${goTypeOf(value)}{${members.join(', ')}}`
}
