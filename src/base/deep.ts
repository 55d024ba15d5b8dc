/** A type whose every level is read-only: what a cache hands out. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** The reverse of {@link DeepReadonly}: the type of a draft. */
export type DeepWritable<T> = T extends readonly (infer Item)[]
  ? DeepWritable<Item>[]
  : T extends object
    ? { -readonly [K in keyof T]: DeepWritable<T[K]> }
    : T

/** True for `{}` and null-prototype objects: what JSON calls an object. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Sets an own property whatever its name. A plain assignment to `__proto__` would change the prototype;
 * the names of labels and fields come from users.
 */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    ;(target as Record<string, unknown>)[key] = value
  }
}

/** The own property of that name, never one of the prototype (`constructor`, `toString`). */
export function getOwn(target: object, key: string): unknown {
  return Object.hasOwn(target, key) ? (target as Record<string, unknown>)[key] : undefined
}

/** A copy of JSON-like data that shares nothing with the original. Other values are kept by reference. */
export function deepCopy<T>(value: T): DeepWritable<T> {
  return copyJson(value) as DeepWritable<T>
}

function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson)
  if (!isPlainObject(value)) return value
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key]))
  return copy
}

/** Freezes JSON-like data to its last level and returns it. */
export function deepFreeze<T>(value: T): DeepReadonly<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key])
  }
  return value as DeepReadonly<T>
}

/** Equality of JSON-like data. An `undefined` property counts as absent, as in JSON. */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return left === right
  if (Array.isArray(left) || Array.isArray(right)) {
    return (
      Array.isArray(left) &&
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => deepEqual(item, right[index]))
    )
  }
  for (const key of Object.keys(left)) if (!deepEqual(getOwn(left, key), getOwn(right, key))) return false
  for (const key of Object.keys(right)) {
    if (getOwn(right, key) !== undefined && getOwn(left, key) === undefined) return false
  }
  return true
}
