import { readFile } from 'node:fs/promises'
import { systemClock } from '../base/index.js'
import {
  type ControlPlaneCluster,
  type ControlPlaneFailedError,
  type ControlPlaneProgress,
  createCluster,
  describeProgress,
  ensureControlPlane,
  type OnProgress,
  type WorkloadComponent,
} from '../testing/index.js'
import type { CommandOutput } from './command-output.js'
import { type Interruption, listenForInterruption } from './interruption.js'
import { introduce } from './introduction.js'
import { assertReplaceable, type KubeconfigFile, writeKubeconfig } from './kubeconfig-file.js'
import { isOnPath, quoted } from './shell.js'

export interface ControlPlaneCommand {
  /** Get the binaries, say where they are, and end. */
  readonly assetsOnly?: boolean
  /** Of Kubernetes. */
  readonly version?: string
  readonly nodes?: number
  readonly controllerManager?: boolean
  readonly scheduler?: boolean
  /** Write the kubeconfig to this file too. */
  readonly kubeconfig?: string
  readonly port?: number
}

/**
 * `kubewright control-plane`: starts a control plane, says how to reach it, and runs until SIGINT or SIGTERM. Resolves
 * to the exit code once everything has ended. Errors are thrown for the caller to print.
 */
export async function runControlPlane(
  command: ControlPlaneCommand,
  output: CommandOutput = process,
): Promise<number> {
  using interruption = listenForInterruption(output)
  const { signal } = interruption
  const onProgress = progressPrinter(output.stderr)
  try {
    if (command.assetsOnly === true) {
      const { folder } = await ensureControlPlane({ ...versionOf(command), onProgress, signal })
      output.stdout.write(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`)
      return 0
    }
    return await run(command, { output, onProgress, interruption })
  } catch (error) {
    if (signal.aborted && error === signal.reason) return interruption.exitCode()
    throw error
  }
}

interface Run {
  readonly output: CommandOutput
  readonly onProgress: OnProgress
  readonly interruption: Interruption
}

async function run(command: ControlPlaneCommand, { output, onProgress, interruption }: Run): Promise<number> {
  if (command.kubeconfig !== undefined) await assertReplaceable(command.kubeconfig)
  let onFailure: (error: ControlPlaneFailedError) => void = () => {}
  const failure = new Promise<never>((_resolve, reject) => {
    onFailure = reject
  })
  failure.catch(() => {})
  const components: readonly WorkloadComponent[] = [
    ...(command.controllerManager === true ? ['kube-controller-manager' as const] : []),
    ...(command.scheduler === true ? ['kube-scheduler' as const] : []),
  ]
  await using cluster = await createCluster({
    kind: 'control-plane',
    ...versionOf(command),
    // Named components are the choice of the user; otherwise nodes bring what they need.
    ...(components.length === 0 ? {} : { components }),
    ...(command.nodes === undefined ? {} : { nodes: command.nodes }),
    ...(command.port === undefined ? {} : { port: command.port }),
    onProgress,
    onFailure,
    signal: interruption.signal,
  })
  const file = await publishKubeconfig(cluster, command.kubeconfig)
  try {
    const kubectl = (await isOnPath('kubectl')) ? 'kubectl' : quoted(cluster.assets.binaries.kubectl)
    const hasNodes = (command.nodes ?? 0) > 0
    output.stdout.write(
      introduce({
        kubeconfig: file.path,
        commands: [
          `${kubectl} get namespaces`,
          `${kubectl} create deployment web --image=nginx --replicas=2`,
          `${kubectl} ${hasNodes ? 'get pods --output=wide' : 'get deployment web --output=yaml'}`,
        ],
        ending: 'Ctrl-C stops the control plane and deletes its data.',
      }),
    )
    await Promise.race([interruption.wait(), failure])
    output.stderr.write('Stopping the control plane\n')
    return 0
  } finally {
    await file.remove()
  }
}

function versionOf(command: ControlPlaneCommand): { readonly version?: string } {
  return command.version === undefined ? {} : { version: command.version }
}

async function publishKubeconfig(
  cluster: ControlPlaneCluster,
  path: string | undefined,
): Promise<KubeconfigFile> {
  return path === undefined
    ? { path: cluster.kubeconfig, remove: () => Promise.resolve() }
    : writeKubeconfig(path, await readFile(cluster.kubeconfig, 'utf8'))
}

/** On a terminal, what repeats itself replaces its line; elsewhere it is written once a minute. */
function progressPrinter(stream: CommandOutput['stderr']): OnProgress {
  const isTerminal = stream.isTTY === true
  let current = ''
  let writtenMs = 0
  return (progress) => {
    const subject = subjectOf(progress)
    const isRepeated = subject !== undefined && subject === current
    const nowMs = systemClock.monotonic()
    if (isTerminal) {
      // A line that the terminal wraps could not be replaced by going up one line.
      const line = describeProgress(progress).slice(0, (stream.columns ?? 80) - 1)
      stream.write(`${isRepeated ? '\x1b[1A\x1b[2K' : ''}${line}\n`)
    } else if (!isRepeated || nowMs - writtenMs >= 60_000) {
      stream.write(`${describeProgress(progress)}\n`)
      writtenMs = nowMs
    }
    current = subject ?? ''
  }
}

function subjectOf(progress: ControlPlaneProgress): string | undefined {
  switch (progress.kind) {
    case 'waiting':
    case 'downloading':
      return progress.kind
    case 'building':
      return `building ${progress.component}`
    default:
      return undefined
  }
}
