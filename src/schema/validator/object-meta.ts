import { isPlainObject } from '../../base/index.js'
import type { FieldError } from '../field-error.js'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
} from '../name-rules.js'
import { childPath, forbidden, invalid, invalidAs, required, tooLong } from './field-errors.js'
import { compareCodePoints, goQuote } from './go-text.js'
import { coerceMetadata, metadataDecodeProblem } from './object-meta-type.js'

/** Bytes of all keys and values of the annotations together. */
const maxAnnotationBytes = 256 * 1024

interface MetadataRules {
  readonly path: string
  readonly nameProblems: (name: string, options: { prefix: boolean }) => string[]
  readonly nameRequired: boolean
  readonly namespaceAllowed: boolean
}

/** The rule for the names of custom resources. A trailing dash is fine where more will be appended. */
export function objectNameProblems(name: string, options: { prefix: boolean }): string[] {
  const masked = options.prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name
  return dnsSubdomainProblems(masked)
}

/** What is wrong with the metadata of a new object. */
export function metadataErrors(metadata: unknown, rules: MetadataRules): FieldError[] {
  const undecodable = metadataDecodeProblem(metadata)
  if (undecodable !== undefined) return [invalid(rules.path, metadata, undecodable)]
  const meta = readMetadata(metadata)
  const { path } = rules
  const errors: FieldError[] = []

  const report = (field: string, value: string, problems: readonly string[]): void => {
    for (const problem of problems) errors.push(invalid(childPath(path, field), value, problem))
  }
  if (meta.generateName !== '') {
    report('generateName', meta.generateName, rules.nameProblems(meta.generateName, { prefix: true }))
  }
  if (meta.name !== '') report('name', meta.name, rules.nameProblems(meta.name, { prefix: false }))
  else if (rules.nameRequired && meta.generateName === '') {
    errors.push(required(childPath(path, 'name'), 'name or generateName is required'))
  }
  if (meta.namespace !== '') {
    if (rules.namespaceAllowed) report('namespace', meta.namespace, dnsLabelProblems(meta.namespace))
    else errors.push(forbidden(childPath(path, 'namespace'), 'not allowed on this type'))
  }
  if (meta.generation < 0) {
    errors.push(invalid(childPath(path, 'generation'), meta.generation, 'must be greater than or equal to 0'))
  }
  errors.push(...labelErrors(meta.labels, childPath(path, 'labels')))
  errors.push(...annotationErrors(meta.annotations, childPath(path, 'annotations')))
  errors.push(...ownerErrors(meta.ownerReferences, childPath(path, 'ownerReferences')))
  errors.push(...finalizerErrors(meta.finalizers, childPath(path, 'finalizers')))
  errors.push(...managedFieldErrors(meta.managedFields, childPath(path, 'managedFields')))
  return errors
}

/** What is wrong with the metadata of an object that replaces another. */
export function metadataUpdateErrors(metadata: unknown, oldMetadata: unknown, path: string): FieldError[] {
  const undecodable = metadataDecodeProblem(metadata)
  if (undecodable !== undefined) return [invalid(path, metadata, undecodable)]
  const meta = readMetadata(metadata)
  const old = readMetadata(oldMetadata)
  const errors: FieldError[] = []
  if (old.deletionTimestamp !== '') {
    const added = meta.finalizers.filter((finalizer) => !old.finalizers.includes(finalizer))
    if (added.length > 0) {
      const list = [...new Set(added)].sort(compareCodePoints).map(goQuote).join(', ')
      errors.push(
        forbidden(
          childPath(path, 'finalizers'),
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
        ),
      )
    }
  }
  for (const field of ['name', 'namespace', 'uid'] as const) {
    // What a request leaves out the server fills in from the old object.
    if (meta[field] !== '' && meta[field] !== old[field]) {
      errors.push(invalid(childPath(path, field), meta[field], 'field is immutable'))
    }
  }
  errors.push(...labelErrors(meta.labels, childPath(path, 'labels')))
  errors.push(...annotationErrors(meta.annotations, childPath(path, 'annotations')))
  errors.push(...ownerErrors(meta.ownerReferences, childPath(path, 'ownerReferences')))
  errors.push(...managedFieldErrors(meta.managedFields, childPath(path, 'managedFields')))
  return errors
}

interface ReadMetadata {
  readonly name: string
  readonly generateName: string
  readonly namespace: string
  readonly uid: string
  readonly deletionTimestamp: string
  readonly generation: number | bigint
  readonly labels: readonly [string, string][]
  readonly annotations: readonly [string, string][]
  readonly ownerReferences: readonly Record<string, unknown>[]
  readonly finalizers: readonly string[]
  readonly managedFields: readonly Record<string, unknown>[]
}

