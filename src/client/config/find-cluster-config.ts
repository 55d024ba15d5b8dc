import { systemClock } from '../../base/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
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
import { filesFromEnvironment, homeKubeconfig, readKubeconfigFiles } from './kubeconfig-files.js'
import type { LoadClusterConfigOptions } from './load-cluster-config.js'
import type { ClusterConfigOverrides } from './overrides.js'
import { parseKubeconfig } from './parse-kubeconfig.js'
import type { Present } from './present.js'
import { type Selection, selectContext } from './select-context.js'

/** Finds the cluster to talk to; see `loadClusterConfig`. */
export async function findClusterConfig(options: LoadClusterConfigOptions): Promise<ClusterConfig> {
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
