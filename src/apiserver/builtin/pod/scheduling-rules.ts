import type {
  Affinity,
  NodeAffinity,
  PodAffinity,
  PodAffinityTerm,
  Toleration,
  TopologySpreadConstraint,
} from '../../../kinds/core/v1.js'
import type { LabelSelector } from '../../../kinds/meta/v1.js'
import { dns1123LabelErrors, labelKeyErrors, labelValueErrors } from '../../../objects/index.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidFor,
  itemPath,
  notSupported,
  required,
} from '../field-errors.js'
import { validateLabelSelector } from '../label-selector-rules.js'
import { validateWord } from '../value-rules.js'
import { validateNodeSelector, validateNodeSelectorTerm } from './node-selector-rules.js'

/** What is wrong with what a pod is drawn to. */
export function validateAffinity(affinity: View<Affinity> | undefined, path: string): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {}
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`) : []),
    ...(podAffinity ? validatePodAffinity(podAffinity, `${path}.podAffinity`) : []),
    ...(podAntiAffinity ? validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`) : []),
  ]
}

function validateWeight(weight: number | undefined, path: string): FieldError[] {
  const value = weight ?? 0
  return value >= 1 && value <= 100 ? [] : [invalid(path, value, 'must be in the range 1-100')]
}

function validateNodeAffinity(affinity: View<NodeAffinity>, path: string): FieldError[] {
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution
  return [
    ...(required
      ? validateNodeSelector(required, `${path}.requiredDuringSchedulingIgnoredDuringExecution`)
      : []),
    ...validateEach(
      affinity.preferredDuringSchedulingIgnoredDuringExecution,
      `${path}.preferredDuringSchedulingIgnoredDuringExecution`,
      ({ weight, preference }, own) => [
        ...validateWeight(weight, `${own}.weight`),
        ...validateNodeSelectorTerm(preference ?? {}, `${own}.preference`, true),
      ],
    ),
  ]
}

function validatePodAffinity(affinity: View<PodAffinity>, path: string): FieldError[] {
  return [
    ...validateEach(
      affinity.requiredDuringSchedulingIgnoredDuringExecution,
      `${path}.requiredDuringSchedulingIgnoredDuringExecution`,
      validateTerm,
    ),
    ...validateEach(
      affinity.preferredDuringSchedulingIgnoredDuringExecution,
      `${path}.preferredDuringSchedulingIgnoredDuringExecution`,
      ({ weight, podAffinityTerm }, own) => [
        ...validateWeight(weight, `${own}.weight`),
        ...validateTerm(podAffinityTerm ?? {}, `${own}.podAffinityTerm`),
      ],
    ),
  ]
}

function validateTerm(term: View<PodAffinityTerm>, path: string): FieldError[] {
  const { topologyKey = '', labelSelector, matchLabelKeys, mismatchLabelKeys } = term
  return [
    ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...(term.namespaces ?? []).flatMap((name) =>
      invalidFor(`${path}.namespace`, name, dns1123LabelErrors(name)),
    ),
    ...validateLabelKeys(path, labelSelector, matchLabelKeys ?? [], mismatchLabelKeys ?? []),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...invalidFor(`${path}.topologyKey`, topologyKey, labelKeyErrors(topologyKey)),
  ]
}

