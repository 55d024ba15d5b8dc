import { isNotFound, ownerReferenceTo } from 'kubewright'
import { Deployment } from 'kubewright/kinds/apps/v1'
import { ConfigMap, Namespace, Pod, Secret } from 'kubewright/kinds/core/v1'
import { ClusterRole } from 'kubewright/kinds/rbac.authorization.k8s.io/v1'
import { describe, expect, test } from 'vitest'
import { createEmbeddedRig, type EmbeddedRig } from './embedded-rig.js'

const namespace = 'default'

async function family({ cluster: { client } }: EmbeddedRig): Promise<{ owner: ConfigMap; child: Secret }> {
  const owner = await client.create(ConfigMap, { metadata: { namespace, name: 'owner' } })
  const child = await client.create(Secret, {
    metadata: {
      namespace,
      name: 'child',
      ownerReferences: [{ ...ownerReferenceTo(owner), controller: true, blockOwnerDeletion: true }],
    },
  })
  return { owner, child }
}

const exists = async (read: Promise<unknown>): Promise<boolean> =>
  read.then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false
      throw error
    },
  )

describe('what has lost its owner', () => {
  test('goes after it, in the background', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await family(rig)
    await client.delete(ConfigMap, { namespace, name: 'owner' })
    await rig.settle()
    expect(await exists(client.get(Secret, { namespace, name: 'child' }))).toBe(false)
  })

  test('goes before it, in the foreground', async () => {
    const rig = await createEmbeddedRig()
    const { client, server } = rig.cluster
    await family(rig)
    const gone: string[] = []
    server.store.subscribe({ after: server.store.revision }, ({ type, key, resource }) => {
      if (type === 'deleted') gone.push(`${resource} ${key}`)
    })
    await client.delete(ConfigMap, { namespace, name: 'owner' }, { propagationPolicy: 'Foreground' })
    await rig.settle()
    expect(gone).toEqual(['secrets default/child', 'configmaps default/owner'])
  })

  test('stays, when it is orphaned', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await family(rig)
    await client.delete(ConfigMap, { namespace, name: 'owner' }, { propagationPolicy: 'Orphan' })
    await rig.settle()
    expect(await exists(client.get(ConfigMap, { namespace, name: 'owner' }))).toBe(false)
    const child = await client.get(Secret, { namespace, name: 'child' })
    expect(child.metadata.ownerReferences).toBeUndefined()
  })

  test('is told by uid: a namesake of the owner is a stranger', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    const { owner } = await family(rig)
    await client.delete(ConfigMap, { namespace, name: 'owner' }, { propagationPolicy: 'Orphan' })
    await rig.settle()
    await client.create(ConfigMap, { metadata: { namespace, name: 'owner' } })
    await client.create(Secret, {
      metadata: { namespace, name: 'stale', ownerReferences: [ownerReferenceTo(owner)] },
    })
    await rig.settle()
    expect(await exists(client.get(Secret, { namespace, name: 'stale' }))).toBe(false)
  })

  test('goes when its owner lives in another namespace, and stays when that cannot be judged', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    const { owner } = await family(rig)
    await client.create(Namespace, { metadata: { name: 'other' } })
    await client.create(Secret, {
      metadata: { namespace: 'other', name: 'abroad', ownerReferences: [ownerReferenceTo(owner)] },
    })
    await client.create(ClusterRole, {
      metadata: { name: 'above', ownerReferences: [ownerReferenceTo(owner)] },
      rules: [],
    })
    await client.create(Secret, {
      metadata: {
        namespace,
        name: 'unknown',
        ownerReferences: [{ apiVersion: 'nobody.example.com/v1', kind: 'Nobody', name: 'x', uid: 'y' }],
      },
    })
    await rig.settle()
    expect(await exists(client.get(Secret, { namespace: 'other', name: 'abroad' }))).toBe(false)
    expect(await exists(client.get(ClusterRole, { name: 'above' }))).toBe(true)
    expect(await exists(client.get(Secret, { namespace, name: 'unknown' }))).toBe(true)
  })

  test('stays while one owner is left, and forgets the other', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    const first = await client.create(ConfigMap, { metadata: { namespace, name: 'first' } })
    const second = await client.create(ConfigMap, { metadata: { namespace, name: 'second' } })
    await client.create(Secret, {
      metadata: {
        namespace,
        name: 'shared',
        ownerReferences: [ownerReferenceTo(first), ownerReferenceTo(second)],
      },
    })
    await client.delete(ConfigMap, { namespace, name: 'first' })
    await rig.settle()
    const shared = await client.get(Secret, { namespace, name: 'shared' })
    expect(shared.metadata.ownerReferences?.map(({ name }) => name)).toEqual(['second'])
  })
})

describe('a namespace', () => {
  test('goes with everything in it, workloads included', async () => {
    const rig = await createEmbeddedRig({ simulation: { podStopMs: 2_000 } })
    const { client, server } = rig.cluster
    await client.create(Namespace, { metadata: { name: 'shop' } })
    await client.create(Deployment, {
      metadata: { namespace: 'shop', name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'c', image: 'nginx' }] },
        },
      },
    })
    await rig.settle()
    await client.delete(Namespace, { name: 'shop' })
    await rig.settle()
    const terminating = await client.get(Namespace, { name: 'shop' })
    expect(terminating.status?.phase).toBe('Terminating')
    await expect(client.create(ConfigMap, { metadata: { namespace: 'shop', name: 'late' } })).rejects.toThrow(
      /because it is being terminated/,
    )
    for (let second = 0; second < 40; second++) await rig.pass(1_000)
    expect(await exists(client.get(Namespace, { name: 'shop' }))).toBe(false)
    for (const resource of ['pods', 'configmaps', 'serviceaccounts', 'replicasets.apps', 'events'])
      expect(server.store.count(resource, 'shop/')).toBe(0)
  })

  test('waits for the finalizers of what is in it', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await client.create(Namespace, { metadata: { name: 'shop' } })
    await client.create(ConfigMap, {
      metadata: { namespace: 'shop', name: 'held', finalizers: ['example.com/hold'] },
    })
    await client.delete(Namespace, { name: 'shop' })
    await rig.pass(2_000)
    const waiting = await client.get(Namespace, { name: 'shop' })
    expect(
      waiting.status?.conditions?.find(({ type }) => type === 'NamespaceFinalizersRemaining'),
    ).toMatchObject({
      status: 'True',
      message:
        'Some content in the namespace has finalizers remaining: example.com/hold in 1 resource instances',
    })
    await client.patch(
      ConfigMap,
      { namespace: 'shop', name: 'held' },
      { merge: { metadata: { finalizers: null } } },
    )
    await rig.pass(2_000)
    expect(await exists(client.get(Namespace, { name: 'shop' }))).toBe(false)
  })

  test('has an account and a certificate from the beginning, and gets them back', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await client.create(Namespace, { metadata: { name: 'shop' } })
    await rig.settle()
    const key = { namespace: 'shop', name: 'kube-root-ca.crt' }
    expect((await client.get(ConfigMap, key)).data?.['ca.crt']).toContain('BEGIN CERTIFICATE')
    await client.delete(ConfigMap, key)
    await rig.settle()
    expect(await exists(client.get(ConfigMap, key))).toBe(true)
    expect(await exists(client.get(Pod, { namespace: 'shop', name: 'none' }))).toBe(false)
  })
})
