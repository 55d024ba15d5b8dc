/** Thrown when a call has cost more than the server lets one call cost. Never leaves the folder. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
    this.name = 'CostLimitExceeded'
  }
}

/**
 * Thrown where the server's evaluator breaks down: nothing absorbs it, the whole rule has failed. Never leaves the
 * folder.
 */
export class EvaluationAborted extends Error {
  constructor(reason: string) {
    super(`internal error: ${reason}`)
    this.name = 'EvaluationAborted'
  }
}

// The server charges comparisons of nested data by its outermost size and relies on a request deadline for the rest.
// Nothing here may run for minutes, so the elements really visited are counted as well.
const workPerCost = 50

/** Counts what one call of a rule costs, in the server's units, and stops it at the limit. */
export class Meter {
  readonly #limit: number
  #cost = 0
  #work = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get cost(): number {
    return this.#cost
  }

  /** Adds to the cost. Throws {@link CostLimitExceeded} once the limit is passed. */
  charge(cost: number): void {
    this.#cost += cost
    if (this.#cost > this.#limit) throw new CostLimitExceeded()
  }

  /** Counts steps that the server's cost does not see. Throws {@link CostLimitExceeded} when there are far too many. */
  work(steps: number): void {
    this.#work += steps
    if (this.#work > this.#limit * workPerCost) throw new CostLimitExceeded()
  }
}
