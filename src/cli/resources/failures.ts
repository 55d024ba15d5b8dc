import { isKubewrightError } from '../../base/index.js'
import type { CommandOutput } from '../command-output.js'
import { errorLine } from '../error-line.js'

/** What went wrong with some of the objects of a command, while the others were done. */
export interface Failures {
  /** Does something with one object. What is a mistake of the user, or a no of the server, is told, and the command goes on. */
  attempt(work: () => Promise<void>): Promise<void>
  /** 1 when there was a failure. */
  exitCode(): number
}

/** Tells of each failure as it comes. */
export function tellFailures(output: CommandOutput): Failures {
  let code = 0
  return {
    async attempt(work) {
      try {
        await work()
      } catch (error) {
        if (!isKubewrightError(error)) throw error
        output.stderr.write(errorLine(error))
        code = 1
      }
    },
    exitCode: () => code,
  }
}
