const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/

// Line separators end a line in some tools, and bidirectional controls make text read differently than it compiles.
const deceptive = /[\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** A string as a TypeScript literal. Whatever the text, it cannot end the literal or hide part of it. */
export function stringLiteral(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inner.replace(deceptive, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}'`
}

/** The name of a field as it stands in an interface: quoted only where it must be. */
export function propertyName(name: string): string {
  return identifier.test(name) ? name : stringLiteral(name)
}

/** Letters and digits only, each word with a capital: `x-forwarded.for` is `XForwardedFor`. */
export function pascalCase(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
}

/** The names of one module: each is given out once. */
export interface Names {
  has(name: string): boolean
  /** The wanted name, or the wanted name with the first number that makes it new. */
  claim(wanted: string): string
}

export function createNames(): Names {
  const taken = new Set<string>()
  return {
    has(name) {
      return taken.has(name)
    },
    claim(wanted) {
      let name = wanted
      for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`
      taken.add(name)
      return name
    },
  }
}
