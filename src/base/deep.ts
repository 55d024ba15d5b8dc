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

// Recursion is twice as fast as a stack of one's own, but JSON from a cluster may be 10,000 levels deep and the call
// stack is not. So each visitor below recurses this far and defers what lies deeper to a loop with an empty stack.
const longestDescent = 200

/**
 * A copy of JSON-like data, of any depth, that shares nothing with the original. Values that JSON does not know
 * (a Date, a class instance) are kept by reference.
 */
export function deepCopy<T>(value: T): DeepWritable<T> {
  const deferred: DeferredCopy[] = []
  const copy = copyValue(value, 0, deferred)
  for (let next = deferred.pop(); next !== undefined; next = deferred.pop()) {
    if (Array.isArray(next.copy)) copyItems(next.source as unknown[], next.copy, 0, deferred)
    else copyMembers(next.source as Record<string, unknown>, next.copy, 0, deferred)
  }
  // The copy has the structure of the original, and every container in it is fresh and thus writable.
  return copy as DeepWritable<T>
}

type Container = unknown[] | Record<string, unknown>

interface DeferredCopy {
  /** An array exactly when `copy` is one. */
  readonly source: Container
  readonly copy: Container
}

function copyValue(source: unknown, depth: number, deferred: DeferredCopy[]): unknown {
  if (Array.isArray(source)) {
    const copy: unknown[] = []
    if (depth < longestDescent) copyItems(source, copy, depth, deferred)
    else deferred.push({ source, copy })
    return copy
  }
  if (isPlainObject(source)) {
    const copy: Record<string, unknown> = {}
    if (depth < longestDescent) copyMembers(source, copy, depth, deferred)
    else deferred.push({ source, copy })
    return copy
  }
  return source
}

function copyItems(source: unknown[], copy: unknown[], depth: number, deferred: DeferredCopy[]): void {
  for (let index = 0; index < source.length; index++) copy.push(copyValue(source[index], depth + 1, deferred))
}

function copyMembers(
  source: Record<string, unknown>,
  copy: Record<string, unknown>,
  depth: number,
  deferred: DeferredCopy[],
): void {
  for (const key of Object.keys(source)) setOwn(copy, key, copyValue(source[key], depth + 1, deferred))
}

/**
 * Freezes JSON-like data to its last level, parts that were frozen before included, and returns it. Values that JSON
 * does not know are left as they are.
 */
export function deepFreeze<T>(value: T): DeepReadonly<T> {
  const deferred: Container[] = []
  const frozenBefore = new Set<Container>()
  freezeValue(value, 0, deferred, frozenBefore)
  for (let next = deferred.pop(); next !== undefined; next = deferred.pop())
    freezeMembers(next, 0, deferred, frozenBefore)
  // Only its mutability has changed.
  return value as DeepReadonly<T>
}

function freezeValue(
  value: unknown,
  depth: number,
  deferred: Container[],
  frozenBefore: Set<Container>,
): void {
  if (!Array.isArray(value) && !isPlainObject(value)) return
  if (!Object.isFrozen(value)) {
    Object.freeze(value)
  } else {
    // A frozen surface says nothing about what is below. Remembering it ends the descent where data meets itself.
    if (frozenBefore.has(value)) return
    frozenBefore.add(value)
  }
  if (depth < longestDescent) freezeMembers(value, depth, deferred, frozenBefore)
  else deferred.push(value)
}

function freezeMembers(
  value: Container,
  depth: number,
  deferred: Container[],
  frozenBefore: Set<Container>,
): void {
  for (const member of Object.values(value)) {
    if (typeof member === 'object') freezeValue(member, depth + 1, deferred, frozenBefore)
  }
}

/**
 * Equality of JSON-like data of any depth. An `undefined` property counts as absent, as in JSON. Values that JSON does
 * not know are equal only to themselves: two Dates have no members to compare, and "equal" would hide a change.
 */
export function deepEqual(left: unknown, right: unknown): boolean {
  const deferred: unknown[] = []
  if (!equalValues(left, right, 0, deferred)) return false
  while (deferred.length > 0) {
    const deferredRight = deferred.pop()
    const deferredLeft = deferred.pop()
    if (!equalValues(deferredLeft, deferredRight, 0, deferred)) return false
  }
  return true
}

function equalValues(left: unknown, right: unknown, depth: number, deferred: unknown[]): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
    return Object.is(left, right)
  if (depth >= longestDescent) {
    deferred.push(left, right)
    return true
  }
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    for (let index = 0; index < left.length; index++) {
      if (!equalValues(left[index], right[index], depth + 1, deferred)) return false
    }
    return true
  }
  if (!isPlainObject(left) || !isPlainObject(right)) return false
  for (const key of Object.keys(left)) {
    if (!equalValues(left[key], getOwn(right, key), depth + 1, deferred)) return false
  }
  for (const key of Object.keys(right)) {
    if (right[key] !== undefined && getOwn(left, key) === undefined) return false
  }
  return true
}
