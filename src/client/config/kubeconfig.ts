/** Where an entry of a kubeconfig stands, so that an error can point at it. */
export interface KubeconfigPlace {
  /** For people: the name of the file, or words for a document that came from elsewhere. */
  readonly source: string
  /** The file, absolute, if there is one. */
  readonly file?: string
  /** The path of the entry inside the document: `clusters[0].cluster`. */
  readonly at: string
}

/** One cluster of a kubeconfig. File names are absolute; data is still base64. An empty field is an absent one. */
export interface KubeconfigCluster {
  readonly place: KubeconfigPlace
  readonly server?: string
  readonly tlsServerName?: string
  readonly insecureSkipTlsVerify: boolean
  readonly certificateAuthority?: string
  readonly certificateAuthorityData?: string
  readonly proxyUrl?: string
  /** The extension that is reserved for exec plugins, handed to them as it is. */
  readonly execConfig?: unknown
}

/** One context of a kubeconfig: the names of a cluster and a user. */
export interface KubeconfigContext {
  readonly place: KubeconfigPlace
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** One user of a kubeconfig. Almost everything here is secret. */
export interface KubeconfigUser {
  readonly place: KubeconfigPlace
  readonly clientCertificate?: string
  readonly clientCertificateData?: string
  readonly clientKey?: string
  readonly clientKeyData?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly as?: string
  readonly asUid?: string
  readonly asGroups?: readonly string[]
  readonly asUserExtra?: Readonly<Record<string, readonly string[]>>
  readonly exec?: KubeconfigExec
  readonly authProvider?: KubeconfigAuthProvider
}

/** A credential plugin as the kubeconfig describes it. */
export interface KubeconfigExec {
  readonly apiVersion?: string
  /** Absolute if it had a separator; a bare name is looked up in PATH. */
  readonly command?: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly installHint?: string
  readonly provideClusterInfo: boolean
  readonly interactiveMode?: string
}

/** An identity provider as the kubeconfig describes it. Its settings hold tokens. */
export interface KubeconfigAuthProvider {
  readonly name?: string
  readonly config: Readonly<Record<string, string>>
}

/** A kubeconfig, or several merged into one. */
export interface Kubeconfig {
  /** Where it comes from, for people: the files that were merged. */
  readonly sources: readonly string[]
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>
  readonly users: ReadonlyMap<string, KubeconfigUser>
  readonly contexts: ReadonlyMap<string, KubeconfigContext>
  readonly currentContext?: string
}

/**
 * Merges kubeconfigs, the first of the list having the last word: an entry of a later file counts only if no earlier
 * file has one of that name (its fields are never mixed), and the first non-empty current-context wins.
 */
export function mergeKubeconfigs(kubeconfigs: readonly Kubeconfig[]): Kubeconfig {
  const merge = <T>(select: (kubeconfig: Kubeconfig) => ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    // Later entries of the reversed list overwrite earlier ones: what stands first in the list stays.
    new Map(kubeconfigs.toReversed().flatMap((kubeconfig) => [...select(kubeconfig)]))
  const currentContext = kubeconfigs.find(
    (kubeconfig) => kubeconfig.currentContext !== undefined,
  )?.currentContext
  return {
    sources: kubeconfigs.flatMap((kubeconfig) => kubeconfig.sources),
    clusters: merge((kubeconfig) => kubeconfig.clusters),
    users: merge((kubeconfig) => kubeconfig.users),
    contexts: merge((kubeconfig) => kubeconfig.contexts),
    ...(currentContext !== undefined && { currentContext }),
  }
}

/** True when there is nothing in it to choose from. */
export function isEmptyKubeconfig(kubeconfig: Kubeconfig): boolean {
  return (
    kubeconfig.clusters.size === 0 &&
    kubeconfig.users.size === 0 &&
    kubeconfig.contexts.size === 0 &&
    kubeconfig.currentContext === undefined
  )
}
