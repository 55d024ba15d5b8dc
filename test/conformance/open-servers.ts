import { loadClusterConfig } from 'kubewright/client'
import { createCluster } from 'kubewright/testing'
import { createRig, type Rig } from './rig.js'
import { connect } from './server.js'
import { startWebhooks } from './webhooks.js'

/** The two sides of the comparison, ready for cases. */
export interface Servers {
  readonly real: Rig
  readonly embedded: Rig
  close(): Promise<void>
}

/** The real server runs already; the embedded one is started here, in this process, and spoken to over HTTPS too. */
export async function openServers(realKubeconfig: string): Promise<Servers> {
  const cluster = await createCluster({ kind: 'embedded', simulation: false, anonymous: true })
  const webhooks = await startWebhooks()
  const [real, embedded] = await Promise.all([
    connect('real', await loadClusterConfig({ path: realKubeconfig })),
    connect('embedded', cluster.config),
  ])
  const rigs = await Promise.all([createRig(real, webhooks), createRig(embedded, webhooks)])
  return {
    real: rigs[0],
    embedded: rigs[1],
    async close() {
      real.close()
      embedded.close()
      webhooks.close()
      await cluster.stop()
    },
  }
}
