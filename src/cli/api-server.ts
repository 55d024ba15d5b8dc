import { createLogger } from '../observe/index.js'
import type { CommandOutput } from './command-output.js'
import { listenForInterruption } from './interruption.js'
import { introduce } from './introduction.js'
import { serveApi } from './serve-api.js'
import { isOnPath, ownCommand } from './shell.js'

export interface ApiServerCommand {
  readonly port?: number
  readonly host?: string
  /** Listen where other machines can reach it. */
  readonly expose?: boolean
  readonly dataDir?: string
  readonly kubeconfig?: string
  readonly nodes?: number
  readonly rbac?: boolean
  /** The workloads, scheduler and nodes that the server plays itself. */
  readonly simulation?: boolean
  /** Garbage collection and the end of namespaces. */
  readonly controllers?: boolean
  /** Let requests without credentials in. */
  readonly anonymous?: boolean
  /** Names of plugins. */
  readonly disableAdmissionPlugins?: readonly string[]
}

/**
 * `kubewright api-server`: runs the embedded API server for any client, until SIGINT or SIGTERM. Resolves to the exit
 * code once it has ended. Errors are thrown for the caller to print.
 */
export async function runApiServer(
  command: ApiServerCommand,
  output: CommandOutput = process,
): Promise<number> {
  using interruption = listenForInterruption(output)
  const { nodes, simulation, rbac, controllers, anonymous, disableAdmissionPlugins, ...where } = command
  const hasSimulation = simulation !== false
  await using api = await serveApi({
    ...where,
    server: {
      log: createLogger({ format: 'human', level: 'warn', write: (line) => void output.stderr.write(line) }),
      simulation: hasSimulation && { ...(nodes !== undefined && { nodes }) },
      ...(rbac !== undefined && { rbac }),
      ...(controllers !== undefined && { controllers }),
      ...(anonymous !== undefined && { anonymous }),
      ...(disableAdmissionPlugins !== undefined && { disabledAdmission: disableAdmissionPlugins }),
    },
  })
  if (interruption.signal.aborted) return interruption.exitCode()
  output.stdout.write(
    introduce({
      kubeconfig: api.kubeconfig,
      commands: (await isOnPath('kubectl')) ? commandsWithKubectl(hasSimulation) : commandsWith(ownCommand()),
      ending: `The API server listens on ${api.url}. ${endingOf(command.dataDir)}`,
    }),
  )
  await interruption.wait()
  output.stderr.write('Stopping the API server\n')
  return 0
}

const commandsWithKubectl = (hasPods: boolean): readonly string[] => [
  'kubectl get namespaces',
  'kubectl create deployment web --image=nginx --replicas=2',
  `kubectl ${hasPods ? 'get pods --output=wide' : 'get deployment web --output=yaml'}`,
]

const commandsWith = (kubewright: string): readonly string[] => [
  `${kubewright} get namespaces`,
  `${kubewright} apply -f FILE`,
  `${kubewright} get all --all-namespaces`,
]

function endingOf(dataDir: string | undefined): string {
  return dataDir === undefined
    ? 'Ctrl-C stops it and deletes its data.'
    : `Ctrl-C stops it; its data stays in ${dataDir}.`
}
