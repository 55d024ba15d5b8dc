import type { Pod, PodTemplateSpec } from '../../../kinds/core/v1.js'
import { quoteText } from '../../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import { fieldsOf } from '../../auth/fields.js'
import { type View, viewOf } from '../../builtin/draft.js'
import { invalid } from '../../failure.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { refused } from '../refusal.js'
import { baselineChecks } from './pod-security-baseline.js'
import {
  compareLevels,
  describeLevel,
  minorOf,
  readLevels,
  type SecurityLevel,
} from './pod-security-level.js'
import { restrictedChecks } from './pod-security-restricted.js'
import type { SecurityCheck, Violation } from './pod-under-check.js'

/** Where kinds that make pods keep the template of them. */
const templates: Readonly<Record<string, readonly string[]>> = {
  'podtemplates.': ['template'],
  'replicationcontrollers.': ['spec', 'template'],
  'replicasets.apps': ['spec', 'template'],
  'deployments.apps': ['spec', 'template'],
  'statefulsets.apps': ['spec', 'template'],
  'daemonsets.apps': ['spec', 'template'],
  'jobs.batch': ['spec', 'template'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template'],
}
const ignoredSubresources = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
])
const mostPods = 3000

/** Holds the pods of a namespace to the level of security that its labels say: privileged, if they say nothing. */
export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  handles: ({ info, operation, object }) =>
    object !== undefined &&
    (operation === 'CREATE' || operation === 'UPDATE') &&
    ((info.group === '' && (info.resource === 'pods' || info.resource === 'namespaces')) ||
      Object.hasOwn(templates, `${info.resource}.${info.group}`)),
  validate(request, context) {
    const { info, object } = request
    if (object === undefined) return
    if (info.group === '' && info.resource === 'namespaces') return checkNamespace(request, object, context)
    const isPod = info.group === '' && info.resource === 'pods'
    if (isPod ? ignoredSubresources.has(info.subresource) : info.subresource !== '') return
    const { levels } = readLevels(context.cluster.get('namespaces', '', request.namespace)?.metadata.labels)
    const told = [levels.audit, levels.warn]
    if ([...told, ...(isPod ? [levels.enforce] : [])].every(({ level }) => level === 'privileged')) return
    if (
      isPod &&
      request.oldObject !== undefined &&
      !isRenewed(viewOf<Pod>(object), viewOf<Pod>(request.oldObject))
    )
      return
    const pod = isPod ? viewOf<PodTemplateSpec>(object) : templateOf(request, object)
    const violations = violationsOf(levels.enforce, pod)
    if (isPod && violations.length > 0)
      throw refused(
        request,
        `violates PodSecurity ${quoteText(describeLevel(levels.enforce))}: ${describe(violations)}`,
      )
    const would = (level: SecurityLevel): string | undefined => {
      const found = violationsOf(level, pod)
      if (found.length === 0) return undefined
      return `would violate PodSecurity ${quoteText(describeLevel(level))}: ${describe(found)}`
    }
    const audit = would(levels.audit)
    if (audit !== undefined) request.annotate('pod-security.kubernetes.io/audit-violations', audit)
    const warning = would(levels.warn)
    if (warning !== undefined) request.warn(warning)
  },
}

function templateOf({ info }: AdmissionRequest, object: ApiObject): View<PodTemplateSpec> {
  let value: unknown = object
  for (const field of templates[`${info.resource}.${info.group}`] ?? []) value = fieldsOf(value)[field]
  return fieldsOf(value)
}

function checksOf(level: SecurityLevel): readonly SecurityCheck[] {
  if (level.level === 'privileged') return []
  const minor = minorOf(level)
  const isServed = ({ since }: SecurityCheck): boolean => minor >= since
  const baseline = baselineChecks.filter(isServed)
  if (level.level === 'baseline') return baseline
  const served = [...baseline, ...restrictedChecks.filter(isServed)]
  const replaced = new Set(served.map(({ replaces }) => replaces))
  return served.filter(({ id }) => !replaced.has(id))
}

