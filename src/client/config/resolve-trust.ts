import type { ServerTrust } from './cluster-config.js'
import type { KubeconfigCluster } from './kubeconfig.js'
import { certificatesProblem, decodeBase64 } from './pem.js'
import { type ResolveContext, reportField } from './resolve-context.js'
import { createCaFile } from './server-trust.js'
import { ConfigFileError } from './text-file.js'

/** How the server of a cluster entry is verified. What is wrong with the entry is reported. */
export async function resolveTrust(
  cluster: KubeconfigCluster,
  server: string,
  context: ResolveContext,
): Promise<ServerTrust> {
  const { certificateAuthority, certificateAuthorityData, insecureSkipTlsVerify, tlsServerName, place } =
    cluster
  if (certificateAuthority !== undefined && certificateAuthorityData !== undefined)
    reportField(
      context,
      place,
      'certificate-authority',
      'certificate-authority-data is there too: remove one of them',
    )
  const hasAuthority = certificateAuthority !== undefined || certificateAuthorityData !== undefined
  if (insecureSkipTlsVerify && hasAuthority)
    reportField(
      context,
      place,
      'insecure-skip-tls-verify',
      'a certificate authority is there too, and would not be used: remove one of them',
    )
  if (insecureSkipTlsVerify)
    context.log.warn(
      'The server certificate is not verified (insecure-skip-tls-verify): anybody on the way can read and change ' +
        'everything. Set certificate-authority-data instead.',
      { server },
    )
  return {
    ca: await resolveAuthority(cluster, context),
    ...(tlsServerName !== undefined && { serverName: tlsServerName }),
    insecureSkipVerify: insecureSkipTlsVerify,
  }
}

async function resolveAuthority(
  cluster: KubeconfigCluster,
  context: ResolveContext,
): Promise<ServerTrust['ca']> {
  const { certificateAuthority: file, certificateAuthorityData: data, place } = cluster
  if (data !== undefined) {
    const pem = decodeBase64(data)
    const problem =
      pem === undefined ? 'it is not base64: encode the PEM file again' : certificatesProblem(pem)
    if (problem !== undefined) reportField(context, place, 'certificate-authority-data', problem)
    return async () => pem
  }
  if (file !== undefined) {
    try {
      return await createCaFile({ file, clock: context.clock, log: context.log })
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error
      reportField(context, place, 'certificate-authority', error.message)
    }
  }
  return async () => undefined
}
