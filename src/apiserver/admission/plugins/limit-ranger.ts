import { setOwn } from '../../../base/index.js'
import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '../../../kinds/core/v1.js'
import { aggregate } from '../../auth/rbac.js'
import { type Draft, draftOf, type View, viewOf } from '../../builtin/draft.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { refused } from '../refusal.js'
import { limitProblems, maxRequestProblem, minProblem, type ResourceAmounts } from './limit-rules.js'
import { podAmounts } from './pod-amounts.js'
import { isWriteOf } from './target.js'

const annotation = 'kubernetes.io/limit-ranger'

/** Fills in and enforces what the LimitRanges of a namespace say about containers, pods and claims. */
export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  handles(request) {
    const { operation, info, oldObject } = request
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false
    if (oldObject?.metadata.deletionTimestamp !== undefined) return false
    const isResize = info.group === '' && info.resource === 'pods' && info.subresource === 'resize'
    if (isResize && operation === 'UPDATE') return true
    // The containers of a pod never change but by a resize.
    return (
      (operation === 'CREATE' && isWriteOf(request, 'pods')) || isWriteOf(request, 'persistentvolumeclaims')
    )
  },
  mutate(request, context) {
    if (request.object === undefined || request.info.resource !== 'pods') return
    const pod = draftOf<Pod>(request.object)
    for (const range of rangesOf(request, context)) setDefaults(pod, range)
  },
  validate(request, context) {
    const { object, info } = request
    if (object === undefined) return
    for (const { spec } of rangesOf(request, context)) {
      const items = spec?.limits ?? []
      const problems =
        info.resource === 'pods'
          ? items.flatMap((item) => podProblems(item, viewOf<Pod>(object)))
          : items.flatMap((item) => claimProblems(item, viewOf<PersistentVolumeClaim>(object)))
      if (problems.length > 0) throw refused(request, aggregate(problems))
    }
  },
}

function rangesOf(
  { namespace }: AdmissionRequest,
  { cluster }: AdmissionContext,
): readonly View<LimitRange>[] {
  return cluster.list('limitranges', namespace).map((stored) => viewOf<LimitRange>(stored))
}

function setDefaults(pod: Draft<Pod>, { spec }: View<LimitRange>): void {
  const items = (spec?.limits ?? []).filter(({ type }) => type === 'Container')
  const requests = joined(items.map((item) => item.defaultRequest ?? {}))
  const limits = joined(items.map((item) => item.default ?? {}))
  const notes = [
    ...(pod.spec?.containers ?? []).flatMap((each) => fillIn(each, 'container', { requests, limits })),
    ...(pod.spec?.initContainers ?? []).flatMap((each) =>
      fillIn(each, 'init container', { requests, limits }),
    ),
  ]
  if (notes.length === 0) return
  const metadata = (pod.metadata ??= {})
  metadata.annotations = {
    ...metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join('; ')}`,
  }
}

/** Several tables as one; later ones win. */
function joined(tables: readonly ResourceAmounts[]): ResourceAmounts {
  return Object.fromEntries(tables.flatMap((table) => Object.entries(table)))
}

function fillIn(
  container: Draft<Container>,
  title: string,
  defaults: { readonly requests: ResourceAmounts; readonly limits: ResourceAmounts },
): string[] {
  const notes: string[] = []
  for (const [field, word] of [
    ['requests', 'request'],
    ['limits', 'limit'],
  ] as const) {
    const given = container.resources?.[field] ?? {}
    const missing = Object.keys(defaults[field]).filter((name) => !Object.hasOwn(given, name))
    if (missing.length === 0) continue
    const amounts = { ...given }
    for (const name of missing) setOwn(amounts, name, defaults[field][name])
    container.resources = { ...container.resources, [field]: amounts }
    notes.push(`${missing.sort().join(', ')} ${word} for ${title} ${container.name ?? ''}`)
  }
  return notes
}

function podProblems(item: View<LimitRangeItem>, pod: View<Pod>): readonly string[] {
  if (item.type === 'Container') {
    const containers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])]
    return containers.flatMap(({ resources }) =>
      limitProblems(item, { requests: resources?.requests ?? {}, limits: resources?.limits ?? {} }),
    )
  }
  if (item.type !== 'Pod') return []
  return limitProblems(item, { requests: podAmounts(pod, 'requests'), limits: podAmounts(pod, 'limits') })
}

function claimProblems(item: View<LimitRangeItem>, { spec }: View<PersistentVolumeClaim>): readonly string[] {
  if (item.type !== 'PersistentVolumeClaim') return []
  const amounts = { requests: spec?.resources?.requests ?? {}, limits: {} }
  return [
    ...Object.entries(item.min ?? {}).map(([name, bound]) =>
      minProblem(item.type ?? '', [name, bound], amounts),
    ),
    ...Object.entries(item.max ?? {}).map(([name, bound]) =>
      maxRequestProblem(item.type ?? '', [name, bound], amounts),
    ),
  ].filter((problem) => problem !== undefined)
}
