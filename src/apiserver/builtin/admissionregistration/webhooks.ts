import { deepEqual } from '../../../base/index.js'
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
} from '../../../kinds/admissionregistration.k8s.io/v1.js'
import { dns1035LabelErrors } from '../../../objects/index.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import { duplicate, type FieldError, invalid, invalidFor, notSupported, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { isAbsent, validateFullyQualifiedName } from '../value-rules.js'
import { validateClientConfig } from '../webhook-client-rules.js'
import type { ExpressionChecker } from './expressions.js'
import {
  failurePolicies,
  matchPolicies,
  validateMatchConditions,
  validateOperationRule,
} from './match-rules.js'

// A validating webhook has no reinvocationPolicy; in all else they are alike.
type Configuration = MutatingWebhookConfiguration
type Webhook = View<MutatingWebhook>

const reviewVersions = ['v1', 'v1beta1']
const harmless = ['None', 'NoneOnDryRun']
const sideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown']
const reinvocations = ['IfNeeded', 'Never']

/** Of both kinds of webhook configurations. */
export function webhookRules(isMutating: boolean, checker: ExpressionChecker): KindRules {
  return {
    hasGeneration: true,
    generationFields: ['webhooks'],
    allowsUnconditionalUpdate: false,
    defaults(draft) {
      for (const hook of draftOf<Configuration>(draft).webhooks ?? []) applyDefaults(hook, isMutating)
    },
    validateCreate: (object) =>
      validateWebhooks(viewOf<Configuration>(object).webhooks ?? [], strict, checker),
    validateUpdate(object, old) {
      const hooks = viewOf<Configuration>(object).webhooks ?? []
      return validateWebhooks(hooks, lenience(hooks, viewOf<Configuration>(old).webhooks ?? []), checker)
    },
  }
}

function applyDefaults(hook: Draft<MutatingWebhook>, isMutating: boolean): void {
  hook.failurePolicy ??= 'Fail'
  hook.matchPolicy ??= 'Equivalent'
  hook.namespaceSelector ??= {}
  hook.objectSelector ??= {}
  hook.timeoutSeconds ??= 10
  if (isMutating) hook.reinvocationPolicy ??= 'Never'
  for (const rule of hook.rules ?? []) rule.scope ??= '*'
  const service = hook.clientConfig?.service
  if (!isAbsent(service)) service.port ??= 443
}

/** What is looked at; what was let in once may stay. */
interface Checks {
  readonly conditions: boolean
  readonly sideEffects: boolean
  readonly versions: boolean
  readonly names: boolean
}

const strict: Checks = { conditions: true, sideEffects: true, versions: true, names: true }

function lenience(hooks: readonly Webhook[], old: readonly Webhook[]): Checks {
  const names = old.map(({ name }) => name)
  return {
    conditions:
      hooks.length !== old.length ||
      hooks.some(({ matchConditions }, index) => !deepEqual(matchConditions, old[index]?.matchConditions)),
    sideEffects: old.every((hook) => harmless.includes(hook.sideEffects ?? '')),
    versions: old.every(
      ({ admissionReviewVersions: versions }) =>
        (versions ?? []).length === 0 || versions?.some((version) => reviewVersions.includes(version)),
    ),
    names: new Set(names).size === names.length,
  }
}

function validateWebhooks(
  hooks: readonly Webhook[],
  checks: Checks,
  checker: ExpressionChecker,
): FieldError[] {
  const names = hooks.map(({ name = '' }) => name)
  return hooks.flatMap((hook, index) => {
    const path = `webhooks[${index}]`
    const { name = '', admissionReviewVersions: versions } = hook
    return [
      ...validateWebhook(hook, path, checks, checker),
      ...validateReviewVersions(versions ?? [], `${path}.admissionReviewVersions`, checks),
      ...(checks.names && name !== '' && names.indexOf(name) < index
        ? [duplicate(`${path}.name`, name)]
        : []),
    ]
  })
}

function validateReviewVersions(versions: readonly string[], path: string, checks: Checks): FieldError[] {
  const list = reviewVersions.join(', ')
  if (versions.length === 0) return [required(path, `must specify one of ${list}`)]
  return [
    ...versions.flatMap((version, index) =>
      versions.indexOf(version) < index
        ? [invalid(`${path}[${index}]`, version, 'duplicate version')]
        : invalidFor(`${path}[${index}]`, version, dns1035LabelErrors(version)),
    ),
    ...(checks.versions && !versions.some((version) => reviewVersions.includes(version))
      ? [invalid(path, versions, `must include at least one of ${list}`)]
      : []),
  ]
}

function validateWebhook(
  hook: Webhook,
  path: string,
  checks: Checks,
  checker: ExpressionChecker,
): FieldError[] {
  const { rules = [], timeoutSeconds, clientConfig = {}, matchConditions = [] } = hook
  const word = (
    field: 'failurePolicy' | 'matchPolicy' | 'reinvocationPolicy',
    words: readonly string[],
  ): FieldError[] => {
    const value = hook[field]
    return isAbsent(value) || words.includes(value) ? [] : [notSupported(`${path}.${field}`, value, words)]
  }
  return [
    ...validateFullyQualifiedName(hook.name, `${path}.name`),
    ...rules.flatMap((rule, index) => validateOperationRule(rule, `${path}.rules[${index}]`)),
    ...word('failurePolicy', failurePolicies),
    ...word('matchPolicy', matchPolicies),
    ...validateSideEffects(hook.sideEffects, `${path}.sideEffects`, checks),
    ...(!isAbsent(timeoutSeconds) && (timeoutSeconds > 30 || timeoutSeconds < 1)
      ? [
          invalid(
            `${path}.timeoutSeconds`,
            timeoutSeconds,
            'the timeout value must be between 1 and 30 seconds',
          ),
        ]
      : []),
    ...validateLabelSelector(hook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(hook.objectSelector, `${path}.objectSelector`),
    ...word('reinvocationPolicy', reinvocations),
    ...validateClientConfig(clientConfig, `${path}.clientConfig`),
    ...(checks.conditions
      ? validateMatchConditions(matchConditions, `${path}.matchConditions`, (expression, at) =>
          checker.check(expression, at, { returns: ['bool'], hasParams: false }),
        )
      : []),
  ]
}

function validateSideEffects(value: string | undefined, path: string, checks: Checks): FieldError[] {
  const words = checks.sideEffects ? harmless : sideEffects
  if (isAbsent(value)) return [required(path, `must specify one of ${words.join(', ')}`)]
  return words.includes(value) ? [] : [notSupported(path, value, words)]
}
