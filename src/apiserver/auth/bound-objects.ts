import { parseTime } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { ClusterState } from '../cluster-state.js'

/** An object that a token names. An empty uid is that of an object that was not there. */
export interface BoundReference {
  readonly name: string
  readonly uid: string
}

interface References {
  readonly namespace: string
  readonly serviceAccount: BoundReference
  readonly pod: BoundReference | undefined
  readonly node: BoundReference | undefined
  readonly secret: BoundReference | undefined
}

const invalidated = 'service account token has been invalidated'

/**
 * Why a token is no longer good: its service account or the object that it is bound to is gone, is another one of the same
 * name, or was deleted before that time (in seconds). Undefined while it is good.
 */
export function bindingProblem(
  cluster: ClusterState,
  { namespace, serviceAccount, pod, node, secret }: References,
  deletedBefore: number,
): string | undefined {
  const account = cluster.get('serviceaccounts', namespace, serviceAccount.name)
  if (account === undefined) return `serviceaccounts ${quoteText(serviceAccount.name)} not found`
  const uid = account.metadata.uid ?? ''
  if (uid !== serviceAccount.uid)
    return `service account UID (${uid}) does not match claim (${serviceAccount.uid})`
  if (wasDeletedBefore(account, deletedBefore))
    return `service account ${namespace}/${serviceAccount.name} has been deleted`
  const check = (kind: string, reference: BoundReference | undefined, scope: string): string | undefined => {
    if (reference === undefined) return undefined
    const object = cluster.get(`${kind}s`, scope, reference.name)
    if (object === undefined) return invalidated
    const actual = object.metadata.uid ?? ''
    if (actual !== reference.uid)
      return `${kind} UID (${actual}) does not match service account ${kind} ref claim (${reference.uid})`
    return wasDeletedBefore(object, deletedBefore) ? invalidated : undefined
  }
  return (
    check('secret', secret, namespace) ??
    check('pod', pod, namespace) ??
    // The node of a pod is told with the token, but the token lives as long as the pod.
    (pod === undefined ? check('node', node, '') : undefined)
  )
}

function wasDeletedBefore(object: StoredApiObject, seconds: number): boolean {
  const { deletionTimestamp } = object.metadata
  return deletionTimestamp !== undefined && parseTime(deletionTimestamp) / 1000 < seconds
}
