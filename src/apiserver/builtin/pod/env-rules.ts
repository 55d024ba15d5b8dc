import type {
  EnvFromSource,
  EnvVar,
  FileKeySelector,
  ObjectFieldSelector,
  PodSpec,
  ResourceFieldSelector,
} from '../../../kinds/core/v1.js'
import { dns1123SubdomainErrors } from '../../../objects/index.js'
import type { View } from '../draft.js'
import { validateEach } from '../each.js'
import { type FieldError, invalid, invalidFor, notFound, notSupported, required } from '../field-errors.js'
import { configKeyProblems, environmentNameProblems } from '../key-rules.js'
import { compareAmounts } from '../quantity-rules.js'
import { validateDnsLabel, validateQualifiedName } from '../value-rules.js'
import { allContainers } from './containers-of.js'
import { validateNoBacksteps } from './path-rules.js'

const variableFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

/** What a file of the downward API may hold. */
export const fileFields: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]

// What the server knows of, although nothing may hold some of them.
const knownFields: ReadonlySet<string> = new Set([
  ...variableFields,
  ...fileFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'spec.host',
])

const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]

/** What is wrong with the environment of a container. */
export function validateEnv(
  variables: readonly View<EnvVar>[] | null | undefined,
  path: string,
): FieldError[] {
  return validateEach(variables, path, ({ name = '', value = '', valueFrom }, own) => [
    ...(name === ''
      ? [required(`${own}.name`)]
      : invalidFor(`${own}.name`, name, environmentNameProblems(name))),
    ...(valueFrom ? validateValueFrom(valueFrom, value, `${own}.valueFrom`) : []),
  ])
}

