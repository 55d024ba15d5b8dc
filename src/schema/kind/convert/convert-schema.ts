import { isPlainObject } from '../../../base/index.js'
import type { StructuralSchema } from '../../structural-schema.js'
import { guardDepth } from '../../validator/depth.js'
import type { ProblemList } from '../problem.js'
import { convertArray, convertObject } from './convert-object.js'
import { convertInteger, convertNumber, convertString } from './convert-scalar.js'
import { simplifyUnion } from './convert-union.js'
import type { Converter, Draft, Typed } from './converter.js'
import {
  branchesOf,
  isJsonSchema,
  type JsonSchema,
  listedValues,
  stringOf,
  typesOf,
  without,
} from './json-schema.js'
import { mergeAllOf } from './merge-all-of.js'
import { type SettledType, settleType } from './settle-type.js'
import { noteKeyword } from './zod-notes.js'

/**
 * Turns the JSON Schema of a library into a structural schema. What cannot be turned is noted in `problems`, with the
 * path of the field and what to write instead; the result is of use only when there are none.
 */
export function convertJsonSchema(root: JsonSchema, path: string, problems: ProblemList): StructuralSchema {
  return new SchemaConverter(root, problems).convert(root, path)
}

/** Keywords that restrict values in ways that a structural schema has no words for. */
const unsupported: ReadonlyMap<string, string> = new Map([
  ['patternProperties', 'Use z.record(z.string(), ...) and a CEL rule about its keys.'],
  ['dependentRequired', 'Use a CEL rule: .meta(cel("!has(self.a) || has(self.b)")).'],
  ['dependentSchemas', 'Use a CEL rule.'],
  ['dependencies', 'Use a CEL rule.'],
  ['if', 'Use a CEL rule.'],
  ['then', 'Use a CEL rule.'],
  ['else', 'Use a CEL rule.'],
  ['contains', 'Use a CEL rule: .meta(cel("self.exists(item, ...)")).'],
  ['unevaluatedProperties', 'Leave it out: unknown fields are dropped anyway.'],
  ['unevaluatedItems', 'Leave it out.'],
  ['additionalItems', 'Leave it out.'],
])

const alwaysNull = 'A field that is always null holds nothing. Leave it out.'

const flagExtensions = [
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
] as const

