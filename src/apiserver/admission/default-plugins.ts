import { type ExpressionEngine, loadExpressionEngine } from '../../schema/index.js'
import type { Authorizer } from '../auth/authorizer.js'
import { createEscalationGuard } from '../auth/escalation.js'
import type { RuleResolver } from '../auth/rule-resolver.js'
import type { ObjectWriter } from '../builtin/index.js'
import type { ResourceCatalogue } from '../resource.js'
import type { AdmissionPlugin } from './admission.js'
import { createMutatingPolicies } from './mutating-policies.js'
import { createMutatingWebhooks } from './mutating-webhooks.js'
import { createCertificateApproval, createCertificateSigning } from './plugins/certificates.js'
import { persistentVolumeClaimResize } from './plugins/claim-resize.js'
import { defaultIngressClass, defaultStorageClass } from './plugins/default-class.js'
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.js'
import { limitRanger } from './plugins/limit-ranger.js'
import { namespaceLifecycle } from './plugins/namespace-lifecycle.js'
import { podSecurity } from './plugins/pod-security.js'
import { podTopologyLabels } from './plugins/pod-topology-labels.js'
import { priority } from './plugins/priority.js'
import { createResourceQuota } from './plugins/resource-quota.js'
import { runtimeClass } from './plugins/runtime-class.js'
import { serviceAccountPlugin } from './plugins/service-account.js'
import { storageObjectInUseProtection } from './plugins/storage-protection.js'
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.js'
import { createPolicyExpressions } from './policy-expressions.js'
import { createValidatingPolicies } from './validating-policies.js'
import { createValidatingWebhooks } from './validating-webhooks.js'
import type { WebhookCaller } from './webhook-caller.js'

/** What the plugins need from the server around them. */
export interface DefaultPluginParts {
  readonly authorizer: Authorizer
  readonly resolver: RuleResolver
  readonly catalogue: ResourceCatalogue
  readonly caller: WebhookCaller
  /** Asked for when something is to be written: it is made after the plugins. */
  readonly writer: () => ObjectWriter
}

/**
 * The plugins that are on by default, in the server's order. Not there: CertificateSubjectRestriction and
 * ClusterTrustBundleAttest.
 */
export function createDefaultPlugins(parts: DefaultPluginParts): readonly AdmissionPlugin[] {
  const { authorizer, resolver, catalogue, caller, writer } = parts
  let engine: Promise<ExpressionEngine> | undefined
  const loadEngine = (): Promise<ExpressionEngine> => (engine ??= loadExpressionEngine())
  return [
    createPolicyExpressions(loadEngine),
    namespaceLifecycle,
    limitRanger,
    serviceAccountPlugin,
    taintNodesByCondition,
    podSecurity,
    priority,
    defaultTolerationSeconds,
    defaultStorageClass,
    storageObjectInUseProtection,
    persistentVolumeClaimResize,
    runtimeClass,
    createCertificateApproval(authorizer),
    createCertificateSigning(authorizer),
    defaultIngressClass,
    podTopologyLabels,
    createMutatingPolicies(loadEngine, { authorizer, catalogue }),
    createMutatingWebhooks(loadEngine, { caller, authorizer }),
    createValidatingPolicies(loadEngine, { authorizer, catalogue }),
    createValidatingWebhooks(loadEngine, { caller, authorizer }),
    createResourceQuota(writer),
    createEscalationGuard(authorizer, resolver),
  ]
}
