import type { ConfigProblem } from './config-errors.js'
import {
  isEmptyKubeconfig,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigPlace,
  type KubeconfigUser,
} from './kubeconfig.js'
import { type ClusterConfigOverrides, overrideCluster, overrideUser } from './overrides.js'
import { printable } from './printable.js'

/** Which entries of the kubeconfig to use, as `--context`, `--cluster`, `--user` and `--namespace` of kubectl. */
export interface Selection {
  readonly context?: string
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

/** The entries that make one configuration, overrides included. */
export interface SelectedContext {
  readonly cluster: KubeconfigCluster
  readonly user: KubeconfigUser
  /** The name under which the user stands in its file. */
  readonly userName: string
  readonly namespace?: string
  /** `context kind-dev from /home/me/.kube/config`. */
  readonly origin: string
}

const fromOptions: KubeconfigPlace = { source: 'the options', at: 'overrides' }

/**
 * Chooses a context and applies the overrides. Names that lead nowhere are reported. Undefined: nothing names a server,
 * and no problem explains why.
 */
export function selectContext(
  kubeconfig: Kubeconfig,
  selection: Selection,
  overrides: ClusterConfigOverrides,
  problems: ConfigProblem[],
): SelectedContext | undefined {
  const needsCluster = selection.cluster === undefined && overrides.server === undefined
  const contextName = selection.context ?? kubeconfig.currentContext
  const context = chooseContext(kubeconfig, selection, needsCluster, problems)
  const pick = <T>(what: 'cluster' | 'user', entries: ReadonlyMap<string, T>): T | undefined => {
    const name = selection[what] ?? context?.[what]
    const entry = name === undefined ? undefined : entries.get(name)
    if (name !== undefined && entry === undefined)
      problems.push({
        ...(selection[what] !== undefined || context === undefined
          ? { source: 'the options', path: what }
          : { source: context.place.source, path: `${context.place.at}.${what}` }),
        message: unknownName(what, name, entries),
      })
    return entry
  }
  const cluster = pick('cluster', kubeconfig.clusters)
  const user = pick('user', kubeconfig.users)
  if (problems.length > 0 || (cluster === undefined && overrides.server === undefined)) return undefined

  const namespace = selection.namespace ?? context?.namespace
  return {
    cluster: overrideCluster(cluster ?? { place: fromOptions, insecureSkipTlsVerify: false }, overrides),
    user: overrideUser(user ?? { place: fromOptions }, overrides),
    userName: selection.user ?? context?.user ?? '',
    ...(namespace !== undefined && { namespace }),
    origin: describeOrigin({
      contextName: context && contextName,
      source: (context ?? cluster)?.place.source,
      selection,
      overrides,
    }),
  }
}

/** The context of that name. One that is missing, or does not lead to a needed cluster, is reported. */
function chooseContext(
  kubeconfig: Kubeconfig,
  selection: Selection,
  needsCluster: boolean,
  problems: ConfigProblem[],
): KubeconfigContext | undefined {
  const { contexts, currentContext } = kubeconfig
  const name = selection.context ?? currentContext
  const context = name === undefined ? undefined : contexts.get(name)
  const current = { source: kubeconfig.sources.join(', '), path: 'current-context' }
  if (name !== undefined && context === undefined)
    problems.push({
      ...(selection.context === undefined ? current : { source: 'the options', path: 'context' }),
      message: unknownName('context', name, contexts),
    })
  else if (name === undefined && needsCluster && !isEmptyKubeconfig(kubeconfig)) {
    const advice =
      contexts.size === 0 ? 'add a context' : `choose one of ${listNames(contexts)} with --context`
    problems.push({ ...current, message: `it is missing: ${advice}` })
  } else if (context !== undefined && context.cluster === undefined && needsCluster)
    problems.push({
      source: context.place.source,
      path: `${context.place.at}.cluster`,
      message: 'it is missing: name a cluster of the kubeconfig',
    })
  return context
}

function describeOrigin(options: {
  readonly contextName: string | undefined
  readonly source: string | undefined
  readonly selection: Selection
  readonly overrides: ClusterConfigOverrides
}): string {
  const { contextName, source, selection, overrides } = options
  const parts = [
    contextName !== undefined && `context ${contextName}`,
    selection.cluster !== undefined && `cluster ${selection.cluster}`,
    selection.user !== undefined && `user ${selection.user}`,
  ].filter((part) => part !== false)
  const from = source === undefined ? 'the options' : `${parts.join(', ')} from ${source}`
  return printable(
    overrides.server === undefined || source === undefined ? from : `${from}, server overridden`,
  )
}

function unknownName(what: string, name: string, known: ReadonlyMap<string, unknown>): string {
  const quoted = printable(JSON.stringify(name))
  return known.size === 0
    ? `there is no ${what} ${quoted}, nor any other: check which kubeconfig is used`
    : `there is no ${what} ${quoted}: use one of ${listNames(known)}`
}

function listNames(known: ReadonlyMap<string, unknown>): string {
  const names = [...known.keys()]
  const shown = names.slice(0, 10).map((name) => printable(JSON.stringify(name)))
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ')
}
