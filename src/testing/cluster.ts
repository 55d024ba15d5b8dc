import type { ApiServer } from '../apiserver/index.js'
import type { Client, ClusterConfig } from '../client/index.js'
import type { Transport } from '../objects/index.js'
import type { ControlPlaneAssets } from './control-plane/find-control-plane.js'

/** What kubectl said and how it ended. */
export interface KubectlResult {
  readonly stdout: string
  readonly stderr: string
  /** Absent when a signal ended kubectl. */
  readonly exitCode: number | undefined
}

export interface KubectlOptions {
  /** What kubectl reads from its standard input, for `apply -f -`. */
  readonly input?: string
  /** Ends kubectl; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** The way into a cluster of one user. */
export interface ClusterAccess {
  /** The path of a kubeconfig file. It holds secrets and is gone after `stop`. */
  readonly kubeconfig: string
  readonly config: ClusterConfig
  /** Made on first use, closed by `stop`. */
  readonly client: Client
  /** Runs kubectl. An exit code other than zero is a result, not an error. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<KubectlResult>
}

/** Who somebody is in the eyes of the API server. */
export interface ClusterUser {
  readonly name: string
  readonly groups?: readonly string[]
}

/**
 * A cluster for tests. The access that it is itself is that of an administrator. `await using` stops it at the end of
 * the block.
 */
export interface Cluster extends ClusterAccess, AsyncDisposable {
  /** The way in of somebody else. Without further rules a user may do nothing. */
  user(user: ClusterUser): Promise<ClusterAccess>
  /** What the programs of the cluster have written so far, by name. Empty for a cluster that is not ours. */
  logs(): Promise<Readonly<Record<string, string>>>
  /** Ends what was started and removes what was written. Resolves when that has happened; may be called again. */
  stop(): Promise<void>
}

/** The API server as a process: for tests of what happens when it goes away. */
export interface ApiServerProcess {
  /** Kills it, as a crash would: no answer is finished. Resolves when it has ended. Its data and its address stay. */
  kill(): Promise<void>
  /** Starts it again under the same address. Resolves when it is ready; does nothing while it runs. */
  start(): Promise<void>
  /** Stops it in its tracks: connections stay open and nothing is answered, as behind a broken network. */
  pause(): void
  /** Ends a pause. */
  resume(): void
}

/** A control plane that belongs to this process alone. */
export interface ControlPlaneCluster extends Cluster {
  /** The binaries that it runs. */
  readonly assets: ControlPlaneAssets
  readonly apiserver: ApiServerProcess
}

/** A cluster inside this process. Its clients need no socket; its kubeconfig is for other programs. */
export interface EmbeddedCluster extends Cluster {
  /** The server itself: its store, for faults, and its certificates. */
  readonly server: ApiServer
  /** The administrator's way in without a socket, for `assembleOperator` and `createClient`. */
  readonly transport: Transport
  /** Goes away and comes back as a process would, under the same address. Ways in without a socket are not concerned. */
  readonly apiserver: ApiServerProcess
}
