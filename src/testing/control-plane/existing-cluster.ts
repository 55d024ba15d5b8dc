import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { deepCopy, isPlainObject, parseJson, setOwn } from '../../base/index.js'
import { type Environment, loadClusterConfig } from '../../client/index.js'
import type { Cluster, ClusterAccess, ClusterUser } from '../cluster.js'
import { UnreadableKubeconfigError } from '../cluster-errors.js'
import { clusterOf, createLifetime } from './cluster-access.js'
import { findKubectl } from './find-kubectl.js'
import { type Supervisor, startSupervisor } from './supervisor.js'

/** A cluster that somebody else runs. */
export interface ExistingClusterOptions {
  readonly kind: 'existing'
  /** Default: what kubectl would take, the variable KUBECONFIG or `~/.kube/config`. */
  readonly kubeconfig?: string
  /** Default: the current one of the kubeconfig. */
  readonly context?: string
  /** Default: the environment of the process. */
  readonly env?: Environment
}

/**
 * Takes a cluster as it is; nothing is started, and `stop` ends nothing but our own connections. Other users are
 * impersonated, which the user of the kubeconfig must be allowed to do.
 */
export async function connectToCluster(options: ExistingClusterOptions): Promise<Cluster> {
  const env = options.env ?? process.env
  let supervisor: Supervisor | undefined
  let users = 0
  const lifetime = createLifetime(async () => supervisor?.stop(0))
  // The user's environment: a kubeconfig may name a plugin that needs it.
  const kubectl = { file: () => findKubectl(env), env }

  const own = lifetime.open({
    kubeconfig: options.kubeconfig ?? (env['KUBECONFIG'] || join(homedir(), '.kube', 'config')),
    config: await loadClusterConfig({
      env,
      ...(options.kubeconfig === undefined ? {} : { path: options.kubeconfig }),
      ...(options.context === undefined ? {} : { context: options.context }),
    }),
    kubectl: { ...kubectl, args: options.context === undefined ? [] : ['--context', options.context] },
  })

  async function impersonate(user: ClusterUser): Promise<ClusterAccess> {
    const fileName = `user-${++users}.kubeconfig`
    const view = await own.kubectl(['config', 'view', '--minify', '--flatten', '--raw', '--output=json'])
    const document = actingAs(user, view.exitCode === 0 ? parseJson(view.stdout) : undefined)
    if (document === undefined) throw new UnreadableKubeconfigError(own.kubeconfig, view.stderr.trim())
    // The supervisor's folder is removed even if this process is killed: the copy holds credentials.
    supervisor ??= await startSupervisor(env)
    const kubeconfig = join(supervisor.folder, fileName)
    await writeFile(kubeconfig, `${JSON.stringify(document, undefined, 2)}\n`, { mode: 0o600 })
    return lifetime.open({ kubeconfig, config: await loadClusterConfig({ path: kubeconfig, env }), kubectl })
  }

  return clusterOf(own, { user: impersonate, logs: () => Promise.resolve({}), stop: () => lifetime.stop() })
}

/** The document with its only user acting as another one. */
function actingAs(user: ClusterUser, document: unknown): unknown {
  const copy = deepCopy(document)
  const users = isPlainObject(copy) ? copy['users'] : undefined
  const entry: unknown = Array.isArray(users) ? users[0] : undefined
  if (!isPlainObject(entry)) return undefined
  const settings = isPlainObject(entry['user']) ? entry['user'] : {}
  setOwn(entry, 'user', { ...settings, as: user.name, 'as-groups': [...(user.groups ?? [])] })
  return copy
}
