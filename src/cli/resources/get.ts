import type { CommandOutput } from '../command-output.js'
import { connect } from './connection.js'
import { tellFailures } from './failures.js'
import type { GetCommand, GetQuery } from './get-query.js'
import { InvalidArgumentsError } from './invalid-arguments.js'
import { type ResourceTarget, resolveTargets } from './resource-arguments.js'

/** `kubewright get`: prints objects, and with `--watch` what becomes of them. Resolves to the exit code. */
export async function runGet(
  args: readonly string[],
  command: GetCommand,
  output: CommandOutput = process,
): Promise<number> {
  using connection = await connect(command, output)
  const targets = await resolveTargets(connection.discovery, args)
  checkTogether(targets, command)
  const failures = tellFailures(output)
  const query: GetQuery = { connection, command, targets, failures }
  const { output: format = 'table' } = command
  if (format === 'table' || format === 'wide') {
    const { printTables } = await import('./get-tables.js')
    await printTables(query)
  } else {
    const { printObjects } = await import('./get-objects.js')
    await printObjects(query, format)
  }
  return failures.exitCode()
}

function checkTogether(targets: readonly ResourceTarget[], command: GetCommand): void {
  const isNamed = targets.some(({ name }) => name !== undefined)
  if (isNamed && (command.selector !== undefined || command.fieldSelector !== undefined))
    throw new InvalidArgumentsError('A name and a selector do not go together: leave one of them out.')
  if (isNamed && command.allNamespaces === true)
    throw new InvalidArgumentsError(
      'An object cannot be read by its name in all namespaces: name its namespace with --namespace.',
    )
  if (command.watch === true && targets.length !== 1)
    throw new InvalidArgumentsError('Only one kind, or one object, can be watched: leave the others out.')
}
