import { ApiError } from 'kubewright'
import {
  ConfigMap,
  type Container,
  PersistentVolumeClaim,
  Pod,
  ResourceQuota,
  type ResourceQuotaSpec,
  Service,
} from 'kubewright/kinds/core/v1'
import { describe, expect, test } from 'vitest'
import { createEmbeddedRig, type EmbeddedRig } from './embedded-rig.js'

// The messages are the real server's.

const namespace = 'quotas'

async function rigWith(...quotas: ResourceQuotaSpec[]): Promise<EmbeddedRig> {
  const rig = await createEmbeddedRig()
  await rig.cluster.transport({
    method: 'POST',
    path: '/api/v1/namespaces',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
  })
  await rig.settle()
  for (const [index, spec] of quotas.entries())
    await rig.cluster.client.create(ResourceQuota, { metadata: { namespace, name: `q${index}` }, spec })
  await rig.settle()
  return rig
}

const refusal = async (write: Promise<unknown>): Promise<string> => {
  try {
    await write
    return 'none'
  } catch (error) {
    if (error instanceof ApiError) return error.status.message ?? ''
    throw error
  }
}

const usedOf = async ({ cluster }: EmbeddedRig, name = 'q0'): Promise<unknown> => {
  const quota = await cluster.client.get(ResourceQuota, { namespace, name })
  return quota.status?.used
}

type Resources = NonNullable<Container['resources']>

const createPod = (
  { cluster }: EmbeddedRig,
  name: string,
  resources: readonly Resources[],
  spec: Partial<NonNullable<Pod['spec']>> = {},
): Promise<Pod> =>
  cluster.client.create(Pod, {
    metadata: { namespace, name },
    spec: {
      ...spec,
      containers: resources.map((each, index) => ({ name: `c${index}`, image: 'i', resources: each })),
    },
  })
const createConfigMap = ({ cluster }: EmbeddedRig, name: string): Promise<ConfigMap> =>
  cluster.client.create(ConfigMap, { metadata: { namespace, name } })

describe('a quota for pods', () => {
  const hard = { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi', 'requests.example.com/gpu': '1' }
  const small = { requests: { cpu: '10m' }, limits: { memory: '100Mi' } }

  test('wants to be told what each container needs', async () => {
    const rig = await rigWith({ hard })
    expect(await refusal(createPod(rig, 'p', [{}, {}]))).toBe(
      'pods "p" is forbidden: failed quota: q0: must specify limits.memory for: c0,c1; requests.cpu for: c0,c1',
    )
  })

  test('adds up what they need, and says what does not fit', async () => {
    const rig = await rigWith({ hard })
    await createPod(rig, 'p1', [
      { requests: { cpu: '300m' }, limits: { memory: '100Mi' } },
      { requests: { cpu: '0.1' }, limits: { memory: '128M' } },
    ])
    expect(await usedOf(rig)).toEqual({
      'limits.memory': '227400Ki',
      pods: '1',
      'requests.cpu': '400m',
      'requests.example.com/gpu': '0',
    })
    const large = [
      { requests: { cpu: '600m' }, limits: { memory: '100Mi' } },
      { requests: { cpu: '100m' }, limits: { memory: '1Gi' } },
    ]
    expect(await refusal(createPod(rig, 'p2', large))).toBe(
      'pods "p2" is forbidden: exceeded quota: q0, requested: limits.memory=1124Mi,requests.cpu=700m, used: limits.memory=227400Ki,requests.cpu=400m, limited: limits.memory=1Gi,requests.cpu=1',
    )
    const devices = { 'example.com/gpu': '2' }
    const greedy = {
      requests: { ...small.requests, ...devices },
      limits: { ...small.limits, ...devices },
    }
    expect(await refusal(createPod(rig, 'p3', [greedy]))).toContain(
      'requested: requests.example.com/gpu=2, used: requests.example.com/gpu=0, limited: requests.example.com/gpu=1',
    )
  })

  test('has room again for those that have ended or gone', async () => {
    const rig = await rigWith({ hard })
    for (const name of ['p1', 'p2']) await createPod(rig, name, [small])
    expect(await refusal(createPod(rig, 'p3', [small]))).toBe(
      'pods "p3" is forbidden: exceeded quota: q0, requested: pods=1, used: pods=2, limited: pods=2',
    )
    await rig.settle()
    await rig.cluster.client.delete(Pod, { namespace, name: 'p1' })
    await rig.pass(60_000)
    await rig.cluster.client.patchStatus(
      Pod,
      { namespace, name: 'p2' },
      { merge: { status: { phase: 'Succeeded' } } },
    )
    await rig.settle()
    expect(await usedOf(rig)).toMatchObject({ pods: '0', 'requests.cpu': '0' })
    for (const name of ['p3', 'p4']) await createPod(rig, name, [small])
    expect(await usedOf(rig)).toMatchObject({ pods: '2', 'requests.cpu': '20m' })
  })

  test('is never exceeded by those who come at the same time', async () => {
    const rig = await rigWith({ hard: { pods: '3' } })
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => refusal(createPod(rig, `p${index}`, [{}]))),
    )
    expect(outcomes.filter((each) => each === 'none')).toHaveLength(3)
    expect(await usedOf(rig)).toEqual({ pods: '3' })
  })
})

