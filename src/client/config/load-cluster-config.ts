import { type Clock, systemClock } from '../../base/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import type { ExecOptions } from '../auth/exec-credentials.js'
import { buildClusterConfig } from './build-cluster-config.js'
import type { ClusterConfig } from './cluster-config.js'
import { ClusterConfigInvalidError, ClusterConfigMissingError, type ConfigProblem } from './config-errors.js'
import {
  inClusterKubeconfig,
  inClusterNamespace,
  isInCluster,
  type Pod,
  serviceAccountDirectory,
} from './in-cluster.js'
import { isEmptyKubeconfig, type Kubeconfig } from './kubeconfig.js'
import {
  type Environment,
  filesFromEnvironment,
  homeKubeconfig,
  readKubeconfigFiles,
} from './kubeconfig-files.js'
import type { ClusterConfigOverrides } from './overrides.js'
import { parseKubeconfig } from './parse-kubeconfig.js'
import type { Present } from './present.js'
import { type Selection, selectContext } from './select-context.js'

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
 * No connection is made and no plugin runs before the first request. Fails with {@link ClusterConfigMissingError} when
 * there is nothing, and with {@link ClusterConfigInvalidError}, listing every problem, when what is there cannot be used.
 */
export async function loadClusterConfig(options: LoadClusterConfigOptions = {}): Promise<ClusterConfig> {
  const env = options.env ?? process.env
  const log = options.log ?? silentLogger
  const pod: Pod = { env, directory: options.serviceAccountDirectory ?? serviceAccountDirectory }
  const { context, cluster, user, namespace, master } = options
  const selection: Selection = withoutEmpty({ context, cluster, user, namespace })
  const overrides: ClusterConfigOverrides = withoutEmpty({
    ...options.overrides,
    ...(master && { server: master }),
  })

  const isSpecific = selection.context ?? selection.cluster ?? selection.user ?? overrides.server
  const found = await findKubeconfig(options, { pod, log, allowInCluster: isSpecific === undefined })
  const problems: ConfigProblem[] = []
  const selected = selectContext(found.kubeconfig, selection, overrides, problems)
  if (problems.length > 0) throw new ClusterConfigInvalidError(problems)
  if (selected === undefined) throw new ClusterConfigMissingError(found.tried)

  const defaultNamespace = (await isInCluster(pod)) ? await inClusterNamespace(pod) : 'default'
  const config = await buildClusterConfig(selected, defaultNamespace, {
    env,
    log,
    clock: options.clock ?? systemClock,
    exec: options.exec ?? {},
    oidcWriteBack: options.oidc?.writeBack === true,
    problems,
  })
  log.debug('Loaded the cluster configuration.', { origin: config.origin, server: config.server })
  return config
}

interface Found {
  readonly kubeconfig: Kubeconfig
  /** Where was looked, for the error that says that nothing was there. */
  readonly tried: readonly string[]
}

async function findKubeconfig(
  options: LoadClusterConfigOptions,
  around: { readonly pod: Pod; readonly log: Logger; readonly allowInCluster: boolean },
): Promise<Found> {
  const { pod, log, allowInCluster } = around
  if (options.document !== undefined)
    return { kubeconfig: parseDocument(options.document), tried: ['the document'] }
  const named = [options.path ?? []].flat().filter((file) => file !== '')
  if (named.length > 0)
    return { kubeconfig: await readKubeconfigFiles(named, { missing: 'refuse', log }), tried: named }

  const tried: string[] = []
  const listed = filesFromEnvironment(pod.env)
  if (listed.length > 0) {
    const kubeconfig = await readKubeconfigFiles(listed, { missing: 'skip', log })
    tried.push(...listed.map((file) => `${file} (from KUBECONFIG)`))
    if (!isEmptyKubeconfig(kubeconfig)) return { kubeconfig, tried }
  }
  if (allowInCluster) {
    tried.push('the service account of a pod')
    if (await isInCluster(pod)) return { kubeconfig: await inClusterKubeconfig(pod, log), tried }
  }
  const home = listed.length > 0 ? [] : [homeKubeconfig(pod.env)]
  tried.push(...home)
  return { kubeconfig: await readKubeconfigFiles(home, { missing: 'skip', log: silentLogger }), tried }
}

function parseDocument(document: unknown): Kubeconfig {
  const problems: ConfigProblem[] = []
  const kubeconfig = parseKubeconfig(document, { source: 'the document' }, problems)
  if (problems.length > 0) throw new ClusterConfigInvalidError(problems)
  return kubeconfig
}

/** Flags that were not given are often empty strings. */
function withoutEmpty<T extends object>(fields: T): Present<T> {
  // Proof: only undefined and empty members are left out, and Present<T> lets any be absent.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as Present<T>
}
