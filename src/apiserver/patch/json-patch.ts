import { deepCopy, deepEqual, getOwn, isPlainObject, setOwn } from '../../base/index.js'
import { goJson } from '../../schema/internal.js'
import { badRequest, tooLargeBody } from '../failure.js'
import { jsonTypeName } from '../json-type-name.js'
import { arrayIndex, splitPointer } from './json-pointer.js'
import { patchDoesNotApply } from './patch-failure.js'

const maxOperations = 10_000
/** How many bytes of JSON the `copy` operations of one patch may add together. */
const maxCopiedBytes = 3 * 1024 * 1024

const textFields = ['op', 'path', 'from'] as const

interface Operation {
  readonly op: string
  readonly path: string | undefined
  readonly from: string | undefined
  /** Undefined when it is missing, which is not the same as null to `test`. */
  readonly value: unknown
}

type Container = unknown[] | Record<string, unknown>

/**
 * Applies a JSON patch (RFC 6902) in the dialect of the server: indexes may be negative, `replace` of a member that is
 * missing adds it, `test` takes a missing member for null. All operations apply or none. Changes neither argument and
 * shares nothing with them. Throws ApiFailure: 400 for what is no patch, 413 for more than 10,000 operations, 422 for
 * operations that do not apply.
 */
export function applyJsonPatch(document: unknown, patch: unknown): unknown {
  const operations = readPatch(patch)
  if (operations.length > maxOperations) {
    throw tooLargeBody(
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    )
  }
  const copied: unknown = deepCopy(document)
  if (!isContainer(copied)) throw patchDoesNotApply()
  let root = copied
  let copiedBytes = 0
  for (const operation of operations) {
    const { op, path } = operation
    if (op === 'replace' && path === '') {
      const replacement = deepCopy(operation.value)
      if (!isContainer(replacement)) throw patchDoesNotApply()
      root = replacement
    } else if (op === 'copy') {
      const value = read(locate(root, operation.from))
      copiedBytes += value === undefined ? 0 : encodedLength(value)
      if (copiedBytes > maxCopiedBytes) throw patchDoesNotApply()
      insert(locate(root, path), deepCopy(value ?? null))
    } else {
      perform(root, operation)
    }
  }
  return root
}

function readPatch(patch: unknown): readonly Operation[] {
  if (patch === null) return []
  if (!Array.isArray(patch)) throw undecodable(patch, 'Go value of type []handlers.jsonPatchOp')
  return patch.map(readOperation)
}

function readOperation(operation: unknown): Operation {
  if (operation === null) return { op: 'unknown', path: undefined, from: undefined, value: undefined }
  if (!isPlainObject(operation)) throw undecodable(operation, 'Go value of type handlers.jsonPatchOp')
  const [op, path, from] = textFields.map((field) => {
    const text = getOwn(operation, field)
    if (text === null || text === undefined || typeof text === 'string') return text ?? undefined
    throw undecodable(text, `Go struct field jsonPatchOp.${field} of type string`)
  })
  return { op: op ?? 'unknown', path, from, value: getOwn(operation, 'value') }
}

function undecodable(value: unknown, target: string): Error {
  return badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeName(value)} into ${target}`)
}

function perform(root: Container, { op, path, from, value }: Operation): void {
  switch (op) {
    case 'add':
      insert(locate(root, path), deepCopy(value ?? null))
      return
    case 'remove':
      remove(locate(root, path))
      return
    case 'replace':
      replace(locate(root, path), deepCopy(value ?? null))
      return
    case 'move': {
      const origin = locate(root, from)
      const moved = read(origin)
      remove(origin)
      insert(locate(root, path), moved ?? null)
      return
    }
    case 'test': {
      const actual = path === '' ? root : read(locate(root, path))
      if (!deepEqual(actual ?? null, value ?? null)) throw patchDoesNotApply()
      return
    }
    default:
      throw patchDoesNotApply()
  }
}

interface Place {
  readonly container: Container
  readonly key: string
}

function locate(root: Container, pointer: string | undefined): Place {
  const tokens = pointer === undefined ? [] : splitPointer(pointer)
  const key = tokens.at(-1)
  if (key === undefined) throw patchDoesNotApply()
  let container = root
  for (const token of tokens.slice(0, -1)) {
    const next = read({ container, key: token })
    if (!isContainer(next)) throw patchDoesNotApply()
    container = next
  }
  return { container, key }
}

function read({ container, key }: Place): unknown {
  return Array.isArray(container) ? container[existingIndex(key, container.length)] : getOwn(container, key)
}

function insert({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) setOwn(container, key, value)
  else if (key === '-') container.push(value)
  else container.splice(existingIndex(key, container.length + 1), 0, value)
}

function replace({ container, key }: Place, value: unknown): void {
  if (Array.isArray(container)) container[existingIndex(key, container.length)] = value
  else setOwn(container, key, value)
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(existingIndex(key, container.length), 1)
  else if (Object.hasOwn(container, key)) delete container[key]
  else throw patchDoesNotApply()
}

function existingIndex(token: string, length: number): number {
  const index = arrayIndex(token, length)
  if (index === undefined) throw patchDoesNotApply()
  return index
}

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isPlainObject(value)
}

/** In bytes, as the server would write it. */
function encodedLength(value: unknown): number {
  return Buffer.byteLength(goJson(value))
}
