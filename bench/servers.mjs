// The two API servers of the bench, each in processes of its own: kubewright's, and etcd with kube-apiserver.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createCluster, describeProgress } from '../dist/testing/index.js'
import { startChild, temporaryFolder } from './children.mjs'
import { descendantsNamed } from './processes.mjs'

const program = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** Starts a server by its name. Resolves when it is ready, to { kubeconfig, pids, stop }. */
export const servers = { embedded: startEmbedded, real: startReal }

/** Without the workloads and the garbage collection that the embedded server can play: the real one has none either. */
async function startEmbedded() {
  const kubeconfig = join(temporaryFolder(), 'kubeconfig')
  const args = [program, 'api-server', '--no-simulation', '--no-controllers', '--kubeconfig', kubeconfig]
  const child = startChild(process.execPath, args)
  await child.lineThatBegins('The API server listens on ')
  return { kubeconfig, pids: [child.pid], stop: () => child.stop() }
}

async function startReal() {
  const cluster = await createCluster({
    kind: 'control-plane',
    onProgress: (progress) => {
      // The first run may have to fetch or to build them.
      if (progress.kind !== 'starting' && progress.kind !== 'ready') console.error(describeProgress(progress))
    },
  })
  return {
    kubeconfig: cluster.kubeconfig,
    pids: descendantsNamed(['etcd', 'kube-apiserver']),
    stop: () => cluster.stop(),
  }
}
