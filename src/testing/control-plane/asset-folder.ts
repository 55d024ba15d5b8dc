import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { Environment } from '../../client/index.js'
import type { Platform } from './component.js'

/** A folder that a variable names, and the variable. */
export interface NamedFolder {
  readonly variable: string
  readonly folder: string
}

/** The folder that the user names. Our own variable has the last word over the one that Go's envtest reads. */
export function namedFolder(env: Environment): NamedFolder | undefined {
  for (const variable of ['KUBEWRIGHT_ASSETS', 'KUBEBUILDER_ASSETS']) {
    const folder = env[variable]
    if (folder !== undefined && folder !== '') return { variable, folder }
  }
  return undefined
}

/** Where binaries of one version for one platform are kept between runs. */
export function cacheFolder(options: {
  readonly env: Environment
  readonly platform: Platform
  readonly version: string
}): string {
  const { env, platform, version } = options
  return join(
    userCache(env, platform),
    'kubewright',
    'control-plane',
    `${version}-${platform.os}-${platform.arch}`,
  )
}

function userCache(env: Environment, platform: Platform): string {
  // The XDG rules say that a relative path is to be ignored.
  if (env['XDG_CACHE_HOME'] !== undefined && isAbsolute(env['XDG_CACHE_HOME'])) return env['XDG_CACHE_HOME']
  if (platform.os === 'darwin') return join(homedir(), 'Library', 'Caches')
  if (platform.os === 'windows') return env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local')
  return join(homedir(), '.cache')
}
