import type { GroupRules } from '../kind-rules.js'
import { ipAddressRules, serviceCidrRules } from './addresses.js'
import { ingressRules } from './ingress.js'
import { ingressClassRules } from './ingress-class.js'
import { networkPolicyRules } from './network-policy.js'

/** What is particular to the kinds of networking.k8s.io. */
export const networkingRules: GroupRules = {
  IPAddress: ipAddressRules,
  Ingress: ingressRules,
  IngressClass: ingressClassRules,
  NetworkPolicy: networkPolicyRules,
  ServiceCIDR: serviceCidrRules,
}
