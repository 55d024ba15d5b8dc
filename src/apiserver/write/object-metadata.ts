import type { FieldError } from '../../schema/index.js'
import { childPath, invalid, metadataErrors, metadataUpdateErrors } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature } from '../cluster-state.js'
import { badRequest } from '../failure.js'
import { pathSegmentProblems } from '../request/parse-request.js'
import type { WriteCall } from './write-call.js'

/** Drops what only the server sets. */
export function wipeSystemFields({ metadata }: ApiObject): void {
  delete metadata.creationTimestamp
  delete metadata.uid
  delete metadata.deletionTimestamp
  delete metadata.deletionGracePeriodSeconds
  // Old clients send it; no type has it any more.
  Reflect.deleteProperty(metadata, 'selfLink')
}

export function fillSystemFields({ metadata }: ApiObject, nature: Nature): void {
  metadata.creationTimestamp = nature.timestamp()
  metadata.uid = nature.uid()
}

/** Puts the object into the namespace of the request, unless it says another. Throws ApiFailure 400. */
export function ensureNamespace({ metadata }: ApiObject, { resource, info }: WriteCall): void {
  const expected = resource.scope === 'Namespaced' ? info.namespace : ''
  const given = metadata.namespace ?? ''
  if (given === expected) return
  if (given === '') metadata.namespace = expected
  else if (expected === '') delete metadata.namespace
  else
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

/** Throws ApiFailure 400 unless the object has the name of the path. */
export function checkName({ metadata }: ApiObject, { info }: WriteCall): void {
  const name = metadata.name ?? ''
  if (name === '')
    throw badRequest(
      `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`,
    )
  if (name !== info.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`)
}

const repeatedOwners =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: '
const repeatedOwnersAfterAdmission =
  '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: '

const ownerFields = ['apiVersion', 'kind', 'name', 'uid', 'controller', 'blockOwnerDeletion']

/** Drops owners that are there twice, with a warning. */
export function dropRepeatedOwners(
  { metadata }: ApiObject,
  { warn }: Pick<WriteCall, 'warn'>,
  isAfterAdmission: boolean,
): void {
  const owners = metadata.ownerReferences
  if (owners === undefined || owners.length < 2) return
  const kept = new Map<string, (typeof owners)[number]>()
  const repeated: string[] = []
  for (const owner of owners) {
    const identity = JSON.stringify(owner, ownerFields)
    if (kept.has(identity)) repeated.push(owner.uid)
    else kept.set(identity, owner)
  }
  if (repeated.length === 0) return
  warn((isAfterAdmission ? repeatedOwnersAfterAdmission : repeatedOwners) + repeated.join(', '))
  metadata.ownerReferences = [...kept.values()]
}

/** What is wrong with the metadata of a new object. */
export function createMetadataErrors({ metadata }: ApiObject, call: WriteCall): FieldError[] {
  return [
    ...metadataErrors(metadata, {
      path: 'metadata',
      nameProblems: (name, { prefix }) => [...call.strategy.nameProblems(name, prefix)],
      nameRequired: true,
      namespaceAllowed: call.resource.scope === 'Namespaced',
    }),
    ...finalizerNameErrors(metadata.finalizers ?? [], call),
  ]
}

/**
 * What is wrong with the metadata of an object that replaces another. What the strategies of the real server check once
 * more is named once more, as there.
 */
export function updateMetadataErrors(object: ApiObject, old: StoredApiObject, call: WriteCall): FieldError[] {
  const { metadata } = object
  const change = [
    ...metadataUpdateErrors(metadata, old.metadata, 'metadata'),
    ...immutableErrors(metadata, old.metadata),
  ]
  const checks = call.strategy.metadataChecks ?? ['change']
  return [
    ...metadataErrors(metadata, {
      path: 'metadata',
      nameProblems: (name) => [...pathSegmentProblems(name)],
      nameRequired: true,
      namespaceAllowed: call.resource.scope === 'Namespaced',
    }),
    ...change,
    ...checks.flatMap((check) =>
      check === 'whole'
        ? createMetadataErrors(object, call)
        : [...change, ...finalizerNameErrors(metadata.finalizers ?? [], call)],
    ),
  ]
}

function immutableErrors(metadata: ApiObject['metadata'], old: StoredApiObject['metadata']): FieldError[] {
  const fields = ['deletionTimestamp', 'deletionGracePeriodSeconds'] as const
  return fields
    .filter((field) => metadata[field] !== undefined && metadata[field] !== old[field])
    .map((field) => invalid(childPath('metadata', field), metadata[field], 'field is immutable'))
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

/** Groups whose kinds take any finalizer, as custom resources do. */
const lenientGroups: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
])

/** Kinds of other groups that do. */
const lenientKinds: ReadonlySet<string> = new Set(['PodDisruptionBudget'])

function finalizerNameErrors(finalizers: readonly string[], { resource }: WriteCall): FieldError[] {
  const isLenient = lenientGroups.has(resource.group) || lenientKinds.has(resource.kind)
  if (resource.isCustom || isLenient) return []
  return finalizers.flatMap((name, index) =>
    name.includes('/') || standardFinalizers.has(name)
      ? []
      : [
          invalid(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  )
}

/**
 * Keeps what an update cannot change. What it must not change but says otherwise is left for validation to refuse.
 */
export function keepSystemFields({ metadata }: ApiObject, old: StoredApiObject): void {
  metadata.uid ||= old.metadata.uid ?? ''
  if (old.metadata.creationTimestamp !== undefined)
    metadata.creationTimestamp = old.metadata.creationTimestamp
  if (old.metadata.deletionTimestamp !== undefined)
    metadata.deletionTimestamp = old.metadata.deletionTimestamp
  if (old.metadata.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= old.metadata.deletionGracePeriodSeconds
}

const metadataOrder = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const

/** Brings the metadata into the order that the server writes it in, with a place for the resourceVersion. */
export function orderMetadata(draft: ApiObject): void {
  const ordered: Record<string, unknown> = {}
  for (const field of metadataOrder) {
    const value = draft.metadata[field]
    if (value !== undefined) ordered[field] = value
    else if (field === 'resourceVersion') ordered[field] = ''
  }
  draft.metadata = ordered
}
