import { getOwn, isPlainObject, parseJson } from '../../base/index.js'
import type { Credentials } from '../config/cluster-config.js'
import { keyPairProblem } from '../config/pem.js'
import { createCredentials, isHeaderToken } from './credentials.js'

/** The versions of the plugin protocol that we speak. */
export const execApiVersions = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
] as const

/** The cluster as a plugin with provideClusterInfo gets to see it. */
export interface ExecCluster {
  readonly server: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'certificate-authority-data'?: string
  readonly 'proxy-url'?: string
  readonly config: unknown
}

/** The text for KUBERNETES_EXEC_INFO: what a plugin is told. */
export function describeRequest(options: {
  readonly apiVersion: string
  readonly interactive: boolean
  readonly cluster?: ExecCluster
}): string {
  const { apiVersion, interactive, cluster } = options
  return JSON.stringify({
    kind: 'ExecCredential',
    apiVersion,
    spec: { ...(cluster !== undefined && { cluster }), interactive },
  })
}

/** What a plugin answered, or what is wrong with its answer. */
type ExecAnswer =
  | { readonly kind: 'credentials'; readonly credentials: Credentials; readonly expiresAtMs?: number }
  | { readonly kind: 'problem'; readonly message: string }

/** Reads the output of a plugin. Never quotes it: it is the secret. */
export function parseAnswer(output: string, apiVersion: string): ExecAnswer {
  const answer = parseObject(output)
  if (answer === undefined || answer['kind'] !== 'ExecCredential')
    return problem('it did not write an ExecCredential as JSON to standard output: run it by hand.')
  if (answer['apiVersion'] !== apiVersion)
    return problem(
      `it answered in another version than ${apiVersion}: set the apiVersion that it speaks in the kubeconfig.`,
    )
  const { status } = answer
  if (!isPlainObject(status)) return problem('its answer has no status: run it by hand.')

  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((name) => {
    const value = getOwn(status, name)
    return typeof value === 'string' && value !== '' ? value : undefined
  })
  if (token === undefined && cert === undefined && key === undefined)
    return problem('its answer holds neither a token nor a client certificate: log in with it again.')
  if ((cert === undefined) !== (key === undefined))
    return problem('its answer holds only one of client certificate and key: update the plugin.')
  if (token !== undefined && !isHeaderToken(token))
    return problem('its token holds spaces or control characters: update the plugin.')
  const pairProblem = cert !== undefined && key !== undefined ? keyPairProblem(cert, key) : undefined
  if (pairProblem !== undefined) return problem(`its answer is not usable: ${pairProblem}.`)

  const expiresAtMs = parseTimestamp(status['expirationTimestamp'])
  if (expiresAtMs === 'invalid')
    return problem('its expirationTimestamp is not a time as in 2030-01-31T12:00:00Z: update the plugin.')
  return {
    kind: 'credentials',
    credentials: createCredentials({
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cert !== undefined && key !== undefined && { clientCertificate: { cert, key } }),
    }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
  }
}

function problem(message: string): ExecAnswer {
  return { kind: 'problem', message }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isPlainObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

function parseTimestamp(value: unknown): number | undefined | 'invalid' {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !rfc3339.test(value)) return 'invalid'
  // oxlint-disable-next-line no-restricted-globals -- reads a text, not a clock
  const parsed = Date.parse(value)
  return Number.isNaN(parsed) ? 'invalid' : parsed
}
