import { dns1123LabelErrors } from '../../objects/index.js'
import type { ApiObject } from '../api-object.js'

/** Names of workloads become parts of the names of pods, and those become names of hosts. */
export function nameWarnings({ metadata }: ApiObject): string[] {
  const problems = dns1123LabelErrors(metadata.name ?? '')
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
      ]
}
