import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../../base/x509/index.js'
import { type KubeconfigDocument, toKubeconfig } from '../../client/index.js'
import type { ClusterUser } from '../cluster.js'

/** The files that the programs read, by the names under which their arguments mention them. */
export const clusterFile = {
  authorityCert: 'ca.crt',
  authorityKey: 'ca.key',
  servingCert: 'serving.crt',
  servingKey: 'serving.key',
  serviceAccountKey: 'service-account.key',
  serviceAccountPublicKey: 'service-account.pub',
  kwokConfig: 'kwok.yaml',
} as const

/** Addresses of services; the first is that of the API server itself. */
export const serviceRange = '10.96.0.0/16'

/** The keys of one cluster. */
export interface ClusterKeys {
  /** A self-contained kubeconfig of a user, who is known by a client certificate. */
  kubeconfigFor(user: ClusterUser, server: string): KubeconfigDocument
}

/** Makes the keys of a new cluster and writes what the programs need. */
export async function writeClusterFiles(folder: string, clock: Clock): Promise<ClusterKeys> {
  const authority = createCertificateAuthority({ commonName: 'kubewright control plane', clock })
  const serving = issueCertificate(authority, {
    commonName: 'kube-apiserver',
    purposes: ['server'],
    dnsNames: [
      'localhost',
      'kubernetes',
      'kubernetes.default',
      'kubernetes.default.svc',
      'kubernetes.default.svc.cluster.local',
    ],
    ipAddresses: ['127.0.0.1', '::1', '10.96.0.1'],
    clock,
  })
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const files = {
    [clusterFile.authorityCert]: authority.cert,
    [clusterFile.authorityKey]: authority.key,
    [clusterFile.servingCert]: serving.cert,
    [clusterFile.servingKey]: serving.key,
    [clusterFile.serviceAccountKey]: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    [clusterFile.serviceAccountPublicKey]: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    // Empty, so that kwok does not look for one in the user's home.
    [clusterFile.kwokConfig]: '',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
  return { kubeconfigFor: (user, server) => kubeconfigOf(authority, { user, server, clock }) }
}

function kubeconfigOf(
  authority: KeyedCertificate,
  { user, server, clock }: { readonly user: ClusterUser; readonly server: string; readonly clock: Clock },
): KubeconfigDocument {
  return toKubeconfig({
    name: 'kubewright',
    server,
    certificateAuthority: authority.cert,
    clientCertificate: issueCertificate(authority, {
      commonName: user.name,
      organizations: user.groups ?? [],
      purposes: ['client'],
      clock,
    }),
  })
}
