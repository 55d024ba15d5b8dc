import { type Clock, isKubewrightError, KubewrightError } from '../base/index.js'
import { type ClusterConfig, createClient, loadClusterConfig } from '../client/index.js'
import type { RunRecord } from '../controller/index.js'
import { exitOnFatalErrors, stopOnSignals } from '../manager/index.js'
import {
  createLogger,
  createLogSink,
  findTracer,
  type Logger,
  logLevelForVerbosity,
} from '../observe/index.js'
import { assembleOperator } from './assemble-operator.js'
import type { Operator } from './define-operator.js'
import { installKinds } from './install-kinds.js'
import { type OperatorFlags, operatorUsage, parseOperatorFlags } from './operator-flags.js'

export interface RunOperatorOptions {
  /** Flags as given on the command line; `process.argv.slice(2)` by default. */
  readonly args?: readonly string[]
  /** Install the CRDs of the operator's kinds before it starts, as `--install-crds` does. */
  readonly installKinds?: boolean
  /** In place of the logger that the flags describe. */
  readonly log?: Logger
  readonly clock?: Clock
  readonly onRun?: (run: RunRecord) => void
}

/** See `runOperator` in on-demand.ts. */
export async function runOperator(operator: Operator, options: RunOperatorOptions = {}): Promise<number> {
  let flags: OperatorFlags | 'help'
  try {
    flags = parseOperatorFlags(options.args ?? process.argv.slice(2), process.stdout.isTTY === true)
  } catch (error) {
    if (!(error instanceof KubewrightError)) throw error
    process.stderr.write(`${operator.name}: ${error.message}\n`)
    return 2
  }
  if (flags === 'help') {
    process.stdout.write(`${operator.name}\n\n${operatorUsage}`)
    return 0
  }
  return runWithFlags(operator, flags, options)
}

async function runWithFlags(
  operator: Operator,
  flags: OperatorFlags,
  options: RunOperatorOptions,
): Promise<number> {
  const sink = createLogSink()
  const log =
    options.log ??
    createLogger({
      format: flags.logFormat,
      level: logLevelForVerbosity(flags.verbosity),
      colors: flags.logFormat === 'human' && process.stdout.isTTY === true && process.stdout.hasColors(),
      write: sink.write,
    })
  const exit = (code: number): never => process.exit(code)
  using _fatal = exitOnFatalErrors(process, { log, exit, flush: () => sink.flush() })
  using stop = stopOnSignals(process, { log, exit })
  try {
    const config = await loadClusterConfig({
      log,
      ...(flags.kubeconfig !== undefined && { path: flags.kubeconfig }),
      ...(flags.context !== undefined && { context: flags.context }),
      ...(flags.master !== undefined && { master: flags.master }),
    })
    log.info('Starting.', { operator: operator.name, cluster: config.origin })
    if (flags.installKinds || options.installKinds === true) await install(operator, config, log, stop.signal)
    const assembled = assembleOperator(operator, {
      config,
      flags,
      log,
      tracer: await findTracer(),
      ...(options.clock !== undefined && { clock: options.clock }),
      ...(options.onRun !== undefined && { onRun: options.onRun }),
    })
    await assembled.run(stop.signal)
    log.info('Stopped.', { operator: operator.name })
    return 0
  } catch (error) {
    if (stop.signal.aborted && error === stop.signal.reason) return 0
    log.error(isKubewrightError(error) ? error.message : 'The operator failed.', { error })
    // Work that would not stop may still run, and would keep this process alive while another replica leads.
    if (
      isKubewrightError(error, 'KW_LEADERSHIP_LOST') ||
      isKubewrightError(error, 'KW_GRACE_PERIOD_EXCEEDED')
    ) {
      await sink.flush()
      exit(1)
    }
    return 1
  } finally {
    await sink.flush()
  }
}

async function install(
  operator: Operator,
  config: ClusterConfig,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const client = createClient({ config, log })
  try {
    await installKinds(client, operator.kinds, { fieldManager: operator.name, signal })
  } finally {
    client.close()
  }
}
