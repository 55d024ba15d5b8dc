import type {
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from '../../../kinds/core/v1.js'
import { goJson } from '../../../schema/internal.js'
import type { ApiObject } from '../../api-object.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, invalid, invalidAs, keyPath, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { type Amounts, amountEntries, compareAmounts, validateAmount } from '../quantity-rules.js'
import { roundResources } from '../resource-list.js'
import { isQuotaResource, validateQuotaResourceName } from '../resource-names.js'

export const resourceQuotaRules: KindRules = {
  defaults(draft) {
    const { spec, status } = draftOf<ResourceQuota>(draft)
    for (const amounts of [spec?.hard, status?.hard, status?.used]) roundResources(amounts)
  },
  warnings: (object, old) => (old === undefined ? quotaWarnings(object) : []),
  validateCreate(object) {
    const { spec, status } = viewOf<ResourceQuota>(object)
    return [...validateSpec(spec ?? {}), ...validateStatus(status)]
  },
  validateUpdate(object, old) {
    const { spec = {} } = viewOf<ResourceQuota>(object)
    const now = new Set(spec.scopes)
    const before = new Set(viewOf<ResourceQuota>(old).spec?.scopes)
    const isSame = now.size === before.size && [...now].every((scope) => before.has(scope))
    return [
      ...validateSpec(spec),
      ...(isSame ? [] : [invalid('spec.scopes', spec.scopes ?? null, 'field is immutable')]),
    ]
  },
  validateStatusUpdate(object) {
    return [
      ...((object.metadata.resourceVersion ?? '') === '' ? [required('resourceVersion')] : []),
      ...validateStatus(viewOf<ResourceQuota>(object).status),
    ]
  },
}

function quotaWarnings(object: ApiObject): string[] {
  const hard = viewOf<ResourceQuota>(object).spec?.hard ?? {}
  return ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => {
    const plain = name === 'ephemeral-storage' ? undefined : name
    const request = hard[`requests.${name}`] === undefined ? plain : `requests.${name}`
    const asked = request === undefined ? undefined : hard[request]
    const limit = hard[`limits.${name}`]
    return asked !== undefined && limit !== undefined && compareAmounts(asked, limit) > 0
      ? [`ResourceQuota ${request} (${asked}) should be less than limits.${name} (${limit})`]
      : []
  })
}

function validateAmounts(amounts: Amounts | undefined, path: string): FieldError[] {
  return amountEntries(amounts).flatMap(([name, amount]) => [
    ...validateQuotaResourceName(name, keyPath(path, name)),
    ...validateAmount(name, amount, keyPath(path, name)),
  ])
}

function validateStatus(status: View<ResourceQuota>['status']): FieldError[] {
  return [...validateAmounts(status?.hard, 'status.hard'), ...validateAmounts(status?.used, 'status.used')]
}

const podCounts = ['pods']
const podAmounts = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']

/** What each scope may limit. */
const scopeResources: Readonly<Record<string, readonly string[]>> = {
  Terminating: [...podCounts, ...podAmounts],
  NotTerminating: [...podCounts, ...podAmounts],
  NotBestEffort: [...podCounts, ...podAmounts],
  PriorityClass: [...podCounts, ...podAmounts],
  CrossNamespacePodAffinity: [...podCounts, ...podAmounts],
  BestEffort: podCounts,
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
}

const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

function unfitting(scope: string, hard: Amounts | undefined): number {
  const allowed = scopeResources[scope]
  if (allowed === undefined) return 0
  return amountEntries(hard).filter(([name]) => isQuotaResource(name) && !allowed.includes(name)).length
}

function validateSpec(spec: View<ResourceQuotaSpec>): FieldError[] {
  return [
    ...validateAmounts(spec.hard, 'spec.hard'),
    ...validateScopes(spec),
    ...(spec.scopeSelector ? validateScopeSelector(spec) : []),
  ]
}

function validateScopes({ scopes = [], hard }: View<ResourceQuotaSpec>): FieldError[] {
  const wrong = (why: string): FieldError => invalid('spec.scopes', scopes, why)
  return [
    ...scopes.flatMap((scope) => [
      ...(scopeResources[scope] === undefined ? [wrong('unsupported scope')] : []),
      ...Array.from({ length: unfitting(scope, hard) }, () => wrong('unsupported scope applied to resource')),
    ]),
    ...opposites
      .filter((pair) => pair.every((scope) => scopes.includes(scope)))
      .map(() => wrong('conflicting scopes')),
  ]
}

function validateScopeSelector(spec: View<ResourceQuotaSpec>): FieldError[] {
  const path = 'spec.scopeSelector.matchExpressions'
  const requirements = spec.scopeSelector?.matchExpressions ?? []
  const names = requirements.map(({ scopeName }) => scopeName)
  return [
    ...requirements.flatMap((requirement) => {
      const scope = requirement.scopeName ?? ''
      return [
        ...(scopeResources[scope] === undefined
          ? [invalid(`${path}.scopeName`, scope, 'unsupported scope')]
          : []),
        ...Array.from({ length: unfitting(scope, spec.hard) }, () =>
          // The server shows its own type here.
          invalidAs(path, shownScopes(requirements), 'unsupported scope applied to resource'),
        ),
        ...validateOperator(requirement, path),
      ]
    }),
    ...opposites
      .filter((pair) => pair.every((scope) => names.includes(scope)))
      .map(() => invalid(path, spec.scopes ?? null, 'conflicting scopes')),
  ]
}

function shownScopes(requirements: readonly View<ScopedResourceSelectorRequirement>[]): string {
  const shown = requirements.map(
    ({ scopeName = '', operator = '', values = null }) =>
      `{"ScopeName":${goJson(scopeName)},"Operator":${goJson(operator)},"Values":${goJson(values)}}`,
  )
  return `{"MatchExpressions":[${shown.join(',')}]}`
}

const existenceRule =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

function validateOperator(
  { scopeName = '', operator = '', values }: View<ScopedResourceSelectorRequirement>,
  path: string,
): FieldError[] {
  const hasNoValue = !['PriorityClass', 'VolumeAttributesClass'].includes(scopeName)
  const errors =
    hasNoValue && scopeResources[scopeName] !== undefined && operator !== 'Exists'
      ? [invalid(`${path}.operator`, operator, existenceRule)]
      : []
  const count = (values ?? []).length
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? errors
        : [
            ...errors,
            required(
              `${path}.values`,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ]
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? errors
        : [
            ...errors,
            invalid(
              `${path}.values`,
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ]
    default:
      return [...errors, invalid(`${path}.operator`, operator, 'not a valid selector operator')]
  }
}
