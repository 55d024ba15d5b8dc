import {
  type LabelRequirement,
  type LabelSelector,
  matchesLabels,
  parseLabelSelector,
} from '../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import { type Fields, fieldsOf, listOf, textOf, textsOf } from '../auth/fields.js'
import type { ClusterState } from '../cluster-state.js'
import { notFound } from '../failure.js'
import type { AdmissionRequest } from './admission.js'

/** One rule of a webhook or a policy: which requests it is about. */
export interface MatchRule {
  readonly operations: readonly string[]
  readonly groups: readonly string[]
  readonly versions: readonly string[]
  readonly resources: readonly string[]
  readonly scope: string
  /** Of policies: empty stands for all. */
  readonly names: readonly string[]
}

/** What a webhook or a policy applies to. */
export interface MatchCriteria {
  readonly rules: readonly MatchRule[]
  readonly excluded: readonly MatchRule[]
  /** Whether requests in other versions of a resource are meant too. */
  readonly isEquivalent: boolean
  readonly namespaces: readonly LabelRequirement[]
  readonly objects: readonly LabelRequirement[]
}

/** The version in which something that applies wants to see the object, and the kind that it has there. */
export interface MatchedVersion {
  readonly version: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
}

/** Reads rules; what is absent stands for nothing. */
export function readRules(rules: unknown): readonly MatchRule[] {
  return listOf(rules).map((rule) => {
    const fields = fieldsOf(rule)
    const scope = textOf(fields['scope'])
    return {
      operations: textsOf(fields['operations']),
      groups: textsOf(fields['apiGroups']),
      versions: textsOf(fields['apiVersions']),
      resources: textsOf(fields['resources']),
      scope: scope === '' ? '*' : scope,
      names: textsOf(fields['resourceNames']),
    }
  })
}

/** Reads a label selector that validation has accepted. An absent one selects everything. */
export function readSelector(selector: unknown): readonly LabelRequirement[] {
  const { matchLabels, matchExpressions } = fieldsOf(selector)
  // The selector was validated when it was stored; parseLabelSelector looks at every part of it again.
  return parseLabelSelector({
    ...(matchLabels !== undefined && matchLabels !== null && { matchLabels }),
    ...(matchExpressions !== undefined && matchExpressions !== null && { matchExpressions }),
  } as LabelSelector)
}

const anything: MatchRule = {
  operations: ['*'],
  groups: ['*'],
  versions: ['*'],
  resources: ['*/*'],
  scope: '*',
  names: [],
}

/** Reads `matchConstraints` of a policy or `matchResources` of a binding, which without rules is about everything. */
export function readMatchResources(match: Fields): MatchCriteria {
  const rules = readRules(match['resourceRules'])
  return {
    rules: rules.length === 0 ? [anything] : rules,
    excluded: readRules(match['excludeResourceRules']),
    isEquivalent: match['matchPolicy'] === 'Equivalent',
    namespaces: readSelector(match['namespaceSelector']),
    objects: readSelector(match['objectSelector']),
  }
}

const has = (list: readonly string[], wanted: string): boolean => list.includes('*') || list.includes(wanted)

/** True when the rule is about the request, as if that was made in this version. */
function ruleMatches(rule: MatchRule, request: AdmissionRequest, version: string): boolean {
  const { info, operation, namespace } = request
  const isNamespace = info.group === '' && info.resource === 'namespaces'
  const isClusterWide = isNamespace || namespace === ''
  if (rule.scope === 'Namespaced' && isClusterWide) return false
  if (rule.scope === 'Cluster' && !isClusterWide) return false
  return (
    has(rule.operations, operation) &&
    has(rule.groups, info.group) &&
    has(rule.versions, version) &&
    rule.resources.some((resource) => resourceMatches(resource, info.resource, info.subresource)) &&
    (rule.names.length === 0 || rule.names.includes(request.name))
  )
}

function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/')
  const wanted = slash < 0 ? pattern : pattern.slice(0, slash)
  const below = slash < 0 ? '' : pattern.slice(slash + 1)
  return (wanted === '*' || wanted === resource) && (below === '*' || below === subresource)
}

/** The version in which a rule is met first: that of the request, else an equivalent one. */
function matchRules(
  rules: readonly MatchRule[],
  request: AdmissionRequest,
  isEquivalent: boolean,
): MatchedVersion | undefined {
  const { version } = request.info
  if (rules.some((rule) => ruleMatches(rule, request, version))) return { version, kind: request.kind }
  if (!isEquivalent) return undefined
  for (const rule of rules) {
    for (const { name } of request.resource.versions) {
      if (name === version || !ruleMatches(rule, request, name)) continue
      const isObject = request.kind.kind === request.resource.kind
      return { version: name, kind: isObject ? { ...request.kind, version: name } : request.kind }
    }
  }
  return undefined
}

/**
 * Whether something applies to a request, and in which version. Throws the 404 of a namespace that is not there, but only
 * when all the rest applies.
 */
export function matchRequest(
  criteria: MatchCriteria,
  request: AdmissionRequest,
  cluster: ClusterState,
): MatchedVersion | undefined {
  const namespaces = matchNamespace(criteria.namespaces, request, cluster)
  if (namespaces === 'no') return undefined
  if (!matchObjects(criteria.objects, request)) return undefined
  if (matchRules(criteria.excluded, request, criteria.isEquivalent) !== undefined) return undefined
  const matched = matchRules(criteria.rules, request, criteria.isEquivalent)
  if (matched !== undefined && namespaces === 'missing')
    throw notFound({ group: '', resource: 'namespaces' }, request.namespace)
  return matched
}

function matchNamespace(
  selector: readonly LabelRequirement[],
  request: AdmissionRequest,
  cluster: ClusterState,
): 'yes' | 'no' | 'missing' {
  const { info, namespace, operation, object } = request
  const isNamespace = info.resource === 'namespaces'
  if (selector.length === 0 || (namespace === '' && !isNamespace)) return 'yes'
  const isWritten =
    isNamespace && info.subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')
  const holder = isWritten ? object : cluster.get('namespaces', '', namespace)
  if (holder === undefined) return 'missing'
  return matchesLabels(selector, holder.metadata.labels) ? 'yes' : 'no'
}

function matchObjects(selector: readonly LabelRequirement[], request: AdmissionRequest): boolean {
  if (selector.length === 0) return true
  const matches = (object: ApiObject | StoredApiObject | undefined): boolean =>
    object !== undefined && matchesLabels(selector, object.metadata.labels)
  return matches(request.object) || matches(request.oldObject)
}

const configurationKinds = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
])

/** What configures admission is never subject to it: nobody could repair what locks everybody out. */
export function isExempt({ kind }: AdmissionRequest): boolean {
  return kind.group === 'admissionregistration.k8s.io' && configurationKinds.has(kind.kind)
}

/** The object and the old one in a version. The same ones when it is that of the request. */
export async function inVersion(
  request: AdmissionRequest,
  { version }: MatchedVersion,
): Promise<{
  readonly object: ApiObject | StoredApiObject | undefined
  readonly oldObject: StoredApiObject | undefined
}> {
  const { object, oldObject, resource, info } = request
  if (version === info.version) return { object, oldObject }
  const convert = async (one: StoredApiObject): Promise<StoredApiObject> =>
    await (resource.convertAsIs?.(one, version) ?? resource.convert(one, version))
  return {
    // A draft is converted as it is: conversion reads and never changes.
    object: object === undefined ? undefined : await convert(object),
    oldObject: oldObject === undefined ? undefined : await convert(oldObject),
  }
}
