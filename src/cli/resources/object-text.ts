import { isPlainObject, stringifyJson } from '../../base/index.js'

/** The formats in which objects are printed whole. */
export type ObjectFormat = 'yaml' | 'json'

/** An object as kubectl prints it: keys in the order of the alphabet, with a line feed at the end. */
export async function objectText(object: unknown, format: ObjectFormat): Promise<string> {
  return format === 'json' ? `${jsonText(object, '')}\n` : yamlText(object)
}

/** The object without what only servers look at. */
export function withoutManagedFields(object: object): object {
  if (!('metadata' in object) || !isPlainObject(object.metadata)) return object
  const { managedFields: _hidden, ...metadata } = object.metadata
  return { ...object, metadata }
}

async function yamlText(object: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  // By the rules of YAML 1.1, which kubectl and most tools around Kubernetes follow: a text such as "on" gets quotes.
  return stringify(object, {
    version: '1.1',
    sortMapEntries: true,
    indentSeq: false,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  })
}

function jsonText(value: unknown, indent: string): string {
  const inner = `${indent}    `
  const lines = Array.isArray(value)
    ? value.map((item) => inner + jsonText(item, inner))
    : isPlainObject(value)
      ? Object.entries(value)
          .toSorted(([left], [right]) => (left < right ? -1 : 1))
          .map(([key, item]) => `${inner}${JSON.stringify(key)}: ${jsonText(item, inner)}`)
      : []
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (lines.length > 0) return `${open}\n${lines.join(',\n')}\n${indent}${close}`
  return stringifyJson(value)
}
