import { type ExecCluster, execApiVersions } from '../auth/exec-credential.js'
import { createExecCredentials, type ExecInteractiveMode } from '../auth/exec-credentials.js'
import { execPolicyProblem } from '../auth/exec-policy.js'
import type { CredentialSource, ServerTrust } from './cluster-config.js'
import type { KubeconfigCluster, KubeconfigExec, KubeconfigUser } from './kubeconfig.js'
import { type ResolveContext, reportField } from './resolve-context.js'

/** The cluster that a plugin is asked to give credentials for. */
export interface ExecTarget {
  readonly server: string
  readonly cluster: KubeconfigCluster
  readonly trust: ServerTrust
}

/** The plugin of a user entry. What is wrong with the entry is reported; then there is no plugin. */
export function resolveExec(
  user: KubeconfigUser,
  exec: KubeconfigExec,
  target: ExecTarget,
  context: ResolveContext,
): CredentialSource | undefined {
  const before = context.problems.length
  const report = (field: string, message: string): void =>
    reportField(context, user.place, `exec.${field}`, message)
  const { command = '', apiVersion = '', args, env, installHint } = exec
  if (command === '') report('command', 'it is missing: name the program that brings the credentials')
  if (!execApiVersions.some((known) => known === apiVersion))
    report('apiVersion', `it is missing or not supported: use one of ${execApiVersions.join(', ')}`)
  if (env.some(({ name }) => name === '')) report('env', 'a variable has no name: give it one')
  const interactiveMode = parseMode(exec)
  if (interactiveMode === undefined)
    report('interactiveMode', 'it is missing or not known: use Never, IfAvailable or Always')
  const policyProblem = context.exec.policy && execPolicyProblem(context.exec.policy)
  if (policyProblem !== undefined)
    context.problems.push({ source: 'the options', path: 'exec.policy', message: policyProblem })
  const { timeoutMs = 1 } = context.exec
  if (!(timeoutMs > 0))
    context.problems.push({
      source: 'the options',
      path: 'exec.timeoutMs',
      message: 'it is not a positive number: give the plugin some time',
    })
  if (interactiveMode === undefined || context.problems.length > before) return undefined

  return createExecCredentials({
    plugin: {
      apiVersion,
      command,
      args,
      env,
      interactiveMode,
      ...(installHint !== undefined && { installHint }),
      ...(exec.provideClusterInfo && { cluster: () => describeCluster(target) }),
    },
    exec: context.exec,
    env: context.env,
    clock: context.clock,
    log: context.log,
  })
}

function parseMode({ interactiveMode, apiVersion }: KubeconfigExec): ExecInteractiveMode | undefined {
  switch (interactiveMode) {
    case 'Never':
    case 'IfAvailable':
    case 'Always':
      return interactiveMode
    case undefined:
      // Older versions of the protocol did not have the field; v1 demands it.
      return apiVersion === 'client.authentication.k8s.io/v1' ? undefined : 'IfAvailable'
    default:
      return undefined
  }
}

async function describeCluster({ server, cluster, trust }: ExecTarget): Promise<ExecCluster> {
  const ca = await trust.ca()
  return {
    server,
    ...(trust.serverName !== undefined && { 'tls-server-name': trust.serverName }),
    ...(trust.insecureSkipVerify && { 'insecure-skip-tls-verify': true }),
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(cluster.proxyUrl !== undefined && { 'proxy-url': cluster.proxyUrl }),
    config: cluster.execConfig ?? null,
  }
}
