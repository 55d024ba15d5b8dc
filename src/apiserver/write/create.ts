import { deepCopy } from '../../base/index.js'
import { generateName } from '../../objects/index.js'
import type { ApiObject } from '../api-object.js'
import { trackUpdate } from '../apply/field-manager.js'
import { ApiFailure, alreadyExists } from '../failure.js'
import { renditionOf } from '../output/rendition.js'
import { type Strategy, storageNameOf } from '../resource.js'
import { RevisionMismatchError } from '../store/store.js'
import { mutateAdmitted } from './admitted.js'
import {
  createMetadataErrors,
  dropRepeatedOwners,
  ensureNamespace,
  fillSystemFields,
  orderMetadata,
  wipeSystemFields,
} from './object-metadata.js'
import { refuseLargeObject } from './object-size.js'
import { invalidObject, typeErrors } from './type-errors.js'
import {
  admissionRequest,
  answerOf,
  assertWanted,
  fieldManagerContext,
  inStorageVersion,
  keyFor,
  subjectOf,
  type WriteCall,
  type WriteParts,
  type Written,
  writeContext,
} from './write-call.js'

/** How often a name is made before the client is told that none was free. */
const maxNameAttempts = 8

/**
 * Creates an object from a draft that is decoded and defaulted, and is used up. Throws ApiFailure.
 *
 * @param options the CreateOptions, for admission
 */
export async function createObject(
  parts: WriteParts,
  call: WriteCall,
  draft: ApiObject,
  options: ApiObject,
): Promise<Written> {
  wipeSystemFields(draft)
  ensureNamespace(draft, call)
  dropRepeatedOwners(draft, call, false)
  await trackUpdate(undefined, draft, fieldManagerContext(parts, call))
  call.strategy.dropEmptyLists?.(draft)
  const name = draft.metadata.name ?? ''
  await mutateAdmitted(
    parts,
    call,
    admissionRequest(call, { operation: 'CREATE', name, object: draft, oldObject: undefined, options }),
  )
  dropRepeatedOwners(draft, call, true)
  // Only what has no name yet can get another: the rest is tried once.
  const isNamed = (draft.metadata.name ?? '') !== '' || (draft.metadata.generateName ?? '') === ''
  for (let attempt = 1; ; attempt++) {
    const candidate = isNamed || attempt === maxNameAttempts ? draft : deepCopy(draft)
    try {
      return await commitNew(parts, call, candidate, options)
    } catch (error) {
      if (isNamed || attempt >= maxNameAttempts || !isAlreadyExists(error)) throw error
    }
  }
}

function isAlreadyExists(error: unknown): boolean {
  return error instanceof ApiFailure && error.status.reason === 'AlreadyExists'
}

async function commitNew(
  parts: WriteParts,
  call: WriteCall,
  draft: ApiObject,
  options: ApiObject,
): Promise<Written> {
  const { metadata } = draft
  fillSystemFields(draft, parts.nature)
  const prefix = metadata.generateName ?? ''
  if (prefix !== '' && (metadata.name ?? '') === '') metadata.name = generateName(prefix, parts.nature.random)
  checkNew(parts, call, call.strategy, draft)
  const name = metadata.name ?? ''
  await parts.admission.validate(
    admissionRequest(call, { operation: 'CREATE', name, object: draft, oldObject: undefined, options }),
  )
  if (!call.isDryRun) refuseVersion(draft)
  return putNew(parts, call, draft)
}

/** Only those who create by POST must not say a version; one that is no number is not noticed. */
function refuseVersion({ metadata: { resourceVersion = '' } }: ApiObject): void {
  if (/^0*$/.test(resourceVersion) || !/^\d+$/.test(resourceVersion)) return
  throw new ApiFailure({
    code: 500,
    reason: '',
    message: 'resourceVersion should not be set on objects to be created',
  })
}

/** Prepares and checks an object as the strategy of its kind demands. Throws ApiFailure 422. */
export function checkNew(parts: WriteParts, call: WriteCall, strategy: Strategy, draft: ApiObject): void {
  const warnings: string[] = []
  const context = writeContext(parts, call, warnings)
  ensureNamespace(draft, call)
  strategy.prepareForCreate(draft, context)
  // What is wrong with it besides comes later.
  for (const text of warnings.splice(0)) call.warn(text)
  const wrongType = typeErrors(call, draft)
  const errors =
    wrongType.length > 0
      ? wrongType
      : [...createMetadataErrors(draft, { ...call, strategy }), ...strategy.validateCreate(draft, context)]
  if (errors.length > 0) throw invalidObject(call, draft, errors)
  for (const text of warnings) call.warn(text)
}

/** Stores a checked object that must not be there yet. Throws ApiFailure. */
export async function putNew(parts: WriteParts, call: WriteCall, draft: ApiObject): Promise<Written> {
  const { store } = parts
  const { name = '' } = draft.metadata
  const resource = storageNameOf(call.resource)
  const key = keyFor(call, name)
  const existing = store.get(resource, key)
  if (existing !== undefined)
    throw taken(call, draft, existing.object.metadata.deletionTimestamp !== undefined)
  // What a dry run answers was in no store, which would have taken the version away.
  if (call.isDryRun) return { object: renditionOf(draft), isCreated: true }
  delete draft.metadata.resourceVersion
  orderMetadata(draft)
  const stored = await inStorageVersion(call, draft)
  refuseLargeObject(stored, call.bodyBytes)
  try {
    assertWanted(call)
    const state = store.put(resource, key, stored, 0)
    await store.settled(state.revision)
    return { object: await answerOf(call, state), isCreated: true }
  } catch (error) {
    if (!(error instanceof RevisionMismatchError)) throw error
    throw taken(call, draft, error.current?.object.metadata.deletionTimestamp !== undefined)
  }
}

function taken(call: WriteCall, { metadata }: ApiObject, isBeingDeleted: boolean): ApiFailure {
  const failure = alreadyExists(subjectOf(call), metadata.name ?? '')
  const isGenerated = (metadata.generateName ?? '') !== ''
  if (!isGenerated && !isBeingDeleted) return failure
  const { message = '', details } = failure.status
  const text = isGenerated
    ? `${message}, the server was not able to generate a unique name for the object`
    : message
  return new ApiFailure({
    code: 409,
    reason: 'AlreadyExists',
    message: isBeingDeleted ? `object is being deleted: ${text}` : text,
    details: { ...details, ...(isGenerated && { retryAfterSeconds: 1 }) },
    ...(isGenerated && { headers: { 'retry-after': '1' } }),
  })
}
