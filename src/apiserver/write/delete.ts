import { deepCopy, deepEqual, formatUtcTime, parseUtcTime } from '../../base/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { conflict, notFound } from '../failure.js'
import { type Rendition, renditionOf } from '../output/rendition.js'
import type { DeleteOptions } from '../request/delete-options.js'
import { storageNameOf } from '../resource.js'
import { RevisionMismatchError, type StoredObject } from '../store/store.js'
import { finalizersAfterDeletion } from './deletion-finalizers.js'
import { deletionTraitsOf } from './deletion-traits.js'
import { orderMetadata } from './object-metadata.js'
import {
  admissionRequest,
  answerOf,
  assertWanted,
  inStorageVersion,
  inVersionOf,
  keyFor,
  kindSubjectOf,
  subjectOf,
  type WriteCall,
  type WriteParts,
  writeContext,
} from './write-call.js'

/** What became of an object whose deletion was asked for. */
export type Deletion =
  /** It is gone. The last state, for those kinds that are answered with it. */
  | { readonly type: 'gone'; readonly last: Rendition; readonly uid: string }
  /** It stays for a while: a finalizer or a grace period holds it. */
  | { readonly type: 'waiting'; readonly object: Rendition }

/** Deletes an object, or lets its deletion begin. Throws ApiFailure. */
export async function deleteObject(
  parts: WriteParts,
  call: WriteCall,
  name: string,
  options: DeleteOptions,
): Promise<Deletion> {
  const resource = storageNameOf(call.resource)
  const key = keyFor(call, name)
  for (;;) {
    const current = parts.store.get(resource, key)
    if (current === undefined) throw notFound(subjectOf(call), name)
    checkPreconditions(call, current, options)
    try {
      return await attempt(parts, call, current, options)
    } catch (error) {
      if (!(error instanceof RevisionMismatchError)) throw error
    }
  }
}

function checkPreconditions(call: WriteCall, { object }: StoredObject, options: DeleteOptions): void {
  const { name = '', uid = '', resourceVersion = '' } = object.metadata
  const { beginsApart } = deletionTraitsOf(call)
  if (options.uid !== undefined && options.uid !== uid)
    throw beginsApart
      ? conflict(
          subjectOf(call),
          name,
          `Precondition failed: UID in precondition: ${options.uid}, UID in object meta: ${uid}`,
        )
      : conflict(
          kindSubjectOf(call),
          name,
          `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
        )
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion)
    throw beginsApart
      ? conflict(
          subjectOf(call),
          name,
          `Precondition failed: ResourceVersion in precondition: ${options.resourceVersion}, ResourceVersion in object meta: ${resourceVersion}`,
        )
      : conflict(
          kindSubjectOf(call),
          name,
          `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
        )
}

async function attempt(
  parts: WriteParts,
  call: WriteCall,
  current: StoredObject,
  options: DeleteOptions,
): Promise<Deletion> {
  const old = await inVersionOf(call, current)
  const traits = deletionTraitsOf(call)
  const isFirst = old.metadata.deletionTimestamp === undefined
  const grace = graceOf(call, old, options, parts.nature.clock.now())
  const isHeldOtherwise = call.strategy.isFinalized?.(old) === false
  // Asked again with no less patience than before, or while its content is still there: nothing new.
  if (grace === 'pending' || (!isFirst && isHeldOtherwise))
    return { type: 'waiting', object: await answerOf(call, current) }
  await admitDeletion(parts, call, old, options)

  const finalizers = traits.isGarbageCollected
    ? finalizersAfterDeletion(
        old.metadata.finalizers ?? [],
        options,
        call.strategy.orphansDependents === true,
      )
    : (old.metadata.finalizers ?? [])
  const isHeld = finalizers.length > 0 || (isFirst && traits.beginsApart)
  if (!isHeld && grace === undefined) return remove(parts, call, current)

  const draft: ApiObject = deepCopy(old)
  if (finalizers.length > 0) draft.metadata.finalizers = [...finalizers]
  else delete draft.metadata.finalizers
  if (grace === undefined) markDeleted(draft, parts)
  else {
    draft.metadata.deletionTimestamp = grace.timestamp
    draft.metadata.deletionGracePeriodSeconds = grace.seconds
  }
  if (isFirst) {
    if (traits.beginsApart) delete draft.metadata.deletionGracePeriodSeconds
    else if ((draft.metadata.generation ?? 0) > 0)
      draft.metadata.generation = (draft.metadata.generation ?? 0) + 1
    call.strategy.beginDeletion?.(draft, writeContext(parts, call))
  }
  const state = await putDraft(parts, call, draft, current)
  if (state === undefined) return { type: 'waiting', object: renditionOf(draft) }
  // Without patience left, watchers see the deletion begin all the same before it is done, and admission sees both.
  if (!isHeld && grace?.seconds === 0) {
    await admitDeletion(parts, call, await inVersionOf(call, state), options)
    const { uid = '' } = state.object.metadata
    // The kubelet, too, takes away what has no patience left: if it is quicker, what was asked for is done.
    if (parts.store.get(state.resource, state.key)?.object.metadata.uid !== uid)
      return { type: 'gone', last: await answerOf(call, state), uid }
    return remove(parts, call, state)
  }
  return { type: 'waiting', object: await answerOf(call, state) }
}

