import type { Node } from '../../../kinds/core/v1.js'
import { draftOf } from '../../builtin/draft.js'
import type { AdmissionPlugin } from '../admission.js'
import { isWriteOf } from './target.js'

const key = 'node.kubernetes.io/not-ready'

/** A new node takes no pods until its controller has seen that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: (request) => request.operation === 'CREATE' && isWriteOf(request, 'nodes'),
  mutate({ object }) {
    if (object === undefined) return
    const spec = (draftOf<Node>(object).spec ??= {})
    const taints = spec.taints ?? []
    if (taints.some((taint) => taint.key === key && taint.effect === 'NoSchedule')) return
    spec.taints = [...taints, { key, effect: 'NoSchedule' }]
  },
}
