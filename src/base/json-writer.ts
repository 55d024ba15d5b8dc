import { KubewrightError, toError } from './errors.js'

/** The value has no JSON form: it contains itself, is nested too deep, holds NaN or Infinity, or a getter or `toJSON` of it threw. */
export class JsonValueError extends KubewrightError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'KW_JSON_VALUE', cause })
  }
}

interface Frame {
  readonly container: object
  /** Undefined for an array. */
  readonly keys: readonly string[] | undefined
  next: number
  hasMembers: boolean
}

/**
 * Writes what JSON.stringify writes, and also what it cannot: a `bigint` as a plain integer, and data too deep for the
 * call stack. Slower by an order of magnitude. Throws only {@link JsonValueError}.
 */
export function writeExactly(root: unknown, maxDepth: number): string {
  try {
    return writeTree(root, maxDepth)
  } catch (error) {
    if (error instanceof JsonValueError) throw error
    throw new JsonValueError(
      `The value has no JSON form: ${toError(error).message}. Give its getters and toJSON plain data to return.`,
      error,
    )
  }
}

function writeTree(root: unknown, maxDepth: number): string {
  const frames: Frame[] = []
  const ancestors = new Set<object>()
  let text = ''

  /** Writes a scalar or opens a container; false when JSON has no word for the value. */
  const write = (value: unknown, before: string): boolean => {
    if (typeof value !== 'object' || value === null) {
      if (typeof value === 'number' && !Number.isFinite(value)) throw notFinite(value)
      const scalar = typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
      if (scalar === undefined) return false
      text += before + scalar
      return true
    }
    if (ancestors.has(value)) {
      throw new JsonValueError('The value contains itself and has no JSON form: remove the cycle.')
    }
    if (frames.length >= maxDepth) {
      throw new JsonValueError(`The value is nested deeper than ${maxDepth} levels: flatten it.`)
    }
    const isArray = Array.isArray(value)
    text += before + (isArray ? '[' : '{')
    ancestors.add(value)
    frames.push({
      container: value,
      keys: isArray ? undefined : Object.keys(value),
      next: 0,
      hasMembers: false,
    })
    return true
  }

  if (!write(prepared(root, ''), '')) return 'null'
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { container, keys } = frame
    const index = frame.next++
    const comma = frame.hasMembers ? ',' : ''
    if (Array.isArray(container)) {
      if (index >= container.length) {
        text += ']'
        frames.pop()
        ancestors.delete(container)
        continue
      }
      if (!write(prepared(container[index], String(index)), comma)) text += `${comma}null`
      frame.hasMembers = true
      continue
    }
    const key = keys?.[index]
    if (key === undefined) {
      text += '}'
      frames.pop()
      ancestors.delete(container)
      continue
    }
    // Object.keys named it, so it is an own property; a getter may have any value.
    const member = prepared((container as Record<string, unknown>)[key], key)
    if (write(member, `${comma}${JSON.stringify(key)}:`)) frame.hasMembers = true
  }
  return text
}

/** What JSON.stringify does to a value before it looks at its type. */
function prepared(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  const result: unknown = 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON(key) : value
  const isBoxed =
    result instanceof Number ||
    result instanceof String ||
    result instanceof Boolean ||
    result instanceof BigInt
  return isBoxed ? result.valueOf() : result
}

function notFinite(value: number): JsonValueError {
  return new JsonValueError(
    `${value} has no JSON form and would be written as null: check where the number comes from.`,
  )
}

/** Throws {@link JsonValueError} for data that holds NaN or Infinity, at whatever depth. */
export function assertFinite(root: unknown): void {
  const waiting: unknown[] = [root]
  const seen = new Set<object>()
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'number' && !Number.isFinite(value)) throw notFinite(value)
    if (typeof value !== 'object' || value === null || seen.has(value)) continue
    seen.add(value)
    for (const member of Object.values(value)) waiting.push(member)
  }
}
