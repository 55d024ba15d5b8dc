import { deepCopy, setOwn } from '../../base/index.js'
import type { ApiObject } from '../api-object.js'
import { internalError } from '../failure.js'
import { decodeTyped } from '../request/decode-typed.js'
import { GoDecodeError } from '../request/go-decode-error.js'
import { sourceOf } from '../request/json-source.js'
import type { ServedVersion } from '../resource.js'
import type { AdmissionRequest } from './admission.js'

/**
 * Puts what a mutation made of an object into the request: decoded and defaulted as a body would be, in the version of
 * the request. Rejects with the 500 of a value of a wrong type.
 */
export async function storeMutation(
  request: AdmissionRequest,
  result: ApiObject,
  version: string,
): Promise<void> {
  const { resource, info, object } = request
  if (object === undefined) return
  const isObject = request.kind.kind === resource.kind
  const served = isObject ? resource.versions.find(({ name }) => name === version) : undefined
  const decoded = served === undefined ? result : decode(result, served, resource.isCustom)
  const own = version === info.version ? decoded : deepCopy(await resource.convert(decoded, info.version))
  replaceMembers(object, own)
}

function decode(object: ApiObject, { schema, strategy }: ServedVersion, isCustom: boolean): ApiObject {
  const decoded = isCustom || schema === undefined ? object : decodeObject(object, schema)
  strategy.prune?.(decoded)
  strategy.applyDefaults(decoded)
  strategy.dropEmptyLists?.(decoded)
  return decoded
}

function decodeObject(object: ApiObject, schema: NonNullable<ServedVersion['schema']>): ApiObject {
  try {
    // An object of the schema of a kind has apiVersion, kind and metadata, as the one that came in.
    return decodeTyped(sourceOf(object), schema).value as ApiObject
  } catch (error) {
    if (error instanceof GoDecodeError) throw internalError(error.message)
    throw error
  }
}

/** Gives an object the members of another and no others: plugins change an object, they do not exchange it. */
function replaceMembers(object: ApiObject, members: Readonly<Record<string, unknown>>): void {
  for (const key of Object.keys(object)) if (!Object.hasOwn(members, key)) delete object[key]
  for (const key of Object.keys(members)) setOwn(object, key, members[key])
}
