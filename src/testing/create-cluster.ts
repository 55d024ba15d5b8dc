import { assertNever } from '../base/index.js'
import type { Cluster, ControlPlaneCluster } from './cluster.js'
import { startControlPlane } from './control-plane/control-plane-cluster.js'
import type { ControlPlaneOptions } from './control-plane/control-plane-options.js'
import { connectToCluster, type ExistingClusterOptions } from './control-plane/existing-cluster.js'

/** The kinds of cluster, and what each of them takes. */
export type ClusterOptions = ControlPlaneOptions | ExistingClusterOptions

/**
 * A cluster for tests:
 *
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
export function createCluster(options: ClusterOptions): Promise<Cluster>
export function createCluster(options: ClusterOptions): Promise<Cluster> {
  switch (options.kind) {
    case 'control-plane':
      return startControlPlane(options)
    case 'existing':
      return connectToCluster(options)
    default:
      return assertNever(options)
  }
}
