import { deepCopy, getOwn, isPlainObject, parseJson, setOwn } from '../../base/index.js'
import { goJson } from '../../schema/internal.js'
import { compare } from './compare.js'
import { extractSet } from './extract-set.js'
import { difference, type FieldSet, union } from './field-set.js'
import type { TypedObject } from './updater.js'
import { validateTyped } from './validate.js'

/** Where `kubectl apply` keeps what it applied last, when it applies on the client's side. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
/** Of all annotations of an object together. */
const maxAnnotationBytes = 256 * 1024

/** The manager by which kubectl applies on the server's side; no other takes over from the annotation. */
export const kubectlManager = 'kubectl'

type Members = Record<string, unknown>

/**
 * The fields that the live object still has as kubectl applied them last: kubectl may take them over without a conflict.
 * Undefined if the annotation says nothing.
 */
export function fieldsLastApplied(live: TypedObject): FieldSet | undefined {
  const text = textOf(live.value)
  if (text === '') return undefined
  try {
    const lastApplied = parseJson(text)
    if (!isPlainObject(lastApplied) || lastApplied['apiVersion'] !== live.apiVersion) return undefined
    validateTyped(live.value, live.schema, false)
    validateTyped(lastApplied, live.schema, false)
    const { removed, modified, added } = compare(lastApplied, live.value, live.schema)
    return difference(extractSet(lastApplied, live.schema), union(union(modified, added), removed))
  } catch {
    return undefined
  }
}

/** Keeps the annotation of an object that has one up to date with what kubectl applies on the server's side. In place. */
export function refreshLastApplied(merged: Members, applied: Members): void {
  if (textOf(merged) === '') return
  const annotations = annotationsOf(merged)
  if (annotations === undefined) return
  const copy = deepCopy<Members>(applied)
  delete annotationsOf(copy)?.[annotation]
  setOwn(annotations, annotation, `${goJson(copy)}\n`)
  if (sizeOf(annotations) > maxAnnotationBytes) delete annotations[annotation]
}

function annotationsOf(object: unknown): Members | undefined {
  const metadata = isPlainObject(object) ? getOwn(object, 'metadata') : undefined
  const annotations = isPlainObject(metadata) ? getOwn(metadata, 'annotations') : undefined
  return isPlainObject(annotations) ? annotations : undefined
}

function textOf(object: unknown): string {
  const annotations = annotationsOf(object)
  const text = annotations === undefined ? undefined : getOwn(annotations, annotation)
  return typeof text === 'string' ? text : ''
}

function sizeOf(annotations: Members): number {
  let size = 0
  for (const [key, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(String(value))
  }
  return size
}
