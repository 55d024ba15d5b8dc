import { randomBytes } from 'node:crypto'
import { parseJson, stringifyJson } from 'kubewright/base'
import { createTransport, readText } from 'kubewright/client'
import { Namespace } from 'kubewright/kinds/core/v1'
import { type Cluster, type ClusterAccess, createCluster } from 'kubewright/testing'
import { inject } from 'vitest'

/** The control plane that all scenarios share, as its administrator. */
export function sharedCluster(): Promise<Cluster> {
  return createCluster({ kind: 'existing', kubeconfig: inject('kubeconfig') })
}

/** A namespace of its own for a test. */
export async function createNamespace(cluster: ClusterAccess, prefix: string): Promise<string> {
  const name = `${prefix}-${randomBytes(3).toString('hex')}`
  await cluster.client.create(Namespace, { metadata: { name } })
  return name
}

export interface RawAnswer {
  readonly status: number
  /** Data where the server sent JSON, otherwise the text. */
  readonly body: unknown
}

/** Requests as they are, without the client's opinions: for comparing what the server says. */
export function rawRequests(
  cluster: ClusterAccess,
): (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<RawAnswer> {
  const transport = createTransport(cluster.config)
  return async (method, path, body) => {
    const response = await transport({
      method,
      path,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : stringifyJson(body) }),
    })
    const text = await readText(response.body)
    return { status: response.status, body: text.startsWith('{') ? parseJson(text) : text }
  }
}

/** kubectl as a person types it; fails with what kubectl said. */
export async function kubectl(cluster: ClusterAccess, command: string, input?: string): Promise<string> {
  const args = command.match(/'[^']*'|\S+/g) ?? []
  const { stdout, stderr, exitCode } = await cluster.kubectl(
    args.map((arg) => arg.replaceAll("'", '')),
    input === undefined ? {} : { input },
  )
  if (exitCode !== 0) throw new Error(`kubectl ${command} ended with ${exitCode}: ${stderr}`)
  return stdout
}