/** Keys whose values are taken from the pod itself. On creation their terms stand at the end of the selector already. */
function validateLabelKeys(
  path: string,
  selector: View<LabelSelector> | undefined,
  matching: readonly string[],
  mismatching: readonly string[],
): FieldError[] {
  const check = (keys: readonly string[], own: string): FieldError[] => {
    if (keys.length === 0) return []
    if (!selector) return [forbidden(own, 'must not be specified when labelSelector is not set')]
    return keys.flatMap((key, index) => invalidFor(itemPath(own, index), key, labelKeyErrors(key)))
  }
  const errors = [
    ...check(matching, `${path}.matchLabelKeys`),
    ...check(mismatching, `${path}.mismatchLabelKeys`),
  ]
  const selected = new Set(Object.keys(selector?.matchLabels ?? {}))
  for (const { key = '' } of selector?.matchExpressions ?? []) {
    const index = matching.lastIndexOf(key)
    if (index !== -1 && selected.has(key))
      errors.push(invalid(itemPath(path, index), key, 'exists in both matchLabelKeys and labelSelector'))
    selected.add(key)
  }
  for (const [index, key] of matching.entries())
    if (mismatching.includes(key))
      errors.push(
        invalid(
          itemPath(`${path}.matchLabelKeys`, index),
          key,
          'exists in both matchLabelKeys and mismatchLabelKeys',
        ),
      )
  return errors
}

/** What is wrong with how pods are spread over the cluster. */
export function validateSpread(
  constraints: readonly View<TopologySpreadConstraint>[] | undefined,
  path: string,
): FieldError[] {
  return validateEach(constraints, path, (constraint, own, index) => {
    const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', minDomains } = constraint
    const isRepeated = (constraints ?? [])
      .slice(index + 1)
      .some(
        (other) =>
          (other.topologyKey ?? '') === topologyKey && (other.whenUnsatisfiable ?? '') === whenUnsatisfiable,
      )
    return [
      ...(maxSkew > 0 ? [] : [invalid(`${own}.maxSkew`, maxSkew, 'must be greater than zero')]),
      ...(topologyKey === '' ? [required(`${own}.topologyKey`, 'can not be empty')] : []),
      ...validateWord(whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'], `${own}.whenUnsatisfiable`),
      ...(isRepeated
        ? [duplicate(`${own}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`)]
        : []),
      ...(minDomains === undefined
        ? []
        : [
            ...(minDomains > 0
              ? []
              : [invalid(`${own}.minDomains`, minDomains, 'must be greater than zero')]),
            ...(whenUnsatisfiable === 'DoNotSchedule'
              ? []
              : [
                  invalid(
                    `${own}.minDomains`,
                    minDomains,
                    `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`,
                  ),
                ]),
          ]),
      ...(['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const).flatMap((field) =>
        constraint[field] === undefined
          ? []
          : validateWord(constraint[field], ['Honor', 'Ignore'], `${own}.${field}`),
      ),
      ...validateLabelKeys(own, constraint.labelSelector, constraint.matchLabelKeys ?? [], []),
      ...validateLabelSelector(constraint.labelSelector, `${own}.labelSelector`),
    ]
  })
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** What is wrong with the taints that a pod bears. */
export function validateTolerations(
  tolerations: readonly View<Toleration>[] | undefined,
  path: string,
): FieldError[] {
  return validateEach(tolerations, path, (toleration, own) => {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration
    return [
      ...(key === '' ? [] : invalidFor(`${own}.key`, key, labelKeyErrors(key))),
      ...(key === '' && operator !== 'Exists'
        ? [
            invalid(
              `${own}.operator`,
              operator,
              'operator must be Exists when `key` is empty, which means "match all values and all keys"',
            ),
          ]
        : []),
      ...(tolerationSeconds !== undefined && effect !== 'NoExecute'
        ? [invalid(`${own}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
        : []),
      ...validateTolerated(operator, value, `${own}.operator`),
      ...(effect === '' || effects.includes(effect) ? [] : [notSupported(`${own}.effect`, effect, effects)]),
    ]
  })
}

function validateTolerated(operator: string, value: string, path: string): FieldError[] {
  switch (operator) {
    case '':
    case 'Equal': {
      const problems = labelValueErrors(value)
      return problems.length === 0 ? [] : [invalid(path, value, problems.join(';'))]
    }
    case 'Exists':
      return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")]
    case 'Lt':
    case 'Gt':
      return [notSupported(path, operator, ['Equal', 'Exists', 'Lt', 'Gt'])]
    default:
      return [notSupported(path, operator, ['Equal', 'Exists'])]
  }
}
