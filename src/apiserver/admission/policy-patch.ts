import { isPlainObject } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { mergeApplied } from '../apply/merge.js'
import { asList, asMap, keysOf, shapeOf } from '../apply/shape.js'
import { type TypedSchema, typedSchemaOf } from '../apply/typed-schema.js'
import { TypedValueError, validateTyped } from '../apply/validate.js'
import { fieldsOf, textOf } from '../auth/fields.js'
import { ApiFailure } from '../failure.js'
import { applyJsonPatch } from '../patch/json-patch.js'
import { jsonPatchProblem } from './json-patch-problem.js'

/** What a mutation yields cannot be done to the object. The message is in the server's words. */
export class PatchProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PatchProblem'
  }
}

type Target = ApiObject | StoredApiObject

/** The object after these operations; as it was, if one that tests fails. Throws {@link PatchProblem}. */
export function applyOperations(object: Target, operations: readonly unknown[]): unknown {
  const patch = operations.map(fieldsOf).map(({ from, ...operation }) => ({
    ...operation,
    op: textOf(operation['op']),
    path: textOf(operation['path']),
    ...(textOf(from) !== '' && { from }),
  }))
  try {
    return applyJsonPatch(object, patch)
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    const problem = jsonPatchProblem(object, patch)
    if (problem.endsWith('test failed')) return object
    throw new PatchProblem(`JSON Patch: ${problem}`)
  }
}

/** The object with another applied over it, whose fields nobody owns afterwards. Throws {@link PatchProblem}. */
export function applyConfiguration(
  object: Target,
  configuration: unknown,
  schema: ApiSchema | undefined,
): unknown {
  const typed = typedSchemaOf(schema)
  const { apiVersion, kind } = object
  const applied = { ...fieldsOf(configuration), apiVersion, kind }
  checkTyped(() => validateTyped(applied, typed, false), 'patch object')
  const atomics = atomicsIn(applied, typed, '')
  if (atomics.length > 0)
    throw new PatchProblem(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    )
  checkTyped(() => validateTyped(object, typed, true), 'original object')
  return mergeApplied(object, applied, typed)
}

function checkTyped(validate: () => void, what: string): void {
  try {
    validate()
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error
    throw new PatchProblem(
      `error applying patch: failed to convert ${what} to typed object: ${error.message}`,
    )
  }
}

/** Where whole things would be exchanged of which only some fields are meant. */
function atomicsIn(value: unknown, schema: TypedSchema, path: string): string[] {
  if (!isPlainObject(value) && !Array.isArray(value)) return []
  if (shapeOf(schema, value) === 'list') {
    const own = schema.list?.isAssociative === false ? [path] : []
    return [
      ...own,
      ...(asList(value) ?? []).flatMap((item, index) =>
        schema.list === undefined ? [] : atomicsIn(item, schema.list.items, `${path}[${index}]`),
      ),
    ]
  }
  const own = schema.map?.isAtomic === true ? [path] : []
  const members = asMap(value)
  return [
    ...own,
    ...keysOf(members).flatMap((key) => {
      const field = schema.map?.field(key)
      return field === undefined ? [] : atomicsIn(members?.[key], field, `${path}.${key}`)
    }),
  ]
}
