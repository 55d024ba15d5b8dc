import { deepCopy, deepEqual, getOwn, isPlainObject, setOwn } from '../../base/index.js'
import { formatFieldErrors } from '../../schema/index.js'
import { annotationErrors, goQuote, goTypeName, labelErrors } from '../../schema/internal.js'
import { WebhookCallError } from '../admission/webhook-answer.js'
import type { WebhookCaller } from '../admission/webhook-caller.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Nature } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import type { CrdClientConfig, CrdSpec } from './definition.js'

/** Turns objects of one version into another. Gives fresh objects, one for each, in order. Throws ApiFailure. */
export type Converter = (objects: readonly StoredApiObject[], apiVersion: string) => Promise<ApiObject[]>

/** Only the apiVersion changes. */
export const changeVersion: Converter = async (objects, apiVersion) =>
  objects.map((object) => ({ ...deepCopy(object), apiVersion }))

export interface ConversionDependencies {
  readonly webhooks: WebhookCaller
  readonly nature: Nature
}

const timeoutSeconds = 30

/** How the objects of a CRD are converted. */
export function converterOf(
  { conversion }: CrdSpec,
  { webhooks, nature }: ConversionDependencies,
): Converter {
  const clientConfig = conversion?.webhook?.clientConfig
  if (conversion?.strategy !== 'Webhook' || clientConfig === undefined) return changeVersion
  const version = (conversion.webhook?.conversionReviewVersions ?? []).find(
    (each): each is Version => each === 'v1' || each === 'v1beta1',
  )
  return async (objects, apiVersion) => {
    const [first] = objects
    if (first === undefined) return []
    const failed = (why: string): ApiFailure => failure(`conversion webhook for ${kindOf(first)} ${why}`)
    if (version === undefined) throw failure('no supported conversion review versions')
    const uid = nature.uid()
    const review = reviewOf(objects, apiVersion, { version, uid })
    const answer = await call(webhooks, clientConfig, review, version).catch((error: unknown) => {
      if (error instanceof WebhookCallError) throw failed(`failed: ${error.message}`)
      throw error
    })
    const response = responseIn(answer, { version, uid, failed })
    const converted = Array.isArray(response['convertedObjects']) ? response['convertedObjects'] : []
    if (converted.length !== objects.length)
      throw failed(`returned ${converted.length} objects, expected ${objects.length}`)
    return objects.map((original, index) => accept(original, converted[index], apiVersion, failed))
  }
}

function failure(message: string): ApiFailure {
  return new ApiFailure({ code: 500, reason: '', message })
}

function kindOf({ apiVersion, kind }: StoredApiObject): string {
  return `${apiVersion}, Kind=${kind}`
}

function call(
  webhooks: WebhookCaller,
  clientConfig: CrdClientConfig,
  body: unknown,
  version: Version,
): Promise<unknown> {
  const review = { group: 'apiextensions.k8s.io', version, kind: 'ConversionReview' }
  return webhooks.call({ clientConfig, body, review, timeoutSeconds })
}

type Version = 'v1' | 'v1beta1'

interface Review {
  readonly version: Version
  readonly uid: string
}

function reviewOf(
  objects: readonly StoredApiObject[],
  desiredAPIVersion: string,
  { version, uid }: Review,
): object {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion, objects: objects.map(asStored) },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  }
}

/** What is stored has no resourceVersion of its own. */
function asStored(object: StoredApiObject): object {
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata
  return { ...object, metadata }
}

function responseIn(
  answer: unknown,
  { version, uid, failed }: Review & { readonly failed: (why: string) => ApiFailure },
): Record<string, unknown> {
  const response = isPlainObject(answer) ? answer['response'] : undefined
  if (!isPlainObject(response)) throw failed('failed: no response provided')
  const answeredUid = typeof response['uid'] === 'string' ? response['uid'] : ''
  if (version === 'v1' && answeredUid !== uid)
    throw failed(`failed: expected response.uid=${goQuote(uid)}, got ${goQuote(answeredUid)}`)
  const result = isPlainObject(response['result']) ? response['result'] : {}
  const status = typeof result['status'] === 'string' ? result['status'] : ''
  if (status === 'Success') return response
  const message = typeof result['message'] === 'string' ? result['message'] : ''
  throw failed(
    `failed: ${message === '' ? `response.result.status was '${status}', not 'Success'` : message}`,
  )
}

/** What the webhook made of an object, if it may be that. Its metadata stays, but for labels and annotations. */
function accept(
  original: StoredApiObject,
  converted: unknown,
  apiVersion: string,
  failed: (why: string) => ApiFailure,
): ApiObject {
  if (!isPlainObject(converted)) throw failure('unexpected end of JSON input')
  const text = (from: unknown, name: string): string => {
    const value = isPlainObject(from) ? getOwn(from, name) : undefined
    return typeof value === 'string' ? value : ''
  }
  const found = text(converted, 'apiVersion')
  const wrong = (why: string): ApiFailure => failed(`returned invalid object at index 0: ${why}`)
  if (found !== apiVersion) throw wrong(`invalid groupVersion (expected ${apiVersion}, received ${found})`)
  const kind = text(converted, 'kind')
  if (kind !== original.kind) throw wrong(`invalid kind (expected ${original.kind}, received ${kind})`)
  const metadata = getOwn(converted, 'metadata')
  for (const [field, title] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const before = original.metadata[field] ?? ''
    const after = text(metadata, field)
    if (before !== after)
      throw failed(`returned invalid object: must have the same ${title}: ${before} != ${after}`)
  }
  const problem = metadataProblem(original, metadata)
  if (problem !== undefined) throw failed(`returned invalid metadata: ${problem}`)
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(converted)) if (name !== 'metadata') setOwn(result, name, value)
  return {
    ...result,
    apiVersion,
    kind,
    metadata: restored(original, isPlainObject(metadata) ? metadata : {}),
  }
}

const changeable = ['labels', 'annotations'] as const

function metadataProblem(original: StoredApiObject, metadata: unknown): string | undefined {
  if (metadata === undefined) return 'missing metadata in converted object'
  if (!isPlainObject(metadata)) return `invalid metadata of type ${goTypeName(metadata)} in converted object`
  for (const field of changeable) {
    const after = getOwn(metadata, field) ?? undefined
    if (after === undefined) continue
    if (!isPlainObject(after))
      return `invalid metadata.${field} of type ${goTypeName(after)} in converted object`
    for (const [key, value] of Object.entries(after))
      if (typeof value !== 'string')
        return `metadata.${field}[${key}] must be a string, but is ${goTypeName(value)} in converted object`
    if (deepEqual(after, original.metadata[field] ?? {})) continue
    // The values were just found to be texts.
    const entries = Object.entries(after as Record<string, string>)
    const errors =
      field === 'labels'
        ? labelErrors(entries, 'metadata.labels')
        : annotationErrors(entries, 'metadata.annotation')
    if (errors.length > 0) return formatFieldErrors(errors)
  }
  return undefined
}

function restored(original: StoredApiObject, metadata: Record<string, unknown>): ApiObject['metadata'] {
  const result: ApiObject['metadata'] = deepCopy(original.metadata)
  for (const field of changeable) {
    const after = getOwn(metadata, field) ?? undefined
    if (after === undefined) delete result[field]
    // Checked above: a map of texts.
    else result[field] = after as Record<string, string>
  }
  return result
}
