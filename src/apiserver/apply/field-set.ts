import { compareElements, type PathElement } from './path-element.js'

/**
 * A set of fields of an object, as a tree: an element is a member itself, or has members below it, or both. Never
 * changes once it is made; operations share what they leave as it was and return their left argument if that is all of
 * it.
 */
export type FieldSet = ReadonlyMap<PathElement, FieldNode>

export interface FieldNode {
  readonly isMember: boolean
  /** Never empty. */
  readonly children: FieldSet | undefined
}

export const emptySet: FieldSet = new Map()
export const leaf: FieldNode = { isMember: true, children: undefined }

/** A set that is being made. */
export type FieldSetDraft = Map<PathElement, FieldNodeDraft>

export interface FieldNodeDraft {
  isMember: boolean
  children: FieldSetDraft | undefined
}

/** Adds the field at the path. The whole object, at the empty path, is nobody's. */
export function insert(draft: FieldSetDraft, path: readonly PathElement[]): void {
  let level = draft
  for (const [index, element] of path.entries()) {
    let node = level.get(element)
    if (node === undefined) {
      node = { isMember: false, children: undefined }
      level.set(element, node)
    }
    if (index === path.length - 1) {
      node.isMember = true
      return
    }
    node.children ??= new Map()
    level = node.children
  }
}

export function setOf(paths: Iterable<readonly PathElement[]>): FieldSet {
  const draft: FieldSetDraft = new Map()
  for (const path of paths) insert(draft, path)
  return draft
}

export function hasField(set: FieldSet, path: readonly PathElement[]): boolean {
  let node: FieldNode | undefined
  let level: FieldSet | undefined = set
  for (const element of path) {
    node = level?.get(element)
    level = node?.children
  }
  return node?.isMember ?? false
}

/** Every member, in the order of FieldsV1, parents before what is below them. */
export function* pathsOf(
  set: FieldSet,
  prefix: readonly PathElement[] = [],
): Generator<readonly PathElement[]> {
  const nodes = [...set].sort(([left], [right]) => compareElements(left, right))
  for (const [element, node] of nodes) if (node.isMember) yield [...prefix, element]
  for (const [element, node] of nodes) {
    if (node.children !== undefined) yield* pathsOf(node.children, [...prefix, element])
  }
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (right.size === 0 || left === right) return left
  if (left.size === 0) return right
  let result: Map<PathElement, FieldNode> | undefined
  for (const [element, other] of right) {
    const node = left.get(element)
    const joined = node === undefined ? other : unionOfNodes(node, other)
    if (joined === node) continue
    result ??= new Map(left)
    result.set(element, joined)
  }
  return result ?? left
}

function unionOfNodes(left: FieldNode, right: FieldNode): FieldNode {
  const children = union(left.children ?? emptySet, right.children ?? emptySet)
  const isMember = left.isMember || right.isMember
  return changed(left, isMember, children)
}

/** What is in both. */
export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  const result = new Map<PathElement, FieldNode>()
  for (const [element, node] of left) {
    const other = right.get(element)
    if (other === undefined) continue
    const isMember = node.isMember && other.isMember
    const children = intersection(node.children ?? emptySet, other.children ?? emptySet)
    if (isMember || children.size > 0) result.set(element, changed(node, isMember, children))
  }
  return result
}

/** The left set without the members of the right one. What is below such a member stays. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, false)
}

/** The left set without the members of the right one and all that is below them. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, true)
}

function subtract(left: FieldSet, right: FieldSet, isRecursive: boolean): FieldSet {
  if (left.size === 0 || right.size === 0) return left
  let result: Map<PathElement, FieldNode> | undefined
  for (const [element, node] of left) {
    const other = right.get(element)
    if (other === undefined) continue
    const isMember = node.isMember && !other.isMember
    const children =
      isRecursive && other.isMember
        ? emptySet
        : subtract(node.children ?? emptySet, other.children ?? emptySet, isRecursive)
    const rest = changed(node, isMember, children)
    if (rest === node) continue
    result ??= new Map(left)
    if (isMember || children.size > 0) result.set(element, rest)
    else result.delete(element)
  }
  return result ?? left
}

function changed(node: FieldNode, isMember: boolean, children: FieldSet): FieldNode {
  const isSame = node.isMember === isMember && (node.children ?? emptySet) === children
  return isSame ? node : { isMember, children: children.size > 0 ? children : undefined }
}
