import { KubewrightError } from '../../base/index.js'
import { printable } from '../config/printable.js'

/** What went wrong with a credential plugin. */
export type ExecPluginFailure =
  | 'denied'
  | 'not-found'
  | 'not-interactive'
  | 'not-started'
  | 'exit'
  | 'timeout'
  | 'output'

/**
 * A credential plugin of the kubeconfig brought no credentials. Arguments, environment and output of the plugin are left
 * out: they may be secret.
 */
export class ExecPluginError extends KubewrightError {
  readonly command: string
  readonly failure: ExecPluginFailure

  constructor(options: {
    readonly command: string
    readonly failure: ExecPluginFailure
    readonly detail: string
  }) {
    super(`Credential plugin ${printable(options.command)}: ${options.detail}`, { code: 'KW_EXEC_PLUGIN' })
    this.command = options.command
    this.failure = options.failure
  }
}
