import { getOwn } from '../../base/index.js'
import { stringLiteral } from './names.js'
import {
  isTrue,
  listAt,
  propertiesOf,
  referenceOf,
  type Schema,
  schemaAt,
  schemasAt,
  textAt,
} from './schema-view.js'

/** What the text of a type needs to know about the module it stands in. */
export interface TypeScope {
  /** The type behind a `$ref`. */
  reference(target: string): string
  /** Declares an interface for an object with fields of its own and gives its name. */
  declare(wantedName: string, schema: Schema): string
  /** A map with values of a type: `Record<string, T>`, unless the module has a type of that name. */
  mapOf(valueType: string): string
  /** True where a `default` in a schema is what users get, and not just Go's zero value. */
  readonly hasRealDefaults: boolean
}

/**
 * The TypeScript type of a schema, as the members of a union: most types have one. Integers of every size are
 * `number`: the one beyond 2^53, which arrives as a `bigint`, is not worth a union in every field. Value validations
 * (patterns, bounds, `anyOf` of them) have no type.
 *
 * @param wantedName - Name for the interface of an object that the schema describes in place.
 */
export function typeMembers(schema: Schema, wantedName: string, scope: TypeScope): readonly string[] {
  const members = literalsOf(schema) ?? basicMembersOf(schema, wantedName, scope)
  const isNullable = isTrue(schema, 'nullable') && !members.includes('null') && !members.includes('unknown')
  return isNullable ? [...members, 'null'] : members
}

function basicMembersOf(schema: Schema, wantedName: string, scope: TypeScope): readonly string[] {
  const target = referenceOf(schema)
  if (target !== undefined) return [scope.reference(target)]
  if (isTrue(schema, 'x-kubernetes-int-or-string') || textAt(schema, 'format') === 'int-or-string')
    return ['number', 'string']
  switch (jsonTypeOf(schema)) {
    case 'string':
      return ['string']
    case 'integer':
    case 'number':
      return ['number']
    case 'boolean':
      return ['boolean']
    case 'array':
      return [arrayOf(typeMembers(schemaAt(schema, 'items') ?? {}, wantedName, scope))]
    case 'object':
      return [objectText(schema, wantedName, scope)]
    default:
      return alternativesOf(schema, wantedName, scope)
  }
}

// CRDs that were stored before schemas had to be structural leave `type` out where it goes without saying.
function jsonTypeOf(schema: Schema): string | undefined {
  const type = textAt(schema, 'type')
  if (type !== undefined) return type
  if (schemaAt(schema, 'properties') !== undefined || isTrue(schema, 'x-kubernetes-embedded-resource'))
    return 'object'
  if (schemaAt(schema, 'additionalProperties') !== undefined) return 'object'
  return schemaAt(schema, 'items') === undefined ? undefined : 'array'
}

function objectText(schema: Schema, wantedName: string, scope: TypeScope): string {
  const hasFields = propertiesOf(schema).length > 0 || isTrue(schema, 'x-kubernetes-embedded-resource')
  if (hasFields) return scope.declare(wantedName, schema)
  const values = schemaAt(schema, 'additionalProperties')
  if (values !== undefined) return scope.mapOf(typeMembers(values, wantedName, scope).join(' | '))
  // Without fields the server drops whatever stands in the object, unless it was told to keep what it does not know.
  return scope.mapOf(isOpen(schema) ? 'unknown' : 'never')
}

/** True when an object may have fields that its schema does not name. */
export function isOpen(schema: Schema): boolean {
  const additional = getOwn(schema, 'additionalProperties')
  return (
    isTrue(schema, 'x-kubernetes-preserve-unknown-fields') ||
    (additional !== undefined && additional !== false)
  )
}

/** `oneOf` types of a schema without a type of its own: the server's way to write Quantity. */
function alternativesOf(schema: Schema, wantedName: string, scope: TypeScope): readonly string[] {
  const alternatives = [...schemasAt(schema, 'oneOf'), ...schemasAt(schema, 'anyOf')]
  if (alternatives.length === 0) return ['unknown']
  const members = new Set(alternatives.flatMap((alternative) => typeMembers(alternative, wantedName, scope)))
  return members.has('unknown') ? ['unknown'] : [...members]
}

/** Undefined when there is no enum, or one with a value that no literal type can say. */
function literalsOf(schema: Schema): readonly string[] | undefined {
  const literals = new Set(listAt(schema, 'enum').map(literalText))
  if (literals.size === 0 || literals.has(undefined)) return undefined
  return [...literals].filter((literal) => literal !== undefined)
}

function literalText(value: unknown): string | undefined {
  if (typeof value === 'string') return stringLiteral(value)
  if (typeof value === 'bigint') return `${value}n`
  if (value === null || typeof value === 'boolean') return String(value)
  // A number beyond 2^53 was already rounded by whoever parsed it: no literal says what the server means.
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER
  return isExact ? JSON.stringify(value) : undefined
}

function arrayOf(members: readonly string[]): string {
  return members.length > 1 ? `(${members.join(' | ')})[]` : `${members.join('')}[]`
}
