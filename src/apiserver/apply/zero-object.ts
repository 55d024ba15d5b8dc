import { isPlainObject } from '../../base/index.js'
import type { ApiSchema } from '../api-schema.js'
import { zeroValue } from '../builtin/canonical-form.js'

/**
 * What the server compares a new object with. For a custom resource that is nothing but its type. For a built-in kind it
 * is the empty structure, where parts without a pointer are there already: nobody comes to own those by creating the
 * object.
 */
export function zeroObject(schema: ApiSchema | undefined, apiVersion: string, kind: string): unknown {
  const structure = schema?.goType === undefined ? {} : zeroValue(schema)
  return { ...(isPlainObject(structure) && structure), apiVersion, kind }
}
