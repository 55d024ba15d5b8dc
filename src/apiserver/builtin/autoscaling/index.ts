import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
} from '../../../kinds/autoscaling/v2.js'
import { compareQuantities, parseQuantity } from '../../../objects/index.js'
import type { ApiObject, StoredApiObject } from '../../api-object.js'
import { type Draft, draftOf, type View, viewOf } from '../draft.js'
import { type FieldError, forbidden, invalid, notSupported, required } from '../field-errors.js'
import type { GroupRules } from '../kind-rules.js'
import { isAbsent, validateNonNegative } from '../value-rules.js'
import { convertAutoscaler, defaultCpuUtilization } from './convert-autoscaler.js'
import { validateMetric, validateReference } from './metric-rules.js'

/** What is particular to the kinds of autoscaling. */
export const autoscalingRules: GroupRules = {
  HorizontalPodAutoscaler: {
    storageVersion: 'v2',
    convert: convertAutoscaler,
    earlyDefaults: applyEarlyDefaults,
    defaults: applyDefaults,
    validateCreate: (object) => validateSpec(specOf(object), undefined),
    validateUpdate: (object, old) => validateSpec(specOf(object), specOf(old)),
    validateStatusUpdate(object) {
      const { status = {} } = viewOf<HorizontalPodAutoscaler>(object)
      return [
        ...validateNonNegative(status.currentReplicas, 'status.currentReplicas'),
        ...validateNonNegative(status.desiredReplicas, 'status.desiredReplicas'),
      ]
    },
    versions: {
      v1: {
        // What the second version fills in is filled in by way of it.
        defaults(draft) {
          const newer = convertAutoscaler(draft, 'v2')
          applyEarlyDefaults(newer)
          applyDefaults(newer)
          Object.assign(draft, convertAutoscaler(newer, 'v1'))
        },
      },
    },
  },
}

function applyDefaults(draft: ApiObject): void {
  const { spec = {} } = draftOf<HorizontalPodAutoscaler>(draft)
  spec.minReplicas ??= 1
  if ((spec.metrics ?? []).length === 0)
    spec.metrics = [
      {
        type: 'Resource',
        resource: {
          name: 'cpu',
          target: { type: 'Utilization', averageUtilization: defaultCpuUtilization },
        },
      },
    ]
}

function applyEarlyDefaults(draft: ApiObject): void {
  const { behavior } = draftOf<HorizontalPodAutoscaler>(draft).spec ?? {}
  if (!isAbsent(behavior)) applyBehaviorDefaults(behavior)
}

/** Both versions are judged in the form of the second. */
function specOf(object: ApiObject | StoredApiObject): View<HorizontalPodAutoscalerSpec> {
  return viewOf<HorizontalPodAutoscaler>(convertAutoscaler(object, 'v2')).spec ?? {}
}

const upPolicies: readonly HPAScalingPolicy[] = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
]
const downPolicies: readonly HPAScalingPolicy[] = [{ type: 'Percent', value: 100, periodSeconds: 15 }]

function applyBehaviorDefaults(behavior: Draft<HorizontalPodAutoscalerBehavior>): void {
  const fill = (rules: Draft<HPAScalingRules>, policies: readonly HPAScalingPolicy[]): void => {
    rules.selectPolicy ??= 'Max'
    rules.policies ??= policies.map((policy) => ({ ...policy }))
  }
  behavior.scaleUp ??= {}
  behavior.scaleUp.stabilizationWindowSeconds ??= 0
  fill(behavior.scaleUp, upPolicies)
  behavior.scaleDown ??= {}
  fill(behavior.scaleDown, downPolicies)
}

