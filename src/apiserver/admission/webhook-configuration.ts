import type { ExpressionEngine } from '../../schema/index.js'
import type { StoredApiObject } from '../api-object.js'
import { fieldsOf, listOf, textOf, textsOf } from '../auth/fields.js'
import { admissionVariables, authorizerVariables } from './cel-variables.js'
import { compileConditions, type MatchConditions } from './match-conditions.js'
import { type MatchCriteria, readRules, readSelector } from './matching.js'
import type { WebhookClientConfig } from './webhook-caller.js'

/** One webhook of a configuration, ready to be matched and called. */
export interface Webhook {
  readonly name: string
  readonly configuration: string
  /** What tells it from all others while a request lasts. */
  readonly id: string
  readonly criteria: MatchCriteria
  readonly conditions: MatchConditions
  readonly clientConfig: WebhookClientConfig
  readonly ignoresFailures: boolean
  readonly timeoutSeconds: number
  readonly sideEffects: string
  readonly reviewVersions: readonly string[]
  /** Whether it wants to see again what others changed after it. */
  readonly isReinvoked: boolean
}

const conditionVariables = { ...admissionVariables, ...authorizerVariables }

/** Reads configurations once each. */
export function createWebhookReader(
  engine: ExpressionEngine,
): (configuration: StoredApiObject) => readonly Webhook[] {
  const known = new WeakMap<StoredApiObject, readonly Webhook[]>()
  return (configuration) => {
    let webhooks = known.get(configuration)
    if (webhooks === undefined) {
      webhooks = listOf(configuration['webhooks']).map((webhook, index) =>
        readWebhook(engine, configuration.metadata.name ?? '', webhook, index),
      )
      known.set(configuration, webhooks)
    }
    return webhooks
  }
}

function readWebhook(
  engine: ExpressionEngine,
  configuration: string,
  webhook: unknown,
  index: number,
): Webhook {
  const fields = fieldsOf(webhook)
  const name = textOf(fields['name'])
  const { timeoutSeconds } = fields
  return {
    name,
    configuration,
    id: `${configuration}/${name}/${index}`,
    criteria: {
      rules: readRules(fields['rules']),
      excluded: [],
      isEquivalent: fields['matchPolicy'] === 'Equivalent',
      namespaces: readSelector(fields['namespaceSelector']),
      objects: readSelector(fields['objectSelector']),
    },
    conditions: compileConditions(engine, fields['matchConditions'], conditionVariables),
    clientConfig: readClientConfig(fields['clientConfig']),
    ignoresFailures: fields['failurePolicy'] === 'Ignore',
    timeoutSeconds: typeof timeoutSeconds === 'number' ? timeoutSeconds : 10,
    sideEffects: textOf(fields['sideEffects']),
    reviewVersions: textsOf(fields['admissionReviewVersions']),
    isReinvoked: fields['reinvocationPolicy'] === 'IfNeeded',
  }
}

/** Reads a `clientConfig` that validation has accepted. */
export function readClientConfig(config: unknown): WebhookClientConfig {
  const { url, service, caBundle } = fieldsOf(config)
  const { namespace, name, path, port } = fieldsOf(service)
  return {
    ...(typeof url === 'string' && { url }),
    ...(service !== undefined &&
      service !== null && {
        service: {
          namespace: textOf(namespace),
          name: textOf(name),
          ...(typeof path === 'string' && { path }),
          ...(typeof port === 'number' && { port }),
        },
      }),
    ...(typeof caBundle === 'string' && { caBundle }),
  }
}
