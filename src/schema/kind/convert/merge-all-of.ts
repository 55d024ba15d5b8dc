import { deepEqual, setOwn } from '../../../base/index.js'
import { isJsonSchema, type JsonSchema, without } from './json-schema.js'

/** Keywords of which the tighter of two bounds holds. */
const lowerBounds = new Set(['minimum', 'minLength', 'minItems', 'minProperties'])
const upperBounds = new Set(['maximum', 'maxLength', 'maxItems', 'maxProperties'])

/** Of two texts that explain, one is enough. */
const explanations = new Set(['title', 'description', '$schema', '$id', 'examples', 'deprecated', 'readOnly'])

/** Keywords that can be repeated in an `allOf` without a type. */
const repeatable = new Set(['pattern', 'format', 'enum', 'multipleOf', 'not'])

interface Merged {
  readonly schema: JsonSchema
  /** Keywords that contradict in a way that no single schema can express. */
  readonly conflicts: readonly string[]
}

/** One schema that says what a schema and all branches of its `allOf` say together. */
export function mergeAllOf(schema: JsonSchema, branches: readonly JsonSchema[]): Merged {
  const merged = without(schema, 'allOf')
  const repeated: JsonSchema[] = []
  const conflicts: string[] = []
  for (const branch of branches) {
    for (const [keyword, value] of Object.entries(branch)) {
      const present = merged[keyword]
      if (present === undefined) merged[keyword] = value
      else if (deepEqual(present, value) || explanations.has(keyword)) continue
      else if (lowerBounds.has(keyword)) merged[keyword] = Math.max(Number(present), Number(value))
      else if (upperBounds.has(keyword)) merged[keyword] = Math.min(Number(present), Number(value))
      else if (keyword === 'required' || keyword === 'x-kubernetes-validations') {
        merged[keyword] = [...new Set([...arrayOf(present), ...arrayOf(value)])]
      } else if (keyword === 'properties' && isJsonSchema(present) && isJsonSchema(value)) {
        merged[keyword] = mergeProperties(present, value)
      } else if (repeatable.has(keyword)) repeated.push({ [keyword]: value })
      else if (keyword !== 'additionalProperties') conflicts.push(keyword)
    }
    // Two strict objects together are strict about the fields of both, which dropping unknown fields does.
    if (merged['additionalProperties'] === false) delete merged['additionalProperties']
  }
  if (repeated.length > 0) merged['allOf'] = repeated
  return { schema: merged, conflicts }
}

function mergeProperties(left: JsonSchema, right: JsonSchema): JsonSchema {
  const merged = { ...left }
  for (const [name, child] of Object.entries(right)) {
    const present = Object.hasOwn(merged, name) ? merged[name] : undefined
    setOwn(
      merged,
      name,
      present === undefined || deepEqual(present, child) ? child : { allOf: [present, child] },
    )
  }
  return merged
}

function arrayOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
