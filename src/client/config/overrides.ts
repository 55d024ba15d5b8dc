import { resolve } from 'node:path'
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.js'
import { present } from './present.js'

/**
 * Fields that replace those of the chosen cluster and user, as the flags of kubectl do. File names are relative to the
 * working directory; certificates and keys as PEM belong into a kubeconfig.
 */
export interface ClusterConfigOverrides {
  /** Clears the cluster's tls-server-name unless that is given too: it belongs to the old server. */
  readonly server?: string
  readonly tlsServerName?: string
  /** Clears the cluster's certificate authority. */
  readonly insecureSkipTlsVerify?: boolean
  /** Clears the cluster's insecure-skip-tls-verify. */
  readonly certificateAuthority?: string
  readonly proxyUrl?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly clientCertificate?: string
  readonly clientKey?: string
  readonly username?: string
  readonly password?: string
  readonly as?: string
  readonly asUid?: string
  readonly asGroups?: readonly string[]
  readonly asUserExtra?: Readonly<Record<string, readonly string[]>>
}

/** The cluster with the overrides that concern it. */
export function overrideCluster(
  cluster: KubeconfigCluster,
  overrides: ClusterConfigOverrides,
): KubeconfigCluster {
  const trust =
    overrides.insecureSkipTlsVerify === true || overrides.certificateAuthority !== undefined
      ? {
          insecureSkipTlsVerify: overrides.insecureSkipTlsVerify === true,
          certificateAuthority: absolute(overrides.certificateAuthority),
          certificateAuthorityData: undefined,
        }
      : cluster
  const named = overrides.tlsServerName !== undefined || overrides.server !== undefined ? overrides : cluster
  return {
    place: cluster.place,
    insecureSkipTlsVerify: trust.insecureSkipTlsVerify,
    ...present({
      server: overrides.server ?? cluster.server,
      proxyUrl: overrides.proxyUrl ?? cluster.proxyUrl,
      tlsServerName: named.tlsServerName,
      certificateAuthority: trust.certificateAuthority,
      certificateAuthorityData: trust.certificateAuthorityData,
      execConfig: cluster.execConfig,
    }),
  }
}

/** The user with the overrides that concern it. */
export function overrideUser(user: KubeconfigUser, overrides: ClusterConfigOverrides): KubeconfigUser {
  const { token, tokenFile, username, password, clientCertificate, clientKey } = overrides
  // One way of filling the Authorization header replaces another; client-go would call the mixture an error.
  const replacesHeader = [token, tokenFile, username, password].some((field) => field !== undefined)
  const header = replacesHeader ? { token, tokenFile: absolute(tokenFile), username, password } : user
  const cert = clientCertificate === undefined ? user : { clientCertificate: absolute(clientCertificate) }
  const key = clientKey === undefined ? user : { clientKey: absolute(clientKey) }
  return {
    place: user.place,
    ...present({
      token: header.token,
      tokenFile: header.tokenFile,
      username: header.username,
      password: header.password,
      clientCertificate: cert.clientCertificate,
      clientCertificateData: 'clientCertificateData' in cert ? cert.clientCertificateData : undefined,
      clientKey: key.clientKey,
      clientKeyData: 'clientKeyData' in key ? key.clientKeyData : undefined,
      as: overrides.as ?? user.as,
      asUid: overrides.asUid ?? user.asUid,
      asGroups: overrides.asGroups ?? user.asGroups,
      asUserExtra: overrides.asUserExtra ?? user.asUserExtra,
      exec: user.exec,
      authProvider: user.authProvider,
    }),
  }
}

function absolute(file: string | undefined): string | undefined {
  return file === undefined ? undefined : resolve(file)
}