function validateSpec(
  spec: View<HorizontalPodAutoscalerSpec>,
  old: View<HorizontalPodAutoscalerSpec> | undefined,
): FieldError[] {
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {}, metrics = [], behavior } = spec
  const lowest = old?.minReplicas === 0 ? 0 : 1
  const before = old?.scaleTargetRef
  const isSameTarget =
    before !== undefined &&
    before.apiVersion === scaleTargetRef.apiVersion &&
    before.kind === scaleTargetRef.kind
  const scalesToZero = metrics.some(({ type }) => type === 'Object' || type === 'External')
  return [
    ...(!isAbsent(minReplicas) && minReplicas < lowest
      ? [invalid('spec.minReplicas', minReplicas, `must be greater than or equal to ${lowest}`)]
      : []),
    ...validateMaxReplicas(maxReplicas, minReplicas),
    ...validateReference(scaleTargetRef, 'spec.scaleTargetRef', {
      allowsInvalidApiVersion: isSameTarget,
      allowsEmptyGroup: !isSameTarget && scaleTargetRef.kind === 'ReplicationController',
    }),
    ...metrics.flatMap((metric, index) =>
      validateMetric(metric, `spec.metrics[${index}]`, {
        allowsEmptyGroup: true,
        allowsInvalidApiVersion: false,
      }),
    ),
    ...(minReplicas === 0 && !scalesToZero
      ? [
          forbidden(
            'spec.metrics',
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
    ...(isAbsent(behavior?.scaleUp) ? [] : validateRules(behavior.scaleUp, 'spec.behavior.scaleUp')),
    ...(isAbsent(behavior?.scaleDown) ? [] : validateRules(behavior.scaleDown, 'spec.behavior.scaleDown')),
  ]
}

function validateMaxReplicas(max: number, min: number | null | undefined): FieldError[] {
  const path = 'spec.maxReplicas'
  const errors: FieldError[] = []
  if (max === 0) errors.push(required(path, 'must be set and greater than 0'))
  else if (max < 0) errors.push(invalid(path, max, 'must be greater than or equal to 1'))
  if (!isAbsent(min) && max < min)
    errors.push(invalid(path, max, 'must be greater than or equal to `minReplicas`'))
  return errors
}

const longestWindow = 3600
const longestPeriod = 1800

function validateRules(rules: View<HPAScalingRules>, path: string): FieldError[] {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules
  const windowPath = `${path}.stabilizationWindowSeconds`
  const words = ['Disabled', 'Max', 'Min']
  return [
    ...(!isAbsent(window) && window < 0
      ? [invalid(windowPath, window, 'must be greater than or equal to zero')]
      : []),
    ...(!isAbsent(window) && window > longestWindow
      ? [invalid(windowPath, window, `must be less than or equal to ${longestWindow}`)]
      : []),
    ...(!isAbsent(selectPolicy) && !words.includes(selectPolicy)
      ? [notSupported(`${path}.selectPolicy`, selectPolicy, words)]
      : []),
    ...(policies.length === 0 ? [required(`${path}.policies`, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, index) => validatePolicy(policy, `${path}.policies[${index}]`)),
    ...(!isAbsent(tolerance) && compareQuantities(parseQuantity(tolerance), parseQuantity('0')) < 0
      ? [invalid(`${path}.tolerance`, tolerance, 'must be greater than or equal to 0')]
      : []),
  ]
}

function validatePolicy(policy: View<HPAScalingPolicy>, path: string): FieldError[] {
  const { type = '', value = 0, periodSeconds = 0 } = policy
  const words = ['Percent', 'Pods']
  return [
    ...(words.includes(type) ? [] : [notSupported(`${path}.type`, type, words)]),
    ...(value <= 0 ? [invalid(`${path}.value`, value, 'must be greater than zero')] : []),
    ...(periodSeconds <= 0
      ? [invalid(`${path}.periodSeconds`, periodSeconds, 'must be greater than zero')]
      : []),
    ...(periodSeconds > longestPeriod
      ? [invalid(`${path}.periodSeconds`, periodSeconds, `must be less than or equal to ${longestPeriod}`)]
      : []),
  ]
}