function validateValueFrom(
  source: NonNullable<View<EnvVar>['valueFrom']>,
  value: string,
  path: string,
): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source
  const errors: FieldError[] = []
  if (fieldRef) errors.push(...validateFieldRef(fieldRef, variableFields, `${path}.fieldRef`))
  if (resourceFieldRef)
    errors.push(
      ...validateResourceFieldRef(resourceFieldRef, `${path}.resourceFieldRef`, { needsContainer: false }),
    )
  if (configMapKeyRef) errors.push(...validateKeyRef(configMapKeyRef, `${path}.configMapKeyRef`))
  if (secretKeyRef) errors.push(...validateKeyRef(secretKeyRef, `${path}.secretKeyRef`))
  if (fileKeyRef) errors.push(...validateFileKeyRef(fileKeyRef, `${path}.fileKeyRef`))
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef]
  const count = sources.filter((part) => part !== undefined && part !== null).length
  if (count === 0)
    errors.push(
      invalid(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    )
  else if (value !== '') errors.push(invalid(path, '', 'may not be specified when `value` is not empty'))
  else if (count > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'))
  return errors
}

/** What is wrong with a reference to a field of the pod itself. */
export function validateFieldRef(
  { apiVersion = '', fieldPath = '' }: View<ObjectFieldSelector>,
  supported: readonly string[],
  path: string,
): FieldError[] {
  if (apiVersion === '') return [required(`${path}.apiVersion`)]
  if (fieldPath === '') return [required(`${path}.fieldPath`)]
  const wrong = (why: string): FieldError[] => [
    invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`),
  ]
  if (apiVersion !== 'v1') return wrong(`unsupported pod version: ${apiVersion}`)
  const [, field = '', subscript] = /^(.+?)\['(.*)'\]$/s.exec(fieldPath) ?? []
  if (subscript !== undefined) {
    if (field === 'metadata.annotations') return validateQualifiedName(subscript.toLowerCase(), path)
    if (field === 'metadata.labels') return validateQualifiedName(subscript, path)
    return wrong(`field label does not support subscript: ${fieldPath}`)
  }
  if (!knownFields.has(fieldPath)) return wrong(`field label not supported: ${fieldPath}`)
  const known = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  return supported.includes(known) ? [] : [notSupported(`${path}.fieldPath`, known, supported)]
}

/** What is wrong with a reference to what a container asks for. */
export function validateResourceFieldRef(
  { containerName = '', resource = '', divisor }: View<ResourceFieldSelector>,
  path: string,
  options: { readonly needsContainer: boolean },
): FieldError[] {
  const errors: FieldError[] = []
  const isPages = /^(?:requests|limits)[.]hugepages-/.test(resource)
  if (options.needsContainer && containerName === '') errors.push(required(`${path}.containerName`))
  else if (resource === '') errors.push(required(`${path}.resource`))
  else if (!resourceFields.includes(resource) && !isPages)
    errors.push(notSupported(`${path}.resource`, resource, resourceFields))
  return [...errors, ...validateDivisor(resource, String(divisor ?? '0'), path)]
}

const sizes = /^1(?:k|Ki|[MGTPE]i?)?$/

function validateDivisor(resource: string, divisor: string, path: string): FieldError[] {
  if (compareAmounts(divisor, 0) === 0) return []
  const wrong = (what: string): FieldError[] => [
    invalid(`${path}.divisor`, resource, `only divisor's values ${what} resource`),
  ]
  const all = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the'
  if (/^(?:limits|requests)[.]cpu$/.test(resource))
    return divisor === '1' || divisor === '1m' ? [] : wrong('1m and 1 are supported with the cpu')
  if (sizes.test(divisor)) return []
  if (/^(?:limits|requests)[.]memory$/.test(resource)) return wrong(`${all} memory`)
  if (/^(?:limits|requests)[.]ephemeral-storage$/.test(resource))
    return wrong(`${all} local ephemeral storage`)
  return /^(?:limits|requests)[.]hugepages-/.test(resource) ? wrong(`${all} hugepages`) : []
}

function validateKeyRef(
  { name = '', key = '' }: { readonly name?: string | undefined; readonly key?: string | undefined },
  path: string,
): FieldError[] {
  return [
    ...invalidFor(`${path}.name`, name, dns1123SubdomainErrors(name)),
    ...(key === '' ? [required(`${path}.key`)] : invalidFor(`${path}.key`, key, configKeyProblems(key))),
  ]
}

function validateFileKeyRef(
  { key = '', volumeName = '', path: file = '' }: View<FileKeySelector>,
  path: string,
): FieldError[] {
  return [
    ...(key === ''
      ? [required(`${path}.key`)]
      : invalidFor(`${path}.key`, key, environmentNameProblems(key))),
    ...(volumeName === ''
      ? [required(`${path}.volumeName`)]
      : validateDnsLabel(volumeName, `${path}.volumeName`)),
    ...(file === '' ? [required(`${path}.path`)] : validateNoBacksteps(file, `${path}.path`)),
  ]
}

/** What is wrong with the sources of whole sets of variables. */
export function validateEnvFrom(
  sources: readonly View<EnvFromSource>[] | null | undefined,
  path: string,
): FieldError[] {
  return validateEach(sources, path, ({ prefix = '', configMapRef, secretRef }, own) => {
    const errors = prefix === '' ? [] : invalidFor(`${own}.prefix`, prefix, environmentNameProblems(prefix))
    if (configMapRef) errors.push(...validateSourceName(configMapRef.name ?? '', `${own}.configMapRef.name`))
    if (secretRef) errors.push(...validateSourceName(secretRef.name ?? '', `${own}.secretRef.name`))
    if (!configMapRef && !secretRef)
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'))
    else if (configMapRef && secretRef)
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'))
    return errors
  })
}

function validateSourceName(name: string, path: string): FieldError[] {
  // As for a prefix: something could still be appended.
  const tested = name.endsWith('-') ? `${name.slice(0, -1)}a` : name
  return name === '' ? [required(path)] : invalidFor(path, name, dns1123SubdomainErrors(tested))
}

/** Variables from files need a volume that is an empty directory. */
export function validateFileKeyVolumes(spec: View<PodSpec>, path: string): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name ?? '', volume]))
  return allContainers(spec, path).flatMap(({ container, path: own }) =>
    validateEach(container.env, `${own}.env`, ({ valueFrom }, envPath) => {
      if (!valueFrom?.fileKeyRef) return []
      const { volumeName = '' } = valueFrom.fileKeyRef
      const field = `${envPath}.valueFrom.fileKeyRef.volumeName`
      const volume = volumes.get(volumeName)
      if (volume === undefined) return [notFound(field, volumeName)]
      return volume.emptyDir ? [] : [invalid(field, volumeName, 'referenced volume must be of type emptyDir')]
    }),
  )
}
