import { buildRequest, type Kind, type RequestTarget, writeQuery } from '../objects/index.js'
import type { DeleteOptions } from './call-options.js'
import { type ClientContext, namespaceFor } from './client-context.js'
import type { AnyKey } from './object-access.js'

const podKind: Pick<Kind, 'group' | 'version' | 'plural' | 'scope'> = {
  group: '',
  version: 'v1',
  plural: 'pods',
  scope: 'Namespaced',
}

/** A request about one pod. */
export function podTarget(context: ClientContext, key: AnyKey, subresource: string): RequestTarget {
  return {
    kind: podKind,
    namespace: namespaceFor(context, podKind, key.namespace),
    name: key.name,
    subresource,
  }
}

/** Asks for the deletion of a pod within the limits of its disruption budgets: 429 when they do not allow it now. */
export async function evictPod(
  context: ClientContext,
  key: AnyKey,
  options: DeleteOptions = {},
): Promise<void> {
  const target = podTarget(context, key, 'eviction')
  const { gracePeriodSeconds, propagationPolicy, preconditions } = options
  const dryRun = options.dryRun ?? context.write.dryRun
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name: key.name, namespace: target.namespace },
    deleteOptions: {
      gracePeriodSeconds,
      propagationPolicy,
      preconditions,
      ...(dryRun === true && { dryRun: ['All'] }),
    },
  }
  await context.caller.text(buildRequest('create', target, { body, query: writeQuery({ dryRun }) }), options)
}
