import { isIP } from 'node:net'
import { type Command, InvalidArgumentError } from 'commander'

/** Adds the commands that run a server: api-server and control-plane. */
export function addServerCommands(program: Command, exitWith: (code: number) => void): void {
  program
    .command('api-server')
    .description('run the embedded API server, which needs nothing but Node, for any client')
    .option('--port <port>', 'port; that of the last run with --data-dir, else a free one', portNumber)
    .option('--host <address>', 'address to listen on; 127.0.0.1 by default', address)
    .option('--expose', 'listen where other machines can reach it')
    .option('--data-dir <folder>', 'keep objects and keys here, for the next run')
    .option('--kubeconfig <path>', 'write the kubeconfig to this file')
    .option('--nodes <count>', 'simulated nodes; 1 by default', wholeNumber)
    .option('--no-rbac', 'let everybody do everything')
    .option('--no-simulation', 'play no scheduler, no workload controllers and no nodes')
    .option('--no-controllers', 'collect no garbage and empty no namespaces')
    .option('--anonymous', 'let requests without credentials in, as system:anonymous')
    .option('--disable-admission-plugins <names>', 'leave these out, such as ServiceAccount', listOfNames)
    .action(async (options) => {
      const { runApiServer } = await import('./api-server.js')
      exitWith(await runApiServer(options))
    })

  const controlPlane = program
    .command('control-plane')
    .description('run a real control plane (etcd and kube-apiserver) on this machine, for tests')
    .option('--nodes <count>', 'simulated nodes, on which pods become ready', wholeNumber)
    .option('--controller-manager', 'run kube-controller-manager')
    .option('--scheduler', 'run kube-scheduler')
    .option('--kubeconfig <path>', 'write the kubeconfig to this file')
    .option('--port <port>', 'port of the API server; a free one by default', portNumber)
    .option('--kubernetes-version <version>', 'of Kubernetes')
    .action(async ({ kubernetesVersion: version, ...options }) => {
      const { runControlPlane } = await import('./control-plane.js')
      exitWith(await runControlPlane({ ...options, ...(version !== undefined && { version }) }))
    })
  controlPlane
    .command('assets')
    .description('get the binaries and print where they are')
    .action(async () => {
      const { runControlPlane } = await import('./control-plane.js')
      const { kubernetesVersion: version } = controlPlane.opts()
      exitWith(await runControlPlane({ assetsOnly: true, ...(version !== undefined && { version }) }))
    })
}

/** Reads a count of something. */
function wholeNumber(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Give a whole number.')
  return value
}

function listOfNames(text: string): string[] {
  return text.split(',').filter((name) => name !== '')
}

/** Reads a port. */
export function portNumber(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 65_535)) throw new InvalidArgumentError('Give a port: a number up to 65535.')
  return value
}

function address(text: string): string {
  if (text !== 'localhost' && isIP(text) === 0) throw new InvalidArgumentError('Give an IP address.')
  return text
}
