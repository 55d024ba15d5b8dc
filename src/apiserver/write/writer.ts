import { assertNever } from '../../base/index.js'
import type { ApiObject } from '../api-object.js'
import type { SuccessStatus } from '../output/output.js'
import type { Rendition } from '../output/rendition.js'
import type { BodyReader, RequestBody } from '../request/body.js'
import { type DeleteOptions, readDeleteOptions } from '../request/delete-options.js'
import type { RequestInfo } from '../request/request-info.js'
import {
  managerName,
  readPatchOptions,
  readWriteOptions,
  type WriteOptions,
} from '../request/write-options.js'
import type { Resource, ScaleProjection, ServedVersion, Strategy } from '../resource.js'
import type { User } from '../user.js'
import { createObject } from './create.js'
import { decodeDraft, expectedBody } from './decode-draft.js'
import { type Deletion, deleteObject } from './delete.js'
import { deleteObjects } from './delete-collection.js'
import { deletionTraitsOf } from './deletion-traits.js'
import { type PatchRequest, patchPlan } from './patch.js'
import { type PatchType, patchTypeOf } from './patch-types.js'
import { replacementPlan } from './replace-body.js'
import { expectedScale, readScale, scalePlan } from './scale.js'
import { updateObject } from './update.js'
import { subjectOf, type WriteCall, type WriteParts, type Written } from './write-call.js'

/** A request that writes, authenticated and authorized, to a resource that is kept in the store. */
export interface WriteRequest {
  readonly info: RequestInfo
  readonly user: User
  readonly resource: Resource
  readonly version: ServedVersion
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body: RequestBody
  warn(text: string): void
  annotate(key: string, value: string): void
  isAbandoned(): boolean
}

/** What is written: the object itself, a part of it, or its Scale. */
export type WriteAim =
  | { readonly type: 'object'; readonly strategy: Strategy }
  | { readonly type: 'scale'; readonly scale: ScaleProjection }

/** The answer to a write. */
export type WriteOutcome =
  | { readonly type: 'object'; readonly object: Rendition; readonly status: number }
  /** Of another kind than the resource's. */
  | { readonly type: 'plain'; readonly object: ApiObject; readonly status: number }
  /** Nothing is left to show. */
  | { readonly type: 'success'; readonly status: SuccessStatus }

/** What a collection is that is deleted. */
export type Selection = Iterable<{ readonly namespace: string; readonly name: string }>

/** The verbs that write. All reject with ApiFailure. */
export interface Writer {
  create(request: WriteRequest): Promise<WriteOutcome>
  update(request: WriteRequest, aim: WriteAim): Promise<WriteOutcome>
  patch(request: WriteRequest, aim: WriteAim): Promise<WriteOutcome>
  delete(request: WriteRequest): Promise<WriteOutcome>
  deleteCollection(request: WriteRequest, selection: Selection): Promise<void>
}

export interface WriterParts extends WriteParts {
  readonly reader: BodyReader
}

