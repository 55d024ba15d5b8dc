import { wellFormed } from '../go-text.js'
import { isIp } from './ip.js'

/**
 * Format `email`: what Go's `mail.ParseAddress` takes for one address. That is more than people expect: display
 * names, comments, quoted local parts, address literals and groups of one are all fine.
 */
export function isEmail(text: string): boolean {
  const reader = new AddressReader(wellFormed(text))
  return reader.address({ group: true }) === 1 && reader.comments() && reader.done
}

// Control characters have no place in an address, not even in quotes, except for the tab.
const control = String.raw`\u0000-\u0008\u000a-\u001f\u007f`
const atom = new RegExp(String.raw`[^\t ${control}()<>[\]:;@\\,"]+`, 'uy')
const quoted = new RegExp(String.raw`"((?:[^${control}"\\]|\\[^${control}])*)"`, 'uy')
const literal = new RegExp(String.raw`\[([^\t ${control}[\]\\]*)\]`, 'uy')

/** A cursor over the text. Methods return false or undefined on a syntax error. */
class AddressReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get done(): boolean {
    return this.#at >= this.#text.length
  }

  /** How many addresses were read: one, or as many as a group has; undefined on an error. */
  address(options: { group: boolean }): number | undefined {
    this.#spaces()
    if (this.done) return undefined
    if (this.#addressSpec()) {
      this.#spaces()
      return this.#peek() === '(' && !this.#nameComment() ? undefined : 1
    }
    if (this.#peek() !== '<' && !this.#phrase()) return undefined
    this.#spaces()
    if (options.group && this.#take(':')) return this.#groupList()
    return this.#take('<') && this.#addressSpec() && this.#take('>') ? 1 : undefined
  }

  /** Skips white space and comments; false when a comment does not end. */
  comments(): boolean {
    this.#spaces()
    while (this.#take('(')) {
      if (this.#comment() === undefined) return false
      this.#spaces()
    }
    return true
  }

  #groupList(): number | undefined {
    this.#spaces()
    if (this.#take(';')) return this.comments() ? 0 : undefined
    for (let count = 1; ; count++) {
      this.#spaces()
      if (this.address({ group: false }) === undefined || !this.comments()) return undefined
      if (this.#take(';')) return this.comments() ? count : undefined
      if (!this.#take(',')) return undefined
    }
  }

  #addressSpec(): boolean {
    const start = this.#at
    this.#spaces()
    if (this.#localPart() && this.#take('@') && this.#domain()) return true
    this.#at = start
    return false
  }

  #localPart(): boolean {
    if (this.#peek() !== '"') return this.#dotAtom()
    const match = this.#match(quoted)
    return match !== undefined && match !== ''
  }

  #domain(): boolean {
    this.#spaces()
    if (this.#peek() !== '[') return this.#dotAtom()
    const address = this.#match(literal)
    return address !== undefined && isIp(address)
  }

  #dotAtom(): boolean {
    const text = this.#match(atom)
    return text !== undefined && !text.startsWith('.') && !text.endsWith('.') && !text.includes('..')
  }

  #phrase(): boolean {
    for (let words = 0; ; words++) {
      if (words > 0 && !this.comments()) return false
      this.#spaces()
      // Words may end in an error once there is one: what follows decides.
      if (this.done) return true
      const word = this.#peek() === '"' ? this.#match(quoted) : this.#match(atom)
      if (word === undefined || hasUnknownCharset(word)) return words > 0
    }
  }

  #nameComment(): boolean {
    this.#take('(')
    const text = this.#comment()
    return text !== undefined && !text.split(/[ \t]+/).some(hasUnknownCharset)
  }

  #comment(): string | undefined {
    let text = ''
    for (let depth = 1; !this.done; this.#at++) {
      if (this.#peek() === '\\' && this.#at < this.#text.length - 1) this.#at++
      else if (this.#peek() === '(') depth++
      else if (this.#peek() === ')') depth--
      if (depth === 0) {
        this.#at++
        return text
      }
      text += this.#peek()
    }
    return undefined
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.#text)
    if (match === null) return undefined
    this.#at = pattern.lastIndex
    return match[1] ?? match[0]
  }

  #spaces(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++
  }

  #peek(): string | undefined {
    return this.#text[this.#at]
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false
    this.#at++
    return true
  }
}

/** An encoded word (`=?charset?q?text?=`) that is well formed, in a character set that Go does not know. */
function hasUnknownCharset(word: string): boolean {
  const [, charset = '', encoding = '', text = ''] = /^=\?([^?]+)\?([bq])\?([^?]*)\?=$/i.exec(word) ?? []
  if (charset === '' || /^(?:utf-8|iso-8859-1|us-ascii)$/i.test(charset)) return false
  return encoding.toLowerCase() === 'q'
    ? /^(?:=[0-9a-f]{2}|[\t\n\r -<>-~])*$/i.test(text)
    : /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ''))
}
