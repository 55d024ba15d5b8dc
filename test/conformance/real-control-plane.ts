import { dirname, join } from 'node:path'
import { createCluster, ensureControlPlane } from 'kubewright/testing'
import { startSupervisor } from '../../src/testing/control-plane/supervisor.js'

/**
 * What runs beside the API server to judge by: the controllers without which its own objects are not complete. Those of
 * workloads would only make objects change at times that nobody can foresee.
 */
const controllers = [
  'clusterrole-aggregation-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
]

/** The server that is right by definition: kube-apiserver and etcd, with a few controllers. */
export interface RealControlPlane {
  readonly kubeconfig: string
  stop(): Promise<void>
}

/** Nothing of it outlives this process. */
export async function startRealControlPlane(): Promise<RealControlPlane> {
  const { binaries } = await ensureControlPlane({
    components: ['etcd', 'kube-apiserver', 'kubectl', 'kube-controller-manager'],
  })
  const cluster = await createCluster({
    kind: 'control-plane',
    // With a controller manager of our own, pods can have their service accounts as usual.
    apiserverFlags: ['--disable-admission-plugins='],
  })
  const supervisor = await startSupervisor(process.env)
  await supervisor.start({
    file: binaries['kube-controller-manager'],
    args: [
      `--kubeconfig=${cluster.kubeconfig}`,
      `--controllers=${controllers.join(',')}`,
      `--root-ca-file=${join(dirname(cluster.kubeconfig), 'ca.crt')}`,
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      '--leader-elect=false',
      '--secure-port=0',
      '--concurrent-namespace-syncs=20',
      '--flex-volume-plugin-dir=flex-volume-plugins',
    ],
    log: 'kube-controller-manager.log',
  })
  return {
    kubeconfig: cluster.kubeconfig,
    async stop() {
      await supervisor.stop(0)
      await cluster.stop()
    },
  }
}
