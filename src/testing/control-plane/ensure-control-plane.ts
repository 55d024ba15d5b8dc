import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { type Clock, KubewrightError, systemClock, toError } from '../../base/index.js'
import { ArchiveDownloadError } from './archive-errors.js'
import { type AssetFolder, inspect, installBinary, noteInstalled, withWorkshop } from './asset-inventory.js'
import type { Component } from './component.js'
import { type ArchiveSource, archiveComponents, officialArchive, unpackArchive } from './envtest-archive.js'
import {
  type AssetPlan,
  type ControlPlaneAssets,
  type FindControlPlaneOptions,
  planAssets,
} from './find-control-plane.js'
import { withFolderLock } from './folder-lock.js'
import { buildWithGo } from './go-build.js'
import { type OnProgress, throttled } from './progress.js'

export interface EnsureControlPlaneOptions extends FindControlPlaneOptions {
  /** An archive of your own in place of the official one. */
  readonly archive?: ArchiveSource
  readonly onProgress?: OnProgress
  /** Aborting ends downloads and builds. What was installed before stays. */
  readonly signal?: AbortSignal
  readonly clock?: Clock
}

/** The cache of the user cannot be written. */
export class AssetCacheUnwritableError extends KubewrightError {
  readonly folder: string

  constructor(folder: string, cause: unknown) {
    super(
      `The folder ${folder} cannot be written (${toError(cause).message}). ` +
        'Set XDG_CACHE_HOME to a folder that can, or KUBEBUILDER_ASSETS to one that has the binaries.',
      { code: 'KW_ASSETS_CACHE_UNWRITABLE', cause },
    )
    this.folder = folder
  }
}

/**
 * The binaries, whatever it takes: those that `findControlPlane` finds, else from the official archive if its checksum
 * is pinned, else from a build with Go. A second process that asks for the same waits for the first. What was done
 * before an interruption stays done.
 */
export async function ensureControlPlane(
  options: EnsureControlPlaneOptions = {},
): Promise<ControlPlaneAssets> {
  const clock = options.clock ?? systemClock
  const plan = await planAssets(options)
  const { missing, unnoted } = await inspect(plan.cache, plan.fromCache)
  if (missing.length === 0 && unnoted.length === 0) return plan.assets

  await makeWritable(plan.cache.folder)
  const onWait = throttled(clock, (holder: string, elapsedMs: number) =>
    options.onProgress?.({ kind: 'waiting', holder, elapsedMs }),
  )
  await withFolderLock(
    `${plan.cache.folder}.lock`,
    { clock, onWait, ...(options.signal === undefined ? {} : { signal: options.signal }) },
    () => withWorkshop(plan.cache, (workshop) => complete(plan, { ...options, clock, workshop })),
  )
  return plan.assets
}

async function makeWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new AssetCacheUnwritableError(folder, error)
  }
}

interface Completion extends EnsureControlPlaneOptions {
  readonly clock: Clock
  readonly workshop: string
}

/** Brings what is missing into the cache. The caller holds the lock. */
async function complete(plan: AssetPlan, completion: Completion): Promise<void> {
  const { cache, fromCache } = plan
  const { clock, workshop, signal } = completion
  const report = completion.onProgress ?? (() => {})
  const reportDownload = throttled(clock, report)
  const shared = {
    assets: cache,
    workshop,
    clock,
    onProgress: ((progress) =>
      (progress.kind === 'downloading' ? reportDownload : report)(progress)) satisfies OnProgress,
    ...(signal === undefined ? {} : { signal }),
  }
  const source = completion.archive ?? officialArchive(cache.version, cache.platform)
  const before = await inspect(cache, fromCache)
  const passedOver = await tryArchive({ ...shared, source, components: before.missing })
  const { missing } = await inspect(cache, fromCache)
  if (missing.length > 0) await buildWithGo({ ...shared, components: missing, passedOver })
  // Binaries that were there before anybody took notes have just proved to be whole.
  await noteInstalled(cache, fromCache)
}

interface ArchiveTry {
  readonly assets: AssetFolder
  readonly source: ArchiveSource | undefined
  readonly components: readonly Component[]
  readonly workshop: string
  readonly clock: Clock
  readonly onProgress: OnProgress
  readonly signal?: AbortSignal
}

/** Installs what the archive has of the components; returns why it did not, if it did not. */
async function tryArchive(attempt: ArchiveTry): Promise<readonly string[]> {
  const { assets, source, clock, onProgress } = attempt
  const components = attempt.components.filter((component) => archiveComponents.includes(component))
  if (components.length === 0) return []
  const passOver = (reason: string): readonly string[] => {
    onProgress({ kind: 'skipped', source: 'archive', reason })
    return [reason]
  }
  if (source === undefined) {
    const { os, arch } = assets.platform
    return passOver(`No checksum is pinned for the official archive of ${assets.version} for ${os}-${arch}.`)
  }
  const since = clock.monotonic()
  try {
    for (const [component, file] of await unpackArchive({ ...attempt, source, components })) {
      await installBinary(assets, component, file)
      onProgress({ kind: 'installed', component, elapsedMs: clock.monotonic() - since })
    }
    return []
  } catch (error) {
    // Out of reach is a reason to build. A wrong checksum or an unsafe archive is a reason to stop.
    if (error instanceof ArchiveDownloadError) return passOver(error.message)
    throw error
  }
}
