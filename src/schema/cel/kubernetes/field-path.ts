import type { SchemaNode } from './schema-node.js'

/** A path into an object, written as the server does: `spec.ports[2].name`, `<nil>` for the object itself. */
export class FieldPath {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  child(name: string): FieldPath {
    return new FieldPath(this.text === '' ? name : `${this.text}.${name}`)
  }

  /** An index or a key of a map. */
  key(key: string | number): FieldPath {
    return new FieldPath(`${this.text}[${key}]`)
  }

  toString(): string {
    return this.text === '' ? '<nil>' : this.text
  }
}

/** Thrown for a `fieldPath` that leads nowhere; the message is the server's. */
export class FieldPathError extends Error {
  override readonly name = 'FieldPathError'
}

const token = /'(?:[^'\\]|\\[\s\S])*'|[.[\]]|[^.[\]]+/y
const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
}

/** The `fieldPath` of a rule (`.spec['a b']`) in the notation of errors. Throws {@link FieldPathError}. */
export function normalizeFieldPath(jsonPath: string, root: SchemaNode): string {
  return resolveFieldPath(jsonPath, root, { allowsBrackets: true }).path
}

/** Where a path leads to, and its notation in errors. Throws {@link FieldPathError}. */
export function resolveFieldPath(
  jsonPath: string,
  root: SchemaNode,
  { allowsBrackets }: { readonly allowsBrackets: boolean },
): { readonly path: string; readonly node: SchemaNode } {
  let node = root
  let path = new FieldPath('')
  let at = 0
  const next = (): string | undefined => {
    token.lastIndex = at
    const text = token.exec(jsonPath)?.[0]
    at += text?.length ?? 0
    return text
  }
  const mustNext = (): string => next() ?? fail('unexpected end of JSON path')
  for (let text = next(); text !== undefined; text = next()) {
    if (text !== '[' && text !== '.') fail(`expected [ or . but got: ${text}`)
    if (text === '[' && !allowsBrackets) fail('array notation is not allowed')
    const name = text === '.' ? mustNext() : unquote(mustNext())
    const below = node.properties === undefined ? node.additional : node.properties.get(name)
    if (below === undefined) fail('does not refer to a valid field')
    path = node.properties === undefined ? path.key(name) : path.child(name)
    node = below
    if (text === '[') {
      const close = mustNext()
      if (close !== ']') fail(`expected ] but got ${close}`)
    }
  }
  return { path: path.text, node }
}

function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith("'") || !text.endsWith("'"))
    fail(`expected single quoted string but got ${text}`)
  return text.slice(1, -1).replace(/\\([\s\S])/g, (escape, character: string) => {
    const plain = escapes[character]
    return plain ?? fail(`invalid string literal: invalid escape char ${escape}`)
  })
}

function fail(message: string): never {
  throw new FieldPathError(message)
}
