import { deepCopy, isPlainObject, toError } from '../../base/index.js'
import type { StructuralSchema } from '../structural-schema.js'
import { convertJsonSchema } from './convert/convert-schema.js'
import { isJsonSchema, type JsonSchema } from './convert/json-schema.js'
import { noteKeyword, zodOptions } from './convert/zod-notes.js'
import type { ProblemList } from './problem.js'
import { type StandardJsonSchema, structuralVendor } from './standard-schema.js'

/** The structural schema of what a user passed for `path`. Problems are noted, never thrown. */
export function readSchema(
  source: StandardJsonSchema,
  path: string,
  problems: ProblemList,
): StructuralSchema {
  const unusable: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const standard: unknown = isObject(source) ? source['~standard'] : undefined
  if (!isObject(standard) || !isObject(Reflect.get(standard, 'jsonSchema'))) {
    problems.add(
      path,
      'This is not a schema that can describe itself. Use Zod 4.2 or later as it is, Valibot through toStandardJsonSchema(...), or structural({...}).',
    )
    return unusable
  }
  const { vendor } = source['~standard']
  try {
    // A structural schema is plain data already; its type is the promise of whoever wrote it.
    if (vendor === structuralVendor)
      return deepCopy(source['~standard'].jsonSchema.input({ target: 'structural' }))
    const { input, output } = describe(source)
    const converted = convertJsonSchema(input, path, problems)
    noteTransforms(input, output, path, problems)
    return converted
  } catch (error) {
    problems.add(
      path,
      `${vendor} cannot describe it as JSON Schema: ${toError(error).message} Use types that exist in JSON, without transforms.`,
    )
    return unusable
  }
}

interface Description {
  readonly input: JsonSchema
  readonly output: JsonSchema
}

// The first of them is the only one that tells tuples, constants and the keys of maps apart; not every library has it.
const targets = ['draft-2020-12', 'draft-07', 'openapi-3.0']

/** @throws What the library says about the first target, when it can do none. */
function describe(source: StandardJsonSchema): Description {
  const { vendor, jsonSchema } = source['~standard']
  const failures: unknown[] = []
  for (const target of targets) {
    const request = { target, ...(vendor === 'zod' && { libraryOptions: zodOptions }) }
    try {
      return { input: jsonSchema.input(request), output: jsonSchema.output(request) }
    } catch (error) {
      failures.push(error)
    }
  }
  throw toError(failures[0])
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** The API server stores the input: a field whose output is of another type would not be what its type says. */
function noteTransforms(input: unknown, output: unknown, path: string, problems: ProblemList): void {
  if (!isJsonSchema(input) || !isJsonSchema(output)) return
  if (input[noteKeyword] !== undefined) return
  const isTransformed =
    output[noteKeyword] !== undefined ||
    (typeof input['type'] === 'string' &&
      typeof output['type'] === 'string' &&
      input['type'] !== output['type'])
  if (isTransformed) {
    problems.add(
      path,
      'The API server stores what it is sent: it runs no transform. Write the schema of the stored value.',
    )
    return
  }
  for (const [name, child] of Object.entries(propertiesOf(input))) {
    noteTransforms(child, propertiesOf(output)[name], `${path}.${name}`, problems)
  }
  noteTransforms(input['items'], output['items'], `${path}[]`, problems)
  noteTransforms(input['additionalProperties'], output['additionalProperties'], `${path}[*]`, problems)
}

function propertiesOf(schema: JsonSchema): JsonSchema {
  return isPlainObject(schema['properties']) ? schema['properties'] : {}
}
