import { type Clock, systemClock } from '../../base/index.js'
import type { Environment } from '../../client/index.js'
import { type ControlPlaneFailedError, InvalidClusterOptionsError } from '../cluster-errors.js'
import type { Component } from './component.js'
import type { ArchiveSource } from './envtest-archive.js'
import type { OnProgress } from './progress.js'

/** What may run beside the API server. */
export type WorkloadComponent = 'kube-controller-manager' | 'kube-scheduler'

/** A control plane of one's own: etcd and kube-apiserver, and what else is asked for. */
export interface ControlPlaneOptions {
  readonly kind: 'control-plane'
  /** Of Kubernetes. Default: the one that kubewright is tested with. */
  readonly version?: string
  /**
   * What runs beside the API server. Default: nothing; with `nodes`, both, so that a Deployment gets pods and becomes
   * available.
   */
  readonly components?: readonly WorkloadComponent[]
  /** So many nodes, played by kwok: pods on them run without containers. Default: 0. */
  readonly nodes?: number
  /** The port of the API server. Default: a free one. */
  readonly port?: number
  /** Further flags of kube-apiserver, after ours: `--watch-cache=false`. */
  readonly apiserverFlags?: readonly string[]
  /** The longest wait for each program, once the binaries are there. Default: one minute. */
  readonly startTimeoutMs?: number
  /** An archive to take binaries from in place of the official one. */
  readonly archive?: ArchiveSource
  readonly onProgress?: OnProgress
  /** Told once when a program of the ready cluster ends by itself. Default: whoever uses the cluster will notice. */
  readonly onFailure?: (error: ControlPlaneFailedError) => void
  /** Aborting gives up the start, and leaves nothing behind. A cluster that is ready is ended by `stop`. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
  /** Where the binaries are looked for depends on it. Default: the environment of the process. */
  readonly env?: Environment
}

/** The options with their defaults. */
export interface ControlPlaneSettings {
  readonly components: readonly WorkloadComponent[]
  readonly nodes: number
  readonly port: number | undefined
  readonly apiserverFlags: readonly string[]
  readonly startTimeoutMs: number
  readonly onProgress: OnProgress
  readonly onFailure: (error: ControlPlaneFailedError) => void
  readonly signal: AbortSignal | undefined
  readonly clock: Clock
  readonly env: Environment
}

/** Fills in the defaults. Throws InvalidClusterOptionsError for what makes no sense. */
export function settingsOf(options: ControlPlaneOptions): ControlPlaneSettings {
  const { nodes = 0, port } = options
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 5_000)
    throw new InvalidClusterOptionsError('nodes', 'must be a whole number from 0 to 5000')
  if (port !== undefined && (!Number.isInteger(port) || port < 1 || port > 65_535))
    throw new InvalidClusterOptionsError('port', 'must be a whole number from 1 to 65535')
  return {
    components: options.components ?? (nodes > 0 ? ['kube-controller-manager', 'kube-scheduler'] : []),
    nodes,
    port,
    apiserverFlags: options.apiserverFlags ?? [],
    startTimeoutMs: options.startTimeoutMs ?? 60_000,
    onProgress: options.onProgress ?? (() => {}),
    onFailure: options.onFailure ?? (() => {}),
    signal: options.signal,
    clock: options.clock ?? systemClock,
    env: options.env ?? process.env,
  }
}

/** The binaries that such a cluster needs. */
export function binariesFor(settings: ControlPlaneSettings): readonly Component[] {
  return [
    'etcd',
    'kube-apiserver',
    'kubectl',
    ...settings.components,
    ...(settings.nodes > 0 ? ['kwok' as const] : []),
  ]
}
