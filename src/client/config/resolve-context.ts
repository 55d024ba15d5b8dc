import type { Clock } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { ExecOptions } from '../auth/exec-credentials.js'
import type { ConfigProblem } from './config-errors.js'
import type { KubeconfigPlace } from './kubeconfig.js'
import type { Environment } from './kubeconfig-files.js'

/** What every step of building a configuration needs. */
export interface ResolveContext {
  readonly env: Environment
  readonly clock: Clock
  readonly log: Logger
  readonly exec: ExecOptions
  readonly oidcWriteBack: boolean
  /** Problems are collected, so that somebody with three mistakes learns of three. */
  readonly problems: ConfigProblem[]
}

/** Adds a problem with one field of an entry. */
export function reportField(
  context: ResolveContext,
  place: KubeconfigPlace,
  field: string,
  message: string,
): void {
  context.problems.push({ source: place.source, path: `${place.at}.${field}`, message })
}
