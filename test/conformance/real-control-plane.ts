import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCluster, ensureControlPlane } from 'kubewright/testing'

/**
 * What runs beside the API server to judge by: the controllers without which its own objects are not complete. Those of
 * workloads would only make objects change at times that nobody can foresee.
 */
const controllers = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
]

const binaries = ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager'] as const

/** The server that is right by definition: kube-apiserver and etcd, with a few controllers. */
export interface RealControlPlane {
  readonly kubeconfig: string
  stop(): Promise<void>
}

/** Nothing of it outlives this process. */
export async function startRealControlPlane(): Promise<RealControlPlane> {
  const assets = await ensureControlPlane({ components: binaries })
  // The same programs, but for a controller manager that starts with fewer controllers.
  const folder = await mkdtemp(join(tmpdir(), 'kubewright-conformance-'))
  for (const binary of binaries) {
    const path = join(folder, binary)
    if (binary !== 'kube-controller-manager') await symlink(assets.binaries[binary], path)
    else await writeFile(path, launcherOf(assets.binaries[binary]), { mode: 0o700 })
  }
  const cluster = await createCluster({
    kind: 'control-plane',
    components: ['kube-controller-manager'],
    env: { ...process.env, KUBEWRIGHT_ASSETS: folder },
  })
  return {
    kubeconfig: cluster.kubeconfig,
    async stop() {
      await cluster.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const launcherOf = (program: string): string =>
  `#!/bin/sh\nexec '${program}' "$@" --controllers=${controllers.join(',')} --concurrent-namespace-syncs=20\n`
