import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from '../../../kinds/autoscaling/v2.js'
import { compareQuantities, parseQuantity } from '../../../objects/index.js'
import type { View } from '../draft.js'
import { type FieldError, forbidden, invalid, invalidFor, notSupported, required } from '../field-errors.js'
import { pathSegmentName } from '../name-rules.js'
import { isAbsent, isBlank, validateDnsLabel } from '../value-rules.js'

export interface ReferenceOptions {
  readonly allowsEmptyGroup: boolean
  readonly allowsInvalidApiVersion: boolean
}

/** Something named that an autoscaler scales, or measures. */
export function validateReference(
  reference: View<CrossVersionObjectReference>,
  path: string,
  options: ReferenceOptions,
): FieldError[] {
  const { kind, name, apiVersion = '' } = reference
  const segment = (value: string | undefined, field: string): FieldError[] =>
    isBlank(value)
      ? [required(`${path}.${field}`)]
      : invalidFor(`${path}.${field}`, value, pathSegmentName(value, false))
  const problem = options.allowsInvalidApiVersion ? undefined : apiVersionProblem(apiVersion, options)
  return [
    ...segment(kind, 'kind'),
    ...segment(name, 'name'),
    ...(problem === undefined ? [] : [invalid(`${path}.apiVersion`, apiVersion, problem)]),
  ]
}

function apiVersionProblem(apiVersion: string, { allowsEmptyGroup }: ReferenceOptions): string | undefined {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  const group = parts.length === 2 ? (parts[0] ?? '') : ''
  return group === '' && !allowsEmptyGroup ? 'apiVersion must specify API group' : undefined
}

/** In the order in which the server looks at them. */
const sourceFields = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
type SourceField = (typeof sourceFields)[number]

const fieldOfType: Readonly<Record<string, SourceField>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
}

export function validateMetric(
  metric: View<MetricSpec>,
  path: string,
  options: ReferenceOptions,
): FieldError[] {
  const { type = '' } = metric
  const field = Object.hasOwn(fieldOfType, type) ? fieldOfType[type] : undefined
  const unsupported = notSupported(`${path}.type`, type, Object.keys(fieldOfType))
  const present = sourceFields.filter((source) => !isAbsent(metric[source]))
  const [first] = present
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...(field === undefined ? [unsupported] : []),
    ...(first === undefined ? [] : validateSource(metric, first, path, options)),
    ...(field === undefined
      ? [unsupported]
      : isAbsent(metric[field])
        ? [required(`${path}.${field}`, 'must populate information for the given metric source')]
        : []),
    ...(present.length === 1
      ? []
      : present
          .filter((source) => source !== field)
          .map((source) => forbidden(`${path}.${source}`, 'must populate the given metric source only'))),
  ]
}

function validateSource(
  metric: View<MetricSpec>,
  field: SourceField,
  path: string,
  options: ReferenceOptions,
): FieldError[] {
  const at = `${path}.${field}`
  const { target = {} } = metric[field] ?? {}
  const hasValue = !isAbsent(target.value)
  const hasAverage = !isAbsent(target.averageValue)
  const averagePath = `${at}.target.averageValue`
  switch (field) {
    case 'object':
      return [
        ...validateReference(metric.object?.describedObject ?? {}, `${at}.describedObject`, options),
        ...validateIdentifier(metric.object?.metric ?? {}, `${at}.metric`),
        ...validateTarget(target, `${at}.target`),
        ...(hasValue || hasAverage
          ? []
          : [required(averagePath, 'must set either a target value or averageValue')]),
      ]
    case 'external':
      return [
        ...validateIdentifier(metric.external?.metric ?? {}, `${at}.metric`),
        ...validateTarget(target, `${at}.target`),
        ...(hasValue || hasAverage
          ? []
          : [required(averagePath, 'must set either a target value for metric or a per-pod target')]),
        ...(hasValue && hasAverage
          ? [
              forbidden(
                `${at}.target.value`,
                'may not set both a target value for metric and a per-pod target',
              ),
            ]
          : []),
      ]
    case 'pods':
      return [
        ...validateIdentifier(metric.pods?.metric ?? {}, `${at}.metric`),
        ...validateTarget(target, `${at}.target`),
        ...(hasAverage ? [] : [required(averagePath, 'must specify a positive target averageValue')]),
      ]
    case 'resource':
      return [
        ...validateResourceName(metric.resource?.name, `${at}.name`),
        ...validateResourceTarget(target, `${at}.target`),
      ]
    case 'containerResource':
      return [
        ...validateResourceName(metric.containerResource?.name, `${at}.name`),
        ...validateContainer(metric.containerResource ?? {}, `${at}.container`),
        ...validateResourceTarget(target, `${at}.target`),
      ]
  }
}

function validateResourceName(name: string | undefined, path: string): FieldError[] {
  return isBlank(name) ? [required(path, 'must specify a resource name')] : []
}

function validateContainer({ container }: View<ContainerResourceMetricSource>, path: string): FieldError[] {
  return isBlank(container) ? [required(path, 'must specify a container')] : validateDnsLabel(container, path)
}

function validateResourceTarget(target: View<MetricTarget>, path: string): FieldError[] {
  const hasUtilization = !isAbsent(target.averageUtilization)
  const hasAverage = !isAbsent(target.averageValue)
  return [
    ...validateTarget(target, path),
    ...(hasUtilization || hasAverage
      ? []
      : [
          required(
            `${path}.averageUtilization`,
            'must set either a target raw value or a target utilization',
          ),
        ]),
    ...(hasUtilization && hasAverage
      ? [forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization')]
      : []),
  ]
}

function validateTarget(target: View<MetricTarget>, path: string): FieldError[] {
  const { type = '', averageUtilization } = target
  const positive = (field: 'value' | 'averageValue'): FieldError[] => {
    const value = target[field]
    return isAbsent(value) || compareQuantities(parseQuantity(value), parseQuantity('0')) > 0
      ? []
      : [invalid(`${path}.${field}`, value, 'must be positive')]
  }
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(['Utilization', 'Value', 'AverageValue'].includes(type)
      ? []
      : [invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...positive('value'),
    ...positive('averageValue'),
    ...(!isAbsent(averageUtilization) && averageUtilization < 1
      ? [invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ]
}

function validateIdentifier({ name }: View<MetricIdentifier>, path: string): FieldError[] {
  return isBlank(name)
    ? [required(`${path}.name`, 'must specify a metric name')]
    : invalidFor(`${path}.name`, name, pathSegmentName(name, false))
}
