import { isPlainObject } from '../../base/index.js'
import type { KubeObject } from '../../objects/index.js'

/** What a condition says about an object. */
export type WaitVerdict =
  | { readonly state: 'met' }
  /** Not yet; `seen` is what the object shows instead. */
  | { readonly state: 'pending'; readonly seen: string }
  /** Never: waiting longer is in vain. */
  | { readonly state: 'hopeless'; readonly why: string }

/** Something one can wait for. */
export interface WaitCondition<TObject extends KubeObject = KubeObject> {
  /** As the end of "waiting for pods default/web to be ...": `ready`. */
  readonly name: string
  judge(object: TObject): WaitVerdict
}

/** Waiting for an object to go away. */
export interface DeletedCondition {
  readonly name: 'deleted'
  /** The object that shall go; another one under the same name counts as gone. */
  readonly uid: string | undefined
}

const met: WaitVerdict = { state: 'met' }

/** The object no longer exists, or another one has taken its name. */
export function deleted(options: { readonly uid?: string } = {}): DeletedCondition {
  return { name: 'deleted', uid: options.uid }
}

/**
 * `status.conditions` has this type with this status, and it is about the object's present generation as far as the
 * object tells.
 */
export function hasCondition(type: string, status = 'True'): WaitCondition {
  return {
    name: `in condition ${type}=${status}`,
    judge(object) {
      const found = conditionOf(object, type)
      if (found === undefined) return pending(`no condition ${type}`)
      if (isStale(object)) return pending('a status of an older generation')
      return found.status === status ? met : pending(found.text)
    },
  }
}

/** The CRD is served. */
export const crdEstablished: WaitCondition = { ...hasCondition('Established'), name: 'established' }

/** The Deployment has its minimum of available pods, for its present spec. */
export const deploymentAvailable: WaitCondition = { ...hasCondition('Available'), name: 'available' }

/** The Pod is ready. Hopeless when it has ended. */
export const podReady: WaitCondition = {
  name: 'ready',
  judge(object) {
    const phase = statusOf(object)['phase']
    if (phase === 'Failed' || phase === 'Succeeded') return hopeless(`its phase is ${phase}`)
    return hasCondition('Ready').judge(object)
  },
}

/** The Job has completed. Hopeless when it has failed. */
export const jobComplete: WaitCondition = {
  name: 'complete',
  judge(object) {
    const failed = conditionOf(object, 'Failed')
    if (failed?.status === 'True') return hopeless(failed.text)
    return hasCondition('Complete').judge(object)
  },
}

function pending(seen: string): WaitVerdict {
  return { state: 'pending', seen }
}

function hopeless(why: string): WaitVerdict {
  return { state: 'hopeless', why }
}

function statusOf(object: object): Record<string, unknown> {
  return 'status' in object && isPlainObject(object.status) ? object.status : {}
}

function isStale(object: KubeObject): boolean {
  const { observedGeneration } = statusOf(object)
  const { generation } = object.metadata
  return typeof observedGeneration === 'number' && generation !== undefined && observedGeneration < generation
}

function conditionOf(
  object: object,
  type: string,
): { readonly status: unknown; readonly text: string } | undefined {
  const { conditions } = statusOf(object)
  if (!Array.isArray(conditions)) return undefined
  for (const condition of conditions) {
    if (!isPlainObject(condition) || condition['type'] !== type) continue
    const { status, reason, message } = condition
    const details = [reason, message].filter((part) => typeof part === 'string' && part !== '').join(': ')
    return { status, text: `${type}=${String(status)}${details === '' ? '' : ` (${details.slice(0, 300)})`}` }
  }
  return undefined
}
