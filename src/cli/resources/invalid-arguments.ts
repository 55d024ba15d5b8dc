import { KubewrightError } from '../../base/index.js'

/** The words after a command make no sense together. */
export class InvalidArgumentsError extends KubewrightError {
  /** `problem` says what is wrong and what to write instead, in one sentence. */
  constructor(problem: string) {
    super(problem, { code: 'KW_INVALID_ARGUMENTS' })
  }
}
