import { KubewrightError } from '../../base/index.js'

/** Deeper than any real object; shallower than what overflows the stack of a recursive walk. */
const deepest = 1_000

/** The data or the schema is nested too deeply to be walked safely. */
export class NestingTooDeepError extends KubewrightError {
  readonly maxDepth: number = deepest

  constructor() {
    super(`The data is nested deeper than ${deepest} levels: flatten it, or split it into several objects.`, {
      code: 'KW_NESTING_TOO_DEEP',
    })
  }
}

/** Every recursive walk over data or schemas of users calls this on each level. */
export function guardDepth(depth: number): void {
  if (depth > deepest) throw new NestingTooDeepError()
}
