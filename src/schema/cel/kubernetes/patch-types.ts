import type { FunctionDeclaration, StructDeclaration } from '../check/declaration.js'
import { declare, overload } from '../library/signature.js'
import { type CelType, dynType, listTypeOf, stringType, structType } from '../value/type.js'
import { noSuchOverload } from '../value/value.js'

const jsonPatchType = structType('JSONPatch')

/** What the mutations of a policy yield: an object to be applied, or operations. */
export const appliedObjectType: CelType = structType('Object')
export const jsonPatchListType: CelType = listTypeOf(jsonPatchType)

const operationFields: ReadonlyMap<string, CelType> = new Map([
  ['op', stringType],
  ['path', stringType],
  ['from', stringType],
  ['value', dynType],
])

/** The types that such programs may make. Of objects nothing is known but the path that names them. */
export function patchStruct(name: string): StructDeclaration | undefined {
  if (name === 'JSONPatch') return { type: jsonPatchType, field: (field) => operationFields.get(field) }
  if (name === 'Object' || name.startsWith('Object.')) return { type: structType(name), field: () => dynType }
  return undefined
}

/** `jsonpatch.escapeKey('a/b')`. */
export const patchFunctions: readonly FunctionDeclaration[] = [
  declare('jsonpatch.escapeKey', [
    overload('string_jsonpatch_escapeKey_string', [stringType], stringType, ([text]) =>
      typeof text === 'string' ? text.replaceAll('~', '~0').replaceAll('/', '~1') : noSuchOverload(),
    ),
  ]),
]
