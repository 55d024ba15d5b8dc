import { clusterFile, serviceRange } from './cluster-files.js'

// The programs run in the cluster's folder: relative names stay short, and a socket's name must be.
const etcdAddress = 'unix://etcd.sock'

/** The kubeconfig of a component, by its name in the cluster's folder. */
export const kubeconfigFileOf = (component: string): string => `${component}.kubeconfig`

export const etcdArguments: readonly string[] = [
  '--data-dir=etcd',
  // A socket in a folder of the user alone: nobody else on this machine can read or write the data.
  `--listen-client-urls=${etcdAddress}`,
  // Nobody asks for either, but they must look like addresses.
  '--advertise-client-urls=http://127.0.0.1:0',
  '--listen-peer-urls=http://127.0.0.1:0',
  // The data ends with the cluster: it need not survive the machine.
  '--unsafe-no-fsync',
]

export interface ApiServerSettings {
  readonly port: number
  readonly hasControllerManager: boolean
  /** The user's own, after ours: the last one counts. */
  readonly flags: readonly string[]
}

export function apiServerArguments(settings: ApiServerSettings): readonly string[] {
  return [
    `--etcd-servers=${etcdAddress}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${settings.port}`,
    // Nothing but loopback: works without a network. An Endpoints object may not hold such an address, so there is none.
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${clusterFile.servingCert}`,
    `--tls-private-key-file=${clusterFile.servingKey}`,
    `--client-ca-file=${clusterFile.authorityCert}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-signing-key-file=${clusterFile.serviceAccountKey}`,
    `--service-account-key-file=${clusterFile.serviceAccountPublicKey}`,
    `--service-cluster-ip-range=${serviceRange}`,
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    // Without a controller manager nobody makes the service accounts that pods must have, and nobody takes away the
    // taint that new nodes must have.
    ...(settings.hasControllerManager
      ? []
      : ['--disable-admission-plugins=ServiceAccount,TaintNodesByCondition']),
    ...settings.flags,
  ]
}

// A test should wait for the cluster, not for the politeness of its parts.
const hasty = ['--kube-api-qps=500', '--kube-api-burst=1000', '--leader-elect=false', '--secure-port=0']

export const controllerManagerArguments: readonly string[] = [
  `--kubeconfig=${kubeconfigFileOf('kube-controller-manager')}`,
  '--use-service-account-credentials=true',
  `--service-account-private-key-file=${clusterFile.serviceAccountKey}`,
  `--root-ca-file=${clusterFile.authorityCert}`,
  `--cluster-signing-cert-file=${clusterFile.authorityCert}`,
  `--cluster-signing-key-file=${clusterFile.authorityKey}`,
  // Its default is a folder of the system, which it would create.
  '--flex-volume-plugin-dir=flex-volume-plugins',
  ...hasty,
]

export const schedulerArguments: readonly string[] = [
  `--kubeconfig=${kubeconfigFileOf('kube-scheduler')}`,
  ...hasty,
]

export const kwokArguments: readonly string[] = [
  `--kubeconfig=${kubeconfigFileOf('kwok')}`,
  `--config=${clusterFile.kwokConfig}`,
  '--manage-all-nodes',
  '--cidr=10.244.0.1/16',
  // As kubelets do it: without leases the controller manager gives the nodes up.
  '--node-lease-duration-seconds=40',
]
