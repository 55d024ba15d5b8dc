import { deepCopy, deepEqual, isPlainObject, stringifyJson } from '../../base/index.js'
import { quoteText } from '../../schema/index.js'
import type { ApiObject } from '../api-object.js'
import { ApiFailure, internalError } from '../failure.js'
import { applyJsonPatch } from '../patch/json-patch.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from './admission.js'
import type { ReviewAnswer } from './admission-review.js'
import { jsonPatchProblem } from './json-patch-problem.js'
import { isExempt } from './matching.js'
import { storeMutation } from './store-mutation.js'
import { createWebhookReader, type LoadEngine, type Webhook } from './webhook-configuration.js'
import {
  askWebhook,
  type Invocation,
  invocationOf,
  unansweredFailure,
  type WebhookParts,
  WebhookUnanswered,
  webhookDenial,
} from './webhook-dispatch.js'

const resource = 'mutatingwebhookconfigurations.admissionregistration.k8s.io'

/** What is remembered of a request between its two rounds. */
interface Rounds {
  round: number
  hasChanged: boolean
  /** Called already, and to be called again if something changes. */
  readonly called: Set<string>
  /** To be called in the second round. */
  readonly again: Set<string>
  /** The object as the last webhook left it; only kept if one may have to see what changes it. */
  output: unknown
}

/**
 * Calls the webhooks of MutatingWebhookConfigurations one after the other, each with what those before it made of the
 * object. When one changes it, those before it that asked for it are called once more, after all other plugins.
 */
export function createMutatingWebhooks(loadEngine: LoadEngine, parts: WebhookParts): AdmissionPlugin {
  const read = createWebhookReader(loadEngine)
  const rounds = new WeakMap<AdmissionRequest, Rounds>()

  const callOne = async (
    webhook: Webhook,
    index: number,
    [request, context, state]: readonly [AdmissionRequest, AdmissionContext, Rounds],
  ): Promise<void> => {
    const { cluster, nature } = context
    const invocation = await invocationOf(webhook, request, { cluster, authorizer: parts.authorizer })
    if (invocation === undefined || (state.round > 0 && !state.again.has(webhook.id))) return
    const at = `round_${state.round}_index_${index}`
    let hasChanged = false
    try {
      const answer = await askWebhook(invocation, request, { caller: parts.caller, nature, isMutating: true })
      if (!answer.isAllowed) throw webhookDenial(webhook.name, answer)
      hasChanged = await applyAnswer(invocation, request, answer)
      if (answer.patch !== undefined) annotatePatch(request, webhook, at, answer.patch)
    } catch (error) {
      if (!(error instanceof WebhookUnanswered)) throw error
      if (!webhook.ignoresFailures) throw unansweredFailure(error)
      request.annotate(`failed-open.mutation.webhook.admission.k8s.io/${at}`, webhook.name)
    }
    const { configuration, name } = webhook
    const note = { configuration, webhook: name, mutated: hasChanged }
    request.annotate(`mutation.webhook.admission.k8s.io/${at}`, stringifyJson(note))
    if (hasChanged) {
      callAgain(state)
      state.hasChanged = true
    }
    if (webhook.isReinvoked) state.called.add(webhook.id)
  }

  return {
    name: 'MutatingAdmissionWebhook',
    handles: (request) => !isExempt(request),
    mutate(request, context) {
      const configurations = context.cluster.list(resource)
      if (configurations.length === 0) return undefined
      return (async () => {
        const webhooks = await read(configurations)
        const state = rounds.get(request) ?? newRounds()
        rounds.set(request, state)
        if (state.round > 0 && state.called.size > 0 && !deepEqual(state.output, request.object))
          callAgain(state)
        for (const [index, webhook] of webhooks.entries())
          await callOne(webhook, index, [request, context, state])
        state.output = state.called.size > 0 ? deepCopy(request.object) : undefined
        state.round++
      })()
    },
    wantsAnotherRound: (request) => rounds.get(request)?.hasChanged === true,
  }
}

function newRounds(): Rounds {
  return { round: 0, hasChanged: false, called: new Set(), again: new Set(), output: undefined }
}

function callAgain({ called, again }: Rounds): void {
  for (const id of called) again.add(id)
  called.clear()
}

function annotatePatch(request: AdmissionRequest, webhook: Webhook, at: string, patch: unknown): void {
  const { configuration, name } = webhook
  request.annotate(
    `patch.webhook.admission.k8s.io/${at}`,
    stringifyJson({ configuration, webhook: name, patch, patchType: 'JSONPatch' }),
  )
}

/** Whether the answer has changed the object. */
async function applyAnswer(
  { webhook, matched, object }: Invocation,
  request: AdmissionRequest,
  { patch }: ReviewAnswer,
): Promise<boolean> {
  if (patch === undefined) return false
  if (object === undefined || request.object === undefined)
    throw internalError(
      `admission webhook ${quoteText(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    )
  const patched = applyPatch(object, patch)
  if (deepEqual(object, patched)) return false
  await storeMutation(request, patched, matched.version)
  return true
}

function applyPatch(object: unknown, patch: readonly unknown[]): ApiObject {
  try {
    const patched = applyJsonPatch(object, patch)
    // A patch that leaves no object is refused by applyJsonPatch; the fields of the rest are what they were.
    if (isPlainObject(patched) && isPlainObject(patched['metadata'])) return patched as ApiObject
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error
    throw internalError(jsonPatchProblem(object, patch))
  }
  throw internalError('the patched object has no metadata')
}
