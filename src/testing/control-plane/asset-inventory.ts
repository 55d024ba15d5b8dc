import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainObject, KubewrightError } from '../../base/index.js'
import type { Environment } from '../../client/index.js'
import { type Component, fileNameOf, type Platform } from './component.js'
import { programEnvironment } from './program-environment.js'
import { runCommand } from './run-command.js'

/** A folder of binaries of one Kubernetes version, with an inventory of those that were completely written. */
export interface AssetFolder {
  readonly folder: string
  readonly platform: Platform
  readonly version: string
  readonly env: Environment
}

/** A new binary does not run on this machine, or is not what it should be. It was not installed. */
export class BrokenBinaryError extends KubewrightError {
  readonly component: Component

  constructor(component: Component, version: string) {
    super(
      `The new ${component} does not run here or does not say that it is ${version}; it was not installed. ` +
        'Try again; if it stays so, set KUBEBUILDER_ASSETS to a folder with binaries that run on this machine.',
      { code: 'KW_ASSETS_BROKEN_BINARY' },
    )
    this.component = component
  }
}

type Inventory = Readonly<Record<string, number>>

/** Where a component's binary is, or will be. */
export function binaryPath(assets: Pick<AssetFolder, 'folder' | 'platform'>, component: Component): string {
  return join(assets.folder, fileNameOf(component, assets.platform))
}

export interface Inspection {
  /**
   * Not there, of another size than when they were installed, or, where nobody took note of their installation, not
   * able to say that they are of this version.
   */
  readonly missing: readonly Component[]
  /** Whole, as they proved by running, but nobody took note of it: to be proved again each time. */
  readonly unnoted: readonly Component[]
}

/** Which of the components are in the folder, as far as this can be told without reading all of them. */
export async function inspect(assets: AssetFolder, wanted: readonly Component[]): Promise<Inspection> {
  const inventory = await readInventory(assets)
  const missing: Component[] = []
  const unnoted: Component[] = []
  for (const component of wanted) {
    const file = binaryPath(assets, component)
    const bytes = await fileSize(file)
    if (bytes === undefined) missing.push(component)
    else if (inventory[component] === undefined)
      ((await saysItsVersion(assets, component, file)) ? unnoted : missing).push(component)
    else if (inventory[component] !== bytes) missing.push(component)
  }
  return { missing, unnoted }
}

/**
 * Does the work with an empty folder beside the binaries, on the same file system, for what is not complete yet. What a
 * killed process left in it is removed first.
 */
export async function withWorkshop<T>(assets: AssetFolder, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(assets.folder, '.partial')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Moves a new binary to its place in one step and takes note of it. Only the holder of the folder's lock may do so. */
export async function installBinary(assets: AssetFolder, component: Component, file: string): Promise<void> {
  await chmod(file, 0o755)
  if (!(await saysItsVersion(assets, component, file))) throw new BrokenBinaryError(component, assets.version)
  await rename(file, binaryPath(assets, component))
  await noteInstalled(assets, [component])
}

/** Takes note of the sizes of complete binaries. Only the holder of the folder's lock may do so. */
export async function noteInstalled(assets: AssetFolder, components: readonly Component[]): Promise<void> {
  const bytes: Record<string, number> = { ...(await readInventory(assets)) }
  for (const component of components) bytes[component] = (await stat(binaryPath(assets, component))).size
  const file = inventoryFile(assets)
  await writeFile(`${file}.new`, `${JSON.stringify({ version: assets.version, bytes }, undefined, 2)}\n`)
  await rename(`${file}.new`, file)
}

async function saysItsVersion(assets: AssetFolder, component: Component, file: string): Promise<boolean> {
  const args = component === 'kubectl' ? ['version', '--client'] : ['--version']
  try {
    const { stdout, exitCode } = await runCommand(file, args, { env: programEnvironment(assets.env) })
    if (exitCode !== 0) return false
    // etcd and kwok have versions of their own: that they answer proves that they are whole.
    if (component === 'etcd' || component === 'kwok')
      return stdout.toLowerCase().startsWith(`${component} version`)
    return stdout.split(/\s/).includes(assets.version)
  } catch {
    return false
  }
}

const inventoryFile = (assets: AssetFolder): string => join(assets.folder, 'inventory.json')

async function readInventory(assets: AssetFolder): Promise<Inventory> {
  try {
    const parsed: unknown = JSON.parse(await readFile(inventoryFile(assets), 'utf8'))
    if (!isPlainObject(parsed) || parsed['version'] !== assets.version || !isPlainObject(parsed['bytes']))
      return {}
    return Object.fromEntries(
      Object.entries(parsed['bytes']).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number',
      ),
    )
  } catch {
    // No inventory, or one that nobody can read: the binaries have to speak for themselves.
    return {}
  }
}

async function fileSize(file: string): Promise<number | undefined> {
  try {
    const found = await stat(file)
    return found.isFile() ? found.size : undefined
  } catch {
    return undefined
  }
}
