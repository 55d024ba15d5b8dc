import {
  defineKind,
  deleted,
  installKinds,
  isInvalid,
  loadValidator,
  type ObjectOf,
  waitFor,
} from 'kubewright'
import type { WatchEvent } from 'kubewright/client'
import { CustomResourceDefinition } from 'kubewright/kinds/apiextensions.k8s.io/v1'
import type { Cluster } from 'kubewright/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createNamespace, kubectl, sharedCluster } from './shared-cluster.js'

const Foo = defineKind({
  group: 'lifecycle.example.com',
  version: 'v1alpha1',
  kind: 'Foo',
  shortNames: ['lfoo'],
  spec: z.object({
    deploymentName: z.string().describe('Name of the Deployment to keep.'),
    replicas: z.int32().min(1).max(10).default(1).describe('How many of them.'),
  }),
  status: z.object({ availableReplicas: z.int32().optional() }),
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.availableReplicas' },
  columns: [{ name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' }],
})
type Foo = ObjectOf<typeof Foo>

let cluster: Cluster
let namespace: string

beforeAll(async () => {
  cluster = await sharedCluster()
  await installKinds(cluster.client, [Foo])
  namespace = await createNamespace(cluster, 'lifecycle')
})

afterAll(() => cluster.stop())

test('the server accepts the CRD of a kind without a complaint about its schema', async () => {
  const crd = await cluster.client.get(CustomResourceDefinition, { name: 'foos.lifecycle.example.com' })
  const conditions = Object.fromEntries(
    (crd.status?.conditions ?? []).map(({ type, status }) => [type, status]),
  )
  expect(conditions).toMatchObject({ NamesAccepted: 'True', Established: 'True' })
  expect(conditions).not.toHaveProperty('NonStructuralSchema')
})

test('an object lives its whole life through the client, and a watch sees all of it', async () => {
  const { client } = cluster
  const key = { namespace, name: 'one' }
  const { metadata } = await client.list(Foo, { namespace })
  const seen: string[] = []
  const watching = (async () => {
    const changes: AsyncIterable<WatchEvent<Foo>> = client.watch(Foo, {
      namespace,
      resourceVersion: metadata.resourceVersion ?? '',
    })
    for await (const event of changes) {
      if (event.type === 'bookmark') continue
      const { spec, status } = event.object
      seen.push(`${event.type} ${spec.replicas} ${status?.availableReplicas ?? '-'}`)
      if (event.type === 'deleted') return
    }
  })()

  const created = await client.create(Foo, { metadata: key, spec: { deploymentName: 'web' } })
  expect(created.spec).toEqual({ deploymentName: 'web', replicas: 1 })
  const patched = await client.patch(Foo, key, { merge: { spec: { replicas: 2 } } })
  expect(patched.metadata.generation).toBe(2)
  const applied = await client.apply(
    Foo,
    { metadata: key, spec: { deploymentName: 'web', replicas: 3 } },
    { fieldManager: 'lifecycle', force: true },
  )
  expect(applied.spec.replicas).toBe(3)
  applied.status = { availableReplicas: 3 }
  const reported = await client.updateStatus(Foo, applied)
  expect(reported.metadata.generation).toBe(3)
  expect((await client.getScale(Foo, key)).status?.replicas).toBe(3)
  await client.updateScale(Foo, key, { replicas: 4 })
  reported.spec.replicas = 5
  reported.metadata.resourceVersion = (await client.get(Foo, key)).metadata.resourceVersion
  expect((await client.update(Foo, reported)).spec.replicas).toBe(5)
  expect((await client.listAll(Foo, { namespace })).items).toHaveLength(1)
  await client.delete(Foo, key)
  await waitFor(client, Foo, key, { until: deleted() })
  await watching
  expect(seen).toEqual([
    'added 1 -',
    'modified 2 -',
    'modified 3 -',
    'modified 3 3',
    'modified 4 3',
    'modified 5 3',
    'deleted 5 3',
  ])
})

test('kubectl shows the columns, explains the fields and finds the kind by its short name', async () => {
  await cluster.client.create(Foo, {
    metadata: { namespace, name: 'shown' },
    spec: { deploymentName: 'web' },
  })
  expect(await kubectl(cluster, `get -n ${namespace} lfoo`)).toMatch(/NAME +AVAILABLE/)
  const explained = await kubectl(
    cluster,
    'explain foos --api-version=lifecycle.example.com/v1alpha1 --recursive',
  )
  expect(explained).toMatch(/replicas\s+<integer>/)
  expect(
    await kubectl(cluster, 'explain foos.spec.replicas --api-version=lifecycle.example.com/v1alpha1'),
  ).toContain('How many of them.')
})

test('an object with 11 replicas is refused with the same message here and by the server', async () => {
  const object = {
    apiVersion: 'lifecycle.example.com/v1alpha1' as const,
    kind: 'Foo' as const,
    metadata: { namespace, name: 'eleven' },
    spec: { deploymentName: 'web', replicas: 11 },
  }
  const refusal: unknown = await cluster.client.create(Foo, object).catch((error: unknown) => error)
  if (!isInvalid(refusal)) throw new Error(`expected a refusal, got ${String(refusal)}`)
  const validator = await loadValidator(Foo)
  expect(refusal.causes).toEqual(
    validator.validate(object).map(({ reason, message, field }) => ({ reason, message, field })),
  )
})
