import { getOwn, isPlainObject } from '../../base/index.js'
import { goQuote } from '../../schema/internal.js'
import { keyElement, type PathElement, valueElement } from './path-element.js'
import type { TypedList } from './typed-schema.js'

/** What is wrong with the item of an associative list: it cannot be told from the others. */
export class UnidentifiableItem extends Error {
  override readonly name = 'UnidentifiableItem'
}

/** How the item of an associative list is told from the others. Throws {@link UnidentifiableItem}. */
export function elementOf(list: TypedList, item: unknown): PathElement {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item)
}

function keyedElement(list: TypedList, item: unknown): PathElement {
  if (item === null) throw new UnidentifiableItem('associative list with keys may not have a null element')
  if (!isPlainObject(item)) {
    throw new UnidentifiableItem('associative list with keys may not have non-map elements')
  }
  const pairs: [string, unknown][] = []
  for (const key of list.keys) {
    const value = Object.hasOwn(item, key) ? getOwn(item, key) : list.keyDefault(key)
    if (value !== undefined && (value !== null || Object.hasOwn(item, key))) pairs.push([key, value])
  }
  if (pairs.length === 0) {
    const keys = list.keys.map((key) => goQuote(key)).join(' ')
    throw new UnidentifiableItem(
      `associative list with keys has an element that omits all key fields [${keys}] (and doesn't have default values for any key fields)`,
    )
  }
  return keyElement(pairs)
}

function setElement(item: unknown): PathElement {
  if (isPlainObject(item)) {
    throw new UnidentifiableItem("associative list without keys has an element that's a map type")
  }
  if (Array.isArray(item)) {
    throw new UnidentifiableItem('not supported: associative list with lists as elements')
  }
  if (item === null || item === undefined) {
    throw new UnidentifiableItem("associative list without keys has an element that's an explicit null")
  }
  return valueElement(item)
}
