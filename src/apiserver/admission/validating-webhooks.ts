import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from './admission.js'
import { isExempt } from './matching.js'
import { createWebhookReader, type LoadEngine } from './webhook-configuration.js'
import {
  askWebhook,
  type Invocation,
  invocationOf,
  unansweredFailure,
  type WebhookParts,
  WebhookUnanswered,
  webhookDenial,
} from './webhook-dispatch.js'

const resource = 'validatingwebhookconfigurations.admissionregistration.k8s.io'

/** Calls the webhooks of ValidatingWebhookConfigurations, all at the same time; the first refusal in order counts. */
export function createValidatingWebhooks(loadEngine: LoadEngine, parts: WebhookParts): AdmissionPlugin {
  const read = createWebhookReader(loadEngine)

  const call = async (
    invocation: Invocation,
    index: number,
    [request, { nature }]: readonly [AdmissionRequest, AdmissionContext],
  ): Promise<void> => {
    const { name, ignoresFailures } = invocation.webhook
    try {
      const answer = await askWebhook(invocation, request, {
        caller: parts.caller,
        nature,
        isMutating: false,
      })
      if (!answer.isAllowed) throw webhookDenial(name, answer)
    } catch (error) {
      if (!(error instanceof WebhookUnanswered)) throw error
      if (!ignoresFailures) throw unansweredFailure(error)
      request.annotate(`failed-open.validating.webhook.admission.k8s.io/round_0_index_${index}`, name)
    }
  }

  return {
    name: 'ValidatingAdmissionWebhook',
    handles: (request) => !isExempt(request),
    validate(request, context) {
      const { cluster } = context
      const configurations = cluster.list(resource)
      // The usual case, and on the path of every write.
      if (configurations.length === 0) return undefined
      return (async () => {
        const webhooks = await read(configurations)
        const invocations: Invocation[] = []
        for (const webhook of webhooks) {
          const invocation = await invocationOf(webhook, request, { cluster, authorizer: parts.authorizer })
          if (invocation !== undefined) invocations.push(invocation)
        }
        const results = await Promise.allSettled(
          invocations.map((invocation, index) => call(invocation, index, [request, context])),
        )
        const refusal = results.find((result) => result.status === 'rejected')
        if (refusal !== undefined) throw refusal.reason
      })()
    },
  }
}
