import { ApiFailure } from '../failure.js'
import type { DeleteOptions } from '../request/delete-options.js'
import { deleteObject } from './delete.js'
import type { WriteCall, WriteParts } from './write-call.js'

/** Deletes objects one after the other. What is gone already is fine; the first failure ends it. Throws ApiFailure. */
export async function deleteObjects(
  parts: WriteParts,
  call: WriteCall,
  objects: Iterable<{ readonly namespace: string; readonly name: string }>,
  options: DeleteOptions,
): Promise<void> {
  for (const { namespace, name } of objects) {
    const { info } = call
    try {
      await deleteObject(parts, { ...call, info: { ...info, namespace, name: '' } }, name, options)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status.reason !== 'NotFound') throw error
    }
  }
}
