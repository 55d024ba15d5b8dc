import { deepEqual } from '../../base/index.js'
import type { StructuralSchema } from '../structural-schema.js'
import { guardDepth } from '../validator/depth.js'
import { checkListType } from './check-list-type.js'
import { checkRules } from './check-rules.js'
import type { ProblemList } from './problem.js'

/** Notes a problem of the schema at hand. */
export type AddProblem = (message: string) => void

/**
 * The API server's rules for structural schemas, for schemas written by hand and for what conversion lets through.
 * The schema is that of a field: the root of an object is made by us and right by construction.
 */
export function checkStructural(
  schema: StructuralSchema,
  path: string,
  problems: ProblemList,
  depth = 0,
): void {
  guardDepth(depth)
  const add: AddProblem = (message) => problems.add(path, message)
  checkKeywords(schema, add)
  checkType(schema, add)
  checkEmbedded(schema, add)
  checkListType(schema, add)
  checkRules(schema, add)
  for (const [keyword, branch] of typedBranches(schema)) {
    checkBranch(branch, `${path} (${keyword})`, problems, depth + 1)
  }

  if (schema.items !== undefined && !Array.isArray(schema.items))
    checkStructural(schema.items, `${path}[]`, problems, depth + 1)
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    checkStructural(child, `${path}.${name}`, problems, depth + 1)
  }
  if (typeof schema.additionalProperties === 'object') {
    checkStructural(schema.additionalProperties, `${path}[*]`, problems, depth + 1)
  }
}

/** Every keyword there is. The type makes sure that none is forgotten. */
const keywords: Readonly<Record<keyof StructuralSchema, true>> = {
  type: true,
  format: true,
  title: true,
  description: true,
  default: true,
  example: true,
  nullable: true,
  enum: true,
  minimum: true,
  exclusiveMinimum: true,
  maximum: true,
  exclusiveMaximum: true,
  multipleOf: true,
  minLength: true,
  maxLength: true,
  pattern: true,
  minItems: true,
  maxItems: true,
  uniqueItems: true,
  items: true,
  minProperties: true,
  maxProperties: true,
  required: true,
  properties: true,
  additionalProperties: true,
  allOf: true,
  anyOf: true,
  oneOf: true,
  not: true,
  'x-kubernetes-int-or-string': true,
  'x-kubernetes-preserve-unknown-fields': true,
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-list-type': true,
  'x-kubernetes-list-map-keys': true,
  'x-kubernetes-map-type': true,
  'x-kubernetes-validations': true,
}

function checkKeywords(schema: StructuralSchema, add: AddProblem): void {
  for (const keyword of Object.keys(schema)) {
    if (!Object.hasOwn(keywords, keyword)) add(`The API server has no keyword "${keyword}". Leave it out.`)
  }
  if (schema.uniqueItems === true) {
    add('uniqueItems is not allowed. Use x-kubernetes-list-type: set, which listSet() gives.')
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    add('x-kubernetes-preserve-unknown-fields is true or absent, never false. Leave it out.')
  }
  const hasProperties = Object.keys(schema.properties ?? {}).length > 0
  if (hasProperties && schema.additionalProperties !== undefined && schema.additionalProperties !== true) {
    add(
      'properties and additionalProperties exclude each other. Move the free keys into a field of their own.',
    )
  }
}

const types = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean'])

function checkType(schema: StructuralSchema, add: AddProblem): void {
  const { type } = schema
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true
  if (type === undefined) {
    if (!isIntOrString && !isOpen)
      add('The type is missing. Give one, or set x-kubernetes-preserve-unknown-fields.')
  } else if (!types.has(type)) {
    add(
      `Type ${JSON.stringify(type)} is not known. Use one of ${[...types].join(', ')}; for null use nullable.`,
    )
  } else if (isIntOrString && type !== 'integer' && type !== 'string') {
    add(`x-kubernetes-int-or-string contradicts type ${type}. Leave the type out.`)
  }
  if (type === 'array' && (typeof schema.items !== 'object' || Array.isArray(schema.items))) {
    add('A list needs one schema for its items. Give it in items.')
  }
  if (isIntOrString && isOpen) {
    add('x-kubernetes-int-or-string and x-kubernetes-preserve-unknown-fields exclude each other. Keep one.')
  }
}

function checkEmbedded(schema: StructuralSchema, add: AddProblem): void {
  if (schema['x-kubernetes-embedded-resource'] !== true) return
  const { properties = {} } = schema
  if (schema.type !== 'object')
    add('An embedded resource is an object. Use z.looseObject({}) or type: object.')
  if (schema.additionalProperties !== undefined)
    add('An embedded resource has no additionalProperties. Leave them out.')
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true && Object.keys(properties).length === 0) {
    add(
      'An embedded resource would lose all its fields. Name them, or use embeddedResource(), which keeps them.',
    )
  }
  const expected = { apiVersion: 'string', kind: 'string', metadata: 'object' }
  for (const [field, type] of Object.entries(expected)) {
    const found = Object.hasOwn(properties, field) ? properties[field] : undefined
    if (found !== undefined && found.type !== type)
      add(`Its ${field} is of type ${type}. Leave the field out.`)
  }
}

const intOrStringBranches = [{ type: 'integer' }, { type: 'string' }]

function* branches(schema: StructuralSchema): Generator<[string, StructuralSchema]> {
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    for (const branch of schema[keyword] ?? []) yield [keyword, branch]
  }
  if (schema.not !== undefined) yield ['not', schema.not]
}

/** The branches without those that spell out integer-or-string: only there may types stand. */
function typedBranches(schema: StructuralSchema): Iterable<[string, StructuralSchema]> {
  const { anyOf, allOf = [], ...rest } = schema
  const [first, ...others] = allOf
  const { anyOf: firstAnyOf, ...firstRest } = first ?? {}
  const isSpelledOut = deepEqual(firstAnyOf, intOrStringBranches)
  return branches({
    ...rest,
    ...(anyOf !== undefined && !deepEqual(anyOf, intOrStringBranches) && { anyOf }),
    allOf: isSpelledOut ? [firstRest, ...others] : allOf,
  })
}

const onlyOutside = [
  'type',
  'default',
  'title',
  'description',
  'nullable',
  'additionalProperties',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const

/** A branch restricts values whose shape the schema around it describes. */
function checkBranch(branch: StructuralSchema, path: string, problems: ProblemList, depth: number): void {
  guardDepth(depth)
  const add: AddProblem = (message) => problems.add(path, message)
  checkKeywords(branch, add)
  for (const keyword of onlyOutside) {
    const isAbsent = branch[keyword] === undefined || (branch[keyword] === false && keyword !== 'default')
    if (isAbsent) continue
    add(`A branch may not have ${keyword}. Move it to the schema around the branches.`)
  }
  for (const [keyword, inner] of branches(branch))
    checkBranch(inner, `${path} (${keyword})`, problems, depth + 1)
  if (branch.items !== undefined) checkBranch(branch.items, `${path}[]`, problems, depth + 1)
  for (const [name, child] of Object.entries(branch.properties ?? {})) {
    if (name === 'metadata') add('A branch may not speak of metadata. Use a CEL rule on the whole object.')
    checkBranch(child, `${path}.${name}`, problems, depth + 1)
  }
}
