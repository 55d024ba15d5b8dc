import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { KubewrightError } from '../../base/index.js'
import type { Environment } from '../../client/index.js'
import { cacheFolder, namedFolder } from './asset-folder.js'
import { type AssetFolder, binaryPath, inspect } from './asset-inventory.js'
import {
  allComponents,
  type Component,
  defaultKubernetesVersion,
  parseKubernetesVersion,
  platformOf,
} from './component.js'

/** Binaries that are there and complete. */
export interface ControlPlaneAssets {
  /** The folder they are in: what KUBEBUILDER_ASSETS would name. */
  readonly folder: string
  /** The path of each component. Those that were asked for are there; of the others it is where they would be. */
  readonly binaries: Readonly<Record<Component, string>>
}

export interface FindControlPlaneOptions {
  /** Of Kubernetes. Default: the one that kubewright is tested with. Not looked at in a folder that a variable names. */
  readonly version?: string
  /** Default: all. */
  readonly components?: readonly Component[]
  /** Default: the environment of the process. */
  readonly env?: Environment
}

/** The folder that a variable names lacks a component. */
export class AssetsIncompleteError extends KubewrightError {
  readonly variable: string
  readonly folder: string
  readonly missing: readonly Component[]

  constructor(facts: {
    readonly variable: string
    readonly folder: string
    readonly missing: readonly Component[]
  }) {
    super(
      `${facts.variable} names ${facts.folder}, where ${facts.missing.join(', ')} cannot be found or executed. ` +
        `Put what is missing there, or unset ${facts.variable} and let kubewright get all of one version.`,
      { code: 'KW_ASSETS_INCOMPLETE' },
    )
    this.variable = facts.variable
    this.folder = facts.folder
    this.missing = facts.missing
  }
}

/**
 * The binaries, if they are on this machine: in the folder that KUBEWRIGHT_ASSETS or KUBEBUILDER_ASSETS names, else in
 * the user's cache. Fetches and builds nothing.
 */
export async function findControlPlane(
  options: FindControlPlaneOptions = {},
): Promise<ControlPlaneAssets | undefined> {
  const plan = await planAssets(options)
  const { missing } = await inspect(plan.cache, plan.fromCache)
  return missing.length === 0 ? plan.assets : undefined
}

/** Which component is to come from where. */
export interface AssetPlan {
  readonly cache: AssetFolder
  /** What the cache must have; the rest is in a folder that a variable names. */
  readonly fromCache: readonly Component[]
  /** What the result will be once the cache has it all. */
  readonly assets: ControlPlaneAssets
}

/** Decides where the components come from. Throws AssetsIncompleteError when a variable's folder lacks one. */
export async function planAssets(options: FindControlPlaneOptions): Promise<AssetPlan> {
  const version = parseKubernetesVersion(options.version ?? defaultKubernetesVersion)
  const wanted = allComponents.filter((component) =>
    (options.components ?? allComponents).includes(component),
  )
  const env = options.env ?? process.env
  const platform = platformOf(process)
  const cache: AssetFolder = { folder: cacheFolder({ env, platform, version }), platform, version, env }
  const named = namedFolder(env)
  const fromCache = named === undefined ? wanted : await missingIn({ folder: named.folder, platform }, wanted)
  if (named !== undefined) {
    // kwok is in no official archive and fits all versions; the others must be of one version.
    const missing = fromCache.filter((component) => component !== 'kwok')
    if (missing.length > 0) throw new AssetsIncompleteError({ ...named, missing })
  }
  const folder = named?.folder ?? cache.folder
  const pathOf = (component: Component): string =>
    binaryPath({ folder: fromCache.includes(component) ? cache.folder : folder, platform }, component)
  const binaries = {
    etcd: pathOf('etcd'),
    'kube-apiserver': pathOf('kube-apiserver'),
    kubectl: pathOf('kubectl'),
    'kube-controller-manager': pathOf('kube-controller-manager'),
    'kube-scheduler': pathOf('kube-scheduler'),
    kwok: pathOf('kwok'),
  }
  return { cache, fromCache, assets: { folder, binaries } }
}

async function missingIn(
  place: Pick<AssetFolder, 'folder' | 'platform'>,
  wanted: readonly Component[],
): Promise<readonly Component[]> {
  const missing: Component[] = []
  for (const component of wanted) {
    const isExecutable = await access(binaryPath(place, component), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!isExecutable) missing.push(component)
  }
  return missing
}
