import { deepFreeze, isPlainObject, parseJson } from '../base/index.js'

/**
 * Parses the answers of a list or a watch. As {@link parseJson}, but equal `fieldsV1` in the managedFields of objects are
 * parsed once and are one frozen value. They are a third of most objects, hardly anybody reads them, and objects of one
 * kind that were written by the same programs have the same ones.
 *
 * Holds on to what it has seen of late, so use one for each list or watch.
 */
export function createFieldSharingParser(): (text: string) => unknown {
  const seen = new SeenFields()
  return (text) => {
    try {
      const answer = parseShared(text, seen)
      if (answer !== undefined) return answer
    } catch {
      // Whatever is wrong with the text, the whole of it tells better.
    }
    return parseJson(text)
  }
}

// Searched for by its rarest character: the quote that the key begins with is everywhere.
const keyEnd = 'V1":{'
const keyStart = '"fields'

/** Nothing where nothing was shared. */
function parseShared(text: string, seen: SeenFields): unknown {
  const values: unknown[] = []
  // Joined at the end: a string that grows by + is copied for each character that is looked at in it.
  const pieces: string[] = []
  let copied = 0
  for (let at = text.indexOf(keyEnd); at !== -1 && seen.isHelpful; at = text.indexOf(keyEnd, at + 1)) {
    if (!isKeyAt(text, at - keyStart.length)) continue
    const start = at + keyEnd.length - 1
    const fields = seen.at(text, start)
    if (fields === undefined) continue
    // The number leads back to the value.
    pieces.push(text.slice(copied, start), String(values.length))
    values.push(fields.value)
    copied = start + fields.text.length
    at = copied
  }
  if (values.length === 0) return undefined
  pieces.push(text.slice(copied))
  const answer = parseJson(pieces.join(''))
  // Where some stood elsewhere than in the managedFields of an object, the numbers stay where they are not understood.
  return putBack(answer, values) === values.length ? answer : undefined
}

/** Whether it is a key: inside a string its quotes would have backslashes. */
function isKeyAt(text: string, at: number): boolean {
  return text.startsWith(keyStart, at) && text[at - 1] !== '\\'
}

/** Puts the values in the place of their numbers. Tells how many. */
function putBack(answer: unknown, values: readonly unknown[]): number {
  if (!isPlainObject(answer)) return 0
  const { items, object } = answer
  if (!Array.isArray(items)) return putBackIn(object, values)
  let count = 0
  for (const item of items as unknown[]) count += putBackIn(item, values)
  return count
}

function putBackIn(object: unknown, values: readonly unknown[]): number {
  const metadata = isPlainObject(object) ? object['metadata'] : undefined
  const entries = isPlainObject(metadata) ? metadata['managedFields'] : undefined
  if (!Array.isArray(entries)) return 0
  let count = 0
  for (const entry of entries as unknown[]) {
    const number = isPlainObject(entry) ? entry['fieldsV1'] : undefined
    const value = typeof number === 'number' ? values[number] : undefined
    if (!isPlainObject(entry) || value === undefined) continue
    entry['fieldsV1'] = value
    count++
  }
  return count
}

interface Fields {
  readonly text: string
  readonly value: unknown
}

const mostKept = 16
const mostLuck = 64

/** The fields that were seen of late. */
class SeenFields {
  readonly #kept: Fields[] = []
  // Grows with each that was seen before and shrinks with each that was not.
  #luck = mostLuck / 2

  /** Not where every object has fields of its own, as where lists in it are keyed by address. */
  get isHelpful(): boolean {
    return this.#luck > 0
  }

  /** The fields whose JSON begins there, or nothing where it is no whole object. */
  at(text: string, start: number): Fields | undefined {
    const kept = this.#kept
    for (let index = 0; index < kept.length; index++) {
      const fields = kept[index]
      if (fields === undefined || !standsAt(fields.text, text, start)) continue
      // What is seen more often is looked for earlier.
      const before = kept[index - 1]
      if (before !== undefined) {
        kept[index - 1] = fields
        kept[index] = before
      }
      if (this.#luck < mostLuck) this.#luck++
      return fields
    }
    this.#luck--
    return this.#keep(text, start)
  }

  #keep(text: string, start: number): Fields | undefined {
    const end = endOfObject(text, start)
    if (end === -1) return undefined
    // A copy: a slice would hold on to the whole text.
    const copy = Buffer.from(text.slice(start, end)).toString()
    const fields = { text: copy, value: deepFreeze(parseJson(copy)) }
    if (this.#kept.length === mostKept) this.#kept.pop()
    this.#kept.push(fields)
    return fields
  }
}

const closingBrace = 0x7d

/** A whole object is all that can begin where it begins. */
function standsAt(object: string, text: string, start: number): boolean {
  const end = start + object.length
  return text.charCodeAt(end - 1) === closingBrace && text.slice(start, end) === object
}

/** The position behind the object that begins at `start`, or -1. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  let isString = false
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) isString = !isString
    else if (isString) at += code === 0x5c ? 1 : 0
    else if (code === 0x7b) depth++
    else if (code === closingBrace && --depth === 0) return at + 1
  }
  return -1
}
