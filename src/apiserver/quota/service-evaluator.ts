import type { Service } from '../../kinds/core/v1.js'
import { viewOf } from '../builtin/draft.js'
import type { QuotaEvaluator } from './evaluator.js'
import { usageOf } from './usage.js'

const names = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers']

export const serviceEvaluator: QuotaEvaluator = {
  tracks: (name) => names.includes(name),
  // Its type can change.
  handles: ({ info }) => info.subresource === '',
  usage(object) {
    const { spec } = viewOf<Service>(object)
    const ports = spec?.ports ?? []
    const isBalanced = spec?.type === 'LoadBalancer'
    // Their numbers are given later: what counts is what is wanted.
    const wanted =
      isBalanced && spec.allocateLoadBalancerNodePorts === false
        ? ports.filter(({ nodePort = 0 }) => nodePort !== 0)
        : ports
    return usageOf({
      'count/services': 1,
      services: 1,
      'services.loadbalancers': isBalanced ? 1 : 0,
      'services.nodeports': isBalanced || spec?.type === 'NodePort' ? wanted.length : 0,
    })
  },
}
