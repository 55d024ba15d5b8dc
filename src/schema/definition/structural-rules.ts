import { deepEqual, toError } from '../../base/index.js'
import type { FieldError } from '../field-error.js'
import { childPath, forbidden, invalid, required } from '../validator/field-errors.js'
import { compareCodePoints } from '../validator/go-text.js'
import type { PatternCompiler } from '../validator/patterns.js'
import { completenessErrors } from './completeness-rules.js'
import { isSchemaList, itemsOf, propertiesOf, type SchemaProps } from './schema-props.js'

/** Where a schema stands: at the root, for items, or for a field. */
type Level = 'root' | 'item' | 'field'

/**
 * What keeps a schema from being structural, sorted as the server sorts it. `compilePattern` throws for patterns that
 * are none. The schema must not have keywords that {@link unsupportedKeyword} names.
 */
export function structuralErrors(
  schema: SchemaProps,
  path: string,
  compilePattern: PatternCompiler,
): FieldError[] {
  const walk = new StructuralWalk(compilePattern)
  walk.invariants(schema, 'root', path)
  const errors = [...walk.errors, ...completenessErrors(schema, path)]
  const text = ({ field, message }: FieldError): string => `${field}: ${message}`
  return errors.sort((left, right) => compareCodePoints(text(left), text(right)))
}

const branchKeywords = ['not', 'allOf', 'anyOf', 'oneOf'] as const

/** The first keyword that no structural schema has, in the server's words; it cannot even look at such a schema. */
export function unsupportedKeyword(schema: SchemaProps): string | undefined {
  for (const keyword of ['id', '$schema', '$ref'] as const) {
    const name = keyword === '$schema' ? 'schema' : keyword
    if ((schema[keyword] ?? '') !== '') return `OpenAPIV3Schema '${name}' is not supported`
  }
  for (const keyword of ['patternProperties', 'dependencies', 'additionalItems', 'definitions'] as const)
    if (schema[keyword] !== undefined) return `OpenAPIV3Schema '${keyword}' is not supported`
  const branches = branchKeywords.flatMap((keyword) => schema[keyword] ?? [])
  for (const branch of branches) {
    const problem = unsupportedKeyword(branch)
    if (problem !== undefined) return problem
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
  if (isSchemaList(schema.items) && schema.items.length > 0)
    return "OpenAPIV3Schema 'items' must be a schema, but is an array"
  const { additionalProperties } = schema
  const below = [itemsOf(schema), ...propertiesOf(schema).map(([, child]) => child)]
  if (typeof additionalProperties === 'object') below.push(additionalProperties)
  for (const child of below) {
    const problem = child === undefined ? undefined : unsupportedKeyword(child)
    if (problem !== undefined) return problem
  }
  return undefined
}

const intOrStringBranches: readonly SchemaProps[] = [{ type: 'integer' }, { type: 'string' }]

const emptyTypeDetails: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
}

class StructuralWalk {
  readonly errors: FieldError[] = []
  readonly #compilePattern: PatternCompiler

  constructor(compilePattern: PatternCompiler) {
    this.#compilePattern = compilePattern
  }

