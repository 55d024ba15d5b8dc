import { isPlainObject } from '../base/index.js'
import { describeError } from './log-error.js'
import { isSecretName, lastAppliedAnnotation, redacted, redactText, secretParts } from './redaction.js'

const deepest = 8
const longestString = 4_096
/** Longer texts are not looked through for credentials, and so not shown at all. */
const longestSearch = 1_000_000
const longestKey = 256
const mostMembers = 100

/** How a value is written into one record. */
export interface ValueOptions {
  /** Write the stack of every error, not only of unexpected ones. */
  readonly stacks: boolean
  /** How many characters may still be written; counted down as they are. */
  remaining: number
}

// Printable ASCII that JSON writes as it is: nearly every string of a log.
const plain = /^[ !#-[\]-~]*$/

/** The JSON text of a string without credentials, cut to a bearable length. */
export function writeString(text: string, options: ValueOptions): string {
  if (text.length > longestSearch) return writeString(`[${text.length} characters]`, options)
  const clean = redactText(text)
  const limit = Math.min(longestString, Math.max(options.remaining, 0))
  const cut = clean.length > limit ? `${clean.slice(0, limit)}...` : clean
  options.remaining -= cut.length
  return plain.test(cut) ? `"${cut}"` : quote(cut)
}

// What a terminal or an editor may act on although JSON lets it pass: DEL, the C1 controls (a second way to write an
// escape sequence), line separators, and the marks that reverse the direction of writing.
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** The JSON text of a string, with every character escaped that could do more than be shown. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * The JSON text of a member of `owner` (the fields of a record, or an object passed as such): credentials are left out,
 * whatever their depth; size and depth are bounded; cycles, getters that throw and values that JSON does not know become
 * a word. Never throws.
 */
export function writeMember(owner: object, name: string, value: unknown, options: ValueOptions): string {
  const place = 'kind' in owner ? placeOf(owner, 'plain') : 'plain'
  if (typeof value === 'string' && place === 'plain' && !isSecretName(name))
    return writeString(value, options)
  try {
    return new Walk(options).writeMember(name, value, place) ?? 'null'
  } catch {
    // A proxy, or a class that fakes its prototype: nothing about it can be trusted.
    return '"[unreadable]"'
  }
}

/** Whether a token is there is worth knowing, and says nothing of the token. */
function isHideable(value: unknown): boolean {
  return typeof value !== 'boolean' && value !== undefined && value !== null
}

/** What the place of a value says about it, beyond its name. */
type Place = 'plain' | 'secret' | 'secrets' | 'exec'

class Walk {
  readonly #options: ValueOptions
  readonly #ancestors: object[] = []

  constructor(options: ValueOptions) {
    this.#options = options
  }

  /** Undefined for what JSON leaves out. */
  write(name: string, value: unknown, place: Place): string | undefined {
    if (value === undefined) return undefined
    if (isSecretName(name) && isHideable(value)) return this.#scalar(`"${redacted}"`)
    if (value === null) return this.#scalar('null')
    switch (typeof value) {
      case 'string':
        return writeString(value, this.#options)
      case 'number':
        return this.#scalar(Number.isFinite(value) ? String(value) : `"${value}"`)
      case 'boolean':
        return this.#scalar(String(value))
      case 'bigint':
      case 'symbol':
        // A bigint as a string: most readers of logs would round it.
        return writeString(String(value), this.#options)
      case 'function':
        return this.#word(`function ${value.name}`)
      default:
        return this.#writeObject(name, value, place)
    }
  }

  #scalar(json: string): string {
    this.#options.remaining -= json.length
    return json
  }

  #word(text: string): string {
    return writeString(`[${text}]`, this.#options)
  }

  #writeObject(name: string, value: object, place: Place): string | undefined {
    if (this.#ancestors.includes(value)) return this.#word('circular')
    if (this.#ancestors.length >= deepest) return this.#word(Array.isArray(value) ? 'array' : 'object')
    this.#ancestors.push(value)
    // Brackets count, or lists of empty lists would be free and without end.
    this.#options.remaining -= 2
    try {
      return this.#writeParts(name, value, place)
    } catch {
      return this.#word('unreadable')
    } finally {
      this.#ancestors.pop()
    }
  }

  #writeParts(name: string, value: object, place: Place): string | undefined {
    if (Array.isArray(value)) return this.#writeItems(name, value, place)
    if (value instanceof Error) return this.#writeMembers(describeError(value, this.#options.stacks), place)
    if (ArrayBuffer.isView(value)) return this.#word(`${value.byteLength} bytes`)
    if (value instanceof Map) return this.#writeMembers(mapEntries(value), place)
    if (value instanceof Set) return this.#writeItems(name, [...value], place)
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      const replaced: unknown = value.toJSON(name)
      return replaced === value ? this.#word('circular') : this.write(name, replaced, place)
    }
    return this.#writeMembers(membersOf(value), placeOf(value, place))
  }

  #writeItems(name: string, items: readonly unknown[], place: Place): string {
    const texts: string[] = []
    let previous: unknown
    for (const item of items.slice(0, mostMembers)) {
      if (this.#options.remaining <= 0) break
      // Node's rawHeaders: names and values take turns.
      const isSecret = typeof previous === 'string' && isSecretName(previous)
      texts.push(isSecret ? this.#scalar(`"${redacted}"`) : (this.write(name, item, place) ?? 'null'))
      previous = item
    }
    if (texts.length < items.length) texts.push(this.#word(`${items.length - texts.length} more`))
    return `[${texts.join(',')}]`
  }

  #writeMembers(entries: readonly (readonly [string, unknown])[], place: Place | 'body'): string {
    let text = ''
    let count = 0
    for (const [key, member] of entries) {
      if (count >= mostMembers || this.#options.remaining <= 0) {
        text += `${text === '' ? '' : ','}"...":"${entries.length - count} more"`
        break
      }
      count++
      const written = this.writeMember(key, member, place)
      if (written === undefined) continue
      const shownKey = quote(redactText(key.slice(0, longestKey)))
      this.#options.remaining -= shownKey.length
      text += `${text === '' ? '' : ','}${shownKey}:${written}`
    }
    return `{${text}}`
  }

  writeMember(key: string, member: unknown, place: Place | 'body'): string | undefined {
    if (place === 'body') {
      const isBody = key === 'spec' || key === 'status'
      return isBody ? this.#scalar(`"${redacted}"`) : this.write(key, member, 'plain')
    }
    if (place === 'secret') {
      if (key === 'data' || key === 'stringData') return this.#writeNames(member)
      if (key === lastAppliedAnnotation) return this.#scalar(`"${redacted}"`)
      // Inside its metadata a Secret is still a Secret.
      return this.write(key, member, 'secret')
    }
    if (place === 'secrets') return this.write(key, member, key === 'items' ? 'secret' : 'plain')
    if (place === 'exec' && key === 'env') return this.#scalar(`"${redacted}"`)
    return this.write(key, member, placeByName(key))
  }

  /** The names of a Secret's parts are no secret, and often what one looks for. */
  #writeNames(data: unknown): string {
    if (!isPlainObject(data)) return this.#scalar(`"${redacted}"`)
    return this.#writeMembers(
      Object.keys(data).map((key) => [key, redacted]),
      'plain',
    )
  }
}

/** The own members; in a pair of name and value, as lists of headers have them, the name decides about the value. */
function membersOf(value: object): [string, unknown][] {
  const isSecretPair =
    'name' in value && 'value' in value && typeof value.name === 'string' && isSecretName(value.name)
  const members: [string, unknown][] = Object.entries(value)
  return isSecretPair ? members.map(([key, member]) => [key, key === 'value' ? redacted : member]) : members
}

function placeOf(value: object, place: Place): Place | 'body' {
  const kind: unknown = 'kind' in value ? value.kind : undefined
  const part = typeof kind === 'string' ? secretParts.get(kind) : undefined
  if (part === undefined) return place
  return part === 'data' ? 'secret' : part === 'items' ? 'secrets' : 'body'
}

/** Objects in a list, or passed under a name of the caller's, often lack their kind. */
function placeByName(key: string): Place {
  if (key === 'secret' || key === 'secrets') return 'secret'
  return key === 'exec' ? 'exec' : 'plain'
}

function mapEntries(map: ReadonlyMap<unknown, unknown>): [string, unknown][] {
  return [...map].slice(0, mostMembers + 1).map(([key, member]) => [String(key), member])
}
