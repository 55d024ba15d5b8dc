import {
  dns1035LabelProblems,
  dnsSubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
} from '../name-rules.js'
import type { ProblemList } from './problem.js'

/** The names of a kind and of its resource. */
export interface KindNames {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
}

/** The plural that people expect in `kubectl get`: policies, gateways, classes, boxes. */
export function pluralOf(singular: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`
  return `${singular}s`
}

const communityGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/

/** The API server's rules for the names in a definition, and two of our own that keep them readable. */
export function checkNames(names: KindNames, problems: ProblemList): void {
  const { group, version, kind, plural, singular, listKind } = names
  const isGroup = dnsSubdomainProblems(group).length === 0
  if (!isGroup || !group.includes('.')) {
    problems.add(
      'group',
      `${JSON.stringify(group)} is not a domain of your own. Use lower case and at least one dot: example.com.`,
    )
  }
  if (dns1035LabelProblems(version).length > 0) {
    problems.add(
      'version',
      `${JSON.stringify(version)} is not a version. Use v1alpha1, v1beta1, v1, v2 and so on.`,
    )
  }
  for (const [option, name] of Object.entries({ kind, listKind })) {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(name) || name.length > 63) {
      problems.add(
        option,
        `${JSON.stringify(name)} is not a name for a kind. Use PascalCase, up to 63 letters and digits: MyApp.`,
      )
    }
  }
  for (const [option, name] of Object.entries({ plural, singular })) checkLabel(name, option, problems)
  if (kind === listKind)
    problems.add('listKind', `A list needs a kind of its own. Leave the option out: ${kind}List.`)
}

/** A name that people type: of a resource, a short name, a category. */
export function checkLabel(name: string, path: string, problems: ProblemList): void {
  if (dns1035LabelProblems(name).length === 0) return
  problems.add(
    path,
    `${JSON.stringify(name)} is not a name for a resource. Use lower case letters, digits and hyphens, beginning with a letter, up to 63.`,
  )
}

interface DefinitionMetadata {
  readonly group: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** Labels and annotations of the definition. */
export function checkDefinitionMetadata(metadata: DefinitionMetadata, problems: ProblemList): void {
  for (const [key, value] of Object.entries(metadata.labels)) {
    for (const problem of [...labelKeyProblems(key), ...labelValueProblems(value)]) {
      problems.add(`labels[${key}]`, `This label is not valid: ${problem}.`)
    }
  }
  for (const key of Object.keys(metadata.annotations)) {
    for (const problem of labelKeyProblems(key.toLowerCase())) {
      problems.add(`annotations[${key}]`, `This annotation is not valid: ${problem}.`)
    }
  }
  if (
    communityGroup.test(metadata.group) &&
    metadata.annotations['api-approved.kubernetes.io'] === undefined
  ) {
    problems.add(
      'group',
      `Groups below k8s.io and kubernetes.io belong to the Kubernetes project. Use a domain of your own, or set the annotation api-approved.kubernetes.io to the URL of the approval.`,
    )
  }
}
