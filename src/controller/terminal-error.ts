import { KubewrightError, toError } from '../base/index.js'

/**
 * Throw this from a reconcile when trying again cannot help: the object is wrong and must change first. It is logged and
 * counted as a failure, and the object is left alone until something about it changes.
 */
export class TerminalError extends KubewrightError {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { code: 'KW_TERMINAL', ...options })
  }

  /** Marks whatever was thrown as not worth a retry. */
  static from(thrown: unknown): TerminalError {
    return new TerminalError(toError(thrown).message, { cause: thrown })
  }
}
