/** `namespace/name`, or `name` without a namespace: how a cache names an object. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

const quote = 0x22
const backslash = 0x5c
const slash = 0x2f

/** The string value in [start, end), quotes included; empty when it is something else. */
export function stringAt(bytes: Buffer, start: number, end: number): string {
  if (bytes[start] !== quote) return ''
  // Names and versions are plain ASCII. Whatever else a server sends is still read right.
  return isPlain(bytes, start + 1, end - 1)
    ? bytes.toString('latin1', start + 1, end - 1)
    : String(JSON.parse(bytes.toString('utf8', start, end)))
}

function isPlain(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === backslash || (bytes[at] ?? 0) >= 0x80) return false
  return true
}

/** Builds keys from bytes. One is used again and again. */
export class KeyBuilder {
  // Longer than any name and namespace that the API server accepts.
  readonly #scratch: Buffer = Buffer.alloc(512)

  /**
   * The key of the object whose namespace and name stand in these places, quotes included; a place that is empty has
   * none. In one piece, where the sum of two strings would be put together only when it is looked up.
   */
  // oxlint-disable-next-line max-params -- positions in one buffer: an object for them would be allocated per event
  build(
    bytes: Buffer,
    namespaceStart: number,
    namespaceEnd: number,
    nameStart: number,
    nameEnd: number,
  ): string {
    const hasNamespace = namespaceEnd - namespaceStart > 2 && bytes[namespaceStart] === quote
    const length = nameEnd - nameStart - 2 + (hasNamespace ? namespaceEnd - namespaceStart - 1 : 0)
    if (
      !hasNamespace ||
      nameEnd - nameStart <= 2 ||
      bytes[nameStart] !== quote ||
      length > this.#scratch.length ||
      !isPlain(bytes, namespaceStart + 1, namespaceEnd - 1) ||
      !isPlain(bytes, nameStart + 1, nameEnd - 1)
    ) {
      const name = stringAt(bytes, nameStart, nameEnd)
      return name === '' ? '' : keyOf(stringAt(bytes, namespaceStart, namespaceEnd), name)
    }
    const scratch = this.#scratch
    let at = 0
    for (let from = namespaceStart + 1; from < namespaceEnd - 1; from++) scratch[at++] = bytes[from] ?? 0
    scratch[at++] = slash
    for (let from = nameStart + 1; from < nameEnd - 1; from++) scratch[at++] = bytes[from] ?? 0
    return scratch.toString('latin1', 0, at)
  }
}
