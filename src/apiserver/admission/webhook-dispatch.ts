import { quoteText } from '../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { Authorizer } from '../auth/authorizer.js'
import type { ClusterState, Nature } from '../cluster-state.js'
import { ApiFailure, badRequest, forbidden, internalError } from '../failure.js'
import type { AdmissionRequest } from './admission.js'
import {
  buildReview,
  type ReviewAnswer,
  ReviewProblem,
  readReview,
  reviewVersion,
} from './admission-review.js'
import { authorizerInputs, requestData } from './cel-variables.js'
import { evaluateConditions } from './match-conditions.js'
import { inVersion, type MatchedVersion, matchRequest } from './matching.js'
import { WebhookCallError } from './webhook-answer.js'
import type { WebhookCaller } from './webhook-caller.js'
import type { Webhook } from './webhook-configuration.js'

/** What the calling of webhooks needs from the server around it. */
export interface WebhookParts {
  readonly caller: WebhookCaller
  readonly authorizer: Authorizer
}

/** A webhook that applies to a request, with the objects in the version that it wants. */
export interface Invocation {
  readonly webhook: Webhook
  readonly matched: MatchedVersion
  readonly object: ApiObject | StoredApiObject | undefined
  readonly oldObject: StoredApiObject | undefined
}

/** Why a webhook gave no answer, for its failure policy. The message is the whole text of the server. */
export class WebhookUnanswered extends Error {
  constructor(webhook: string, why: string, cause?: unknown) {
    super(`failed calling webhook ${quoteText(webhook)}: ${why}`, { cause })
    this.name = 'WebhookUnanswered'
  }
}

/** The invocation of a webhook, or undefined if it does not apply. Throws ApiFailure when that cannot be told. */
export async function invocationOf(
  webhook: Webhook,
  request: AdmissionRequest,
  { cluster, authorizer }: { readonly cluster: ClusterState; readonly authorizer: Authorizer },
): Promise<Invocation | undefined> {
  const matched = matchRequest(webhook.criteria, request, cluster)
  if (matched === undefined) return undefined
  const objects = await inVersion(request, matched)
  const invocation = { webhook, matched, ...objects }
  if (webhook.conditions.length === 0) return invocation
  const verdict = evaluateConditions(webhook.conditions, {
    object: { data: objects.object },
    oldObject: { data: objects.oldObject },
    request: { data: requestData(request, matched) },
    namespaceObject: { data: null },
    ...authorizerInputs(request, authorizer),
  })
  if (verdict.kind === 'met') return invocation
  if (verdict.kind === 'unmet' || webhook.ignoresFailures) return undefined
  const { group, resource } = request.info
  throw forbidden({ group, resource }, request.name, verdict.message)
}

/**
 * Asks a webhook. Rejects with {@link WebhookUnanswered} when its failure policy decides, and with ApiFailure when the
 * request must not go on whatever that says.
 */
export async function askWebhook(
  invocation: Invocation,
  request: AdmissionRequest,
  parts: { readonly caller: WebhookCaller; readonly nature: Nature; readonly isMutating: boolean },
): Promise<ReviewAnswer> {
  const { webhook, matched, object, oldObject } = invocation
  const { name, sideEffects } = webhook
  if (request.isDryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun')
    throw badRequest(`admission webhook ${quoteText(name)} does not support dry run`)
  const version = reviewVersion(webhook.reviewVersions)
  if (version === undefined)
    throw new WebhookUnanswered(
      name,
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    )
  const uid = parts.nature.uid()
  try {
    const answer = await parts.caller.call({
      clientConfig: webhook.clientConfig,
      timeoutSeconds: webhook.timeoutSeconds,
      body: buildReview(request, matched, { uid, version, object, oldObject }),
      review: { group: 'admission.k8s.io', version, kind: 'AdmissionReview' },
    })
    const review = readReview(answer, { uid, version, isMutating: parts.isMutating })
    for (const [key, value] of review.annotations) request.annotate(`${name}/${key}`, value)
    for (const warning of review.warnings) request.warn(warning)
    return review
  } catch (error) {
    if (error instanceof ReviewProblem) throw new WebhookUnanswered(name, error.message, error)
    if (error instanceof WebhookCallError)
      throw new WebhookUnanswered(name, `failed to call webhook: ${error.message}`, error)
    throw error
  }
}

/** What the request ends in when a webhook gave no answer and must. */
export function unansweredFailure(error: WebhookUnanswered): ApiFailure {
  return internalError(error.message)
}

/** What the request ends in when a webhook has refused it. */
export function webhookDenial(webhook: string, { status }: ReviewAnswer): ApiFailure {
  const denied = `admission webhook ${quoteText(webhook)} denied the request`
  const { message = '', reason = '', details, code = 0 } = status ?? {}
  const why = message === '' ? reason : message
  return new ApiFailure({
    code: code < 400 ? 400 : code,
    reason,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(details !== undefined && { details }),
  })
}
