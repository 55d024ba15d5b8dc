import type { JsonType, StructuralSchema } from '../structural-schema.js'
import { guardDepth } from './depth.js'
import { type FormatCheck, stringFormatCheck } from './formats/string-formats.js'
import type { NumberRules } from './numbers.js'
import type { PatternCompiler, PatternTest } from './patterns.js'
import { pruneDefault } from './prune.js'

/** A schema made ready: what the walks ask of each value, without looking anything up twice. */
export interface SchemaNode {
  readonly types: readonly JsonType[]
  readonly nullable: boolean
  /** Empty when absent, or when the server ignores it for this type. */
  readonly format: string
  readonly formatCheck: FormatCheck | undefined
  readonly anyOf: readonly SchemaNode[]
  readonly oneOf: readonly SchemaNode[]
  readonly allOf: readonly SchemaNode[]
  readonly not: SchemaNode | undefined
  readonly enum: readonly unknown[]
  readonly numbers: NumberRules | undefined
  readonly strings: StringRules | undefined
  readonly minItems: number | undefined
  readonly maxItems: number | undefined
  readonly uniqueItems: boolean
  readonly items: SchemaNode | undefined
  readonly minProperties: number | undefined
  readonly maxProperties: number | undefined
  readonly required: readonly string[]
  readonly properties: ReadonlyMap<string, SchemaNode>
  /** The same as a list, for walks over all of them. */
  readonly fields: readonly { readonly name: string; readonly node: SchemaNode }[]
  /** A schema for other keys; true: any; false: none; undefined: not stated. */
  readonly additional: SchemaNode | boolean | undefined
  readonly default: unknown
  readonly preservesUnknown: boolean
  readonly isEmbedded: boolean
  readonly listType: StructuralSchema['x-kubernetes-list-type']
  readonly listMapKeys: readonly string[]
  /** Some list below must be a set or a map. */
  readonly hasListTypes: boolean
  /** Some value below is a whole Kubernetes object. */
  readonly hasEmbedded: boolean
}

export interface StringRules {
  readonly minLength: number | undefined
  readonly maxLength: number | undefined
  readonly pattern: string
  readonly test: PatternTest | undefined
}

/**
 * Makes a schema ready. `compilePattern` is called once for each pattern.
 *
 * @throws Error of the compiler for a pattern that RE2 does not know; NestingTooDeepError.
 */
export function compileSchema(schema: StructuralSchema, compilePattern: PatternCompiler): SchemaNode {
  return compileNode(schema, { compilePattern, literally: false }, 0)
}

/**
 * As {@link compileSchema}, the way the server reads a schema when it judges defaults: formats that do not go with
 * their type count, and an integer-or-string has no type of its own.
 */
export function compileLiterally(schema: StructuralSchema, compilePattern: PatternCompiler): SchemaNode {
  return compileNode(schema, { compilePattern, literally: true }, 0)
}

interface CompileOptions {
  readonly compilePattern: PatternCompiler
  readonly literally: boolean
}

function compileNode(schema: StructuralSchema, options: CompileOptions, depth: number): SchemaNode {
  guardDepth(depth)
  const { compilePattern, literally } = options
  const compile = (child: StructuralSchema): SchemaNode => compileNode(child, options, depth + 1)
  const types = typesOf(schema, literally)
  const usedFormat = checkedFormat(schema.format ?? '', types)
  const format = literally ? (schema.format ?? '') : usedFormat
  const items = schema.items === undefined ? undefined : compile(schema.items)
  const properties = new Map<string, SchemaNode>()
  for (const [name, child] of Object.entries(schema.properties ?? {})) properties.set(name, compile(child))
  const { additionalProperties } = schema
  const additional =
    typeof additionalProperties === 'object' ? compile(additionalProperties) : additionalProperties
  const listType = schema['x-kubernetes-list-type']
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true
  const below = [...properties.values(), ...(items === undefined ? [] : [items])]
  if (typeof additional === 'object') below.push(additional)

  const node: SchemaNode = {
    types,
    nullable: schema.nullable === true,
    format,
    formatCheck: format === '' ? undefined : stringFormatCheck(format),
    anyOf: (schema.anyOf ?? []).map(compile),
    oneOf: (schema.oneOf ?? []).map(compile),
    allOf: (schema.allOf ?? []).map(compile),
    not: schema.not === undefined ? undefined : compile(schema.not),
    enum: schema.enum ?? [],
    numbers: numberRulesOf(schema, types, usedFormat),
    strings: stringRulesOf(schema, compilePattern),
    minItems: schema.minItems,
    maxItems: schema.maxItems,
    uniqueItems: schema.uniqueItems === true,
    items,
    minProperties: schema.minProperties,
    maxProperties: schema.maxProperties,
    required: schema.required ?? [],
    properties,
    fields: [...properties].map(([name, node]) => ({ name, node })),
    additional,
    default: undefined,
    preservesUnknown: schema['x-kubernetes-preserve-unknown-fields'] === true,
    isEmbedded,
    listType,
    listMapKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    hasListTypes: listType === 'set' || listType === 'map' || below.some((child) => child.hasListTypes),
    hasEmbedded: isEmbedded || below.some((child) => child.hasEmbedded),
  }
  // A default of null is none.
  const given = schema.default ?? undefined
  return given === undefined ? node : { ...node, default: pruneDefault(node, given) }
}

function typesOf(schema: StructuralSchema, literally: boolean): readonly JsonType[] {
  if (schema['x-kubernetes-int-or-string'] === true && !literally) return ['integer', 'string']
  return schema.type === undefined ? [] : [schema.type]
}

function checkedFormat(format: string, types: readonly JsonType[]): string {
  const type = types.length === 1 ? types[0] : 'string'
  if (type === 'string') return stringFormatCheck(format) === undefined ? '' : format
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : ''
  if (type === 'number') return format === 'float' || format === 'double' ? format : ''
  return ''
}

function numberRulesOf(
  schema: StructuralSchema,
  types: readonly JsonType[],
  format: string,
): NumberRules | undefined {
  const type = types.length === 1 ? types[0] : undefined
  const isNumeric = type === 'integer' || type === 'number'
  const isBounded = [schema.minimum, schema.maximum, schema.multipleOf].some((bound) => bound !== undefined)
  if (!isNumeric && !isBounded) return undefined
  return {
    type: isNumeric ? type : '',
    format: isNumeric ? format : '',
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    multipleOf: schema.multipleOf,
  }
}

function stringRulesOf(schema: StructuralSchema, compilePattern: PatternCompiler): StringRules | undefined {
  const { minLength, maxLength, pattern = '' } = schema
  if (minLength === undefined && maxLength === undefined && pattern === '') return undefined
  return { minLength, maxLength, pattern, test: pattern === '' ? undefined : compilePattern(pattern) }
}
