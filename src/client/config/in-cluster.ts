import { stat } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Logger } from '../../observe/index.js'
import type { Kubeconfig, KubeconfigPlace } from './kubeconfig.js'
import type { Environment } from './kubeconfig-files.js'
import { certificatesProblem } from './pem.js'
import { ConfigFileError, readTextFile } from './text-file.js'

/** Where the kubelet mounts the service account of a pod. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** A pod as it sees itself. */
export interface Pod {
  readonly env: Environment
  /** Where its service account is mounted. */
  readonly directory: string
}

/** True in a pod that has a service account. */
export async function isInCluster({ env, directory }: Pod): Promise<boolean> {
  if (!env['KUBERNETES_SERVICE_HOST'] || !env['KUBERNETES_SERVICE_PORT']) return false
  try {
    return !(await stat(join(directory, 'token'))).isDirectory()
  } catch {
    return false
  }
}

/** The namespace of this pod: POD_NAMESPACE, else what the service account says, else `default`. */
export async function inClusterNamespace({ env, directory }: Pod): Promise<string> {
  if (env['POD_NAMESPACE']) return env['POD_NAMESPACE']
  const text = await readTextFile(join(directory, 'namespace')).catch(() => '')
  return text.trim() || 'default'
}

/** The kubeconfig that a pod's service account amounts to. Its files are read when it is used, and again as they rotate. */
export async function inClusterKubeconfig(pod: Pod, log: Logger): Promise<Kubeconfig> {
  const { env, directory } = pod
  const place: KubeconfigPlace = { source: 'the service account of this pod', at: directory }
  const host = env['KUBERNETES_SERVICE_HOST'] ?? ''
  const authority = join(directory, 'ca.crt')
  const hasAuthority = await isUsableAuthority(authority, log)
  return {
    sources: [place.source],
    clusters: new Map([
      [
        'in-cluster',
        {
          place,
          server: `https://${isIPv6(host) ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT']}`,
          insecureSkipTlsVerify: false,
          ...(hasAuthority && { certificateAuthority: authority }),
        },
      ],
    ]),
    users: new Map([['in-cluster', { place, tokenFile: join(directory, 'token') }]]),
    contexts: new Map([
      [
        'in-cluster',
        { place, cluster: 'in-cluster', user: 'in-cluster', namespace: await inClusterNamespace(pod) },
      ],
    ]),
    currentContext: 'in-cluster',
  }
}

async function isUsableAuthority(file: string, log: Logger): Promise<boolean> {
  try {
    const detail = certificatesProblem(await readTextFile(file))
    if (detail === undefined) return true
    throw new ConfigFileError({ file, reason: 'invalid', detail })
  } catch (error) {
    // As in client-go: a server with a publicly trusted certificate needs no bundle, and any other will be refused.
    log.error('Cannot load the certificate authorities of the cluster: those of the system are used.', {
      error,
    })
    return false
  }
}
