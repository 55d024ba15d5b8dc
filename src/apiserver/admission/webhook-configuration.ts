import type { ExpressionEngine } from '../../schema/index.js'
import type { StoredApiObject } from '../api-object.js'
import { type Fields, fieldsOf, listOf, textOf, textsOf } from '../auth/fields.js'
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

/** Loads the engine of expressions: only those who have some need it. */
export type LoadEngine = () => Promise<ExpressionEngine>

/** Reads configurations once each, into their webhooks in order. */
export type WebhookReader = (configurations: readonly StoredApiObject[]) => Promise<readonly Webhook[]>

/** A reader with a memory of its own. */
export function createWebhookReader(loadEngine: LoadEngine): WebhookReader {
  const known = new WeakMap<StoredApiObject, readonly Webhook[]>()
  return async (configurations) => {
    const all: Webhook[] = []
    for (const configuration of configurations) {
      let webhooks = known.get(configuration)
      if (webhooks === undefined) {
        webhooks = await readConfiguration(configuration, loadEngine)
        known.set(configuration, webhooks)
      }
      all.push(...webhooks)
    }
    return all
  }
}

async function readConfiguration(
  configuration: StoredApiObject,
  loadEngine: LoadEngine,
): Promise<readonly Webhook[]> {
  const name = configuration.metadata.name ?? ''
  const webhooks = listOf(configuration['webhooks']).map(fieldsOf)
  const read: Webhook[] = []
  for (const [index, fields] of webhooks.entries()) {
    const { matchConditions } = fields
    const conditions =
      listOf(matchConditions).length === 0
        ? []
        : compileConditions(await loadEngine(), matchConditions, conditionVariables)
    read.push(readWebhook(fields, { configuration: name, index, conditions }))
  }
  return read
}

function readWebhook(
  fields: Fields,
  place: { readonly configuration: string; readonly index: number; readonly conditions: MatchConditions },
): Webhook {
  const { configuration, index, conditions } = place
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
    conditions,
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
