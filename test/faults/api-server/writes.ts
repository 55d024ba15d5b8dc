import { type Answer, json, refuse, statusBody } from './answers.js'
import { keyOf, type ObjectStore, type StoredObject } from './object-store.js'
import type { PeerRequest } from './request.js'

/** Get, create, update, merge patch and delete of one object, by the server's rules for versions and uids. */
export function answerObject(store: ObjectStore, request: PeerRequest): Answer {
  const { verb, plural, name, namespace } = request
  if (verb === 'create') return create(store, request)
  const key = keyOf({ name: name ?? '', ...(namespace !== undefined && { namespace }) })
  const current = store.get(plural, key)
  if (current === undefined) return refuse(404, 'NotFound')
  switch (verb) {
    case 'get':
      return json(200, current)
    case 'update':
      return replace(store, request, current, JSON.parse(request.body))
    case 'patch':
      return replace(store, request, current, mergePatch(current, JSON.parse(request.body)) as StoredObject)
    case 'delete':
      return remove(store, request, current)
    case 'list':
    case 'watch':
      return refuse(405, 'MethodNotAllowed')
  }
}

function create(store: ObjectStore, { plural, namespace, body }: PeerRequest): Answer {
  const draft = JSON.parse(body)
  draft.metadata.namespace ??= namespace
  if (draft.metadata.resourceVersion !== undefined) return refuse(400, 'BadRequest')
  if (store.get(plural, keyOf(draft.metadata)) !== undefined) return refuse(409, 'AlreadyExists')
  // The status belongs to its own subresource.
  delete draft.status
  return json(201, store.create(plural, draft))
}

function replace(
  store: ObjectStore,
  request: PeerRequest,
  current: StoredObject,
  next: StoredObject,
): Answer {
  const { plural, subresource } = request
  const { uid, resourceVersion, deletionTimestamp, finalizers = [] } = current.metadata
  const sent = next.metadata
  if (sent.uid !== undefined && sent.uid !== uid) return refuse(409, 'Conflict')
  if (sent.resourceVersion === undefined) return refuse(422, 'Invalid')
  if (sent.resourceVersion !== resourceVersion) return refuse(409, 'Conflict')
  const added = (sent.finalizers ?? []).filter((finalizer) => !finalizers.includes(finalizer))
  if (deletionTimestamp !== undefined && added.length > 0) {
    const causes = [
      { reason: 'FieldValueForbidden', field: 'metadata.finalizers', message: 'no new finalizers' },
    ]
    return json(422, statusBody(422, 'Invalid', { details: { causes } }))
  }
  const status = subresource === 'status' ? next['status'] : current['status']
  const object = subresource === 'status' ? { ...current } : { ...next }
  if (status === undefined) delete object['status']
  else object['status'] = status
  return json(200, store.update(plural, keyOf(current.metadata), object))
}

function remove(store: ObjectStore, { plural, body }: PeerRequest, current: StoredObject): Answer {
  const preconditions = body === '' ? undefined : JSON.parse(body).preconditions
  const { uid, resourceVersion } = current.metadata
  if ((preconditions?.uid ?? uid) !== uid) return refuse(409, 'Conflict')
  if ((preconditions?.resourceVersion ?? resourceVersion) !== resourceVersion) return refuse(409, 'Conflict')
  const last = store.delete(plural, keyOf(current.metadata))
  return last.metadata.deletionTimestamp === undefined
    ? json(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details: { uid } })
    : json(200, last)
}

/** RFC 7386. A patch without a version keeps that of the object, and so is never stale. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = mergePatch(result[key], value)
  }
  return result
}
