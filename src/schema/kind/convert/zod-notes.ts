import { isPlainObject } from '../../../base/index.js'
import type { JsonSchema } from './json-schema.js'

/**
 * Zod drops from its JSON Schema what JSON Schema cannot say: refinements, transforms, the flags of expressions. Its
 * converter lets us look at each schema on the way, so that these leave a note where they stood, instead of vanishing.
 */
export const noteKeyword = 'x-kubewright-note'

interface Unrepresentable {
  readonly zodSchema: unknown
  readonly message: string
}

/** What to write instead of types that JSON does not have. */
const replacements: Readonly<Record<string, string>> = {
  date: 'Store the text of a time: z.iso.datetime().',
  bigint: 'Use z.int(), or z.string() for what is beyond 2^53.',
  set: 'Use a list that is a set: z.array(...).meta(listSet()).',
  map: 'Use z.record(z.string(), ...).',
  undefined: 'Make the field optional instead.',
  void: 'Make the field optional instead.',
  nan: 'Use z.number().',
}

interface Visit {
  readonly zodSchema: unknown
  readonly jsonSchema: JsonSchema
}

/** For `libraryOptions` of a Standard JSON Schema request to Zod. */
export const zodOptions: Record<string, unknown> = {
  unrepresentable: ({ zodSchema, message }: Unrepresentable): JsonSchema => {
    const { type } = definitionOf(zodSchema)
    const advice =
      typeof type === 'string' && Object.hasOwn(replacements, type) ? replacements[type] : undefined
    return { [noteKeyword]: `${message}. ${advice ?? 'Use types that exist in JSON.'}` }
  },
  override: ({ zodSchema, jsonSchema }: Visit): void => {
    const definition = definitionOf(zodSchema)
    const note = noteOf(definition)
    if (note !== undefined) jsonSchema[noteKeyword] = note
    if (definition['format'] === 'int32') jsonSchema['format'] = 'int32'
    if (definition['format'] === 'float32') jsonSchema['format'] = 'float'
    keepFlags(definition, jsonSchema)
  },
}

const notesByType: Readonly<Record<string, string>> = {
  pipe: 'The API server stores what it is sent: it runs no transform, pipe, codec or preprocess step. Write the schema of the stored value.',
  transform:
    'The API server stores what it is sent: it runs no transform. Write the schema of the stored value.',
  catch:
    'The API server refuses what is invalid, it does not replace it. Use .default() for an absent value.',
  promise: 'A promise cannot be stored. Write the schema of its value.',
  file: 'A file cannot be stored. Use z.base64() for small binary data, or name a ConfigMap or Secret.',
}

function noteOf(definition: JsonSchema): string | undefined {
  const type = definition['type']
  if (typeof type === 'string' && Object.hasOwn(notesByType, type)) return notesByType[type]
  if (definition['coerce'] === true) {
    return 'The API server converts nothing. Use the schema without coerce.'
  }
  const checks = checksOf(definition)
  if (checks.some((check) => check['check'] === 'custom')) {
    return 'A refinement is JavaScript, which the API server does not run. Write it as a CEL rule: .meta(cel("...")).'
  }
  if (checks.some((check) => check['check'] === 'overwrite')) {
    return 'The API server stores what it is sent: it does not trim or change case. Use .regex() to require the form.'
  }
  return undefined
}

// RE2 has the flags i, m and s inside the pattern; g, u, v and d change nothing about whether a pattern occurs.
function keepFlags(definition: JsonSchema, jsonSchema: JsonSchema): void {
  for (const check of checksOf(definition)) {
    const { pattern } = check
    if (!(pattern instanceof RegExp)) continue
    const flags = pattern.flags.replace(/[^ims]/g, '')
    if (flags === '') continue
    const branches = Array.isArray(jsonSchema['allOf']) ? jsonSchema['allOf'].filter(isPlainObject) : []
    for (const holder of [jsonSchema, ...branches]) {
      if (holder['pattern'] === pattern.source) holder['pattern'] = `(?${flags})${pattern.source}`
    }
  }
}

function definitionOf(zodSchema: unknown): JsonSchema {
  const internals: unknown =
    typeof zodSchema === 'object' && zodSchema !== null ? Reflect.get(zodSchema, '_zod') : undefined
  const definition: unknown =
    typeof internals === 'object' && internals !== null ? Reflect.get(internals, 'def') : undefined
  return isPlainObject(definition) ? definition : {}
}

function checksOf(definition: JsonSchema): JsonSchema[] {
  const { checks } = definition
  return Array.isArray(checks) ? checks.map(definitionOf) : []
}
