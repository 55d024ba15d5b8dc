import { InvalidQueueKeyError } from './errors.js'

/** How keys that are not strings are told apart. */
export interface KeyIdentity<K> {
  /** The string that stands for the key: two keys with the same string are the same key. */
  readonly idOf: (key: K) => string
}

/** The string form of keys, checked: what plain JavaScript passes in may be anything. */
export function checkedIdentity<K>(idOf: ((key: K) => string) | undefined): (key: K) => string {
  return (key) => {
    const id: unknown = idOf === undefined ? key : idOf(key)
    if (typeof id !== 'string') throw new InvalidQueueKeyError(id)
    return id
  }
}
