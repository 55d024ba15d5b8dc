import type { TransportResponse } from '../../objects/index.js'
import type { ApiSchema } from '../api-schema.js'
import { schemaOf } from '../builtin/schema-of.js'
import type { Output } from '../output/output.js'
import { decodeBody, type ExpectedBody, judgeStrictness } from '../request/decode-body.js'
import { optionsObject, readWriteOptions } from '../request/write-options.js'
import type { Call, Handler, Resource, ServedVersion, Subresource } from '../resource.js'
import type { ApiObject } from '../api-object.js'
import { internalError } from '../failure.js'
import { ensureNamespace } from './object-metadata.js'
import { admissionRequest, type WriteCall, type WriteParts } from './write-call.js'
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
  const { output, nature } = parts
  return async (action) => {
    const { write, found, subresource, signal } = action
    const { info } = write
    const handler = handlerFor(found.resource, subresource, info.verb)
    if (handler === undefined) throw internalError(`nothing answers ${info.verb} of ${info.resource}`)
    const isConnection = connections.has(info.subresource)
    const isBodied = !isConnection && info.verb === 'create'
    const options = isBodied ? readWriteOptions(write.query, 'CreateOptions') : undefined
    const call: WriteCall = {
      ...write,
      strategy: found.version.strategy,
      manager: '',
      isDryRun: options?.isDryRun ?? false,
      bodyBytes: write.body.bytes.length,
    }
    const expected = expectedFor(action)
    const body = isBodied ? await decodeBody(write.body, expected, parts.reader) : undefined
    if (body !== undefined && options !== undefined) {
      judgeStrictness(body, expected, options.fieldValidation, (text) => write.warn(text))
      ensureNamespace(body.object, call)
    }
    if (isBodied || isConnection)
      await admit(parts, call, { expected, object: body?.object, options: options?.object, isConnection })
    const handled: Call = {
      info,
      user: write.user,
      query: write.query,
      body: body?.object,
      isDryRun: call.isDryRun,
      nature,
      signal,
      warn: (text) => write.warn(text),
    }
    const answer = await handler(handled)
    if ('raw' in answer) return answer.raw
    return output.plain(write, answer.object, answer.status ?? (isBodied ? 201 : 200))
  }
}

function handlerFor(
  { actions }: Resource,
  subresource: Subresource | undefined,
  verb: string,
): Handler | undefined {
  return subresource?.type === 'action' ? subresource.verbs[verb] : actions?.[verb]
}

function expectedFor({ found: { resource, version }, subresource }: ActionRequest): ExpectedBody {
  if (subresource?.type !== 'action')
    return {
      group: resource.group,
      version: version.name,
      kind: resource.kind,
      schema: version.schema,
      isCustom: false,
    }
  const { group, kind } = subresource
  return {
    group,
    version: subresource.version,
    kind,
    schema: knownSchema(group, subresource.version, kind),
    isCustom: false,
  }
}

/** Bodies of kinds that no schema describes are taken as they are. */
function knownSchema(group: string, version: string, kind: string): ApiSchema {
  try {
    return schemaOf(group, version, kind)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { 'x-kubernetes-preserve-unknown-fields': true }
  }
}

async function admit(
  { admission }: WriteParts,
  call: WriteCall,
  about: {
    readonly expected: ExpectedBody
    readonly object: ApiObject | undefined
    readonly options: ApiObject | undefined
    readonly isConnection: boolean
  },
): Promise<void> {
  const { group, version, kind } = about.expected
  const request = admissionRequest(call, {
    operation: about.isConnection ? 'CONNECT' : 'CREATE',
    name: call.info.name === '' ? (about.object?.metadata.name ?? '') : call.info.name,
    object: about.object,
    oldObject: undefined,
    options: about.options ?? optionsObject('CreateOptions', {}),
    kind: { group, version, kind },
  })
  await admission.mutate(request)
  await admission.validate(request)
}
