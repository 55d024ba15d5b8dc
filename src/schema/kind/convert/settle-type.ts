import { isPlainObject } from '../../../base/index.js'
import type { JsonType } from '../../structural-schema.js'
import { simplifyUnion } from './convert-union.js'
import type { Converter } from './converter.js'
import { type JsonSchema, jsonTypeOf, without } from './json-schema.js'

/** What a schema says about its type, null aside. */
interface TypeClues {
  readonly schema: JsonSchema
  readonly path: string
  /** The types that it names. */
  readonly types: ReadonlySet<string>
  /** The values that it lists. */
  readonly values: readonly unknown[] | undefined
}

export type SettledType = JsonType | 'int-or-string'

/** The one type of a schema; undefined when it has none, which is noted unless the schema keeps all values. */
export function settleType(clues: TypeClues, converter: Converter): SettledType | undefined {
  const { schema, types, values, path } = clues
  const isMixture = types.size === 2 && types.has('integer') && types.has('string')
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (types.size === 0 || isMixture) return 'int-or-string'
    converter.refuse(path, 'An integer or a string is neither alone. Use z.union([z.int(), z.string()]).')
    return undefined
  }
  if (isMixture) return 'int-or-string'
  if (types.size > 1) {
    // The advice is that of a union.
    simplifyUnion({ schema: { anyOf: [...types].map((type) => ({ type })) }, path }, converter)
    return undefined
  }
  const [named] = types
  const listed = new Set(values?.map(jsonTypeOf))
  if (named === 'number' && listed.size === 1 && listed.has('integer')) return 'integer'
  if (named !== undefined) return knownType(named, path, converter)
  if (listed.size === 2 && listed.has('integer') && listed.has('string')) return 'int-or-string'
  if (listed.size === 1) return knownType([...listed].join(''), path, converter)
  if (isPlainObject(schema['properties'])) return 'object'
  if (schema['items'] !== undefined) return 'array'
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true) converter.refuse(path, untypedAdvice(clues))
  return undefined
}

function knownType(name: string, path: string, converter: Converter): JsonType | undefined {
  switch (name) {
    case 'object':
    case 'array':
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return name
    default:
      converter.refuse(
        path,
        `Type ${name} is not known. Use object, array, string, integer, number or boolean.`,
      )
      return undefined
  }
}

function untypedAdvice({ schema, values }: TypeClues): string {
  if (schema['not'] !== undefined && Object.keys(without(schema, 'not', '$schema')).length === 0) {
    return 'No value would ever be valid here. Leave the field out.'
  }
  if (values !== undefined) {
    return 'The listed values are of several types. List strings, or integers, or both, and nothing else.'
  }
  return 'The type is not known, so the API server would drop the value. Name a type, or keep it unchecked: z.any().meta(preserveUnknownFields()).'
}