async function admitDeletion(
  parts: WriteParts,
  call: WriteCall,
  old: StoredApiObject,
  options: DeleteOptions,
): Promise<void> {
  const request = admissionRequest(call, {
    operation: 'DELETE',
    // Of one of a collection, only the object tells the name.
    name: call.info.name,
    object: undefined,
    oldObject: old,
    options: options.object,
  })
  await parts.admission.mutate(request)
  await parts.admission.validate(request)
}

/** Without grace: deleted now. */
function markDeleted({ metadata }: ApiObject, { nature }: WriteParts): void {
  const now = nature.clock.now()
  const before =
    metadata.deletionTimestamp === undefined ? undefined : parseUtcTime(metadata.deletionTimestamp)
  if (before === undefined || before > now) metadata.deletionTimestamp = nature.timestamp()
  metadata.deletionGracePeriodSeconds = 0
}

interface Grace {
  readonly seconds: number
  readonly timestamp: string
}

/** How long the object may stay; undefined for kinds that go at once, `pending` when it is on its way already. */
function graceOf(
  { strategy }: WriteCall,
  old: StoredApiObject,
  options: DeleteOptions,
  now: number,
): Grace | 'pending' | undefined {
  if (strategy.gracePeriodSeconds === undefined) return undefined
  const requested =
    options.gracePeriodSeconds === undefined ? undefined : atLeastOne(options.gracePeriodSeconds)
  const { deletionTimestamp, deletionGracePeriodSeconds } = old.metadata
  if (deletionTimestamp === undefined) {
    const seconds = strategy.gracePeriodSeconds(old, requested)
    return { seconds, timestamp: timeOf(now + seconds * 1000) }
  }
  const granted = deletionGracePeriodSeconds === undefined ? 0 : atLeastOne(deletionGracePeriodSeconds)
  if (granted === 0) return undefined
  if (requested === undefined || requested >= granted) return 'pending'
  // The end moves forward by what the grace period loses, but not into the past.
  const end = (parseUtcTime(deletionTimestamp) ?? now) + (requested - granted) * 1000
  if (end >= now) return { seconds: requested, timestamp: timeOf(end) }
  return { seconds: requested === 0 ? 0 : 1, timestamp: timeOf(now) }
}

/** Negative seconds count as one. */
function atLeastOne(seconds: number): number {
  return seconds < 0 ? 1 : seconds
}

function timeOf(epochMs: number): string {
  // Grace periods end within the years that a time has.
  return formatUtcTime(epochMs, 0) ?? '9999-12-31T23:59:59Z'
}

/** Undefined for a dry run. */
async function putDraft(
  parts: WriteParts,
  call: WriteCall,
  draft: ApiObject,
  current: StoredObject,
): Promise<StoredObject | undefined> {
  if (call.isDryRun) return undefined
  orderMetadata(draft)
  const stored = await inStorageVersion(call, draft)
  if (deepEqual(stored, current.object)) return current
  assertWanted(call)
  const state = parts.store.put(current.resource, current.key, stored, current.revision)
  await parts.store.settled(state.revision)
  return state
}

async function remove(parts: WriteParts, call: WriteCall, current: StoredObject): Promise<Deletion> {
  const uid = current.object.metadata.uid ?? ''
  if (call.isDryRun) return { type: 'gone', last: await answerOf(call, current), uid }
  assertWanted(call)
  const state = parts.store.delete(current.resource, current.key, current.revision)
  await parts.store.settled(state.revision)
  return { type: 'gone', last: await answerOf(call, state), uid }
}
