/** What proves who we are, at one moment. */
export interface Credentials {
  /** The value of the Authorization header. Never logged. */
  readonly authorization?: string
  /** PEM, for mutual TLS. Never logged. */
  readonly clientCertificate?: { readonly cert: string; readonly key: string }
}

/** Where credentials come from: constants, files that rotate, a plugin, an identity provider. */
export interface CredentialSource {
  /** The current credentials. Cached; refreshed when they expire; at most one refresh at a time. */
  get(signal?: AbortSignal): Promise<Credentials>
  /**
   * The server refused these credentials (401). Drops them if they are still the cached ones, so that N parallel
   * refusals cause one refresh. True when another `get` may bring different ones.
   */
  refused(credentials: Credentials): boolean
}

/** How the server proves who it is. */
export interface ServerTrust {
  /** PEM of the certificate authorities; absent: those of the system. Re-read when the file behind it changes. */
  ca(): Promise<string | undefined>
  /** Name to expect in the certificate when it differs from the host (tls-server-name). */
  readonly serverName?: string
  /** Accept any certificate. Always accompanied by a warning. */
  readonly insecureSkipVerify: boolean
}

/** Act as somebody else. Needs the `impersonate` permission. */
export interface Impersonation {
  readonly user: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** Everything needed to talk to one cluster as one identity. */
export interface ClusterConfig {
  /** Base URL, without a trailing slash; may have a path. */
  readonly server: string
  readonly trust: ServerTrust
  readonly credentials: CredentialSource
  readonly impersonate?: Impersonation
  /** `http:`, `https:`, `socks5:` or `socks5h:` URL, chosen by proxy-url or by the environment; absent: direct. */
  readonly proxyUrl?: string
  /** The namespace to use where none is named. */
  readonly namespace: string
  /** For people and log lines: `context kind-dev from /home/me/.kube/config`. Holds no secret. */
  readonly origin: string
}
