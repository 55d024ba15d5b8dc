import { setOwn } from '../../../base/index.js'
import type { Binding, Pod } from '../../../kinds/core/v1.js'
import { viewOf } from '../../builtin/draft.js'
import type { AdmissionPlugin } from '../admission.js'

const topologyLabels = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region']

/** Pods carry the zone and the region of their node as labels: on their binding, and when they are written with a node. */
export const podTopologyLabels: AdmissionPlugin = {
  name: 'PodTopologyLabels',
  handles: ({ info, object, operation }) =>
    object !== undefined &&
    operation === 'CREATE' &&
    info.group === '' &&
    info.resource === 'pods' &&
    (info.subresource === '' || info.subresource === 'binding'),
  mutate({ object, info }, { cluster }) {
    if (object === undefined) return
    const node = info.subresource === '' ? viewOf<Pod>(object).spec?.nodeName : boundNode(object)
    if (node === undefined || node === '') return
    const labels = cluster.get('nodes', '', node)?.metadata.labels ?? {}
    for (const key of topologyLabels) {
      if (!Object.hasOwn(labels, key)) continue
      object.metadata.labels ??= {}
      setOwn(object.metadata.labels, key, labels[key])
    }
  },
}

function boundNode(object: Parameters<typeof viewOf>[0]): string | undefined {
  const { target } = viewOf<Binding>(object)
  return target?.kind === 'Node' ? target.name : undefined
}
