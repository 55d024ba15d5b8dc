import { goQuote } from '../../schema/internal.js'

const space: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** What Go's JSON scanner says about a text that is not JSON. Undefined when there is nothing wrong with it. */
export function jsonSyntaxProblem(text: string | Uint8Array): string | undefined {
  return new Scanner(typeof text === 'string' ? Buffer.from(text) : text).run()
}

// Go names what it was looking for at the first byte that does not fit, so this is its scanner again, without values.
class Scanner {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  run(): string | undefined {
    const closers: ('}' | ']')[] = []
    let problem = this.#beginValue(closers)
    while (problem === undefined) {
      this.#skipSpace()
      const closer = closers.at(-1)
      const byte = this.#bytes[this.#at]
      if (closer === undefined)
        return byte === undefined ? undefined : `${this.#invalid()} after top-level value`
      if (byte === 0x2c) {
        this.#at++
        problem = closer === '}' ? this.#key() : undefined
        problem ??= this.#beginValue(closers)
      } else if (byte === closer.charCodeAt(0)) {
        this.#at++
        closers.pop()
      } else problem = this.#wrong(closer === '}' ? 'after object key:value pair' : 'after array element')
    }
    return problem
  }

  /** Takes a scalar, or the opening of containers down to the first value that is complete. */
  #beginValue(closers: ('}' | ']')[]): string | undefined {
    for (;;) {
      this.#skipSpace()
      const byte = this.#bytes[this.#at]
      if (byte === 0x7b) {
        this.#at++
        this.#skipSpace()
        closers.push('}')
        if (this.#bytes[this.#at] === 0x7d) {
          this.#at++
          closers.pop()
          return undefined
        }
        const problem = this.#key()
        if (problem !== undefined) return problem
      } else if (byte === 0x5b) {
        this.#at++
        this.#skipSpace()
        closers.push(']')
        if (this.#bytes[this.#at] === 0x5d) {
          this.#at++
          closers.pop()
          return undefined
        }
      } else return this.#scalar(byte)
    }
  }

  #key(): string | undefined {
    this.#skipSpace()
    if (this.#bytes[this.#at] !== 0x22) return this.#wrong('looking for beginning of object key string')
    const problem = this.#string()
    if (problem !== undefined) return problem
    this.#skipSpace()
    if (this.#bytes[this.#at] !== 0x3a) return this.#wrong('after object key')
    this.#at++
    return undefined
  }

  #scalar(byte: number | undefined): string | undefined {
    if (byte === 0x22) return this.#string()
    if (byte === 0x2d || isDigit(byte)) return this.#number()
    const word = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : byte === 0x6e ? 'null' : undefined
    if (word === undefined) return this.#wrong('looking for beginning of value')
    for (const letter of word) {
      if (this.#bytes[this.#at] !== letter.charCodeAt(0))
        return this.#wrong(`in literal ${word} (expecting '${letter}')`)
      this.#at++
    }
    return undefined
  }

  #string(): string | undefined {
    for (this.#at++; ; this.#at++) {
      const byte = this.#bytes[this.#at]
      if (byte === 0x22) {
        this.#at++
        return undefined
      }
      if (byte === undefined || byte < 0x20) return this.#wrong('in string literal')
      if (byte !== 0x5c) continue
      this.#at++
      const escaped = String.fromCharCode(this.#bytes[this.#at] ?? 0)
      if (escaped === 'u') {
        for (let digit = 0; digit < 4; digit++) {
          this.#at++
          if (!/[0-9a-fA-F]/.test(String.fromCharCode(this.#bytes[this.#at] ?? 0)))
            return this.#wrong('in \\u hexadecimal character escape')
        }
      } else if (!'"\\/bfnrt'.includes(escaped)) return this.#wrong('in string escape code')
    }
  }

  #number(): string | undefined {
    if (this.#bytes[this.#at] === 0x2d) {
      this.#at++
      if (!isDigit(this.#bytes[this.#at])) return this.#wrong('in numeric literal')
    }
    if (this.#bytes[this.#at] === 0x30) this.#at++
    else this.#digits()
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at++
      if (!isDigit(this.#bytes[this.#at])) return this.#wrong('after decimal point in numeric literal')
      this.#digits()
    }
    if (this.#bytes[this.#at] === 0x65 || this.#bytes[this.#at] === 0x45) {
      this.#at++
      if (this.#bytes[this.#at] === 0x2b || this.#bytes[this.#at] === 0x2d) this.#at++
      if (!isDigit(this.#bytes[this.#at])) return this.#wrong('in exponent of numeric literal')
      this.#digits()
    }
    return undefined
  }

  #digits(): void {
    while (isDigit(this.#bytes[this.#at])) this.#at++
  }

  #skipSpace(): void {
    while (space.has(this.#bytes[this.#at] ?? 0)) this.#at++
  }

  #wrong(context: string): string {
    if (this.#at < this.#bytes.length) return `${this.#invalid()} ${context}`
    // Go puts a space behind the end: where one may stand, only the rest is missing.
    return /^in (?!string literal)|numeric/.test(context)
      ? `invalid character ' ' ${context}`
      : 'unexpected end of JSON input'
  }

  #invalid(): string {
    const character = String.fromCharCode(this.#bytes[this.#at] ?? 0)
    const quoted = character === "'" ? "\\'" : character === '"' ? '"' : goQuote(character).slice(1, -1)
    return `invalid character '${quoted}'`
  }
}