export function createWriter(parts: WriterParts): Writer {
  const { reader } = parts
  const decode = (request: WriteRequest, strategy: Strategy, options: WriteOptions): Promise<ApiObject> =>
    decodeDraft(request.body, expectedBody(request), {
      reader,
      fieldValidation: options.fieldValidation,
      strategy,
      warn: (text) => request.warn(text),
    })

  return {
    async create(request) {
      const options = readWriteOptions(request.query, 'CreateOptions')
      const { strategy } = request.version
      const draft = await decode(request, strategy, options)
      const call = callFor(request, strategy, options)
      return written(await createObject(parts, call, draft, options.object), undefined)
    },

    async update(request, aim) {
      const options = readWriteOptions(request.query, 'UpdateOptions')
      if (aim.type === 'object') {
        const body = await decode(request, aim.strategy, options)
        const call = callFor(request, aim.strategy, options)
        return written(
          await updateObject(parts, call, replacementPlan(parts, call, body, options)),
          undefined,
        )
      }
      const { strategy } = request.version
      const body = await decodeDraft(request.body, expectedScale(request.resource), {
        reader,
        fieldValidation: options.fieldValidation,
        strategy: withoutDefaults(strategy),
        warn: (text) => request.warn(text),
      })
      const call = callFor(request, strategy, options)
      const plan = scalePlan(parts, call, aim.scale, { type: 'body', body, options })
      return written(await updateObject(parts, call, plan), aim.scale)
    },

    async patch(request, aim) {
      const type: PatchType = patchTypeOf(request.body.contentType, request.resource.isCustom)
      const options = readPatchOptions(request.query, type === 'application/apply-patch+yaml')
      const patch: PatchRequest = {
        type,
        body: request.body,
        options,
        expected: aim.type === 'scale' ? expectedScale(request.resource) : expectedBody(request),
      }
      const strategy = aim.type === 'object' ? aim.strategy : request.version.strategy
      const call = callFor(request, strategy, options)
      switch (aim.type) {
        case 'object':
          return written(await updateObject(parts, call, patchPlan(parts, call, patch)), undefined)
        case 'scale': {
          const plan = scalePlan(parts, call, aim.scale, { type: 'patch', patch })
          return written(await updateObject(parts, call, plan), aim.scale)
        }
        default:
          return assertNever(aim)
      }
    },

    async delete(request) {
      const options = await readDeleteOptions(request.query, request.body, reader)
      const call = callFor(request, request.version.strategy, options)
      warnOfOrphans(call, options)
      return deletionOutcome(call, await deleteObject(parts, call, request.info.name, options), options)
    },

    async deleteCollection(request, selection) {
      const options = await readDeleteOptions(request.query, request.body, reader)
      const call = callFor(request, request.version.strategy, options)
      warnOfOrphans(call, options)
      await deleteObjects(parts, call, selection, options)
    },
  }
}

function callFor(
  request: WriteRequest,
  strategy: Strategy,
  options: WriteOptions | DeleteOptions,
): WriteCall {
  const { info, user, resource, version, headers, body } = request
  return {
    info,
    user,
    resource,
    version,
    strategy,
    manager: 'fieldManager' in options ? managerName(options, headers['user-agent'] ?? '') : '',
    isDryRun: options.isDryRun,
    bodyBytes: body.bytes.length,
    warn: (text) => request.warn(text),
    annotate: (key, value) => request.annotate(key, value),
    isAbandoned: () => request.isAbandoned(),
  }
}

/** A Scale has defaults of its own, which are none. */
function withoutDefaults(strategy: Strategy): Strategy {
  return { ...strategy, prune: () => {}, applyDefaults: () => {} }
}

function written({ object, isCreated }: Written, scale: ScaleProjection | undefined): WriteOutcome {
  const status = isCreated ? 201 : 200
  if (scale === undefined) return { type: 'object', object, status }
  return { type: 'plain', object: readScale(scale, object.object), status }
}

function warnOfOrphans(call: WriteCall, options: DeleteOptions): void {
  const isSaid = options.propagationPolicy !== undefined || options.orphanDependents !== undefined
  const { orphanWarning } = call.strategy
  if (orphanWarning !== undefined && !isSaid) call.warn(orphanWarning)
}

function deletionOutcome(call: WriteCall, deletion: Deletion, options: DeleteOptions): WriteOutcome {
  switch (deletion.type) {
    case 'waiting':
      // Only those who said it in the oldest way are told that it is not done yet.
      return {
        type: 'object',
        object: deletion.object,
        status: options.orphanDependents === false ? 202 : 200,
      }
    case 'gone':
      return deletionTraitsOf(call).answersObject
        ? { type: 'object', object: deletion.last, status: 200 }
        : { type: 'success', status: successStatus(call, deletion) }
    default:
      return assertNever(deletion)
  }
}

function successStatus(call: WriteCall, { uid }: Extract<Deletion, { type: 'gone' }>): SuccessStatus {
  const { group, resource } = subjectOf(call)
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: call.info.name, ...(group !== '' && { group }), kind: resource, uid },
  }
}
