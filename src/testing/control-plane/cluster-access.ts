import { type Client, type ClusterConfig, createClient, type Environment } from '../../client/index.js'
import type { Cluster, ClusterAccess } from '../cluster.js'
import { ClusterStoppedError } from '../cluster-errors.js'
import { runCommand } from './run-command.js'

interface AccessOptions {
  readonly kubeconfig: string
  readonly config: ClusterConfig
  readonly kubectl: {
    /** The program to run: looked for when it is first needed. */
    readonly file: () => Promise<string>
    /** Come before the user's own arguments. */
    readonly args?: readonly string[]
    readonly env: Environment
  }
}

/** From the creation of a cluster to its stop. */
export interface ClusterLifetime {
  /** A way in, closed when the cluster is stopped. */
  open(options: AccessOptions): ClusterAccess
  /** Throws ClusterStoppedError once `stop` was called. */
  assertRunning(): void
  /** Closes all accesses, then ends the rest. The second call waits for the first. */
  stop(): Promise<void>
}

/** `end` ends what stands behind the accesses. */
export function createLifetime(end: () => Promise<void>): ClusterLifetime {
  const clients = new Set<Client>()
  let stopping: Promise<void> | undefined

  function assertRunning(): void {
    if (stopping !== undefined) throw new ClusterStoppedError()
  }

  function open({ kubeconfig, config, kubectl }: AccessOptions): ClusterAccess {
    let client: Client | undefined
    return {
      kubeconfig,
      config,
      get client() {
        if (client === undefined) {
          assertRunning()
          client = createClient({ config })
          clients.add(client)
        }
        return client
      },
      async kubectl(args, { input, signal } = {}) {
        assertRunning()
        return runCommand(await kubectl.file(), [...(kubectl.args ?? []), ...args], {
          env: { ...kubectl.env, KUBECONFIG: kubeconfig },
          ...(input === undefined ? {} : { input }),
          ...(signal === undefined ? {} : { signal }),
        })
      },
    }
  }

  function stop(): Promise<void> {
    if (stopping === undefined) {
      for (const client of clients) client.close()
      stopping = end()
    }
    return stopping
  }

  return { open, assertRunning, stop }
}

/** A cluster whose own access is that of its administrator. */
export function clusterOf<Rest extends Pick<Cluster, 'stop' | 'user' | 'logs'>>(
  admin: ClusterAccess,
  rest: Rest,
): ClusterAccess & AsyncDisposable & Rest {
  return {
    ...rest,
    kubeconfig: admin.kubeconfig,
    config: admin.config,
    get client() {
      return admin.client
    },
    kubectl: (args, options) => admin.kubectl(args, options),
    [Symbol.asyncDispose]: () => rest.stop(),
  }
}