/** Metadata that decodes, with the zero values of Go. */
function readMetadata(metadata: unknown): ReadMetadata {
  const given = isPlainObject(metadata) ? metadata : {}
  // Owners are shown whole in messages, so they must have the form that the server gives them.
  const coerced = Object.hasOwn(given, 'ownerReferences') ? coerceMetadata(given) : given
  const meta = isPlainObject(coerced) ? coerced : {}
  const { generation } = meta
  return {
    name: textOf(meta['name']),
    generateName: textOf(meta['generateName']),
    namespace: textOf(meta['namespace']),
    uid: textOf(meta['uid']),
    deletionTimestamp: textOf(meta['deletionTimestamp']),
    generation: typeof generation === 'number' || typeof generation === 'bigint' ? generation : 0,
    labels: stringEntries(meta['labels']),
    annotations: stringEntries(meta['annotations']),
    ownerReferences: objectsOf(meta['ownerReferences']),
    finalizers: Array.isArray(meta['finalizers']) ? meta['finalizers'].map(textOf) : [],
    managedFields: objectsOf(meta['managedFields']),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function stringEntries(value: unknown): [string, string][] {
  return isPlainObject(value) ? Object.entries(value).map(([key, member]) => [key, textOf(member)]) : []
}

function objectsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

/** What is wrong with labels, each as `[key, value]`. */
export function labelErrors(labels: readonly [string, string][], path: string): FieldError[] {
  return labels.flatMap(([key, value]) => [
    ...labelKeyProblems(key).map((problem) => invalid(path, key, problem)),
    ...labelValueProblems(value).map((problem) => invalid(path, value, problem)),
  ])
}

/** What is wrong with annotations. */
export function annotationErrors(annotations: readonly [string, string][], path: string): FieldError[] {
  const errors: FieldError[] = []
  let bytes = 0
  for (const [key, value] of annotations) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value)
    for (const problem of labelKeyProblems(key.toLowerCase())) errors.push(invalid(path, key, problem))
  }
  if (bytes > maxAnnotationBytes) errors.push(tooLong(path, maxAnnotationBytes))
  return errors
}

function ownerErrors(owners: readonly Record<string, unknown>[], path: string): FieldError[] {
  const errors: FieldError[] = []
  let controller = ''
  for (const owner of owners) {
    const apiVersion = textOf(owner['apiVersion'])
    const kind = textOf(owner['kind'])
    if (versionOf(apiVersion) === '') {
      errors.push(invalid(childPath(path, 'apiVersion'), apiVersion, 'version must not be empty'))
    }
    for (const field of ['kind', 'name', 'uid']) {
      if (textOf(owner[field]) === '') errors.push(invalid(childPath(path, field), '', 'must not be empty'))
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      const detail = '/v1, Kind=Event is disallowed from being an owner'
      errors.push(invalidAs(path, JSON.stringify(owner), detail))
    }
    if (owner['controller'] !== true) continue
    const name = `${kind}/${textOf(owner['name'])}`
    if (controller === '') {
      controller = name
      continue
    }
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`
    errors.push(invalidAs(path, JSON.stringify(owners), detail))
  }
  return errors
}

function versionOf(apiVersion: string): string {
  const parts = apiVersion.split('/')
  return parts.length > 2 ? '' : (parts.at(-1) ?? '')
}

function finalizerErrors(finalizers: readonly string[], path: string): FieldError[] {
  const errors = finalizers.flatMap((name) =>
    labelKeyProblems(name).map((problem) => invalid(path, name, problem)),
  )
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'))
  }
  return errors
}

function managedFieldErrors(entries: readonly Record<string, unknown>[], path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const [index, entry] of entries.entries()) {
    const at = `${path}[${index}]`
    const operation = textOf(entry['operation'])
    const fieldsType = textOf(entry['fieldsType'])
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalid(childPath(at, 'operation'), operation, 'must be `Apply` or `Update`'))
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(childPath(at, 'fieldsType'), fieldsType, 'must be `FieldsV1`'))
    }
    if (Buffer.byteLength(textOf(entry['manager'])) > 128) errors.push(tooLong(childPath(at, 'manager'), 128))
    if (Buffer.byteLength(textOf(entry['subresource'])) > 256)
      errors.push(tooLong(childPath(at, 'subresource'), 256))
  }
  return errors
}
