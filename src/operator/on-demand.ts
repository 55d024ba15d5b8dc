import type { AssembledOperator, OperatorEnvironment } from './assemble-operator.js'
import type { Operator } from './define-operator.js'
import type { RunOperatorOptions } from './run-operator.js'

// Servers, leader election, certificates and metrics are needed to run an operator, not to describe one: a test or a
// tool that imports the operator's data loads none of them.

/** Puts an operator together, for programs and tests that want its parts. Nothing is sent and nothing listens before `run`. */
export async function assembleOperator(
  operator: Operator,
  environment: OperatorEnvironment,
): Promise<AssembledOperator> {
  const assembly = await import('./assemble-operator.js')
  return assembly.assembleOperator(operator, environment)
}

/**
 * Runs an operator as a program: reads its flags, connects, runs until SIGTERM or SIGINT, and resolves to the exit code.
 * Mistakes of users end in one sentence and code 1 or 2, never in a stack.
 *
 * @example
 * process.exitCode = await runOperator(operator)
 */
export async function runOperator(operator: Operator, options: RunOperatorOptions = {}): Promise<number> {
  const program = await import('./run-operator.js')
  return program.runOperator(operator, options)
}
