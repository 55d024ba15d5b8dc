import { dns1123LabelErrors } from '../../objects/index.js'
import type { ApiObject } from '../api-object.js'
import type { WriteContext } from '../resource.js'

/** Names of workloads become parts of the names of pods, and those become names of hosts. */
export function warnOfName(object: ApiObject, context: WriteContext): void {
  const problems = dns1123LabelErrors(object.metadata.name ?? '')
  if (problems.length > 0)
    context.warn(
      `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
    )
}
