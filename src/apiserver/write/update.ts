import { deepEqual } from '../../base/index.js'
import { goQuote, invalid as invalidField } from '../../schema/internal.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { denied } from '../auth/denial.js'
import { ApiFailure, conflict, invalid, notFound, staleVersion } from '../failure.js'
import { renditionOf } from '../output/rendition.js'
import { storageNameOf } from '../resource.js'
import { RevisionMismatchError, type StoredObject } from '../store/store.js'
import { checkNew, putNew } from './create.js'
import {
  ensureNamespace,
  fillSystemFields,
  keepSystemFields,
  orderMetadata,
  updateMetadataErrors,
} from './object-metadata.js'
import { refuseLargeObject } from './object-size.js'
import { storageKeyText } from './storage-key.js'
import { invalidObject, typeErrors } from './type-errors.js'
import {
  admissionRequest,
  answerOf,
  assertWanted,
  inStorageVersion,
  inVersionOf,
  keyFor,
  subjectOf,
  type WriteCall,
  type WriteParts,
  type Written,
  writeContext,
} from './write-call.js'

/** How the new state comes out of the old one. */
export interface UpdatePlan {
  /**
   * The next state, defaulted, with managedFields and admitted; asked again when somebody was quicker. `old` is undefined
   * where there is nothing yet. Throws ApiFailure to refuse.
   */
  next(old: StoredApiObject | undefined): Promise<ApiObject>
  /** Whether what is not there is created. */
  readonly createsMissing: boolean
  /** The uid that the object must have, if one was given. */
  readonly uid: string
  /** What admission gets to see: the object itself, or its Scale. */
  admissionView?(object: ApiObject | StoredApiObject): ApiObject | StoredApiObject
  readonly admissionKind?: { readonly group: string; readonly version: string; readonly kind: string }
  /** For admission: UpdateOptions, or CreateOptions for an object that is created. */
  options(operation: 'CREATE' | 'UPDATE'): ApiObject
}

/** Replaces an object, again and again until nobody comes between. Throws ApiFailure. */
export async function updateObject(parts: WriteParts, call: WriteCall, plan: UpdatePlan): Promise<Written> {
  const resource = storageNameOf(call.resource)
  const key = keyFor(call, call.info.name)
  for (;;) {
    const current = parts.store.get(resource, key)
    if (current === undefined && !plan.createsMissing) throw notFound(subjectOf(call), call.info.name)
    checkUid(call, plan.uid, current)
    try {
      return current === undefined
        ? await createMissing(parts, call, plan)
        : await replace(parts, call, plan, current)
    } catch (error) {
      if (!(error instanceof RevisionMismatchError)) throw error
    }
  }
}

function checkUid(call: WriteCall, wanted: string, current: StoredObject | undefined): void {
  const uid = current?.object.metadata.uid ?? ''
  if (wanted === '' || wanted === uid) return
  throw conflict(
    subjectOf(call),
    call.info.name,
    `StorageError: invalid object, Code: 4, Key: ${storageKeyText(call)}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`,
  )
}

async function createMissing(parts: WriteParts, call: WriteCall, plan: UpdatePlan): Promise<Written> {
  const draft = await plan.next(undefined)
  checkVersionText(draft)
  const { name } = call.info
  fillSystemFields(draft, parts.nature)
  checkNew(parts, call, call.version.strategy, draft)
  const { info, user } = call
  const asked = { user, info: { ...info, verb: 'create' } }
  const verdict = parts.authorizer(asked)
  if (!verdict.isAllowed) throw denied(asked, verdict.reason)
  await parts.admission.validate(
    admissionRequest(call, {
      operation: 'CREATE',
      name,
      object: draft,
      oldObject: undefined,
      options: plan.options('CREATE'),
    }),
  )
  if (parts.store.get(storageNameOf(call.resource), keyFor(call, name)) !== undefined)
    throw new RevisionMismatchError(undefined)
  return putNew(parts, call, draft)
}

async function replace(
  parts: WriteParts,
  call: WriteCall,
  plan: UpdatePlan,
  current: StoredObject,
): Promise<Written> {
  const old = await inVersionOf(call, current)
  const draft = await plan.next(old)
  checkVersion(call, draft, current)
  checkReplacement(parts, call, draft, old)
  keepTimesOfUnchanged(draft, old)
  const view = (object: ApiObject | StoredApiObject): ApiObject | StoredApiObject =>
    plan.admissionView?.(object) ?? object
  await parts.admission.validate(
    admissionRequest(call, {
      operation: 'UPDATE',
      name: call.info.name,
      // The view of a draft is one as well: only that of a stored object is frozen.
      object: view(draft) as ApiObject,
      oldObject: view(old),
      options: plan.options('UPDATE'),
      ...(plan.admissionKind !== undefined && { kind: plan.admissionKind }),
    }),
  )
  return commit(parts, call, draft, current)
}

