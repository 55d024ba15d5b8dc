/** A kubeconfig as it stands in a file. JSON is YAML: `JSON.stringify` makes a file that kubectl reads. */
export interface KubeconfigDocument {
  readonly apiVersion: 'v1'
  readonly kind: 'Config'
  readonly 'current-context': string
  readonly clusters: readonly { readonly name: string; readonly cluster: Readonly<Record<string, unknown>> }[]
  readonly users: readonly { readonly name: string; readonly user: Readonly<Record<string, unknown>> }[]
  readonly contexts: readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[]
}

/** One cluster and one user of it. Without a token and a certificate the user is anonymous. */
export interface KubeconfigOptions {
  /** The name of cluster, user and context. */
  readonly name: string
  readonly server: string
  /** PEM. */
  readonly certificateAuthority?: string
  readonly tlsServerName?: string
  readonly insecureSkipTlsVerify?: boolean
  readonly proxyUrl?: string
  readonly namespace?: string
  readonly token?: string
  /** PEM. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string }
}

/**
 * A kubeconfig for one cluster and one user, complete in itself: certificates are embedded. It holds secrets, so write it
 * to a file that only its owner may read (mode 0600).
 */
export function toKubeconfig(options: KubeconfigOptions): KubeconfigDocument {
  const { name, server, certificateAuthority, clientCertificate, token, namespace } = options
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [
      {
        name,
        cluster: {
          server,
          ...(certificateAuthority !== undefined && {
            'certificate-authority-data': toBase64(certificateAuthority),
          }),
          ...(options.tlsServerName !== undefined && { 'tls-server-name': options.tlsServerName }),
          ...(options.insecureSkipTlsVerify === true && { 'insecure-skip-tls-verify': true }),
          ...(options.proxyUrl !== undefined && { 'proxy-url': options.proxyUrl }),
        },
      },
    ],
    users: [
      {
        name,
        user: {
          ...(token !== undefined && { token }),
          ...(clientCertificate !== undefined && {
            'client-certificate-data': toBase64(clientCertificate.cert),
            'client-key-data': toBase64(clientCertificate.key),
          }),
        },
      },
    ],
    contexts: [
      { name, context: { cluster: name, user: name, ...(namespace !== undefined && { namespace }) } },
    ],
  }
}

function toBase64(pem: string): string {
  return Buffer.from(pem, 'utf8').toString('base64')
}
