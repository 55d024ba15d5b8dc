import { type DeepReadonly, getOwn } from '../../../base/index.js'
import type { Pod } from '../../../kinds/core/v1.js'

/** What becomes of a pod on a simulated node. */
export type PodFate =
  /** Its containers run and become ready. */
  | 'ready'
  /** They run, and never become ready. */
  | 'unready'
  /** The image cannot be pulled. */
  | 'image-pull-error'
  /** They start and die, again and again. */
  | 'crash-loop'
  /** They end well. */
  | 'succeed'
  /** They end badly. */
  | 'fail'

/** Decides the fate of a pod; undefined leaves it to the simulation. */
export type DecideFate = (pod: DeepReadonly<Pod>) => PodFate | undefined

/** An annotation of a pod (or of the template that it is made from) that decides its fate. */
export const fateAnnotation = 'kubewright.dev/fate'

const fates: readonly PodFate[] = ['ready', 'unready', 'image-pull-error', 'crash-loop', 'succeed', 'fail']

/** What the annotation says, then what is usual: pods that are meant to end, end well; the others become ready. */
export function fateOf(pod: DeepReadonly<Pod>, decide: DecideFate | undefined): PodFate {
  const decided = decide?.(pod)
  if (decided !== undefined) return decided
  const annotated = getOwn(pod.metadata.annotations ?? {}, fateAnnotation)
  const known = fates.find((fate) => fate === annotated)
  if (known !== undefined) return known
  const isTask = pod.metadata.ownerReferences?.some(
    ({ kind, controller }) => controller === true && kind === 'Job',
  )
  return isTask === true ? 'succeed' : 'ready'
}
