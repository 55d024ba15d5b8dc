import { escapeName } from '../kubernetes/escaping.js'
import type { SchemaNode } from '../kubernetes/schema-node.js'

/** How large data of a schema may be, as far as it bounds the cost of rules. */
export interface DeclaredSize {
  /** Elements, entries or bytes; 0 for what has no size. */
  readonly maxElements: number
  /** The fewest bytes that such data takes in JSON. */
  readonly minBytes: number
  /** By escaped name. */
  readonly fields?: ReadonlyMap<string, DeclaredSize>
  readonly element?: DeclaredSize
  /** Of maps only. */
  readonly key?: DeclaredSize
}

/** The largest request that the server reads. */
export const maxRequestBytes: number = 3 * 1024 * 1024

const quotes = 2
const longestText = maxRequestBytes - quotes
const bytesPerCharacter = 4

const scalar = (minBytes: number): DeclaredSize => ({ maxElements: 0, minBytes })
const boolean = scalar(4)
const number = scalar(1)
const mapKey = scalar(quotes)

/** The size of data of a schema; `undefined` where rules see nothing. Mirrors `declaredType`. */
export function declaredSize(schema: SchemaNode, isResourceRoot: boolean): DeclaredSize | undefined {
  const { maxLength } = schema.schema
  if (schema.schema['x-kubernetes-int-or-string'] === true)
    return { maxElements: maxLength === undefined ? longestText : characters(maxLength), minBytes: 1 }
  const node = isResourceRoot ? schema.asResource() : schema
  switch (node.type) {
    case 'array':
      return arraySize(node)
    case 'object':
      return node.additional === undefined ? objectSize(node) : mapSize(node, node.additional)
    case 'string':
      return textSize(node)
    case 'boolean':
      return boolean
    case 'number':
    case 'integer':
      return number
    default:
      return undefined
  }
}

function arraySize({ items, schema }: SchemaNode): DeclaredSize | undefined {
  const element = items && declaredSize(items, items.isEmbedded)
  if (element === undefined) return undefined
  const { maxItems } = schema
  const maxElements =
    maxItems === undefined
      ? Math.trunc((maxRequestBytes - 2) / (element.minBytes + 1))
      : Math.max(0, maxItems)
  return { maxElements, minBytes: 2, element }
}

function mapSize({ schema }: SchemaNode, values: SchemaNode): DeclaredSize | undefined {
  const element = declaredSize(values, values.isEmbedded)
  if (element === undefined) return undefined
  const { maxProperties } = schema
  const maxElements =
    maxProperties === undefined
      ? Math.trunc((maxRequestBytes - 2) / (element.minBytes + 6))
      : Math.max(0, maxProperties)
  return { maxElements, minBytes: 2, element, key: mapKey }
}

function objectSize(node: SchemaNode): DeclaredSize {
  const required = new Set(node.schema.required)
  const fields = new Map<string, DeclaredSize>()
  let minBytes = 2
  for (const [name, property] of node.properties ?? []) {
    const size = declaredSize(property, property.isEmbedded)
    if (size === undefined) continue
    const field = escapeName(name)
    if (field !== undefined) fields.set(field, size)
    // What has a default is filled in by the server: it need not be sent.
    if (required.has(name) && (property.schema.default ?? undefined) === undefined)
      minBytes += Buffer.byteLength(name) + size.minBytes + 4
  }
  return { maxElements: 0, minBytes, fields }
}

// Bytes of the longest text of a format, with its quotes.
const formats: ReadonlyMap<string, DeclaredSize> = new Map([
  ['duration', { maxElements: 32, minBytes: 3 }],
  ['date', { maxElements: 12, minBytes: 12 }],
  ['date-time', { maxElements: 32, minBytes: 21 }],
])

function textSize({ schema }: SchemaNode): DeclaredSize {
  const { format = '', maxLength, enum: values = [] } = schema
  const fixed = formats.get(format)
  if (fixed !== undefined) return fixed
  const minBytes = quotes
  if (maxLength !== undefined) {
    const maxElements = format === 'byte' ? Math.max(0, maxLength) : characters(maxLength)
    return { maxElements, minBytes }
  }
  if (values.length === 0 || format === 'byte') return { maxElements: longestText, minBytes }
  const lengths = values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0))
  return { maxElements: Math.max(0, ...lengths), minBytes }
}

function characters(maxLength: number): number {
  return Math.max(0, maxLength) * bytesPerCharacter
}