const valueExtensions = [
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const

const knownExtensions = new Set<string>([...flagExtensions, ...valueExtensions])

class SchemaConverter implements Converter {
  readonly problems: ProblemList
  readonly #root: JsonSchema
  /** The references that are being followed, to notice a circle. */
  readonly #following: string[] = []
  #depth = 0

  constructor(root: JsonSchema, problems: ProblemList) {
    this.#root = root
    this.problems = problems
  }

  refuse(path: string, message: string): Draft {
    this.problems.add(path, message)
    return { 'x-kubernetes-preserve-unknown-fields': true }
  }

  convert(schema: unknown, path: string): StructuralSchema {
    guardDepth(++this.#depth)
    try {
      if (schema === false)
        return this.refuse(path, 'No value would ever be valid here. Leave the field out.')
      return this.#convertSchema(isJsonSchema(schema) ? schema : {}, path)
    } finally {
      this.#depth--
    }
  }

  #convertSchema(schema: JsonSchema, path: string): StructuralSchema {
    const reference = stringOf(schema, '$ref')
    if (reference !== undefined) return this.#convertReference(reference, schema, path)
    const note = stringOf(schema, noteKeyword)
    if (note !== undefined) return this.refuse(path, note)
    this.#noteUnsupported(schema, path)
    if (Array.isArray(schema['allOf'])) {
      const { schema: merged, conflicts } = mergeAllOf(schema, branchesOf(schema, 'allOf'))
      if (conflicts.length > 0) {
        return this.refuse(
          path,
          `The parts of an intersection disagree about ${conflicts.join(', ')}. Write one object with all fields.`,
        )
      }
      // What is left in allOf are rules without a type, which a structural schema may repeat.
      const repeated = branchesOf(merged, 'allOf')
      const converted = this.#convertSchema(without(merged, 'allOf'), path)
      if (repeated.length === 0) return converted
      return { ...converted, allOf: repeated.map((branch) => this.#rulesOf(branch, path, converted)) }
    }
    if (Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf'])) {
      const union = simplifyUnion({ schema, path }, this)
      // What is left of a union of one is a schema like any other, with an intersection in it perhaps.
      if (union.isResolved) return this.#convertSchema(union.schema, path)
      return this.#convertTyped(union.schema, path)
    }
    return this.#convertTyped(schema, path)
  }

  #convertReference(reference: string, schema: JsonSchema, path: string): StructuralSchema {
    if (this.#following.includes(reference) || reference === '#') {
      return this.refuse(
        path,
        'A schema cannot contain itself in Kubernetes. Write out as many levels as you need, or keep the inner levels unchecked: z.any().meta(preserveUnknownFields()).',
      )
    }
    const target = reference.startsWith('#/') ? lookUp(this.#root, reference.slice(2).split('/')) : undefined
    if (!isJsonSchema(target))
      return this.refuse(path, `The reference ${reference} leads nowhere. Inline the schema.`)
    this.#following.push(reference)
    const converted = this.#convertSchema({ ...target, ...without(schema, '$ref') }, path)
    this.#following.pop()
    return converted
  }

  #noteUnsupported(schema: JsonSchema, path: string): void {
    for (const keyword of Object.keys(schema)) {
      const advice = unsupported.get(keyword)
      if (advice !== undefined) this.problems.add(path, `The API server has no ${keyword}. ${advice}`)
      else if (keyword.startsWith('x-kubernetes-') && !knownExtensions.has(keyword)) {
        this.problems.add(path, `${keyword} is not known. Use one of ${[...knownExtensions].join(', ')}.`)
      }
    }
  }

  #convertTyped(schema: JsonSchema, path: string): StructuralSchema {
    const draft: Draft = {}
    this.#copyGenerics(schema, draft)
    const listed = listedValues(schema)
    const values = listed?.filter((value) => value !== null)
    const types = new Set(typesOf(schema))
    if (types.size === 1 && types.has('null')) return this.refuse(path, alwaysNull)
    const nullable = schema['nullable'] === true || types.delete('null') || values?.length !== listed?.length
    if (nullable) draft.nullable = true
    if (values !== undefined && values.length > 0) draft.enum = values
    const type = settleType({ schema, types, values, path }, this)
    if (type !== undefined) this.#convertType(type, { schema, path }, draft)
    if (nullable && draft.enum !== undefined) {
      this.problems.add(
        path,
        'The API server accepts null for no enum. Make the field optional instead of nullable, or add a member such as "None".',
      )
    }
    this.#copyUnion({ schema, path }, draft)
    return draft
  }

  #copyGenerics(schema: JsonSchema, draft: Draft): void {
    for (const keyword of ['title', 'description'] as const) {
      const text = stringOf(schema, keyword)
      if (text !== undefined) draft[keyword] = text
    }
    // A default of null is none: the server would not notice it.
    if (schema['default'] !== undefined && schema['default'] !== null) draft.default = schema['default']
    if (schema['example'] !== undefined) draft.example = schema['example']
    for (const extension of flagExtensions) if (schema[extension] === true) draft[extension] = true
    for (const extension of valueExtensions) {
      // Their shapes are checked with those of schemas that were written by hand.
      if (schema[extension] !== undefined) Object.assign(draft, { [extension]: schema[extension] })
    }
  }

  #convertType(type: SettledType, typed: Typed, draft: Draft): void {
    if (type !== 'int-or-string') draft.type = type
    switch (type) {
      case 'object':
        convertObject(typed, draft, this)
        break
      case 'array':
        convertArray(typed, draft, this)
        break
      case 'string':
        convertString(typed, draft, this)
        break
      case 'integer':
        convertInteger(typed, draft, this)
        break
      case 'number':
        convertNumber(typed, draft, this)
        break
      case 'int-or-string':
        this.#convertIntOrString(typed, draft)
        break
      case 'boolean':
        break
    }
    // atomic() says both, for lists and for objects.
    if (draft['x-kubernetes-list-type'] === 'atomic' && draft['x-kubernetes-map-type'] === 'atomic') {
      delete draft[type === 'array' ? 'x-kubernetes-map-type' : 'x-kubernetes-list-type']
    }
  }

  #convertIntOrString(typed: Typed, draft: Draft): void {
    convertInteger(typed, draft, this)
    // The format of integers would be read as one of strings.
    delete draft.format
    convertString(typed, draft, this)
    draft.anyOf = [{ type: 'integer' }, { type: 'string' }]
    draft['x-kubernetes-int-or-string'] = true
  }

  /** Branches of one scalar type were stripped of it: what is left are rules about its values. */
  #copyUnion({ schema, path }: Typed, draft: Draft): void {
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const branches = branchesOf(schema, keyword)
      if (branches.length > 0) draft[keyword] = branches.map((branch) => this.#rulesOf(branch, path, draft))
    }
    const { not } = schema
    if (isJsonSchema(not) && draft.type !== undefined) draft.not = this.#rulesOf(not, path, draft)
  }

  /** A branch as rules for a value whose type is settled outside. */
  #rulesOf(branch: JsonSchema, path: string, outside: StructuralSchema): StructuralSchema {
    // Of integer-or-string, only the strings have keywords that cannot stand side by side.
    const type = outside.type ?? 'string'
    const rules: Draft = this.#convertTyped({ type, ...branch }, path)
    for (const keyword of ['type', 'title', 'description', 'nullable'] as const) delete rules[keyword]
    // Without a type beside it, only a format of strings is read.
    if (type !== 'string') delete rules.format
    return rules
  }
}

function lookUp(root: unknown, steps: readonly string[]): unknown {
  let found = root
  for (const step of steps) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isPlainObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return found
}
