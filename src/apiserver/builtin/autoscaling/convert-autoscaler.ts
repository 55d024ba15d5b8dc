import { deepCopy, isPlainObject, JsonSyntaxError, parseJson, stringifyJson } from '../../../base/index.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import {
  behaviorFromAnnotation,
  behaviorToAnnotation,
  metricStatusToV1,
  metricStatusToV2,
  metricToV1,
  metricToV2,
} from './metric-conversion.js'

type Json = Record<string, unknown>

const metricsAnnotation = 'autoscaling.alpha.kubernetes.io/metrics'
const statusesAnnotation = 'autoscaling.alpha.kubernetes.io/current-metrics'
const conditionsAnnotation = 'autoscaling.alpha.kubernetes.io/conditions'
const behaviorAnnotation = 'autoscaling.alpha.kubernetes.io/behavior'
const roundTripAnnotations = [
  metricsAnnotation,
  statusesAnnotation,
  conditionsAnnotation,
  behaviorAnnotation,
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
]

/** What is scaled by when nobody says. */
export const defaultCpuUtilization = 80

function cpuMetric(averageUtilization: unknown): Json {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } }
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function partOf(object: Json, key: string): Json {
  const value = object[key]
  return isPlainObject(value) ? value : {}
}

/** A list in an annotation; nothing when there is none that can be read. */
function readAnnotation(annotations: Readonly<Record<string, string>>, key: string): unknown {
  const text = annotations[key]
  if (text === undefined) return undefined
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

/** An autoscaler in the other version. Gives a fresh object, also when it is of that version already. */
export function convertAutoscaler(object: StoredApiObject | ApiObject, toVersion: string): ApiObject {
  const draft: ApiObject = deepCopy(object)
  const apiVersion = `autoscaling/${toVersion}`
  if (draft.apiVersion === apiVersion) return draft
  draft.apiVersion = apiVersion
  if (toVersion === 'v1') toV1(draft)
  else toV2(draft)
  return draft
}

function isCpuUtilization(metric: Json): boolean {
  const resource = partOf(metric, 'resource')
  const { averageUtilization } = partOf(resource, 'target')
  return (
    metric['type'] === 'Resource' &&
    resource['name'] === 'cpu' &&
    averageUtilization !== undefined &&
    averageUtilization !== null
  )
}

function toV1(draft: ApiObject): void {
  const { metrics, behavior, ...spec } = partOf(draft, 'spec')
  const { currentMetrics, conditions, ...status } = partOf(draft, 'status')
  const all = listOf(metrics)
  const cpu = all.find(isCpuUtilization)
  if (cpu !== undefined)
    spec['targetCPUUtilizationPercentage'] = partOf(partOf(cpu, 'resource'), 'target')['averageUtilization']
  const currentCpu = listOf(currentMetrics)
    .filter((metric) => metric['type'] === 'Resource' && partOf(metric, 'resource')['name'] === 'cpu')
    .map((metric) => partOf(partOf(metric, 'resource'), 'current')['averageUtilization'])
    .findLast((value) => value !== undefined && value !== null)
  if (currentCpu !== undefined) status['currentCPUUtilizationPercentage'] = currentCpu
  draft['spec'] = spec
  draft['status'] = status

  const others = all.filter((metric) => !isCpuUtilization(metric)).map(metricToV1)
  setAnnotations(draft, {
    [metricsAnnotation]: others,
    [statusesAnnotation]: listOf(currentMetrics).map(metricStatusToV1),
    [behaviorAnnotation]: isPlainObject(behavior) ? behaviorToAnnotation(behavior) : undefined,
    [conditionsAnnotation]: listOf(conditions).map(
      ({ type, status: value, lastTransitionTime = null, reason, message }) => ({
        type,
        status: value,
        lastTransitionTime,
        reason,
        message,
      }),
    ),
  })
}

function toV2(draft: ApiObject): void {
  const { targetCPUUtilizationPercentage: cpu, ...spec } = partOf(draft, 'spec')
  const { currentCPUUtilizationPercentage: currentCpu, ...status } = partOf(draft, 'status')
  const annotations = draft.metadata.annotations ?? {}
  const metrics = [
    ...listOf(readAnnotation(annotations, metricsAnnotation)).map(metricToV2),
    ...(cpu === undefined || cpu === null ? [] : [cpuMetric(cpu)]),
  ]
  spec['metrics'] = metrics.length === 0 ? [cpuMetric(defaultCpuUtilization)] : metrics
  const behavior = readAnnotation(annotations, behaviorAnnotation)
  const readable = isPlainObject(behavior) ? behaviorFromAnnotation(behavior) : undefined
  if (readable !== undefined) spec['behavior'] = readable
  const statuses = readAnnotation(annotations, statusesAnnotation)
  if (Array.isArray(statuses)) status['currentMetrics'] = listOf(statuses).map(metricStatusToV2)
  else if (currentCpu !== undefined && currentCpu !== null)
    status['currentMetrics'] = [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: currentCpu } } },
    ]
  const conditions = readAnnotation(annotations, conditionsAnnotation)
  if (Array.isArray(conditions)) status['conditions'] = listOf(conditions)
  draft['spec'] = spec
  draft['status'] = status
  setAnnotations(draft, {})
}

/** Annotations of an earlier round trip go; `values` come, but for empty ones. */
function setAnnotations(draft: ApiObject, values: Readonly<Record<string, unknown>>): void {
  const annotations = Object.fromEntries(
    Object.entries(draft.metadata.annotations ?? {}).filter(([key]) => !roundTripAnnotations.includes(key)),
  )
  for (const [key, value] of Object.entries(values)) {
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0)
    if (!isEmpty) annotations[key] = stringifyJson(value)
  }
  if (Object.keys(annotations).length === 0) delete draft.metadata.annotations
  else draft.metadata.annotations = annotations
}
