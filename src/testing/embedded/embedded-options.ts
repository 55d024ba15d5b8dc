import type { ApiServerOptions } from '../../apiserver/index.js'
import type { Environment } from '../../client/index.js'

/** An API server in this process. */
export interface EmbeddedClusterOptions
  extends Pick<
    ApiServerOptions,
    | 'clock'
    | 'random'
    | 'log'
    | 'rbac'
    | 'anonymous'
    | 'simulation'
    | 'controllers'
    | 'disabledAdmission'
    | 'webhooks'
    | 'store'
  > {
  readonly kind: 'embedded'
  /** `false` opens no socket: there is no kubeconfig then, and no kubectl. */
  readonly https?: boolean
  /** Any free one unless said otherwise. */
  readonly port?: number
  /** Keeps the objects there: the next cluster on it goes on with them. In memory, if absent. */
  readonly dataDirectory?: string
  /** For kubectl. Default: the environment of the process. */
  readonly env?: Environment
}
