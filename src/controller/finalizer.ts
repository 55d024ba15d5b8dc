import type { DeepReadonly } from '../base/index.js'
import type { Patch } from '../client/index.js'
import { type AnyKind, isInvalid, isNotFound, type KeyOf, type KubeObject } from '../objects/index.js'

/** The one verb that finalizers need. */
export interface FinalizerClient {
  patch(kind: AnyKind, key: KeyOf<KubeObject>, patch: Patch<KubeObject>): Promise<KubeObject>
}

/** Whether the object carries the finalizer. */
export function hasFinalizer(object: DeepReadonly<KubeObject>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true
}

/**
 * Puts the finalizer on, so that the object cannot go before its clean-up. Undefined when the object went, or began to
 * go, in the meantime: then there is nothing to hold. Throws a conflict when it changed since it was read.
 */
export async function addFinalizer(
  client: FinalizerClient,
  kind: AnyKind,
  object: DeepReadonly<KubeObject>,
  finalizer: string,
): Promise<KubeObject | undefined> {
  try {
    return await setFinalizers(client, kind, object, [...(object.metadata.finalizers ?? []), finalizer])
  } catch (error) {
    if (isNotFound(error) || isTooLateForFinalizers(error)) return undefined
    throw error
  }
}

/** No finalizer may be added to an object that is being deleted. An object may be invalid for other reasons, too. */
function isTooLateForFinalizers(error: unknown): boolean {
  return isInvalid(error) && error.causes.some(({ field }) => field === 'metadata.finalizers')
}

/** Takes the finalizer off. An object that has gone already is fine; one that has changed is a conflict. */
export async function removeFinalizer(
  client: FinalizerClient,
  kind: AnyKind,
  object: DeepReadonly<KubeObject>,
  finalizer: string,
): Promise<void> {
  const kept = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer)
  try {
    await setFinalizers(client, kind, object, kept)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

function setFinalizers(
  client: FinalizerClient,
  kind: AnyKind,
  object: DeepReadonly<KubeObject>,
  finalizers: readonly string[],
): Promise<KubeObject> {
  const { namespace, name, uid, resourceVersion } = object.metadata
  // The uid keeps a namesake that was created meanwhile out of it, the version a change to the list by somebody else.
  const patch = { metadata: { uid, resourceVersion, finalizers: [...finalizers] } }
  // A key with a namespace exactly where the object has one.
  const key: KeyOf<KubeObject> = namespace === undefined ? { name } : { namespace, name }
  return client.patch(kind, key, { merge: patch })
}
