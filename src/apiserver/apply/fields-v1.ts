import { isPlainObject, setOwn } from '../../base/index.js'
import { emptySet, type FieldNode, type FieldSet, type FieldSetDraft } from './field-set.js'
import { compareElements, parseElement, unknownElement } from './path-element.js'

/** The JSON of a set: each element an object, with a member `.` if the element has members below it and is one itself. */
export function encodeFields(set: FieldSet): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const element of [...set.keys()].sort(compareElements)) {
    const node = set.get(element)
    if (node !== undefined) setOwn(fields, element, encodeNode(node))
  }
  return fields
}

function encodeNode({ isMember, children }: FieldNode): Record<string, unknown> {
  if (children === undefined) return {}
  return isMember ? { '.': {}, ...encodeFields(children) } : encodeFields(children)
}

// Stored sets never change and are read with every write of their object.
const decoded = new WeakMap<object, FieldSet>()

/** Reads a set from what somebody sent. Undefined when it is none; elements of newer servers are left out. */
export function decodeFields(fields: unknown): FieldSet | undefined {
  if (fields === null || fields === undefined) return emptySet
  const known = typeof fields === 'object' ? decoded.get(fields) : undefined
  if (known !== undefined) return known
  const node = decodeNode(fields)
  if (node === undefined) return undefined
  const set = node.children ?? emptySet
  if (typeof fields === 'object' && Object.isFrozen(fields)) decoded.set(fields, set)
  return set
}

function decodeNode(fields: unknown): FieldNode | undefined {
  if (fields === null) return { isMember: true, children: undefined }
  if (!isPlainObject(fields)) return undefined
  let isMember = false
  const children: FieldSetDraft = new Map()
  for (const key of Object.keys(fields)) {
    if (key === '.') {
      isMember = true
      continue
    }
    const element = parseElement(key)
    if (element === undefined) return undefined
    if (element === unknownElement) continue
    const node = decodeNode(fields[key])
    if (node === undefined) return undefined
    const known = children.get(element)
    // A node of the draft is only ever replaced, never written to.
    const draft = node as { isMember: boolean; children: FieldSetDraft | undefined }
    children.set(
      element,
      known === undefined
        ? draft
        : { isMember: known.isMember || node.isMember, children: draft.children ?? known.children },
    )
  }
  return children.size === 0 ? { isMember: true, children: undefined } : { isMember, children }
}
