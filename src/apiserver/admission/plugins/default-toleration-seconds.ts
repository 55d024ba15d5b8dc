import type { Pod } from '../../../kinds/core/v1.js'
import { draftOf } from '../../builtin/draft.js'
import type { AdmissionPlugin } from '../admission.js'
import { isWriteOf } from './target.js'

const troubles = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Pods stay on a node in trouble for five minutes, unless they say otherwise. */
export const defaultTolerationSeconds: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  handles: (request) =>
    (request.operation === 'CREATE' || request.operation === 'UPDATE') && isWriteOf(request, 'pods'),
  mutate({ object }) {
    if (object === undefined) return
    const spec = (draftOf<Pod>(object).spec ??= {})
    const given = spec.tolerations ?? []
    const missing = troubles.filter(
      (trouble) =>
        !given.some(
          ({ key = '', effect = '' }) =>
            (key === trouble || key === '') && (effect === 'NoExecute' || effect === ''),
        ),
    )
    if (missing.length === 0) return
    spec.tolerations = [
      ...given,
      ...missing.map((key) => ({
        key,
        operator: 'Exists' as const,
        effect: 'NoExecute' as const,
        tolerationSeconds: 300,
      })),
    ]
  },
}
