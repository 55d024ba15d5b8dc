import { labelKeyErrors } from '../../objects/index.js'
import { type FieldError, invalid, invalidFor } from './field-errors.js'

const computeNames = ['cpu', 'memory', 'ephemeral-storage']
const countNames = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const quotaNames: ReadonlySet<string> = new Set([
  ...computeNames.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...countNames,
])

/** Whether the name belongs to Kubernetes itself. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** Whether more may be promised than there is: requests below limits. */
export function allowsOvercommit(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name)
}

/** A device or the like, which comes in whole numbers. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false
  return labelKeyErrors(`requests.${name}`).length === 0
}

/** Whether amounts of it are whole numbers. */
export function isCounted(name: string): boolean {
  return countNames.includes(name) || isExtendedResource(name)
}

function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith('requests.hugepages-')
}

/** Whether quotas know the name. */
export function isQuotaResource(name: string): boolean {
  return quotaNames.has(name) || isQuotaHugePages(name)
}

/** What is wrong with the name of any resource. */
export function validateResourceName(name: string, path: string): FieldError[] {
  const problems = labelKeyErrors(name)
  if (problems.length > 0) return invalidFor(path, name, problems)
  const isKnown = name.includes('/') || isQuotaResource(name) || name === 'storage'
  return isKnown ? [] : [invalid(path, name, 'must be a standard resource type or fully qualified')]
}

/** What is wrong with the name of a resource that a container asks for. */
export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path)
  if (!name.includes('/')) {
    if (!computeNames.includes(name) && !isHugePages(name))
      errors.push(invalid(path, name, 'must be a standard resource for containers'))
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"))
  }
  return errors
}

/** What is wrong with the name of a resource that a quota limits. */
export function validateQuotaResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path)
  if (!name.includes('/') && !isQuotaResource(name))
    errors.push(invalid(path, name, 'must be a standard resource for quota'))
  return errors
}
