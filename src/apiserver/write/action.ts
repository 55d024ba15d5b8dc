import type { TransportResponse } from '../../objects/index.js'
import type { AdmissionRequest } from '../admission/admission.js'
import type { ApiObject } from '../api-object.js'
import { trackUpdate } from '../apply/field-manager.js'
import { findSchema } from '../builtin/schema-of.js'
import { internalError } from '../failure.js'
import type { Output } from '../output/output.js'
import { decodeBody, type ExpectedBody, judgeStrictness } from '../request/decode-body.js'
import type { RequestInfo } from '../request/request-info.js'
import { managerName, optionsObject, readWriteOptions } from '../request/write-options.js'
import type { Answer, Handler, Resource, ServedVersion, Subresource } from '../resource.js'
import { ensureNamespace, wipeSystemFields } from './object-metadata.js'
import { admissionRequest, fieldManagerContext, type WriteCall, type WriteParts } from './write-call.js'
import type { WriteRequest, WriterParts } from './writer.js'

/** A request that a handler answers, not the store. */
export interface ActionRequest {
  readonly found: { readonly resource: Resource; readonly version: ServedVersion }
  readonly subresource: Subresource | undefined
  readonly write: WriteRequest
  readonly signal: AbortSignal | undefined
}

interface ActionParts extends WriteParts {
  readonly reader: WriterParts['reader']
  readonly output: Output
}

/** What a client is connected to, whatever its method: admission sees it as that. */
const connections: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy'])

/** Answers for reviews and for subresources that do something. Rejects with ApiFailure. */
export function createActions(parts: ActionParts): (action: ActionRequest) => Promise<TransportResponse> {
  return async ({ write, found, subresource, signal }) => {
    const { info, query } = write
    const isBodied = isCreation(info)
    const options = isBodied ? readWriteOptions(query, 'CreateOptions') : undefined
    const expected = expectedFor(found, subresource)
    const body = isBodied ? await decodeBody(write.body, expected, parts.reader) : undefined
    const call: WriteCall = {
      ...write,
      strategy: found.version.strategy,
      manager: '',
      isDryRun: options?.isDryRun ?? false,
      bodyBytes: write.body.bytes.length,
    }
    if (body !== undefined && options !== undefined) {
      judgeStrictness(body, expected, options.fieldValidation, (text) => write.warn(text))
      if (subresource?.type === 'action') subresource.applyDefaults?.(body.object)
      await prepare(
        parts,
        { ...call, manager: managerName(options, write.headers['user-agent'] ?? '') },
        expected,
        body.object,
      )
    }
    const answer = await act(parts, call, {
      subresource,
      body: body?.object,
      options: options?.object,
      query,
      signal,
    })
    if ('raw' in answer) return answer.raw
    return parts.output.plain(write, answer.object, answer.status ?? (isBodied ? 201 : 200))
  }
}

/** Subresources whose bodies say in their metadata which object they mean. */
const meansObject: ReadonlySet<string> = new Set(['binding', 'eviction'])

/** What is answered has metadata like everything that is created, though it is kept nowhere. */
async function prepare(
  parts: WriteParts,
  call: WriteCall,
  expected: ExpectedBody,
  body: ApiObject,
): Promise<void> {
  if (!meansObject.has(call.info.subresource)) wipeSystemFields(body)
  await trackUpdate(undefined, body, {
    ...fieldManagerContext(parts, call),
    apiVersion: body.apiVersion,
    schemaOf: (apiVersion) => (apiVersion === body.apiVersion ? expected.schema : undefined),
    convert: async (object) => object,
    resetFields: [],
  })
}

/** Whether there is a body to decode: a connection has none, whatever its method. */
function isCreation({ verb, subresource }: RequestInfo): boolean {
  return verb === 'create' && !connections.has(subresource)
}

/** Lets admission see what is asked for, and does it. Rejects with ApiFailure. */
export async function act(
  parts: WriteParts,
  call: WriteCall,
  action: {
    readonly subresource: Subresource | undefined
    readonly body: ApiObject | undefined
    readonly options: ApiObject | undefined
    readonly query: URLSearchParams
    readonly signal: AbortSignal | undefined
  },
): Promise<Answer> {
  const { info, user, isDryRun } = call
  const { subresource, body, query, signal } = action
  const handler = handlerFor(call.resource, subresource, info.verb)
  if (handler === undefined) throw internalError(`nothing answers ${info.verb} of ${info.resource}`)
  if (body !== undefined) ensureNamespace(body, call)
  const isAdmitted = isCreation(info) || connections.has(info.subresource)
  const request = admissionOf(call, action)
  const validate = async (object: ApiObject): Promise<void> => {
    if (isAdmitted) await parts.admission.validate({ ...request, object })
  }
  if (isAdmitted) {
    await parts.admission.mutate(request)
    if (subresource?.type !== 'action' || subresource.validatesLate !== true)
      await parts.admission.validate(request)
  }
  return handler({
    validate,
    info,
    user,
    query,
    body,
    isDryRun,
    nature: parts.nature,
    signal,
    warn: (text) => call.warn(text),
  })
}

function handlerFor(
  { actions }: Resource,
  subresource: Subresource | undefined,
  verb: string,
): Handler | undefined {
  return subresource?.type === 'action' ? subresource.verbs[verb] : actions?.[verb]
}

function expectedFor(
  { resource, version }: Pick<WriteCall, 'resource' | 'version'>,
  subresource: Subresource | undefined,
): ExpectedBody {
  const kind = kindOf({ resource, version }, subresource)
  // Bodies of kinds that no schema describes are taken as they are.
  const schema =
    subresource?.type === 'action'
      ? (findSchema(kind) ?? { 'x-kubernetes-preserve-unknown-fields': true })
      : version.schema
  // An eviction is taken in the version that it had before, too.
  return { ...kind, schema, isCustom: false, ...(kind.kind === 'Eviction' && { olderVersions: ['v1beta1'] }) }
}

function kindOf(
  { resource, version }: Pick<WriteCall, 'resource' | 'version'>,
  subresource: Subresource | undefined,
): AdmissionRequest['kind'] {
  if (subresource?.type !== 'action')
    return { group: resource.group, version: version.name, kind: resource.kind }
  return { group: subresource.group, version: subresource.version, kind: subresource.kind }
}

function admissionOf(
  call: WriteCall,
  action: {
    readonly subresource: Subresource | undefined
    readonly body: ApiObject | undefined
    readonly options: ApiObject | undefined
  },
): AdmissionRequest {
  const { body, subresource, options } = action
  return admissionRequest(call, {
    operation: isCreation(call.info) ? 'CREATE' : 'CONNECT',
    name: call.info.name === '' ? (body?.metadata.name ?? '') : call.info.name,
    object: body,
    oldObject: undefined,
    options: options ?? optionsObject('CreateOptions', {}),
    kind: kindOf(call, subresource),
  })
}
