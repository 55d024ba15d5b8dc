import { isPlainObject } from '../../base/index.js'
import { quoteText } from '../../schema/index.js'
import type { RequestInfo } from '../request/request-info.js'
import { listOf, textsOf } from './fields.js'

/** One rule of a role: what may be done with what. Lists that are absent are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

/** Reads the rules of a role or of any list of them; what is not a rule is left out. */
export function policyRules(rules: unknown): readonly PolicyRule[] {
  return listOf(rules)
    .filter(isPlainObject)
    .map((rule) => ({
      verbs: textsOf(rule['verbs']),
      apiGroups: textsOf(rule['apiGroups']),
      resources: textsOf(rule['resources']),
      resourceNames: textsOf(rule['resourceNames']),
      nonResourceURLs: textsOf(rule['nonResourceURLs']),
    }))
}

const hasOrAll = (list: readonly string[], value: string): boolean =>
  list.includes('*') || list.includes(value)

/** True when the rule allows what is asked for. */
export function ruleAllows(rule: PolicyRule, info: RequestInfo): boolean {
  if (!hasOrAll(rule.verbs, info.verb)) return false
  if (!info.isResource) return rule.nonResourceURLs.some((url) => urlCovers(url, info.path))
  const { subresource } = info
  const resource = subresource === '' ? info.resource : `${info.resource}/${subresource}`
  return (
    hasOrAll(rule.apiGroups, info.group) &&
    (hasOrAll(rule.resources, resource) ||
      (subresource !== '' && rule.resources.includes(`*/${subresource}`))) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(info.name))
  )
}

/** A star at the end stands for anything; elsewhere it stands for itself. */
function urlCovers(pattern: string, path: string): boolean {
  if (pattern === path) return true
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''))
}

/** The parts of `wanted` that no rule of `held` covers, each with one verb, one resource and one name. */
export function uncoveredRules(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly PolicyRule[] {
  return wanted.flatMap(atoms).filter((atom) => !held.some((rule) => covers(rule, atom)))
}

const noRule: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] }

function atoms(rule: PolicyRule): readonly PolicyRule[] {
  const parts: PolicyRule[] = []
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        const part = { ...noRule, apiGroups: [group], resources: [resource], verbs: [verb] }
        if (rule.resourceNames.length === 0) parts.push(part)
        else parts.push(...rule.resourceNames.map((name) => ({ ...part, resourceNames: [name] })))
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs) parts.push({ ...noRule, nonResourceURLs: [url], verbs: [verb] })
  }
  return parts
}

function covers(owner: PolicyRule, atom: PolicyRule): boolean {
  return (
    atom.verbs.every((verb) => hasOrAll(owner.verbs, verb)) &&
    atom.apiGroups.every((group) => hasOrAll(owner.apiGroups, group)) &&
    atom.resources.every((resource) => coversResource(owner.resources, resource)) &&
    (owner.resourceNames.length === 0 ||
      (atom.resourceNames.length > 0 &&
        atom.resourceNames.every((name) => owner.resourceNames.includes(name)))) &&
    atom.nonResourceURLs.every((url) => owner.nonResourceURLs.some((pattern) => urlCovers(pattern, url)))
  )
}

function coversResource(owned: readonly string[], resource: string): boolean {
  if (hasOrAll(owned, resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && owned.includes(`*/${resource.slice(slash + 1)}`)
}

/** Texts in quotes between brackets, as the server's messages show a list. */
export function quoteList(list: readonly string[]): string {
  return `[${list.map(quoteText).join(' ')}]`
}

/** Rules as refusals list them: those that differ only by their verbs are one. Sorted, one line each. */
export function describeRules(rules: readonly PolicyRule[]): string {
  const compact = new Map<string, PolicyRule>()
  for (const rule of rules) {
    // A rule for URLs keeps its verbs to itself.
    const key = JSON.stringify([
      rule.apiGroups,
      rule.resources,
      rule.resourceNames,
      ...(rule.nonResourceURLs.length > 0 ? [rule.nonResourceURLs, rule.verbs] : []),
    ])
    const known = compact.get(key)
    compact.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] })
  }
  return [...new Set([...compact.values()].map(describeRule))].sort().join('\n')
}

function describeRule(rule: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ]
  return `{${parts
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}:${quoteList(list)}`)
    .join(', ')}}`
}
