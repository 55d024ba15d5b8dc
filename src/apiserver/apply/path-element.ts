import { isPlainObject, parseJson } from '../../base/index.js'
import { goJson, goPrint, goQuote } from '../../schema/internal.js'

/**
 * One step of a path into an object, in the notation of FieldsV1: `f:name` a field, `k:{"name":"x"}` the item of a list
 * with these keys, `v:"x"` the item that is this value, `i:0` the item at this place. There is one spelling for each
 * step, so equal texts are equal steps.
 */
export type PathElement = string

export function fieldElement(name: string): PathElement {
  return `f:${name}`
}

export function valueElement(value: unknown): PathElement {
  return `v:${elementJson(value)}`
}

/** The pairs may be in any order. */
export function keyElement(pairs: readonly (readonly [name: string, value: unknown])[]): PathElement {
  const sorted = pairs.length < 2 ? pairs : pairs.toSorted(([left], [right]) => compareTexts(left, right))
  let content = ''
  for (const [name, value] of sorted) {
    content += `${content === '' ? '' : ','}${JSON.stringify(name)}:${elementJson(value)}`
  }
  return `k:{${content}}`
}

/** As the server writes JSON. Nearly all values are plain texts. */
function elementJson(value: unknown): string {
  return typeof value === 'string' && /^[ !#-%'-;=?-[\]-~]*$/.test(value) ? `"${value}"` : goJson(value)
}

/** The name of the field that an element steps to; undefined for items of lists. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined
}

/** A step that is unknown to this server, from a newer one: it is left out. */
export const unknownElement: unique symbol = Symbol('unknown path element')

/** Brings an element that somebody wrote into the one spelling. Undefined when it says nothing. */
export function parseElement(text: string): PathElement | typeof unknownElement | undefined {
  if (text.length < 2 || text[1] !== ':') return undefined
  const content = text.slice(2)
  switch (text[0]) {
    case 'f':
      return text
    case 'v': {
      const value = parsed(content)
      return value === undefined ? undefined : valueElement(value)
    }
    case 'k': {
      const keys = parsed(content)
      return isPlainObject(keys) ? keyElement(Object.entries(keys)) : undefined
    }
    case 'i':
      return /^[+-]?\d+$/.test(content) ? `i:${Number(content)}` : undefined
    default:
      return unknownElement
  }
}

/** The order in which FieldsV1 lists elements: fields by name, then keys, values and indexes. */
export function compareElements(left: PathElement, right: PathElement): number {
  const kind = kinds.indexOf(left[0] ?? '') - kinds.indexOf(right[0] ?? '')
  if (kind !== 0) return kind
  if (left === right) return 0
  switch (left[0]) {
    case 'f':
      return compareTexts(left, right)
    case 'k':
      return comparePairs(contentOf(left), contentOf(right))
    default:
      return compareValues(contentOf(left), contentOf(right))
  }
}

const kinds = 'fkvi'

/** A path as people read it: `.spec.containers[name="app"].image`. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join('')
}

export function formatElement(element: PathElement): string {
  const name = fieldNameOf(element)
  if (name !== undefined) return `.${name}`
  const content = contentOf(element)
  switch (element[0]) {
    case 'k':
      return `[${Object.entries(Object(content))
        .map(([key, value]) => `${key}=${formatValue(value)}`)
        .join(',')}]`
    case 'v':
      return `[=${formatValue(content)}]`
    default:
      return `[${formatValue(content)}]`
  }
}

function contentOf(element: PathElement): unknown {
  return parseJson(element.slice(2))
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatValue).join(',')}]`
  if (isPlainObject(value)) {
    return Object.entries(value)
      .map(([key, member]) => `${key}=${formatValue(member)}`)
      .join('')
  }
  if (typeof value === 'string') return goQuote(value)
  return value === null ? 'null' : goPrint(value)
}

/** By code points, which is the order of their bytes. */
export function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  for (let index = 0; index < left.length && index < right.length; index++) {
    const unit = left.charCodeAt(index)
    const other = right.charCodeAt(index)
    // The halves of the characters beyond 16 bits sort below some that fit into them, but are greater.
    if (unit !== other) {
      const [high, otherHigh] = [unit >= 0xd800 && unit <= 0xdfff, other >= 0xd800 && other <= 0xdfff]
      return high === otherHigh ? unit - other : Number(high) * 2 - 1
    }
  }
  return left.length - right.length
}

function comparePairs(left: unknown, right: unknown): number {
  const leftPairs = Object.entries(Object(left))
  const rightPairs = Object.entries(Object(right))
  for (const [index, [name, value]] of leftPairs.entries()) {
    const pair = rightPairs[index]
    if (pair === undefined) return 1
    const order = compareTexts(name, pair[0]) || compareValues(value, pair[1])
    if (order !== 0) return order
  }
  return leftPairs.length - rightPairs.length
}

function compareValues(left: unknown, right: unknown): number {
  const rank = valueRank(left) - valueRank(right)
  if (rank !== 0) return rank
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (isScalar(left) && isScalar(right)) return left < right ? -1 : Number(left > right)
  if (Array.isArray(left) && Array.isArray(right)) {
    for (const [index, item] of left.entries()) {
      if (index >= right.length) return 1
      const order = compareValues(item, right[index])
      if (order !== 0) return order
    }
    return left.length - right.length
  }
  return left === null ? 0 : comparePairs(left, right)
}

function isScalar(value: unknown): value is number | bigint | boolean {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
}

function valueRank(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  if (Array.isArray(value)) return 3
  return value === null ? 5 : 4
}
