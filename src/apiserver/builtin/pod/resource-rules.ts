import type { PodSpec, ResourceClaim, ResourceRequirements } from '../../../kinds/core/v1.js'
import { quantityToInteger } from '../../../objects/index.js'
import type { View } from '../draft.js'
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  itemPath,
  keyPath,
  notFound,
  notSupported,
  required,
} from '../field-errors.js'
import { type Amounts, amountEntries, compareAmounts, validateAmount } from '../quantity-rules.js'
import {
  allowsOvercommit,
  isHugePages,
  validateContainerResourceName,
  validateResourceName,
} from '../resource-names.js'
import { validateDnsLabel } from '../value-rules.js'
import { containerAmounts, isPodLevelResource } from './pod-resources.js'

type NameRule = (name: string, path: string) => FieldError[]

/** What is wrong with what a container asks for. `claimNames` are those of the pod. */
export function validateContainerResources(
  requirements: View<ResourceRequirements>,
  claimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  return [
    ...validateRequirements(requirements, validateContainerResourceName, path),
    ...validateClaimNames(requirements.claims ?? [], claimNames, `${path}.claims`),
  ]
}

/** What a pod as a whole asks for. */
export function validatePodResources(
  spec: View<PodSpec>,
  claimNames: ReadonlySet<string>,
  specPath: string,
): FieldError[] {
  const { resources } = spec
  if (!resources) return []
  const path = `${specPath}.resources`
  if (spec.os?.name === 'windows') return [forbidden(path, 'may not be set for a windows pod')]
  return [
    ...(resources.claims === undefined || resources.claims === null
      ? []
      : [forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level')]),
    ...validateRequirements(resources, validatePodResourceName, path),
    ...validateClaimNames(resources.claims ?? [], claimNames, `${path}.claims`),
    ...validateConsistency(spec, resources, path),
  ]
}

/** What a pod needs beyond its containers. */
export function validateOverhead(overhead: Amounts, path: string): FieldError[] {
  return validateRequirements({ limits: overhead }, validateContainerResourceName, path)
}

interface Requirements {
  readonly limits?: Amounts | undefined
  readonly requests?: Amounts | undefined
}

function validateRequirements(
  { limits, requests }: Requirements,
  nameRule: NameRule,
  path: string,
): FieldError[] {
  const names = [...amountEntries(limits), ...amountEntries(requests)].map(([name]) => name)
  const hasPagesOnly = names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')
  return [
    ...amountEntries(limits).flatMap(([name, amount]) =>
      validateOne(name, amount, nameRule, keyPath(`${path}.limits`, name)),
    ),
    ...amountEntries(requests).flatMap(([name, amount]) => {
      const own = keyPath(`${path}.requests`, name)
      return [
        ...nameRule(name, own),
        ...validateAmount(name, amount, own),
        ...validateWithinLimit(name, amount, limits?.[name], path),
        ...validatePages(name, amount, own),
      ]
    }),
    ...(hasPagesOnly ? [forbidden(path, 'HugePages require cpu or memory')] : []),
  ]
}

function validateOne(name: string, amount: string, nameRule: NameRule, path: string): FieldError[] {
  return [
    ...nameRule(name, path),
    ...validateAmount(name, amount, path),
    ...validatePages(name, amount, path),
  ]
}

function validateWithinLimit(
  name: string,
  amount: string,
  limit: string | number | undefined,
  path: string,
): FieldError[] {
  if (limit === undefined) {
    return allowsOvercommit(name)
      ? []
      : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')]
  }
  const order = compareAmounts(amount, String(limit))
  if (order !== 0 && !allowsOvercommit(name))
    return [invalid(`${path}.requests`, amount, `must be equal to ${name} limit of ${String(limit)}`)]
  if (order > 0)
    return [
      invalid(`${path}.requests`, amount, `must be less than or equal to ${name} limit of ${String(limit)}`),
    ]
  return []
}

function validatePages(name: string, amount: string, path: string): FieldError[] {
  if (!isHugePages(name) || isWholePages(name, amount)) return []
  return [invalid(path, amount, `${amount} is not positive integer multiple of ${name}`)]
}

function isWholePages(name: string, amount: string): boolean {
  try {
    const size = quantityToInteger(name.slice('hugepages-'.length))
    return size > 0n && quantityToInteger(amount) % size === 0n
  } catch {
    return false
  }
}

function validatePodResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path)
  if (errors.length > 0 || isPodLevelResource(name)) return errors
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])]
}

function validateConsistency(
  spec: View<PodSpec>,
  { limits, requests }: View<ResourceRequirements>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = []
  for (const [name, sum] of amountEntries(containerAmounts(spec, 'requests'))) {
    const own = requests?.[name]
    if (own !== undefined && compareAmounts(sum, own) > 0)
      errors.push(
        invalid(
          keyPath(`${path}.requests`, name),
          String(own),
          `must be greater than or equal to aggregate container requests of ${sum}`,
        ),
      )
  }
  for (const [name, sum] of amountEntries(containerAmounts(spec, 'limits'))) {
    const own = limits?.[name]
    if (isHugePages(name) && own !== undefined && compareAmounts(sum, own) > 0)
      errors.push(
        invalid(
          keyPath(`${path}.limits`, name),
          String(own),
          `must be greater than or equal to aggregate container limits of ${sum}`,
        ),
      )
  }
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, limit] of amountEntries(container.resources?.limits)) {
      const own = limits?.[name]
      if (own !== undefined && compareAmounts(limit, own) > 0)
        errors.push(
          invalid(
            `${path}.containers[${index}][${name}].limits`,
            limit,
            `must be less than or equal to pod limits of ${String(own)}`,
          ),
        )
    }
  }
  return errors
}

function validateClaimNames(
  claims: readonly View<ResourceClaim>[],
  claimNames: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  return claims.flatMap(({ name = '', request = '' }, index) => {
    const own = itemPath(path, index)
    if (name === '') return [required(own)]
    const errors: FieldError[] = []
    if (seen.has(name)) {
      errors.push(duplicate(own, name))
    } else {
      if (request !== '') errors.push(...validateDnsLabel(request, `${own}.request`))
      const key = request === '' ? name : `${name}/${request}`
      if (seen.has(key)) errors.push(duplicate(own, key))
      else if (request === '')
        for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicate(own, name))
      seen.add(key)
    }
    if (!claimNames.has(name)) {
      const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`
      const error = notFound(own, name)
      errors.push({
        ...error,
        message: `${error.message}: must be one of the names in pod.spec.resourceClaims${known}`,
      })
    }
    return errors
  })
}
