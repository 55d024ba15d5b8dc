import { KubewrightError } from '../base/index.js'

/** The cluster was used after it was stopped. */
export class ClusterStoppedError extends KubewrightError {
  constructor() {
    super('The cluster has been stopped. Create a new one, or stop it later.', { code: 'KW_CLUSTER_STOPPED' })
  }
}

/** A cluster was asked for that cannot be had. */
export class InvalidClusterOptionsError extends KubewrightError {
  readonly option: string

  constructor(option: string, problem: string) {
    super(`The option \`${option}\` of createCluster ${problem}.`, { code: 'KW_CLUSTER_OPTIONS_INVALID' })
    this.option = option
  }
}

/** An embedded cluster without a listener was asked for what needs one. */
export class NoListenerError extends KubewrightError {
  constructor(what: string) {
    super(
      `The embedded cluster has no ${what}: it was created with \`https: false\`. Leave that out to have it listen.`,
      { code: 'KW_NO_LISTENER' },
    )
  }
}

/** The control plane did not become ready. */
export class ControlPlaneStartError extends KubewrightError {
  /** The end of what each program wrote, by name. */
  readonly logs: Readonly<Record<string, string>>

  constructor(problem: string, logs: Readonly<Record<string, string>>, cause?: unknown) {
    const tails = Object.entries(logs).map(([name, tail]) => `--- ${name}\n${tail}`)
    super(
      `The control plane did not start: ${problem}. Look at the end of its logs for the reason and start it again.\n${tails.join('\n')}`,
      { code: 'KW_CONTROL_PLANE_START_FAILED', cause },
    )
    this.logs = logs
  }
}

/** Another program listens on the port that the API server should have. */
export class PortInUseError extends KubewrightError {
  /** Absent when all the free ports that were tried were snatched away. */
  readonly port: number | undefined

  constructor(port: number | undefined) {
    super(
      port === undefined
        ? 'No port stayed free long enough for the API server. Try again when fewer programs start at once.'
        : `Port ${port} is in use. Choose another one, or none and get a free one.`,
      { code: 'KW_PORT_IN_USE' },
    )
    this.port = port
  }
}

/** kubectl could not make sense of the kubeconfig. */
export class UnreadableKubeconfigError extends KubewrightError {
  readonly kubeconfig: string

  constructor(kubeconfig: string, output: string) {
    super(
      `kubectl cannot read the kubeconfig ${kubeconfig}. Correct it and try again. kubectl said:\n${output}`,
      {
        code: 'KW_KUBECONFIG_UNREADABLE',
      },
    )
    this.kubeconfig = kubeconfig
  }
}

/** A program of the control plane ended although nobody asked it to. */
export class ControlPlaneFailedError extends KubewrightError {
  readonly program: string
  /** The end of what it wrote. */
  readonly log: string

  constructor(program: string, how: string, log: string) {
    super(
      `${program} ended ${how}. Look at the end of its log for the reason and start a new cluster.\n${log}`,
      {
        code: 'KW_CONTROL_PLANE_FAILED',
      },
    )
    this.program = program
    this.log = log
  }
}
