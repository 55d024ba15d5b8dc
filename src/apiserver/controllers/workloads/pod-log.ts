import type { Pod } from '../../../kinds/core/v1.js'
import type { TransportResponse } from '../../../objects/index.js'
import { containerFor } from '../../builtin/core/pod-container.js'
import { viewOf } from '../../builtin/draft.js'
import { type FieldError, forbidden, invalid } from '../../builtin/field-errors.js'
import type { ClusterState } from '../../cluster-state.js'
import { badRequest, invalid as invalidOptions, notFound } from '../../failure.js'
import { partsResponse } from '../../output/parts-response.js'
import { parseGoInt64 } from '../../read/go-integer.js'
import type { Handler } from '../../resource.js'

/** Answers `get` of `pods/log`: a simulated container says when it started, and nothing more. */
export function answerPodLog(cluster: ClusterState): Handler {
  return async ({ info, query }) => {
    checkOptions(query, info.name)
    const object = cluster.get('pods', info.namespace, info.name)
    if (object === undefined) throw notFound({ group: '', resource: 'pods' }, info.name)
    const pod = viewOf<Pod>(object)
    const container = containerFor(pod, query.get('container') ?? '')
    // Nobody is there who could have said anything.
    if ((pod.spec?.nodeName ?? '') === '') return { raw: noContent() }
    const state = pod.status?.containerStatuses?.find(({ name }) => name === container)
    if (state?.state?.waiting !== undefined || state === undefined) {
      const reason = state?.state?.waiting?.reason ?? 'ContainerCreating'
      throw badRequest(`container "${container}" in pod "${info.name}" is waiting to start: ${reason}`)
    }
    const startedAt = state.state?.running?.startedAt ?? state.state?.terminated?.startedAt ?? ''
    const line = `${startedAt} container ${container} of image ${state.image ?? ''} runs as a simulation\n`
    return { raw: partsResponse(200, 'text/plain', [Buffer.from(line)]) }
  }
}

function noContent(): TransportResponse {
  return { status: 204, headers: {}, body: { [Symbol.asyncIterator]: async function* () {} } }
}

/** Throws ApiFailure: 400 for what is no number, 422 for one that cannot be. */
function checkOptions(query: URLSearchParams, name: string): void {
  const number = (option: string): bigint | undefined => {
    const text = query.get(option)
    if (text === null) return undefined
    const parsed = parseGoInt64(text)
    if ('problem' in parsed) throw badRequest(parsed.problem)
    return parsed.value
  }
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map(number)
  const errors: FieldError[] = []
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'))
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'))
  if (sinceSeconds !== undefined && query.has('sinceTime'))
    errors.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'))
  if (errors.length > 0) throw invalidOptions({ group: '', resource: 'PodLogOptions' }, name, errors)
}