  invariants(schema: SchemaProps, level: Level, path: string): void {
    const items = itemsOf(schema)
    const { additionalProperties } = schema
    if (schema.type === 'array' && items === undefined)
      this.errors.push(required(`${path}.items`, 'must be specified'))
    if (items !== undefined) this.invariants(items, 'item', `${path}.items`)
    for (const [name, child] of propertiesOf(schema))
      this.invariants(child, 'field', `${path}.properties[${name}]`)
    if (additionalProperties !== undefined) {
      if (level === 'root')
        this.errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'))
      if (typeof additionalProperties === 'object')
        this.invariants(additionalProperties, 'field', `${path}.additionalProperties`)
    }
    this.#extensions(schema, path)
    this.#branches(schema, path, {
      skipAnyOf: deepEqual(schema.anyOf, intOrStringBranches),
      skipFirstAllOf: deepEqual(schema.allOf?.[0]?.anyOf, intOrStringBranches),
    })
    this.#type(schema, level, path)
    this.#resourceFields(schema, level, path)
  }

  #extensions(schema: SchemaProps, path: string): void {
    if (schema['x-kubernetes-int-or-string'] !== true) return
    const detail = 'must be false if x-kubernetes-int-or-string is true'
    for (const keyword of [
      'x-kubernetes-preserve-unknown-fields',
      'x-kubernetes-embedded-resource',
    ] as const) {
      if (schema[keyword] === true) this.errors.push(invalid(`${path}.${keyword}`, true, detail))
    }
  }

  #type(schema: SchemaProps, level: Level, path: string): void {
    const { type = '' } = schema
    const at = `${path}.type`
    const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
    const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
    if (isEmbedded && type !== 'object') {
      const detail = 'must be object if x-kubernetes-embedded-resource is true'
      this.errors.push(type === '' ? required(at, detail) : invalid(at, type, detail))
    } else if (type === '' && schema['x-kubernetes-int-or-string'] !== true && !isOpen) {
      this.errors.push(required(at, emptyTypeDetails[level]))
    }
    if (isEmbedded && schema.additionalProperties !== undefined) {
      const detail = 'must not be used if x-kubernetes-embedded-resource is set'
      this.errors.push(forbidden(`${path}.additionalProperties`, detail))
    }
    if (level === 'root' && type !== '' && type !== 'object')
      this.errors.push(invalid(at, type, 'must be object at the root'))
    if (isEmbedded && !isOpen && schema.properties === undefined) {
      const detail =
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
      this.errors.push(required(`${path}.properties`, detail))
    }
  }

  /** What may be said about apiVersion, kind and metadata of whole objects. */
  #resourceFields(schema: SchemaProps, level: Level, path: string): void {
    const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true
    const properties = new Map(propertiesOf(schema))
    for (const name of ['kind', 'apiVersion']) {
      const field = properties.get(name)
      if (isResource && field !== undefined && field.type !== 'string')
        this.errors.push(invalid(`${path}.properties[${name}].type`, field.type ?? '', 'must be string'))
    }
    const metadata = properties.get('metadata')
    if (metadata === undefined) return
    const at = `${path}.properties[metadata]`
    if (isResource && metadata.type !== 'object')
      this.errors.push(invalid(`${at}.type`, metadata.type ?? '', 'must be object'))
    if (level === 'root' && !restrictsOnlyNames(metadata)) {
      const detail =
        'must not specify anything other than name and generateName, but metadata is implicitly specified'
      this.errors.push(forbidden(at, detail))
    }
  }

  #branches(
    schema: SchemaProps,
    path: string,
    { skipAnyOf, skipFirstAllOf }: { skipAnyOf: boolean; skipFirstAllOf: boolean },
  ): void {
    if (!skipAnyOf)
      for (const [index, branch] of (schema.anyOf ?? []).entries())
        this.#branch(branch, `${path}.anyOf[${index}]`)
    for (const [index, branch] of (schema.allOf ?? []).entries())
      this.#branch(branch, `${path}.allOf[${index}]`, skipFirstAllOf && index === 0)
    for (const [index, branch] of (schema.oneOf ?? []).entries())
      this.#branch(branch, `${path}.oneOf[${index}]`)
    if (schema.not !== undefined) this.#branch(schema.not, `${path}.not`)
    this.#pattern(schema, path)
  }

  #pattern({ pattern }: SchemaProps, path: string): void {
    if (pattern === undefined) return
    try {
      this.#compilePattern(pattern)
    } catch (error) {
      const why = toError(error).message
      const detail = `must be a valid regular expression, but isn't: error parsing regexp: ${why}`
      this.errors.push(invalid(`${path}.pattern`, pattern, detail))
    }
  }

  #branch(branch: SchemaProps, path: string, skipAnyOf = false): void {
    this.#branches(branch, path, { skipAnyOf, skipFirstAllOf: false })
    const items = itemsOf(branch)
    if (items !== undefined) this.#branch(items, `${path}.items`)
    for (const [name, child] of propertiesOf(branch)) {
      this.#branch(child, `${path}.properties[${name}]`)
      if (name === 'metadata')
        this.errors.push(
          forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'),
        )
    }
    for (const [keyword, state] of onlyOutside) {
      const value = branch[keyword]
      if (value === undefined || (value === false && keyword !== 'default')) continue
      this.errors.push(forbidden(childPath(path, keyword), `must be ${state} to be structural`))
    }
  }
}

/** Keywords that a branch may not have, and what they must be. */
const onlyOutside: readonly (readonly [keyof SchemaProps, string])[] = [
  ['type', 'empty'],
  ['additionalProperties', 'undefined'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
]

function restrictsOnlyNames(metadata: SchemaProps): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata
  const names = Object.keys(properties)
  return Object.keys(rest).length === 0 && names.every((name) => name === 'name' || name === 'generateName')
}
