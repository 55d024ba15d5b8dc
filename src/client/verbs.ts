import { isPlainObject, KubewrightError } from '../base/index.js'
import {
  type AnyKind,
  buildRequest,
  deleteBody,
  type KubeList,
  type KubeObject,
  listQuery,
  type RequestTarget,
  selectionQuery,
  writeQuery,
} from '../objects/index.js'
import type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  WriteOptions,
} from './call-options.js'
import { type ClientContext, namespaceFor, writeParametersFor } from './client-context.js'
import { type AnyKey, acceptFor, readList, readObject, readSentObject } from './object-access.js'
import { applyContentType, type Patch, patchBody } from './patch.js'
import { createFieldSharingParser } from './shared-fields.js'

/** A server-side apply without anybody to own the fields. */
export class FieldManagerRequiredError extends KubewrightError {
  constructor(request: string) {
    super(
      `${request}: an apply needs a field manager, the name under which you own fields. Set fieldManager on the client or the call.`,
      { code: 'KW_FIELD_MANAGER_REQUIRED' },
    )
  }
}

function targetOf(context: ClientContext, kind: AnyKind, key: AnyKey, subresource?: string): RequestTarget {
  return { kind, namespace: namespaceFor(context, kind, key.namespace), name: key.name, subresource }
}

/** GET of one object or subresource. */
export async function getObject<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  key: AnyKey,
  options: GetOptions & { readonly subresource?: string } = {},
): Promise<T> {
  const request = buildRequest('get', targetOf(context, kind, key, options.subresource), {
    query: { resourceVersion: options.resourceVersion },
    accept: acceptFor('object', options.metadataOnly),
  })
  return readObject<T>(request.description, await context.caller.json(request, options))
}

/** GET of a collection, or of one page of it. */
export async function listObjects<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  options: ListOptions = {},
): Promise<KubeList<T>> {
  const request = buildRequest(
    'list',
    { kind, namespace: options.namespace },
    { query: listQuery(options), accept: acceptFor('list', options.metadataOnly) },
  )
  const answer = await context.caller.json(request, options, createFieldSharingParser())
  return readList<T>(request.description, kind, answer)
}

/** POST of an object. */
export async function createObject<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  object: unknown,
  options: WriteOptions = {},
): Promise<T> {
  const { namespace, body, newName } = readSentObject(kind, object)
  const request = buildRequest(
    'create',
    { kind, namespace: namespaceFor(context, kind, namespace) },
    { query: writeQuery(writeParametersFor(context, options)), body, newName },
  )
  return readObject<T>(request.description, await context.caller.json(request, options))
}

/** PUT of an object or one of its subresources. */
export async function updateObject<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  object: unknown,
  options: WriteOptions & { readonly subresource?: string } = {},
): Promise<T> {
  const { name = '', namespace, body } = readSentObject(kind, object)
  const request = buildRequest('update', targetOf(context, kind, { namespace, name }, options.subresource), {
    query: writeQuery(writeParametersFor(context, options)),
    body,
  })
  return readObject<T>(request.description, await context.caller.json(request, options))
}

/** PATCH of an object or one of its subresources. */
export async function patchObject<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  key: AnyKey,
  change: { readonly patch: Patch<unknown>; readonly options?: WriteOptions; readonly subresource?: string },
): Promise<T> {
  const { patch, options = {}, subresource } = change
  const request = buildRequest('patch', targetOf(context, kind, key, subresource), {
    query: writeQuery(writeParametersFor(context, options)),
    ...patchBody(patch),
  })
  return readObject<T>(request.description, await context.caller.json(request, options))
}

/** Server-side apply of an object or one of its subresources. */
export async function applyObject<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  object: unknown,
  options: ApplyOptions & { readonly subresource?: string } = {},
): Promise<T> {
  const { name = '', namespace, body } = readSentObject(kind, object)
  const parameters = writeParametersFor(context, options)
  const request = buildRequest('patch', targetOf(context, kind, { namespace, name }, options.subresource), {
    query: { ...writeQuery(parameters), force: options.force },
    contentType: applyContentType,
    body,
  })
  if (parameters.fieldManager === undefined || parameters.fieldManager === '')
    throw new FieldManagerRequiredError(request.description)
  return readObject<T>(request.description, await context.caller.json(request, options))
}

/** DELETE of one object. The object, where the server returned it; it may live on until its finalizers are done. */
export async function deleteObject<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  key: AnyKey,
  options: DeleteOptions = {},
): Promise<T | undefined> {
  const request = buildRequest('delete', targetOf(context, kind, key), {
    body: deleteBody({ ...options, dryRun: options.dryRun ?? context.write.dryRun }),
  })
  const answer = await context.caller.json(request, options)
  if (isPlainObject(answer) && answer['kind'] === 'Status') return undefined
  return readObject<T>(request.description, answer)
}

/** DELETE of many objects. */
export async function deleteObjects(
  context: ClientContext,
  kind: AnyKind,
  options: DeleteCollectionOptions = {},
): Promise<void> {
  const request = buildRequest(
    'deletecollection',
    { kind, namespace: options.namespace },
    {
      query: selectionQuery(options),
      body: deleteBody({ ...options, dryRun: options.dryRun ?? context.write.dryRun }),
    },
  )
  await context.caller.text(request, options)
}
