import type { Pod } from '../../../kinds/core/v1.js'
import type { StoredApiObject } from '../../api-object.js'
import type { ClusterState } from '../../cluster-state.js'
import { ApiFailure, badRequest, notFound } from '../../failure.js'
import type { Call, Handler } from '../../resource.js'
import { type View, viewOf } from '../draft.js'
import { containerFor } from './pod-container.js'

/**
 * Answers for what is connected to containers, pods, services and nodes. There is nothing behind them to connect to: they
 * refuse as the server does, as far as it knows without asking a kubelet, and with a 503 from there on.
 */
export function connectionHandlers(cluster: ClusterState): Readonly<Record<string, Handler>> {
  const find = (resource: string, { namespace, name }: Call['info']): StoredApiObject => {
    const found = cluster.get(resource, resource === 'nodes' ? '' : namespace, name)
    if (found === undefined) throw notFound({ group: '', resource }, name)
    return found
  }
  const handlers: Record<string, (call: Call) => void> = {
    'pods/exec': (call) => checkStream(viewOf<Pod>(find('pods', call.info)), call),
    'pods/attach': (call) => checkStream(viewOf<Pod>(find('pods', call.info)), call),
    'pods/portforward': ({ info }) => checkNode(viewOf<Pod>(find('pods', info))),
    'pods/proxy': ({ info }) => checkAddress(viewOf<Pod>(find('pods', withoutPort(info)))),
    'services/proxy': ({ info }) => void find('services', withoutPort(info)),
    'nodes/proxy': ({ info }) => void find('nodes', withoutPort(info)),
  }
  return Object.fromEntries(
    Object.entries(handlers).map(([path, check]): [string, Handler] => [
      path,
      async (call) => {
        check(call)
        throw new ApiFailure({
          code: 503,
          reason: 'ServiceUnavailable',
          message: `${path} is not available on this server`,
        })
      },
    ]),
  )
}

/** `https:name:port` and `name:port` are about the object of this name. */
function withoutPort(info: Call['info']): Call['info'] {
  const parts = info.name.split(':')
  return { ...info, name: (parts.length === 3 ? parts[1] : parts[0]) ?? '' }
}

function checkStream(pod: View<Pod>, { query }: Call): void {
  containerFor(pod, query.get('container') ?? '')
  checkNode(pod)
}

function checkNode({ metadata, spec }: View<Pod>): void {
  if ((spec?.nodeName ?? '') === '')
    throw badRequest(`pod ${metadata?.name ?? ''} does not have a host assigned`)
}

function checkAddress({ status }: View<Pod>): void {
  if ((status?.podIP ?? '') === '') throw badRequest('address not allowed')
}
