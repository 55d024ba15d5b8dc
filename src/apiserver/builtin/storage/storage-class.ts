import { deepEqual } from '../../../base/index.js'
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../../kinds/core/v1.js'
import type { StorageClass, VolumeAttributesClass } from '../../../kinds/storage.k8s.io/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { isBlank, validateImmutable, validateQualifiedName, validateWord } from '../value-rules.js'

const bindingModes = ['Immediate', 'WaitForFirstConsumer']
const reclaimPolicies = ['Delete', 'Retain']

export const storageClassRules: KindRules = {
  defaults(draft) {
    const storageClass = draftOf<StorageClass>(draft)
    storageClass.reclaimPolicy ??= 'Delete'
    storageClass.volumeBindingMode ??= 'Immediate'
  },
  validateCreate(object) {
    const { provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies } =
      viewOf<StorageClass>(object)
    return [
      ...validateProvisioner(provisioner, 'provisioner'),
      ...validateParameters(parameters ?? {}, 'parameters'),
      ...(isBlank(reclaimPolicy) || reclaimPolicies.includes(reclaimPolicy)
        ? []
        : [notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies)]),
      ...validateWord(volumeBindingMode, bindingModes, 'volumeBindingMode'),
      ...validateTopologies(allowedTopologies ?? [], 'allowedTopologies'),
    ]
  },
  validateUpdate(object, old) {
    const now = viewOf<StorageClass>(object)
    const before = viewOf<StorageClass>(old)
    const fields = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const
    return fields.flatMap((field) => validateImmutable(now[field], before[field], field))
  },
}

export const volumeAttributesClassRules: KindRules = {
  validateCreate: (object) => validateAttributesClass(viewOf<VolumeAttributesClass>(object)),
  validateUpdate(object, old) {
    const now = viewOf<VolumeAttributesClass>(object)
    const before = viewOf<VolumeAttributesClass>(old)
    return [
      ...(now.driverName === before.driverName
        ? []
        : [forbidden('driverName', 'updates to driverName are forbidden.')]),
      ...(deepEqual(now.parameters, before.parameters)
        ? []
        : [forbidden('parameters', 'updates to parameters are forbidden.')]),
      ...validateAttributesClass(now),
    ]
  },
}

function validateAttributesClass({ driverName, parameters }: View<VolumeAttributesClass>): FieldError[] {
  return [
    ...validateProvisioner(driverName, 'driverName'),
    ...validateParameters(parameters ?? {}, 'parameters'),
    ...(Object.keys(parameters ?? {}).length === 0
      ? [required('parameters', 'must contain at least one key/value pair')]
      : []),
  ]
}

function validateProvisioner(name: string | undefined, path: string): FieldError[] {
  return isBlank(name) ? [required(path)] : validateQualifiedName(name.toLowerCase(), path)
}

const mostParameters = 512
const largestParameters = 256 * 1024

function validateParameters(
  parameters: Readonly<Record<string, string | undefined>>,
  path: string,
): FieldError[] {
  const entries = Object.entries(parameters)
  if (entries.length > mostParameters) return [tooLong(path, mostParameters)]
  const size = entries.reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value ?? ''),
    0,
  )
  return [
    ...entries.filter(([key]) => key === '').map(([key]) => invalid(path, key, 'field can not be empty.')),
    ...(size > largestParameters ? [tooLong(path, largestParameters)] : []),
  ]
}

function validateTopologies(terms: readonly View<TopologySelectorTerm>[], path: string): FieldError[] {
  const seen: unknown[] = []
  return terms.flatMap((term, index) => {
    const at = `${path}[${index}].matchLabelExpressions`
    const expressions = term.matchLabelExpressions ?? []
    const values = Object.fromEntries(
      expressions.map(({ key = '', values: given }) => [key, [...new Set(given ?? [])].toSorted()]),
    )
    const isRepeated = seen.some((other) => deepEqual(other, values))
    seen.push(values)
    return [...validateExpressions(expressions, at), ...(isRepeated ? [duplicate(at, '')] : [])]
  })
}

function validateExpressions(
  expressions: readonly View<TopologySelectorLabelRequirement>[],
  path: string,
): FieldError[] {
  const keys = expressions.map(({ key = '' }) => key)
  return expressions.flatMap((expression, index) => {
    const at = `${path}[${index}]`
    const { key = '' } = expression
    const values = expression.values ?? []
    return [
      ...(values.length === 0 ? [required(`${at}.values`)] : []),
      ...values.flatMap((value, place) =>
        values.indexOf(value) < place ? [duplicate(`${at}.values[${place}]`, value)] : [],
      ),
      ...validateQualifiedName(key, `${at}.key`),
      ...(keys.indexOf(key) < index ? [duplicate(`${at}.key`, key)] : []),
    ]
  })
}
