import { type DeepReadonly, type DeepWritable, deepCopy } from '../base/index.js'

/**
 * A draft of an object from a cache: a copy that may be changed and then sent. Nothing in the cache moves until the
 * server answers.
 */
export function edit<T>(object: DeepReadonly<T> | T): DeepWritable<T> {
  // A copy of either has the shape of T, and is writable to its last level.
  return deepCopy(object) as unknown as DeepWritable<T>
}
