import type { Clock } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { ExecOptions } from '../auth/exec-credentials.js'
import type { ClusterConfig } from './cluster-config.js'
import type { Environment } from './kubeconfig-files.js'
import type { ClusterConfigOverrides } from './overrides.js'
import type { Selection } from './select-context.js'

/** Where to look for a cluster, what to choose there, and what to replace. An empty string counts as absent. */
export interface LoadClusterConfigOptions extends Selection {
  /** Kubeconfig files, the first having the last word (`--kubeconfig`). Each of them must exist. */
  readonly path?: string | readonly string[]
  /** A kubeconfig that is already in memory, as `toKubeconfig` makes it. Nothing else is looked at then. */
  readonly document?: unknown
  /** The address of the API server, in place of the one in the kubeconfig (`--master`). Needs no kubeconfig. */
  readonly master?: string
  readonly overrides?: ClusterConfigOverrides
  readonly exec?: ExecOptions
  readonly oidc?: {
    /** Write renewed ID and refresh tokens back to the kubeconfig that they came from. */
    readonly writeBack?: boolean
  }
  /** By default the environment of the process. */
  readonly env?: Environment
  /** Where the service account of a pod is mounted; for tests. */
  readonly serviceAccountDirectory?: string
  readonly clock?: Clock
  readonly log?: Logger
}

/**
 * Finds the cluster to talk to, and as whom. The first of these that is there counts:
 *
 * 1. `document`, then `path`: what was named explicitly;
 * 2. the files in the environment variable KUBECONFIG, merged as kubectl merges them; missing ones are skipped;
 * 3. the service account of the pod that this process runs in, unless a context, cluster, user or server was named;
 * 4. `~/.kube/config`.
 *
 * Nothing is ever read from the working directory on its own: a kubeconfig can name programs to run.
 *
 * No connection is made and no plugin runs before the first request. Fails with `ClusterConfigMissingError` when
 * there is nothing, and with `ClusterConfigInvalidError`, listing every problem, when what is there cannot be used.
 */
export async function loadClusterConfig(options: LoadClusterConfigOptions = {}): Promise<ClusterConfig> {
  // Kubeconfigs, plugins and identity providers are half of this room; programs that never ask need not load them.
  const { findClusterConfig } = await import('./find-cluster-config.js')
  return findClusterConfig(options)
}
