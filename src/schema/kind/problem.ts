import { KubewrightError } from '../../base/index.js'

/** One thing that keeps a kind from being defined. */
export interface KindProblem {
  /** The option (`plural`, `columns[1].type`) or the field (`spec.ports[].name`) that is wrong. */
  readonly path: string
  /** What is wrong, and what to write instead. */
  readonly message: string
}

/** The definition of a kind would not be accepted by an API server. All problems are listed, not only the first. */
export class InvalidKindError extends KubewrightError {
  /** As far as the definition names it. */
  readonly kind: string
  readonly problems: readonly KindProblem[]

  constructor(kind: string, problems: readonly KindProblem[]) {
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`)
    super(`The definition of kind ${kind} is not valid. Change what is listed:\n${lines.join('\n')}`, {
      code: 'KW_INVALID_KIND',
    })
    this.kind = kind
    this.problems = problems
  }
}

/** Collects problems while a definition is read. */
export class ProblemList {
  readonly problems: KindProblem[] = []

  add(path: string, message: string): void {
    this.problems.push({ path, message })
  }
}
