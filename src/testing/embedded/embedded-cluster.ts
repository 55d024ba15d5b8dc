import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ApiServer,
  createApiServer,
  type Listener,
  mastersGroup,
  openServerData,
} from '../../apiserver/index.js'
import { type Client, createClient, createClusterConfig, toKubeconfig } from '../../client/index.js'
import type { ApiServerProcess, ClusterAccess, ClusterUser, EmbeddedCluster } from '../cluster.js'
import { NoListenerError } from '../cluster-errors.js'
import { createLifetime } from '../control-plane/cluster-access.js'
import { findKubectl } from '../control-plane/find-kubectl.js'
import type { EmbeddedClusterOptions } from './embedded-options.js'

const administrator: Required<ClusterUser> = { name: 'kubernetes-admin', groups: [mastersGroup] }

/** Starts a cluster in this process. */
export async function startEmbeddedCluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
  const { kind: _kind, https = true, port, dataDirectory, env = process.env, ...serverOptions } = options
  const data = dataDirectory === undefined ? undefined : await openServerData(dataDirectory)
  const server = await createApiServer({ ...serverOptions, ...data })
  const door = https ? await openDoor(server, port) : undefined
  const clients = new Set<Client>()
  const lifetime = createLifetime(async () => {
    for (const client of clients) client.close()
    await server.stop()
    await door?.close()
  })

  /** The kubeconfig is for others; our own client takes the short way. */
  async function accessOf(user: ClusterUser, fileName: string): Promise<ClusterAccess> {
    const transport = server.transport({
      name: user.name,
      groups: [...(user.groups ?? []), 'system:authenticated'],
    })
    const outside = await door?.accessOf(user, fileName)
    const opened =
      outside === undefined
        ? undefined
        : lifetime.open({ ...outside, kubectl: { file: () => findKubectl(env), env } })
    const present = <T>(what: string, value: T | undefined): T => {
      if (value === undefined) throw new NoListenerError(what)
      return value
    }
    let client: Client | undefined
    return {
      get kubeconfig() {
        return present('kubeconfig', opened?.kubeconfig)
      },
      get config() {
        return present('cluster configuration', opened?.config)
      },
      get client() {
        lifetime.assertRunning()
        if (client === undefined) {
          client = createClient({ transport, namespace: 'default' })
          clients.add(client)
        }
        return client
      },
      kubectl: async (args, kubectlOptions) => present('kubectl', opened).kubectl(args, kubectlOptions),
    }
  }

  const admin = await accessOf(administrator, 'admin.kubeconfig')
  let users = 0
  const stop = (): Promise<void> => lifetime.stop()
  return {
    server,
    transport: server.transport(),
    apiserver: door?.process ?? noProcess,
    get kubeconfig() {
      return admin.kubeconfig
    },
    get config() {
      return admin.config
    },
    get client() {
      return admin.client
    },
    kubectl: (args, kubectlOptions) => admin.kubectl(args, kubectlOptions),
    user: (user) => accessOf(user, `user-${++users}.kubeconfig`),
    logs: () => Promise.resolve({}),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

interface Door {
  readonly process: ApiServerProcess
  accessOf(user: ClusterUser, fileName: string): Promise<Pick<ClusterAccess, 'kubeconfig' | 'config'>>
  close(): Promise<void>
}

/** The HTTPS side: a listener that can go away and come back, and kubeconfigs that lead to it. */
async function openDoor(server: ApiServer, port: number | undefined): Promise<Door> {
  let listener: Listener | undefined = await server.listen(port === undefined ? {} : { port })
  const { port: ownPort, host } = listener
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-'))
  return {
    process: {
      async kill() {
        const closing = listener
        listener = undefined
        await closing?.close(0)
      },
      async start() {
        listener ??= await server.listen({ host, port: ownPort })
      },
      pause: () => listener?.pause(),
      resume: () => listener?.resume(),
    },
    async accessOf(user, fileName) {
      const kubeconfig = join(folder, fileName)
      const access = {
        name: 'kubewright',
        server: `https://${host}:${ownPort}`,
        certificateAuthority: server.authority.cert,
        clientCertificate: server.issueClientCertificate({ name: user.name, groups: user.groups ?? [] }),
      }
      await writeFile(kubeconfig, `${JSON.stringify(toKubeconfig(access), undefined, 2)}\n`, { mode: 0o600 })
      return { kubeconfig, config: createClusterConfig(access) }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const unavailable = (): never => {
  throw new NoListenerError('process')
}
const noProcess: ApiServerProcess = {
  kill: () => Promise.reject(new NoListenerError('process')),
  start: () => Promise.reject(new NoListenerError('process')),
  pause: unavailable,
  resume: unavailable,
}
