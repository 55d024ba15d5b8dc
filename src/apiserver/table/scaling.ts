import type { DeepReadonly } from '../../base/index.js'
import type { Scale } from '../../kinds/autoscaling/v1.js'
import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../kinds/autoscaling/v2.js'
import type { PodDisruptionBudget } from '../../kinds/policy/v1.js'
import { ageOf, type Cells, nameOf } from './cell-text.js'

type Target = DeepReadonly<MetricTarget>
type Current = DeepReadonly<MetricValueStatus> | undefined

const unknown = '<unknown>'

/** Metrics of the whole: a value, or an average over the pods that says so. */
function totalText(target: Target, current: Current): string {
  if (target.averageValue !== undefined)
    return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`
  return `${current === undefined ? unknown : (current.value ?? '<nil>')}/${target.value ?? '<nil>'}`
}

function resourceText(name: string, target: Target, current: Current): string {
  if (target.averageValue !== undefined)
    return `${name}: ${current === undefined ? unknown : (current.averageValue ?? '<nil>')}/${target.averageValue}`
  const percent = (value: number | undefined, none: string): string =>
    value === undefined ? none : `${value}%`
  return `${name}: ${percent(current?.averageUtilization, unknown)}/${percent(target.averageUtilization, '<auto>')}`
}

function metricText(
  metric: DeepReadonly<MetricSpec>,
  status: DeepReadonly<MetricStatus> | undefined,
): string {
  const { external, pods, object, resource, containerResource } = metric
  switch (metric.type) {
    case 'External':
      return totalText(external?.target ?? { type: '' }, status?.external?.current)
    case 'Object':
      return totalText(object?.target ?? { type: '' }, status?.object?.current)
    case 'Pods': {
      const current = status?.pods === undefined ? unknown : (status.pods.current.averageValue ?? '<nil>')
      return `${current}/${pods?.target.averageValue ?? '<nil>'}`
    }
    case 'Resource':
      return resourceText(resource?.name ?? '', resource?.target ?? { type: '' }, status?.resource?.current)
    case 'ContainerResource':
      return resourceText(
        containerResource?.name ?? '',
        containerResource?.target ?? { type: '' },
        status?.containerResource?.current,
      )
    default:
      return '<unknown type>'
  }
}

function metricsText({ spec, status }: DeepReadonly<HorizontalPodAutoscaler>): string {
  const metrics = spec?.metrics ?? []
  if (metrics.length === 0) return '<none>'
  const texts = metrics.map((metric, index) => metricText(metric, status?.currentMetrics?.[index]))
  const shown = texts.slice(0, 2).join(', ')
  return texts.length > 2 ? `${shown} + ${texts.length - 2} more...` : shown
}

/** Of the second version; those of the first are converted before. */
export const autoscalerCells: Cells<HorizontalPodAutoscaler> = (object, now) => {
  const { spec, status } = object
  return [
    nameOf(object),
    `${spec?.scaleTargetRef.kind ?? ''}/${spec?.scaleTargetRef.name ?? ''}`,
    metricsText(object),
    `${spec?.minReplicas ?? '<unset>'}`,
    spec?.maxReplicas ?? 0,
    status?.currentReplicas ?? 0,
    ageOf(object, now),
  ]
}

export const scaleCells: Cells<Scale> = (object, now) => [
  nameOf(object),
  object.spec?.replicas ?? 0,
  object.status?.replicas ?? 0,
  ageOf(object, now),
]

export const disruptionBudgetCells: Cells<PodDisruptionBudget> = (object, now) => [
  nameOf(object),
  `${object.spec?.minAvailable ?? 'N/A'}`,
  `${object.spec?.maxUnavailable ?? 'N/A'}`,
  object.status?.disruptionsAllowed ?? 0,
  ageOf(object, now),
]
