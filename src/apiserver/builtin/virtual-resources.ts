import type { Handler } from '../resource.js'
import type { BuiltinOptions } from './kind-rules.js'

/** What answers for resources of the core group that are kept nowhere, by `plural` or `plural/subresource`. */
export function virtualHandlers(_options: BuiltinOptions): Readonly<Record<string, Handler>> {
  return {}
}
