import type { Pod } from '../../../kinds/core/v1.js'
import type { TransportResponse } from '../../../objects/index.js'
import type { ClusterState } from '../../cluster-state.js'
import { badRequest, notFound } from '../../failure.js'
import { partsResponse } from '../../output/parts-response.js'
import type { Handler } from '../../resource.js'
import { readAs } from './workload.js'

/** Answers `get` of `pods/log`: a simulated container says when it started, and nothing more. */
export function answerPodLog(cluster: ClusterState): Handler {
  return ({ info, query }) => {
    const pod = readAs<Pod>(cluster.get('pods', info.namespace, info.name))
    if (pod === undefined) throw notFound({ group: '', resource: 'pods' }, info.name)
    // Nothing has been said yet.
    if ((pod.spec?.nodeName ?? '') === '') return Promise.resolve({ raw: plainText('') })
    const names = (pod.spec?.containers ?? []).map(({ name }) => name)
    const asked = query.get('container') ?? ''
    if (asked === '' && names.length > 1)
      throw badRequest(
        `a container name must be specified for pod ${info.name}, choose one of: [${names.join(' ')}]`,
      )
    const container = asked === '' ? (names[0] ?? '') : asked
    if (!names.includes(container))
      throw badRequest(`container ${container} is not valid for pod ${info.name}`)
    const state = pod.status?.containerStatuses?.find(({ name }) => name === container)
    if (state?.state?.waiting !== undefined || state === undefined) {
      const reason = state?.state?.waiting?.reason ?? 'ContainerCreating'
      throw badRequest(`container "${container}" in pod "${info.name}" is waiting to start: ${reason}`)
    }
    const startedAt = state.state?.running?.startedAt ?? state.state?.terminated?.startedAt ?? ''
    const line = `${startedAt} container ${container} of image ${state.image} runs as a simulation\n`
    return Promise.resolve({ raw: plainText(line) })
  }
}

function plainText(text: string): TransportResponse {
  return partsResponse(200, 'text/plain', [Buffer.from(text)])
}
