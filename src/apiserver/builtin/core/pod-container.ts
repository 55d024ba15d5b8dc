import type { Pod } from '../../../kinds/core/v1.js'
import { badRequest } from '../../failure.js'
import type { View } from '../draft.js'

/** The container of a pod that a request is about: the one that it names, or the only one. Throws ApiFailure 400. */
export function containerFor(pod: View<Pod>, asked: string): string {
  const { name = '' } = pod.metadata ?? {}
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec ?? {}
  const names = [...initContainers, ...containers, ...ephemeralContainers].map((each) => each.name ?? '')
  if (asked !== '') {
    if (names.includes(asked)) return asked
    throw badRequest(`container ${asked} is not valid for pod ${name}`)
  }
  const [only, ...others] = containers
  if (only !== undefined && others.length === 0) return only.name ?? ''
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`)
}
