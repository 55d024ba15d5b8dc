import { text } from 'node:stream/consumers'
import type { KubeObject, TransportRequest } from 'kubewright/objects'
import { expect, test } from 'vitest'
import { createEmbeddedRig, type EmbeddedRig } from './embedded-rig.js'

/** What the server answers with, and a test that expects another object fails. */
type Answer = KubeObject & Readonly<Record<string, unknown>>

interface Rig extends Pick<EmbeddedRig, 'settle'> {
  /** Sends a request, and returns the object in the answer. */
  send(method: TransportRequest['method'], path: string, body?: unknown): Promise<Answer>
  /** The names of what is in a collection. */
  names(path: string): Promise<string[]>
}

async function createRig(): Promise<Rig> {
  const { cluster, settle } = await createEmbeddedRig()
  const send: Rig['send'] = async (method, path, body) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await cluster.transport({ method, path, headers: { 'content-type': type }, ...content })
    return JSON.parse(await text(answer.body)) as Answer
  }
  return {
    send,
    settle,
    async names(path) {
      const { items } = (await send('GET', path)) as unknown as { readonly items: readonly KubeObject[] }
      return items.map(({ metadata }) => metadata.name)
    },
  }
}

const core = '/api/v1/namespaces/default'
const apps = '/apis/apps/v1/namespaces/default'

const template = (labels: Readonly<Record<string, string>>, image = 'nginx') => ({
  metadata: { labels },
  spec: { containers: [{ name: 'main', image }] },
})

test('objects that own each other in a circle go when one of them is deleted in the foreground', async () => {
  const { send, settle, names } = await createRig()
  const maps = ['one', 'two', 'three']
  const uids: string[] = []
  for (const name of maps) {
    const { metadata } = await send('POST', `${core}/configmaps`, { metadata: { name } })
    uids.push(metadata.uid)
  }
  for (const [at, name] of maps.entries()) {
    const before = (at + maps.length - 1) % maps.length
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: maps[before], uid: uids[before] }
    const ownerReferences = [{ ...owner, blockOwnerDeletion: true }]
    await send('PATCH', `${core}/configmaps/${name}`, { metadata: { ownerReferences } })
  }
  await send('DELETE', `${core}/configmaps/one`, { propagationPolicy: 'Foreground' })
  await settle()
  expect(await names(`${core}/configmaps`)).toEqual(['kube-root-ca.crt'])
})

test('the certificate of the server is put back when somebody overwrites it', async () => {
  const { send, settle } = await createRig()
  const path = `${core}/configmaps/kube-root-ca.crt`
  const before = await send('GET', path)
  await send('PUT', path, { metadata: { name: 'kube-root-ca.crt' }, data: { 'ca.crt': '', other: 'x' } })
  await settle()
  const after = await send('GET', path)
  expect(after['data']).toEqual(before['data'])
  expect(after.metadata.annotations).toEqual(before.metadata.annotations)
})

test('nothing else in a namespace goes before its pods', async () => {
  const { send, settle, names } = await createRig()
  const inside = '/api/v1/namespaces/going'
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'going' } })
  await settle()
  await send('POST', `${inside}/configmaps`, { metadata: { name: 'settings' } })
  await send('POST', `${inside}/pods`, {
    metadata: { name: 'held', finalizers: ['example.com/hold'] },
    spec: template({}).spec,
  })
  await send('DELETE', inside)
  await settle()
  expect(await names(`${inside}/configmaps`)).toContain('settings')
  expect((await send('GET', inside))['status']).toMatchObject({
    conditions: expect.arrayContaining([
      expect.objectContaining({
        type: 'NamespaceContentRemaining',
        message: 'Some resources are remaining: pods. has 1 resource instances',
      }),
    ]),
  })
  await send('PATCH', `${inside}/pods/held`, { metadata: { finalizers: null } })
  await settle()
  expect(await names('/api/v1/namespaces')).not.toContain('going')
})

test('a Deployment rolls over a ReplicaSet that was there before it', async () => {
  const { send, settle, names } = await createRig()
  const labels = { app: 'web' }
  const spec = { replicas: 1, selector: { matchLabels: labels } }
  await send('POST', `${apps}/replicasets`, {
    metadata: {
      name: 'earlier',
      labels,
      annotations: { 'deployment.kubernetes.io/revision': '3546343826724305832' },
    },
    spec: { ...spec, template: template(labels, 'nginx:1') },
  })
  await settle()
  await send('POST', `${apps}/deployments`, {
    metadata: { name: 'web' },
    spec: { ...spec, revisionHistoryLimit: 0, template: template(labels, 'nginx:2') },
  })
  await settle()
  expect(await names(`${apps}/replicasets`)).toEqual([expect.stringMatching(/^web-/)])
  const { metadata } = await send('GET', `${apps}/deployments/web`)
  expect(metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '3546343826724305833' })
})

test('a ReplicationController keeps its pods, and takes in those that fit', async () => {
  const { send, settle, names } = await createRig()
  const labels = { app: 'web' }
  await send('POST', `${core}/pods`, { metadata: { name: 'first', labels }, spec: template(labels).spec })
  await send('POST', `${core}/replicationcontrollers`, {
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: labels, template: template(labels) },
  })
  await settle()
  expect(await names(`${core}/pods`)).toHaveLength(3)
  expect(await names(`${core}/pods`)).toContain('first')
  const { status } = await send('GET', `${core}/replicationcontrollers/web`)
  expect(status).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    observedGeneration: 1,
  })
})

test('a ReplicaSet tells what keeps it from having its pods', async () => {
  const { send, settle } = await createRig()
  const labels = { app: 'web' }
  await send('POST', `${core}/resourcequotas`, { metadata: { name: 'two' }, spec: { hard: { pods: '2' } } })
  await settle()
  await send('POST', `${apps}/replicasets`, {
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: template(labels) },
  })
  await settle()
  const { status } = await send('GET', `${apps}/replicasets/web`)
  expect(status).toMatchObject({
    replicas: 2,
    conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }],
  })
  await send('PATCH', `${apps}/replicasets/web`, { spec: { replicas: 2 } })
  await settle()
  expect((await send('GET', `${apps}/replicasets/web`))['status']).not.toHaveProperty('conditions')
})
