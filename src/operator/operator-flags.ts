import { parseArgs } from 'node:util'
import { KubewrightError } from '../base/index.js'

/** How an operator is run: the flags that people know from operators in Go. */
export interface OperatorFlags {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly master: string | undefined
  /** Empty: all namespaces. */
  readonly namespaces: readonly string[]
  readonly leaderElect: boolean
  /** Where the lease lives; by default the operator's own namespace. */
  readonly leaderElectionNamespace: string | undefined
  /** The name of the lease; by default the operator's name. */
  readonly leaderElectionId: string | undefined
  /** `0` or empty: off. */
  readonly healthProbeBindAddress: string
  readonly metricsBindAddress: string
  readonly metricsSecure: boolean
  readonly metricsCertPath: string | undefined
  readonly verbosity: number
  readonly logFormat: 'json' | 'human'
  readonly installKinds: boolean
}

/** As on a command line without flags. */
export const defaultOperatorFlags: OperatorFlags = {
  kubeconfig: undefined,
  context: undefined,
  master: undefined,
  namespaces: [],
  leaderElect: false,
  leaderElectionNamespace: undefined,
  leaderElectionId: undefined,
  healthProbeBindAddress: '0',
  metricsBindAddress: '0',
  metricsSecure: true,
  metricsCertPath: undefined,
  verbosity: 0,
  logFormat: 'json',
  installKinds: false,
}

/** The flags cannot be read. */
export class InvalidFlagsError extends KubewrightError {
  constructor(message: string) {
    super(`${message} Add --help for the flags.`, { code: 'KW_INVALID_FLAGS' })
  }
}

const options = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  master: { type: 'string' },
  namespace: { type: 'string', multiple: true },
  'leader-elect': { type: 'boolean' },
  'leader-election-namespace': { type: 'string' },
  'leader-election-id': { type: 'string' },
  'health-probe-bind-address': { type: 'string' },
  'metrics-bind-address': { type: 'string' },
  'metrics-secure': { type: 'boolean' },
  'metrics-cert-path': { type: 'string' },
  'log-format': { type: 'string' },
  'install-crds': { type: 'boolean' },
  v: { type: 'string', short: 'v' },
  help: { type: 'boolean', short: 'h' },
} as const

/** What `--help` prints. */
export const operatorUsage = `Flags:
  --kubeconfig PATH                  kubeconfig file; else KUBECONFIG, the pod's own account, ~/.kube/config
  --context NAME                     context of the kubeconfig
  --master URL                       address of the API server, in place of the kubeconfig's
  --namespace NAME                   follow this namespace only; may be repeated, or a list with commas
  --leader-elect                     work only while holding the lease, so that replicas do not meet
  --leader-election-namespace NAME   where the lease lives; the operator's own namespace by default
  --leader-election-id NAME          the name of the lease; the operator's name by default
  --health-probe-bind-address ADDR   /healthz and /readyz, for example :8081; 0 switches it off (default)
  --metrics-bind-address ADDR        /metrics, for example :8443; 0 switches it off (default)
  --metrics-secure[=false]           metrics over HTTPS with authentication and authorization (default true)
  --metrics-cert-path FOLDER         tls.crt and tls.key for the metrics; a self-signed pair by default
  --install-crds                     install the operator's CRDs, or bring them up to date, before it starts
  --log-format json|human            human on a terminal, json elsewhere
  -v LEVEL                           how much is logged: 0 (default) information, 4 and more details
  -h, --help                         print this
`

/** The flags, or `help` when that was asked for. Throws {@link InvalidFlagsError}. */
export function parseOperatorFlags(args: readonly string[], isTerminal: boolean): OperatorFlags | 'help' {
  const { values, positionals } = read(args.map(inNodeStyle))
  if (values.help === true) return 'help'
  if (positionals.length > 0)
    throw new InvalidFlagsError(`Unexpected argument ${JSON.stringify(positionals[0])}.`)
  const defaults = defaultOperatorFlags
  const logFormat = values['log-format'] ?? (isTerminal ? 'human' : defaults.logFormat)
  if (logFormat !== 'json' && logFormat !== 'human')
    throw new InvalidFlagsError('--log-format is json or human.')
  const verbosity = Number(values.v ?? defaults.verbosity)
  if (!Number.isInteger(verbosity) || verbosity < 0) throw new InvalidFlagsError('-v takes a whole number.')
  return {
    kubeconfig: values.kubeconfig,
    context: values.context,
    master: values.master,
    namespaces: (values.namespace ?? []).flatMap((list) => list.split(',')).filter((name) => name !== ''),
    leaderElect: values['leader-elect'] ?? defaults.leaderElect,
    leaderElectionNamespace: values['leader-election-namespace'],
    leaderElectionId: values['leader-election-id'],
    healthProbeBindAddress: values['health-probe-bind-address'] ?? defaults.healthProbeBindAddress,
    metricsBindAddress: values['metrics-bind-address'] ?? defaults.metricsBindAddress,
    metricsSecure: values['metrics-secure'] ?? defaults.metricsSecure,
    metricsCertPath: values['metrics-cert-path'],
    verbosity,
    logFormat,
    installKinds: values['install-crds'] ?? defaults.installKinds,
  }
}

function read(args: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(args)
  } catch (error) {
    throw new InvalidFlagsError(`${error instanceof Error ? error.message.replace(/\.?\s*$/, '.') : ''}`)
  }
}

// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the type follows from the table of options
const parse = (args: readonly string[]) =>
  parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true })

/** Go's flags take `--leader-elect=false` and `-v=4`; Node's parser wants `--no-leader-elect` and `-v4`. */
function inNodeStyle(arg: string): string {
  if (arg.startsWith('-v=')) return `-v${arg.slice('-v='.length)}`
  const match = /^--([a-z-]+)=(true|false)$/.exec(arg)
  if (match === null) return arg
  const [, name = '', value] = match
  const isBoolean = name in options && options[name as keyof typeof options].type === 'boolean'
  if (!isBoolean) return arg
  return value === 'true' ? `--${name}` : `--no-${name}`
}
