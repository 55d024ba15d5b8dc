import { type ExpressionEngine, loadExpressionEngine } from '../../../schema/index.js'
import type { AdmissionPlugin } from '../admission.js'

/** The engine that compiles the expressions of webhooks and policies, once somebody has needed it. */
export interface LazyExpressions {
  readonly current: ExpressionEngine | undefined
  /** Whoever writes a webhook or a policy waits here until the engine is loaded that judges it. */
  readonly plugin: AdmissionPlugin
}

export function lazyExpressions(): LazyExpressions {
  let current: ExpressionEngine | undefined
  return {
    get current() {
      return current
    },
    plugin: {
      name: 'Expressions',
      handles: ({ resource }) => resource.group === 'admissionregistration.k8s.io',
      async mutate() {
        current ??= await loadExpressionEngine()
      },
    },
  }
}