/** Checks the version that the update is based on, and takes the current one where any will do. */
function checkVersion(call: WriteCall, draft: ApiObject, current: StoredObject): void {
  const given = checkVersionText(draft)
  if (given === '' || given === '0') {
    if (!call.strategy.allowsUnconditionalUpdate)
      throw invalid(subjectOf(call), call.info.name, [
        invalidField('metadata.resourceVersion', 0, 'must be specified for an update'),
      ])
    draft.metadata.resourceVersion = String(current.revision)
  } else if (given !== String(current.revision)) throw staleVersion(subjectOf(call), call.info.name)
}

const maxVersion = 2n ** 64n - 1n

/** The version that a draft says. Throws ApiFailure for one that is no number. */
function checkVersionText({ metadata: { resourceVersion = '' } }: ApiObject): string {
  const isNumber = /^\d*$/.test(resourceVersion)
  if (isNumber && BigInt(resourceVersion) <= maxVersion) return resourceVersion
  const problem = isNumber ? 'value out of range' : 'invalid syntax'
  throw new ApiFailure({
    code: 500,
    reason: '',
    message: `strconv.ParseUint: parsing ${goQuote(resourceVersion)}: ${problem}`,
  })
}

function checkReplacement(parts: WriteParts, call: WriteCall, draft: ApiObject, old: StoredApiObject): void {
  const warnings: string[] = []
  const context = writeContext(parts, call, warnings)
  ensureNamespace(draft, call)
  if (old.metadata.generation === undefined) delete draft.metadata.generation
  else draft.metadata.generation = old.metadata.generation
  call.strategy.prepareForUpdate(draft, old, context)
  keepSystemFields(draft, old)
  const wrongType = typeErrors(call, draft)
  const errors = [
    ...updateMetadataErrors(draft, old, call),
    ...(wrongType.length > 0 ? wrongType : call.strategy.validateUpdate(draft, old, context)),
  ]
  if (errors.length > 0) throw invalidObject(call, draft, errors)
  for (const text of warnings) call.warn(text)
}

/** Where nothing changed but the times of managedFields, nothing changed. */
function keepTimesOfUnchanged(draft: ApiObject, old: StoredApiObject): void {
  const entries = draft.metadata.managedFields
  const before = old.metadata.managedFields
  if (entries === undefined || entries.length !== before?.length) return
  if (entries.every(({ time }, index) => time === before[index]?.time)) return
  const timeless = entries.map((entry, index) => {
    const { time: _time, ...rest } = entry
    const time = before[index]?.time
    return time === undefined ? rest : { ...rest, time }
  })
  const quiet = { ...draft, metadata: { ...draft.metadata, managedFields: timeless } }
  if (deepEqual(quiet, old)) draft.metadata.managedFields = timeless
}

async function commit(
  parts: WriteParts,
  call: WriteCall,
  draft: ApiObject,
  current: StoredObject,
): Promise<Written> {
  const { store } = parts
  const resource = storageNameOf(call.resource)
  const { key, revision } = current
  if (isLastFinalizerGone(call, draft, current)) {
    if (!call.isDryRun) {
      assertWanted(call)
      const state = store.delete(resource, key, revision)
      await store.settled(state.revision)
    }
    return { object: renditionOf(draft), isCreated: false }
  }
  orderMetadata(draft)
  const stored = await inStorageVersion(call, draft)
  if (deepEqual(stored, current.object)) {
    // Somebody may have written while we compared: then we compared with the past.
    if (store.get(resource, key)?.revision !== revision) throw new RevisionMismatchError(undefined)
    return { object: await answerOf(call, current), isCreated: false }
  }
  if (call.isDryRun) return { object: renditionOf(draft), isCreated: false }
  refuseLargeObject(stored, current.json.length + call.bodyBytes)
  assertWanted(call)
  const state = store.put(resource, key, stored, revision)
  await store.settled(state.revision)
  return { object: await answerOf(call, state), isCreated: false }
}

/** An object that waits for its deletion goes with its last finalizer. */
function isLastFinalizerGone(
  { strategy, version }: WriteCall,
  draft: ApiObject,
  current: StoredObject,
): boolean {
  if ((draft.metadata.finalizers ?? []).length > 0) return false
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = current.object.metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds !== 0) return false
  return strategy.isFinalized?.(draft) ?? version.strategy.isFinalized?.(draft) ?? true
}
