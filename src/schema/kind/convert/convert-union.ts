import { deepEqual } from '../../../base/index.js'
import type { Converter, Typed } from './converter.js'
import {
  branchesOf,
  isJsonSchema,
  type JsonSchema,
  jsonTypeOf,
  listedValues,
  typesOf,
  without,
} from './json-schema.js'

/** Keywords of a branch that say nothing about which values it accepts. */
const annotations = ['title', 'description', 'examples', '$schema', '$id', 'id', 'deprecated', 'readOnly']

/** What a union comes to. */
export interface SimplifiedUnion {
  readonly schema: JsonSchema
  /** No union is left. Otherwise its branches are rules for one scalar type. */
  readonly isResolved: boolean
}

/**
 * Rewrites `anyOf` and `oneOf` into what a structural schema has: nullable, enum, integer-or-string, or several rules
 * for one scalar type. Everything else is refused with advice.
 */
export function simplifyUnion({ schema, path }: Typed, converter: Converter): SimplifiedUnion {
  const keyword = schema['anyOf'] === undefined ? 'oneOf' : 'anyOf'
  const all = flatten(branchesOf(schema, keyword), keyword)
  const branches = all.filter((branch) => !isNull(branch))
  const siblings = {
    ...without(schema, 'anyOf', 'oneOf'),
    ...(branches.length < all.length && { nullable: true }),
  }
  const [only] = branches
  if (only === undefined) return { schema: { ...siblings, type: 'null' }, isResolved: true }
  if (branches.length === 1) return { schema: { ...only, ...siblings }, isResolved: true }

  const types = new Set(branches.map(branchType))
  const bare = branches.map((branch) => without(branch, ...annotations))
  const kinds = [...types].sort().join(',')
  if (kinds === 'integer,string') {
    return { schema: intOrStringOf(bare, siblings, path, converter), isResolved: false }
  }
  if (types.size === 1 && ['string', 'integer', 'number', 'boolean'].includes(kinds)) {
    return { schema: { ...siblings, type: kinds, ...sameTypeUnion(bare, keyword) }, isResolved: false }
  }
  converter.problems.add(path, kinds === 'object' ? objectUnionAdvice(branches) : mixedUnionAdvice(types))
  return { schema: { ...siblings, 'x-kubernetes-preserve-unknown-fields': true }, isResolved: true }
}

function flatten(branches: readonly JsonSchema[], keyword: 'anyOf' | 'oneOf'): JsonSchema[] {
  return branches.flatMap((branch) => {
    const isOnlyUnion = Object.keys(without(branch, ...annotations)).every((key) => key === keyword)
    const inner = branchesOf(branch, keyword)
    return isOnlyUnion && inner.length > 0 ? flatten(inner, keyword) : [branch]
  })
}

function isNull(branch: JsonSchema): boolean {
  const values = listedValues(branch)
  return values === undefined ? branch['type'] === 'null' : values.every((value) => value === null)
}

function branchType(branch: JsonSchema): string {
  const types = typesOf(branch)
  if (types.length > 0) {
    const values = listedValues(branch)
    // A literal number is emitted as a number even where it is whole.
    if (types[0] === 'number' && values?.every((value) => jsonTypeOf(value) === 'integer') === true)
      return 'integer'
    return types.join('|')
  }
  if (branch['properties'] !== undefined) return 'object'
  const listed = new Set(listedValues(branch)?.map(jsonTypeOf))
  return listed.size === 1 ? [...listed].join('') : 'unknown'
}

function sameTypeUnion(branches: readonly JsonSchema[], keyword: 'anyOf' | 'oneOf'): JsonSchema {
  const rules = branches.map((branch) => without(branch, 'type'))
  const isOpen = rules.some((rule) => Object.keys(rule).length === 0)
  // Anything or something more narrow is anything.
  if (keyword === 'anyOf' && isOpen) return {}
  const values = rules.map((rule) => (Object.keys(rule).length === 1 ? listedValues(rule) : undefined))
  if (values.every((list) => list !== undefined)) return { enum: unique(values.flat()) }
  return { [keyword]: rules }
}

function unique(values: readonly unknown[]): unknown[] {
  return values.filter((value, index) => values.findIndex((other) => deepEqual(other, value)) === index)
}

/**
 * The rules for numbers apply to numbers only and those for strings to strings only, so both can stand side by side.
 * An enum applies to both: where only the strings are listed, a pattern takes its place.
 */
function intOrStringOf(
  branches: readonly JsonSchema[],
  siblings: JsonSchema,
  path: string,
  converter: Converter,
): JsonSchema {
  const integer = mergeSide(branches.filter((branch) => branchType(branch) === 'integer'))
  const string = mergeSide(branches.filter((branch) => branchType(branch) === 'string'))
  if (integer === undefined || string === undefined) {
    converter.problems.add(
      path,
      'Of a union with integers and strings, each side may have one set of rules. Merge them.',
    )
    return { ...siblings, 'x-kubernetes-int-or-string': true }
  }
  const merged: JsonSchema = { ...without(integer, 'enum'), ...without(string, 'enum'), ...siblings }
  merged['x-kubernetes-int-or-string'] = true
  const numbers = listedValues(integer)
  const strings = listedValues(string)
  if (numbers !== undefined && strings !== undefined) merged['enum'] = [...numbers, ...strings]
  else if (strings !== undefined)
    merged['pattern'] = `^(?:${strings.map((text) => escapeRe2(String(text))).join('|')})$`
  else if (numbers !== undefined) {
    converter.problems.add(
      path,
      'Listed integers beside free strings cannot be described to the API server. List the strings too, or use bounds for the integers.',
    )
  }
  return merged
}

function mergeSide(branches: readonly JsonSchema[]): JsonSchema | undefined {
  const rules = branches.map((branch) => without(branch, 'type'))
  const [first = {}] = rules
  if (rules.length === 1) {
    const values = listedValues(first)
    return values === undefined ? first : { enum: values }
  }
  const values = rules.map(listedValues)
  return values.every((list) => list !== undefined) ? { enum: unique(values.flat()) } : undefined
}

function escapeRe2(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)
}

function objectUnionAdvice(branches: readonly JsonSchema[]): string {
  const [first] = branches
  const names = Object.keys(isJsonSchema(first?.['properties']) ? first['properties'] : {})
  const tag = names.find((name) => branches.every((branch) => isLiteralField(branch, name)))
  const told = tag === undefined ? '' : ` (told apart by "${tag}")`
  return `A union of objects${told} cannot be described to the API server. Use one object with an optional field for each variant, and a CEL rule that exactly one is set: .meta(cel("[has(self.a), has(self.b)].filter(set, set).size() == 1")).`
}

function isLiteralField(branch: JsonSchema, name: string): boolean {
  const properties = branch['properties']
  const field = isJsonSchema(properties) ? properties[name] : undefined
  return isJsonSchema(field) && listedValues(field) !== undefined
}

function mixedUnionAdvice(types: ReadonlySet<string>): string {
  const named = [...types].map((type) => type.replaceAll('|', ' or ')).join(', ')
  const known = named.includes('number')
    ? ' For a number or a string use z.union([z.int(), z.string()]).'
    : ''
  return `A value is of one type in Kubernetes, not of several (${named}); the only mixture is integer or string.${known} Otherwise use one optional field for each type.`
}
