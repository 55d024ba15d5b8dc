import { KubewrightError } from '../../base/index.js'

/** One thing that is wrong with the configuration. Holds no secret. */
export interface ConfigProblem {
  /** Where: a file name, `the options`, `environment variable HTTPS_PROXY`. */
  readonly source: string
  /** The place inside the source, where it has one: `users[0].user.token`. */
  readonly path?: string
  /** What is wrong and what to do about it. */
  readonly message: string
}

/** The configuration was found, but cannot be used. Lists every problem that was found, not only the first. */
export class ClusterConfigInvalidError extends KubewrightError {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.map(describeProblem)
    super(
      lines.length === 1
        ? `The cluster configuration is not usable: ${lines[0]}`
        : `The cluster configuration has ${lines.length} problems:\n${lines.map((line) => `- ${line}`).join('\n')}`,
      { code: 'KW_CLUSTER_CONFIG_INVALID' },
    )
    this.problems = problems
  }
}

function describeProblem({ source, path, message }: ConfigProblem): string {
  return path === undefined ? `${source}: ${message}` : `${source}: ${path}: ${message}`
}

/** No configuration was found anywhere. */
export class ClusterConfigMissingError extends KubewrightError {
  /** The places that were looked at, in order. */
  readonly tried: readonly string[]

  constructor(tried: readonly string[]) {
    super(
      `Found no cluster to talk to (looked at ${tried.join(', ')}): ` +
        'name a kubeconfig with --kubeconfig or KUBECONFIG, or run in a pod with a service account.',
      { code: 'KW_CLUSTER_CONFIG_MISSING' },
    )
    this.tried = tried
  }
}
