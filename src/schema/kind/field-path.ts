import type { StructuralSchema } from '../structural-schema.js'

/** The names in a path such as `.spec.replicas` or `.metadata.labels['a.b/c']`; undefined when it is none. */
export function parseFieldPath(path: string): string[] | undefined {
  const step = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/y
  const names: string[] = []
  while (step.lastIndex < path.length) {
    const match = step.exec(path)
    if (match === null) return undefined
    names.push(match[1] ?? (match[2] ?? '').replace(/\\(.)/g, '$1'))
  }
  return names.length === 0 ? undefined : names
}

/** The schema of a field by its names; `open` where the schema keeps what it does not know; undefined: no such field. */
export function fieldAt(
  schema: StructuralSchema,
  names: readonly string[],
): StructuralSchema | 'open' | undefined {
  let found = schema
  for (const name of names) {
    const { properties, additionalProperties } = found
    if (properties !== undefined && Object.hasOwn(properties, name) && properties[name] !== undefined) {
      found = properties[name]
    } else if (typeof additionalProperties === 'object') found = additionalProperties
    else if (additionalProperties === true || found['x-kubernetes-preserve-unknown-fields'] === true)
      return 'open'
    else return undefined
  }
  return found
}
