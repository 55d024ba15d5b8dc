import { InvalidPriorityError } from './errors.js'

/**
 * For work that may wait: the objects of the initial list and echoes of a resync. A change that a user has just made
 * overtakes a hundred thousand of them.
 */
export const lowPriority = -100

/** How a key is added. */
export interface AddOptions {
  /** An integer, higher first. The default is 0. */
  readonly priority?: number | undefined
}

/** The priority that was asked for. Throws {@link InvalidPriorityError} where it is not an integer. */
export function priorityOf(options: AddOptions | undefined): number {
  const priority = options?.priority ?? 0
  if (!Number.isSafeInteger(priority)) throw new InvalidPriorityError(priority)
  return priority
}
