import { assertNever } from '../base/index.js'
import type { Cluster, ControlPlaneCluster, EmbeddedCluster } from './cluster.js'
import { startControlPlane } from './control-plane/control-plane-cluster.js'
import type { ControlPlaneOptions } from './control-plane/control-plane-options.js'
import { connectToCluster, type ExistingClusterOptions } from './control-plane/existing-cluster.js'
import type { EmbeddedClusterOptions } from './embedded/embedded-options.js'

/** The kinds of cluster, and what each of them takes. */
export type ClusterOptions = ControlPlaneOptions | EmbeddedClusterOptions | ExistingClusterOptions

/**
 * A cluster for tests:
 *
 * - `embedded`: an API server in this process, with workloads that it simulates; ready in milliseconds, needs nothing;
 * - `control-plane`: a real kube-apiserver and etcd of one's own, with the controller manager, the scheduler and nodes
 *   if asked for; ready in seconds once its binaries are on the machine, and gone when this process is;
 * - `existing`: one that runs already.
 *
 * ```ts
 * await using cluster = await createCluster({ kind: 'control-plane', nodes: 2 })
 * await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx'])
 * ```
 */
export function createCluster(options: ControlPlaneOptions): Promise<ControlPlaneCluster>
export function createCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster>
export function createCluster(options: ClusterOptions): Promise<Cluster>
export function createCluster(options: ClusterOptions): Promise<Cluster> {
  switch (options.kind) {
    case 'control-plane':
      return startControlPlane(options)
    case 'embedded':
      return startEmbedded(options)
    case 'existing':
      return connectToCluster(options)
    default:
      return assertNever(options)
  }
}

/** The server is loaded only by those who want it. */
async function startEmbedded(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { startEmbeddedCluster } = await import('./embedded/embedded-cluster.js')
  return startEmbeddedCluster(options)
}
