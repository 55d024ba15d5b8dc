import { isPlainObject } from '../../base/index.js'
import type { Content } from './content.js'
import { escaped, numberText, styleOf } from './yaml-scalar.js'

/** YAML as the real server writes it: keys in order, sequences at the level of their key, lines folded, the same quotes. */
export function toYaml(content: Content): Buffer {
  const writer = new YamlWriter()
  writer.node(content.value(), 0, 'root')
  return Buffer.from(writer.end())
}

/** Where a value stands: its first line goes on where the one before ended, or it begins a line. */
type Place = 'root' | 'value' | 'item'

const widestLine = 80
/** In bytes. A longer key stands on a line of its own. */
const longestSimpleKey = 128

class YamlWriter {
  #text = ''
  /** Of the present line, in characters. */
  #column = 0

  /** Writes a value below something that is indented so far. */
  node(value: unknown, indent: number, place: Place): void {
    if (Array.isArray(value)) {
      if (value.length === 0) return this.#put(' []')
      this.#items(value, place === 'item' ? indent + 2 : indent, place)
    } else if (isPlainObject(value)) {
      const keys = Object.keys(value)
      if (keys.length === 0) return this.#put(place === 'root' ? '{}' : ' {}')
      this.#members(value, keys.sort(compareKeys), { indent: place === 'root' ? 0 : indent + 2, place })
    } else {
      this.#put(' ')
      this.#scalar(value, indent + 2, true)
    }
  }

  end(): string {
    return this.#column === 0 ? this.#text : `${this.#text}\n`
  }

  #items(items: readonly unknown[], indent: number, place: Place): void {
    for (const [index, item] of items.entries()) {
      this.#begin(indent, index === 0 && place === 'item')
      this.#put('-')
      this.node(item, indent, 'item')
    }
  }

  #members(
    members: Readonly<Record<string, unknown>>,
    keys: readonly string[],
    { indent, place }: { readonly indent: number; readonly place: Place },
  ): void {
    for (const [index, key] of keys.entries()) {
      this.#begin(indent, index === 0 && place === 'item')
      const isSimple = !key.includes('\n') && Buffer.byteLength(key) <= longestSimpleKey
      if (isSimple) this.#scalar(key, indent, false)
      else {
        this.#put('?')
        this.node(key, indent, 'item')
        this.#begin(indent, false)
      }
      this.#put(':')
      this.node(members[key], indent, isSimple ? 'value' : 'item')
    }
  }

  /** Begins a line, or goes on behind the dash of an item. */
  #begin(indent: number, isBehindDash: boolean): void {
    if (isBehindDash) return this.#put(' ')
    if (this.#column > 0) this.#break()
    this.#put(' '.repeat(indent))
  }

  #break(): void {
    this.#text += '\n'
    this.#column = 0
  }

  #put(text: string): void {
    this.#text += text
    this.#column += text.length
  }

  #scalar(value: unknown, indent: number, mayFold: boolean): void {
    if (typeof value === 'number' || typeof value === 'bigint') return this.#put(numberText(value))
    if (typeof value !== 'string') return this.#put(String(value))
    const style = styleOf(value)
    switch (style) {
      case 'literal':
        return this.#lines(value, indent)
      case 'plain':
        return this.#characters(value, { indent, mayFold, isDouble: false, shown: (character) => character })
      case 'single':
      case 'double': {
        const quote = style === 'single' ? "'" : '"'
        const isDouble = style === 'double'
        const shown = isDouble
          ? escaped
          : (character: string): string => (character === quote ? `${quote}${quote}` : character)
        this.#put(quote)
        this.#characters(value, { indent, mayFold, isDouble, shown })
        this.#put(quote)
      }
    }
  }

  /** A line that is too long goes on in the next one, from a single space on. */
  #characters(
    text: string,
    how: {
      readonly indent: number
      readonly mayFold: boolean
      readonly isDouble: boolean
      shown(character: string): string
    },
  ): void {
    const characters = Array.from(text)
    for (const [index, character] of characters.entries()) {
      const isInside = index > 0 && index < characters.length - 1
      const isFold =
        how.mayFold &&
        character === ' ' &&
        this.#column > widestLine &&
        isInside &&
        characters[index - 1] !== ' ' &&
        (how.isDouble || characters[index + 1] !== ' ')
      if (isFold) {
        this.#break()
        this.#put(' '.repeat(how.indent))
        if (characters[index + 1] === ' ') this.#put('\\')
      } else {
        this.#put(how.shown(character))
      }
    }
  }

  #lines(text: string, indent: number): void {
    const hint = /^[ \n]/.test(text) ? '2' : ''
    const ending = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
    this.#put(`|${hint}${ending}`)
    this.#break()
    for (const line of text.split(/(?<=\n)/)) {
      const content = line.replace('\n', '')
      if (content !== '') this.#put(' '.repeat(indent) + content)
      if (line.endsWith('\n')) this.#break()
    }
  }
}

/** Letters behind everything else, and numbers by their value. */
function compareKeys(left: string, right: string): number {
  const [a, b] = [Array.from(left), Array.from(right)]
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [x = '', y = ''] = [a[index], b[index]]
    if (x === y) continue
    const [isLetterX, isLetterY] = [/\p{L}/u.test(x), /\p{L}/u.test(y)]
    if (isLetterX && isLetterY) return codeOf(x) - codeOf(y)
    if (isLetterX || isLetterY) return isLetterX ? 1 : -1
    const isWithinNumber = (x === '0' || y === '0') && /[1-9]\d*$/.test(a.slice(0, index).join(''))
    const [numberX, numberY] = [a, b].map((key) => /^\d*/.exec(key.slice(index).join(''))?.[0] ?? '')
    const valueOf = (digits = ''): bigint => BigInt(`${isWithinNumber ? '1' : '0'}${digits}`)
    const [valueX, valueY] = [valueOf(numberX), valueOf(numberY)]
    if (valueX !== valueY) return valueX < valueY ? -1 : 1
    return (numberX?.length ?? 0) - (numberY?.length ?? 0) || codeOf(x) - codeOf(y)
  }
  return a.length - b.length
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}
