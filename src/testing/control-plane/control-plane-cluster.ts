import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { throwIfAborted } from '../../base/index.js'
import { loadClusterConfig } from '../../client/index.js'
import type { ApiServerProcess, ClusterAccess, ClusterUser, ControlPlaneCluster } from '../cluster.js'
import { type StartedApiServer, startApiServer } from './api-server.js'
import { type ClusterLifetime, clusterOf, createLifetime } from './cluster-access.js'
import { type ClusterKeys, writeClusterFiles } from './cluster-files.js'
import {
  binariesFor,
  type ControlPlaneOptions,
  type ControlPlaneSettings,
  settingsOf,
} from './control-plane-options.js'
import { ensureControlPlane } from './ensure-control-plane.js'
import { createFailureWatch, type FailureWatch } from './failure-watch.js'
import type { ControlPlaneAssets } from './find-control-plane.js'
import { apiServerArguments, etcdArguments, kubeconfigFileOf } from './program-arguments.js'
import { programEnvironment } from './program-environment.js'
import { logFileOf, readLogs } from './program-logs.js'
import { type Supervisor, startSupervisor } from './supervisor.js'
import { startWorkloadPrograms } from './workload-programs.js'

const administrator: ClusterUser = { name: 'kubernetes-admin', groups: ['system:masters'] }

// Long enough for an API server to close its connections properly; it would go on for seconds without need.
const graceMs = 1_000

/**
 * Starts a control plane and resolves when it is ready. The binaries are fetched or built if this machine has none.
 * Throws ControlPlaneStartError, with the end of each log, when a program does not start.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlaneCluster> {
  const settings = settingsOf(options)
  const { version, archive } = options
  const { clock, env, onProgress, signal } = settings
  const assets = await ensureControlPlane({
    components: binariesFor(settings),
    clock,
    env,
    onProgress,
    ...(version === undefined ? {} : { version }),
    ...(archive === undefined ? {} : { archive }),
    ...(signal === undefined ? {} : { signal }),
  })
  throwIfAborted(signal)
  const since = clock.monotonic()
  const supervisor = await startSupervisor(env)
  try {
    const cluster = await startIn(supervisor, assets, settings)
    onProgress({ kind: 'ready', elapsedMs: clock.monotonic() - since })
    return cluster
  } catch (error) {
    await supervisor.stop(0)
    throwIfAborted(signal)
    throw error
  }
}

async function startIn(
  supervisor: Supervisor,
  assets: ControlPlaneAssets,
  settings: ControlPlaneSettings,
): Promise<ControlPlaneCluster> {
  const { folder } = supervisor
  const { binaries } = assets
  const keys = await writeClusterFiles(folder, settings.clock)
  const failures = createFailureWatch(folder)
  const started = await startServers({ supervisor, binaries, settings, keys, failures })
  const lifetime = createLifetime(async () => {
    failures.end()
    await supervisor.stop(graceMs)
  })
  let users = 0

  async function writeKubeconfig(fileName: string, user: ClusterUser): Promise<string> {
    const path = join(folder, fileName)
    const document = keys.kubeconfigFor(user, started.server)
    await writeFile(path, `${JSON.stringify(document, undefined, 2)}\n`, { mode: 0o600 })
    return path
  }

  async function accessOf(user: ClusterUser, fileName: string): Promise<ClusterAccess> {
    const kubeconfig = await writeKubeconfig(fileName, user)
    // An empty environment: no proxy stands between us and loopback.
    const config = await loadClusterConfig({ path: kubeconfig, env: {}, clock: settings.clock })
    // Neither the preferences of the user's kubectl nor what it remembers of other clusters.
    const isolation = { HOME: folder, KUBECACHEDIR: join(folder, 'kubectl'), KUBERC: 'off' }
    const env = { ...programEnvironment(settings.env), ...isolation }
    return lifetime.open({
      kubeconfig,
      config,
      kubectl: { file: () => Promise.resolve(binaries.kubectl), env },
    })
  }

  const admin = await accessOf(administrator, 'kubeconfig')
  await startWorkloadPrograms({
    settings,
    supervisor,
    failures,
    binaries,
    client: admin.client,
    writeKubeconfig: (component, user) => writeKubeconfig(kubeconfigFileOf(component), user),
  })
  failures.begin(settings.onFailure)

  return clusterOf(admin, {
    assets,
    apiserver: whileRunning(lifetime, started.process),
    stop: () => lifetime.stop(),
    async user(user: ClusterUser) {
      lifetime.assertRunning()
      return accessOf(user, `user-${++users}.kubeconfig`)
    },
    async logs() {
      lifetime.assertRunning()
      return readLogs(folder)
    },
  })
}

interface ServerStart {
  readonly supervisor: Supervisor
  readonly binaries: ControlPlaneAssets['binaries']
  readonly settings: ControlPlaneSettings
  readonly keys: ClusterKeys
  readonly failures: FailureWatch
}

/** Starts etcd and the API server. */
async function startServers(start: ServerStart): Promise<StartedApiServer> {
  const { supervisor, binaries, settings, keys, failures } = start
  const { clock, components, onProgress, port, signal, startTimeoutMs } = settings
  onProgress({ kind: 'starting', component: 'etcd' })
  const etcd = await supervisor.start({
    file: binaries.etcd,
    args: etcdArguments,
    log: logFileOf('etcd'),
    last: true,
  })
  failures.add('etcd', etcd)
  onProgress({ kind: 'starting', component: 'kube-apiserver' })
  const hasControllerManager = components.includes('kube-controller-manager')
  return startApiServer({
    supervisor,
    etcd,
    failures,
    file: binaries['kube-apiserver'],
    argumentsFor: (chosen) =>
      apiServerArguments({ port: chosen, hasControllerManager, flags: settings.apiserverFlags }),
    configFor: (server) =>
      loadClusterConfig({ document: keys.kubeconfigFor(administrator, server), env: {}, clock }),
    clock,
    startTimeoutMs,
    ...(port === undefined ? {} : { port }),
    ...(signal === undefined ? {} : { signal }),
  })
}

function whileRunning(lifetime: ClusterLifetime, apiserver: ApiServerProcess): ApiServerProcess {
  return {
    async kill() {
      lifetime.assertRunning()
      await apiserver.kill()
    },
    async start() {
      lifetime.assertRunning()
      await apiserver.start()
    },
    pause() {
      lifetime.assertRunning()
      apiserver.pause()
    },
    resume() {
      lifetime.assertRunning()
      apiserver.resume()
    },
  }
}
