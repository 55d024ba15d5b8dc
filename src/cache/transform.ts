import { deepCopy, KubewrightError } from '../base/index.js'
import type { KubeObject } from '../objects/index.js'
import { CachedObject } from './cached-object.js'

/**
 * What of an object is worth keeping. Receives a copy that it may change, and returns what is cached: smaller, as a
 * rule. It must be the same object still: name, namespace, uid and version stay.
 */
export type Transform<T extends KubeObject> = (object: T) => T

/** A transform made another object of the one that it was given. */
export class InvalidTransformError extends KubewrightError {
  constructor(key: string) {
    super(
      `The transform of ${key} changed its name, namespace, uid or resourceVersion, or returned no object: ` +
        'keep them as they are.',
      { code: 'KW_INVALID_TRANSFORM' },
    )
  }
}

/** The cached object as the transform leaves it. */
export function transformed<T extends KubeObject>(
  cached: CachedObject<T>,
  transform: Transform<T>,
): CachedObject<T> {
  // A copy without its freeze is of the type that it had before it was cached.
  const result: T | undefined = transform(deepCopy(cached.object) as T)
  const { metadata } = result ?? {}
  if (result === undefined || metadata === undefined) throw new InvalidTransformError(cached.key)
  const kept = CachedObject.of<T>(result)
  const isSame =
    kept.key === cached.key && kept.uid === cached.uid && kept.resourceVersion === cached.resourceVersion
  if (!isSame) throw new InvalidTransformError(cached.key)
  return kept
}
