import { constants } from 'node:fs'
import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { KubewrightError, systemClock } from '../base/index.js'
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

/** Where the command writes: results to one, what goes on to the other. */
export interface CommandOutput {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
}

/** The file for the kubeconfig holds something that is not ours. */
class KubeconfigExistsError extends KubewrightError {
  readonly path: string

  constructor(path: string) {
    super(
      `${path} exists and was not written by \`kubewright control-plane\`; it was left as it is. ` +
        'Name another file with --kubeconfig.',
      { code: 'KW_KUBECONFIG_EXISTS' },
    )
    this.path = path
  }
}

/**
 * `kubewright control-plane`: starts a control plane, says how to reach it, and runs until SIGINT or SIGTERM. Resolves
 * to the exit code once everything has ended. Errors are thrown for the caller to print.
 */
export async function runControlPlane(
  command: ControlPlaneCommand,
  output: CommandOutput = process,
): Promise<number> {
  const interruption = listenForInterruption(output)
  const { signal } = interruption
  const onProgress = progressPrinter(output.stderr)
  try {
    if (command.assetsOnly === true) {
      const { folder } = await ensureControlPlane({ ...versionOf(command), onProgress, signal })
      output.stdout.write(`export KUBEBUILDER_ASSETS=${quoted(folder)}\n`)
      return 0
    }
    return await run(command, { output, onProgress, signal })
  } catch (error) {
    if (signal.aborted && error === signal.reason) return interruption.exitCode()
    throw error
  } finally {
    interruption.dispose()
  }
}

interface Run {
  readonly output: CommandOutput
  readonly onProgress: OnProgress
  readonly signal: AbortSignal
}

async function run(command: ControlPlaneCommand, { output, onProgress, signal }: Run): Promise<number> {
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
    signal,
  })
  const written = await publishKubeconfig(cluster, command.kubeconfig)
  try {
    output.stdout.write(howToUse(written.path, await kubectlOf(cluster), (command.nodes ?? 0) > 0))
    await Promise.race([aborted(signal), failure])
    output.stderr.write('Stopping the control plane\n')
    return 0
  } finally {
    await written.remove()
  }
}

function versionOf(command: ControlPlaneCommand): { readonly version?: string } {
  return command.version === undefined ? {} : { version: command.version }
}

/** What to type: the user's own kubectl if there is one. */
async function kubectlOf(cluster: ControlPlaneCluster): Promise<string> {
  const own = cluster.assets.binaries.kubectl
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const isThere = await access(join(folder, basename(own)), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return 'kubectl'
  }
  return quoted(own)
}

function howToUse(kubeconfig: string, kubectl: string, hasNodes: boolean): string {
  return [
    `KUBECONFIG=${quoted(kubeconfig)}`,
    '',
    'Try in another terminal:',
    `  export KUBECONFIG=${quoted(kubeconfig)}`,
    `  ${kubectl} get namespaces`,
    `  ${kubectl} create deployment web --image=nginx --replicas=2`,
    `  ${kubectl} ${hasNodes ? 'get pods --output=wide' : 'get deployment web --output=yaml'}`,
    '',
    'Ctrl-C stops the control plane and deletes its data.',
    '',
  ].join('\n')
}

interface PublishedKubeconfig {
  readonly path: string
  remove(): Promise<void>
}

async function publishKubeconfig(
  cluster: ControlPlaneCluster,
  path: string | undefined,
): Promise<PublishedKubeconfig> {
  if (path === undefined) return { path: cluster.kubeconfig, remove: () => Promise.resolve() }
  const text = await readFile(cluster.kubeconfig, 'utf8')
  await writeFile(path, text, { mode: 0o600 })
  return {
    path,
    remove: async () => {
      // Somebody may have put another one there in the meantime.
      if ((await readFile(path, 'utf8').catch(() => undefined)) === text) await rm(path)
    },
  }
}

/** Only a file that is absent, empty or an older one of ours may be written: the path may be that of `~/.kube/config`. */
async function assertReplaceable(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '')
  if (
    text.trim() !== '' &&
    !/^\{\s*"apiVersion": "v1",\s*"kind": "Config",\s*"current-context": "kubewright"/.test(text)
  )
    throw new KubeconfigExistsError(path)
}

const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A signal handler does not keep Node alive; a timer does.
    const keepAlive = setInterval(() => {}, 2 ** 30)
    const end = (): void => {
      clearInterval(keepAlive)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

interface Interruption {
  readonly signal: AbortSignal
  exitCode(): number
  dispose(): void
}

/** The first SIGINT or SIGTERM asks to stop; the second one ends at once, and the supervisor cleans up. */
function listenForInterruption(output: CommandOutput): Interruption {
  const controller = new AbortController()
  let code = 0
  const listeners = (
    [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const
  ).map(([name, exitCode]) => {
    const listener = (): void => {
      if (controller.signal.aborted) process.exit(exitCode)
      code = exitCode
      if (output.stderr.isTTY === true) output.stderr.write('\n')
      controller.abort(new Error(`Interrupted by ${name}.`))
    }
    process.on(name, listener)
    return () => process.off(name, listener)
  })
  return {
    signal: controller.signal,
    exitCode: () => code,
    dispose: () => listeners.forEach((remove) => remove()),
  }
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
