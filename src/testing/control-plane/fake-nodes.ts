import { isPlainObject, parseJson } from '../../base/index.js'
import { type Client, readText } from '../../client/index.js'

/** Creates nodes that kwok will play: large, Linux, without taints. */
export async function createNodes(client: Client, count: number, signal?: AbortSignal): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await client.request({
      method: 'POST',
      path: '/api/v1/nodes',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(nodeOf(number)),
      ...(signal === undefined ? {} : { signal }),
    })
  }
}

function nodeOf(number: number): Readonly<Record<string, unknown>> {
  const name = `node-${number}`
  const resources = { cpu: '32', memory: '256Gi', pods: '110' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        type: 'kwok',
      },
    },
    status: {
      addresses: [
        { type: 'InternalIP', address: `10.0.${Math.floor(number / 256)}.${number % 256}` },
        { type: 'Hostname', address: name },
      ],
      allocatable: resources,
      capacity: resources,
    },
  }
}

/** True when so many nodes are ready and take pods. */
export async function areNodesReady(client: Client, count: number, signal?: AbortSignal): Promise<boolean> {
  const response = await client.request({
    method: 'GET',
    path: '/api/v1/nodes',
    ...(signal === undefined ? {} : { signal }),
  })
  const list = parseJson(await readText(response.body))
  const nodes = isPlainObject(list) && Array.isArray(list['items']) ? list['items'] : []
  return nodes.filter(isReady).length >= count
}

function isReady(node: unknown): boolean {
  if (!isPlainObject(node) || !isPlainObject(node['status']) || !isPlainObject(node['spec'])) return false
  const conditions = Array.isArray(node['status']['conditions']) ? node['status']['conditions'] : []
  const taints = Array.isArray(node['spec']['taints']) ? node['spec']['taints'] : []
  return (
    taints.length === 0 &&
    conditions.some(
      (condition) =>
        isPlainObject(condition) && condition['type'] === 'Ready' && condition['status'] === 'True',
    )
  )
}
