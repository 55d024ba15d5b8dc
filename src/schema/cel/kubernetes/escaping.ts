const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/** The name by which rules reach a property: `foo-bar` is `foo__dash__bar`. `undefined` if they cannot. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined
  return name.replace(/__|[-./]/g, (part) => escapes[part] ?? part)
}

const unescapes: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
])

/** The reverse of {@link escapeName}; `undefined` for an escape that there is not. */
export function unescapeName(name: string): string | undefined {
  if (!name.includes('__')) return name
  let wrong = false
  const plain = name.replace(/__[^_]+__/g, (part) => {
    const content = part.slice(2, -2)
    const known = unescapes.get(content)
    if (known !== undefined) return known
    if (reserved.has(content) && part.length === name.length) return content
    wrong = true
    return ''
  })
  return wrong ? undefined : plain
}