function violationsOf(
  level: SecurityLevel,
  { metadata, spec = {} }: View<PodTemplateSpec>,
): readonly Violation[] {
  const pod = { annotations: metadata?.annotations ?? {}, spec, minor: minorOf(level) }
  return checksOf(level)
    .map(({ check }) => check(pod))
    .filter((violation) => violation !== undefined)
}

function describe(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
}

/** Of a pod only its images can change, and the containers for debugging can grow. */
function isRenewed(pod: View<Pod>, old: View<Pod>): boolean {
  const images = ({ spec }: View<Pod>, field: 'containers' | 'initContainers'): readonly unknown[] =>
    (spec?.[field] ?? []).map(({ image }) => image)
  const differ = (field: 'containers' | 'initContainers'): boolean => {
    const [now, before] = [images(pod, field), images(old, field)]
    return now.length !== before.length || now.some((image, index) => image !== before[index])
  }
  const known = new Map((old.spec?.ephemeralContainers ?? []).map(({ name, image }) => [name, image]))
  return (
    differ('containers') ||
    differ('initContainers') ||
    (pod.spec?.ephemeralContainers ?? []).some(
      ({ name, image }) => !known.has(name) || known.get(name) !== image,
    )
  )
}

function checkNamespace(request: AdmissionRequest, object: ApiObject, context: AdmissionContext): void {
  if (request.info.subresource !== '') return
  const { levels, errors } = readLevels(object.metadata.labels)
  const old = request.oldObject === undefined ? undefined : readLevels(request.oldObject.metadata.labels)
  const isNewError = old === undefined || JSON.stringify(old.errors) !== JSON.stringify(errors)
  if (errors.length > 0 && isNewError)
    throw invalid({ group: '', resource: 'Namespace' }, object.metadata.name ?? '', errors)
  if (old === undefined || levels.enforce.level === 'privileged') return
  const before = old.levels.enforce
  if (before.version === levels.enforce.version && compareLevels(levels.enforce, before) <= 0) return
  for (const warning of warningsFor(object.metadata.name ?? '', levels.enforce, context))
    request.warn(warning)
}

/** What the pods that are there already have against a new level: each reason once, by the first pod that has it. */
function warningsFor(
  namespace: string,
  level: SecurityLevel,
  { cluster }: AdmissionContext,
): readonly string[] {
  const pods = prioritized(cluster.list('pods', namespace))
  const checked = pods.slice(0, mostPods)
  const byReason = new Map<string, string[]>()
  for (const pod of checked) {
    const violations = violationsOf(level, viewOf<PodTemplateSpec>(pod))
    if (violations.length === 0) continue
    const reason = violations.map((violation) => violation.reason).join(', ')
    byReason.set(reason, [...(byReason.get(reason) ?? []), pod.metadata.name ?? ''])
  }
  const lines = [...byReason].map(([reason, names]) => {
    const [first = ''] = names.toSorted()
    const others = names.length - 1
    const more = others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})`
    return `${first}${more}: ${reason}`
  })
  return [
    ...(checked.length < pods.length
      ? [
          `new PodSecurity enforce level only checked against the first ${checked.length} of ${pods.length} existing pods`,
        ]
      : []),
    ...(lines.length > 0
      ? [
          `existing pods in namespace ${quoteText(namespace)} violate the new PodSecurity enforce level ${quoteText(describeLevel(level))}`,
        ]
      : []),
    ...lines.sort(),
  ]
}

/** One pod of each controller first: the others of it are alike. */
function prioritized(pods: readonly StoredApiObject[]): readonly StoredApiObject[] {
  const seen = new Set<string>()
  const later: StoredApiObject[] = []
  const first = pods.filter((pod) => {
    const owner = pod.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
    if (owner === undefined) return true
    if (!seen.has(owner)) {
      seen.add(owner)
      return true
    }
    later.push(pod)
    return false
  })
  return [...first, ...later]
}
