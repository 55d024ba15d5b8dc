import { type ProgramProcess, runProgram } from './program-process.js'

/** An example of this repository, run as its README says. */
export type ExampleProcess = ProgramProcess

export function runExample(name: string, flags: readonly string[]): ExampleProcess {
  return runProgram(`examples/${name}/main.ts`, flags)
}
