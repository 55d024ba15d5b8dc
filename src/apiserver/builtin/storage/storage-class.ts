import { deepEqual } from '../../../base/index.js'
import type { TopologySelectorTerm } from '../../../kinds/core/v1.js'
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
    const keys = expressions.map(({ key = '' }) => key)
    const values = Object.fromEntries(
      expressions.map(({ key = '', values: given }) => [key, [...new Set(given ?? [])].toSorted()]),
    )
    const isRepeated = seen.some((other) => deepEqual(other, values))
    seen.push(values)
    return [
      ...expressions.flatMap(({ key = '', values: given = [] }, at2) => [
        ...(given.length === 0 ? [required(`${at}[${at2}].values`)] : []),
        ...given.flatMap((value, at3) =>
          given.indexOf(value) < at3 ? [duplicate(`${at}[${at2}].values[${at3}]`, value)] : [],
        ),
        ...validateQualifiedName(key, `${at}[${at2}].key`),
        ...(keys.indexOf(key) < at2 ? [duplicate(`${at}[${at2}].key`, key)] : []),
      ]),
      ...(isRepeated ? [duplicate(at, '')] : []),
    ]
  })
}