test('a quota with a scope is for those within it', async () => {
  const values = ['system-node-critical']
  const rig = await rigWith(
    { hard: { pods: '0' }, scopes: ['BestEffort'] },
    { hard: { pods: '0' }, scopes: ['Terminating'] },
    {
      hard: { pods: '0' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values }] },
    },
  )
  const some = [{ requests: { cpu: '10m' } }]
  const over = (name: string): string =>
    `exceeded quota: ${name}, requested: pods=1, used: pods=0, limited: pods=0`
  expect(await refusal(createPod(rig, 'p', [{}]))).toContain(over('q0'))
  expect(await refusal(createPod(rig, 'p', some, { activeDeadlineSeconds: 5 }))).toContain(over('q1'))
  expect(await refusal(createPod(rig, 'p', some, { priorityClassName: 'system-node-critical' }))).toContain(
    over('q2'),
  )
  expect(await refusal(createPod(rig, 'p', some))).toBe('none')
})

describe('a quota for numbers of objects', () => {
  test('counts those that are there, and of dry runs only says whether they would fit', async () => {
    const rig = await rigWith({ hard: { configmaps: '3', 'count/configmaps': '4' } })
    // Every namespace has one.
    expect(await usedOf(rig)).toEqual({ configmaps: '1', 'count/configmaps': '1' })
    await rig.cluster.client.create(ConfigMap, { metadata: { namespace, name: 'dry' } }, { dryRun: true })
    for (const name of ['a', 'b']) await createConfigMap(rig, name)
    expect(await refusal(createConfigMap(rig, 'c'))).toBe(
      'configmaps "c" is forbidden: exceeded quota: q0, requested: configmaps=1, used: configmaps=3, limited: configmaps=3',
    )
    await rig.cluster.client.delete(ConfigMap, { namespace, name: 'a' })
    await rig.settle()
    expect(await usedOf(rig)).toEqual({ configmaps: '2', 'count/configmaps': '2' })
  })

  test('counts node ports, also of a service that becomes one', async () => {
    const rig = await rigWith({ hard: { services: '5', 'services.nodeports': '1' } })
    const { client } = rig.cluster
    const ports = [{ port: 80 }]
    await client.create(Service, { metadata: { namespace, name: 'a' }, spec: { type: 'NodePort', ports } })
    await client.create(Service, { metadata: { namespace, name: 'b' }, spec: { ports } })
    const patch = client.patch(Service, { namespace, name: 'b' }, { merge: { spec: { type: 'NodePort' } } })
    expect(await refusal(patch)).toBe(
      'services "b" is forbidden: exceeded quota: q0, requested: services.nodeports=1, used: services.nodeports=1, limited: services.nodeports=1',
    )
    expect(await usedOf(rig)).toEqual({ services: '2', 'services.nodeports': '1' })
  })

  test('counts storage, for all classes and for one', async () => {
    const ofSlow = 'slow.storageclass.storage.k8s.io/requests.storage'
    const rig = await rigWith({ hard: { 'requests.storage': '5Gi', [ofSlow]: '1Gi' } })
    const claim = (name: string, storageClassName: string, storage: string): Promise<unknown> =>
      rig.cluster.client.create(PersistentVolumeClaim, {
        metadata: { namespace, name },
        spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
      })
    await claim('a', 'fast', '4Gi')
    expect(await refusal(claim('b', 'slow', '1100Mi'))).toBe(
      `persistentvolumeclaims "b" is forbidden: exceeded quota: q0, requested: requests.storage=1100Mi,${ofSlow}=1100Mi, used: requests.storage=4Gi,${ofSlow}=0, limited: requests.storage=5Gi,${ofSlow}=1Gi`,
    )
    await claim('c', 'slow', '1000Mi')
    expect(await usedOf(rig)).toEqual({ 'requests.storage': '5096Mi', [ofSlow]: '1000Mi' })
  })

  test('follows a change of the quota', async () => {
    const rig = await rigWith({ hard: { configmaps: '1' } })
    expect(await refusal(createConfigMap(rig, 'a'))).toContain('exceeded quota: q0')
    const target = { namespace, name: 'q0' }
    await rig.cluster.client.patch(ResourceQuota, target, { merge: { spec: { hard: { configmaps: '2' } } } })
    await rig.settle()
    expect(await refusal(createConfigMap(rig, 'a'))).toBe('none')
  })
})
