import { ControlPlaneFailedError } from '../cluster-errors.js'
import { readLogTails } from './program-logs.js'
import type { ProgramEnd, RunningProgram } from './supervisor.js'

/** Notices programs that end although nobody asked them to. */
export interface FailureWatch {
  /** This program is up and should stay so. */
  add(name: string, program: RunningProgram): void
  /** This program is about to be ended on purpose. */
  expectEnd(program: RunningProgram): void
  /** The cluster is ready: from now on its user is told, of the first failure only, for the others follow from it. */
  begin(onFailure: (error: ControlPlaneFailedError) => void): void
  /** The cluster is being stopped: every end is on purpose. */
  end(): void
}

/** Watches over the programs whose logs are in the folder. */
export function createFailureWatch(folder: string): FailureWatch {
  const expected = new WeakSet<RunningProgram>()
  let first: (() => Promise<ControlPlaneFailedError>) | undefined
  let tell: ((error: ControlPlaneFailedError) => void) | undefined

  function tellFirst(): void {
    const [describe, told] = [first, tell]
    if (describe === undefined || told === undefined) return
    tell = undefined
    void describe().then(told)
  }

  return {
    add(name, program) {
      void program.ended.then((end) => {
        if (expected.has(program)) return
        first ??= async () => {
          // If the supervisor was killed, the logs have gone with it.
          const tails = await readLogTails(folder).catch((): Record<string, string> => ({}))
          return new ControlPlaneFailedError(name, describeEnd(end), tails[name] ?? '')
        }
        tellFirst()
      })
    },
    expectEnd: (program) => void expected.add(program),
    begin(onFailure) {
      tell = onFailure
      tellFirst()
    },
    end() {
      tell = undefined
    },
  }
}

/** How a program ended, to follow the words `it ended`. */
export function describeEnd(end: ProgramEnd): string {
  if (end.error !== undefined) return `before it began (${end.error})`
  return end.signal === undefined ? `with code ${end.code}` : `by ${end.signal}`
}
