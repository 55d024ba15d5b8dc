import {
  type Client,
  createClient,
  createDiscovery,
  type Discovery,
  loadClusterConfig,
} from '../../client/index.js'
import type { CommandOutput } from '../command-output.js'

/** The flags by which every command finds its cluster. */
export interface ClusterFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: string
}

/** The way to a cluster for the time of one command. */
export interface Connection extends Disposable {
  readonly client: Client
  readonly discovery: Discovery
  /** Where objects are that name no namespace: that of the flag, else that of the context, else `default`. */
  readonly namespace: string
  readonly output: CommandOutput
}

/** Finds the cluster as kubectl would. What the server warns of is shown. Nothing is sent yet. */
export async function connect(flags: ClusterFlags, output: CommandOutput): Promise<Connection> {
  const config = await loadClusterConfig({
    ...(flags.kubeconfig !== undefined && { path: flags.kubeconfig }),
    ...(flags.context !== undefined && { context: flags.context }),
  })
  const namespace = flags.namespace ?? config.namespace
  const client = createClient({
    config,
    namespace,
    userAgent: 'kubewright',
    onWarning: ({ text }) => output.stderr.write(`Warning: ${text}\n`),
  })
  return {
    client,
    namespace,
    output,
    discovery: createDiscovery(client),
    [Symbol.dispose]: () => client.close(),
  }
}
