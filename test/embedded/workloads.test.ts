import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubewright/kinds/apps/v1'
import { Job } from 'kubewright/kinds/batch/v1'
import { Endpoints, Node, PersistentVolumeClaim, Pod, Service } from 'kubewright/kinds/core/v1'
import { describe, expect, test } from 'vitest'
import { createEmbeddedRig, type EmbeddedRig } from './embedded-rig.js'

const namespace = 'default'
const labels = { app: 'web' }
const key = { namespace, name: 'web' }

const template = (image = 'nginx:1', annotations: Record<string, string> = {}) => ({
  metadata: { labels, annotations },
  spec: { containers: [{ name: 'main', image }] },
})

const deployment = (spec: Partial<NonNullable<Deployment['spec']>> = {}) => ({
  metadata: key,
  spec: { replicas: 3, selector: { matchLabels: labels }, template: template(), ...spec },
})

const podsOf = async ({ cluster }: EmbeddedRig): Promise<Pod[]> =>
  (await cluster.client.list(Pod, { namespace })).items

describe('a Deployment', () => {
  test('becomes available, and says so', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await client.create(Deployment, deployment())
    await rig.settle()
    const { status } = await client.get(Deployment, key)
    expect(status).toMatchObject({
      observedGeneration: 1,
      replicas: 3,
      availableReplicas: 3,
      updatedReplicas: 3,
    })
    expect(status?.unavailableReplicas).toBeUndefined()
    expect(status?.conditions?.map(({ type, status: is, reason }) => [type, is, reason])).toEqual(
      expect.arrayContaining([
        ['Available', 'True', 'MinimumReplicasAvailable'],
        ['Progressing', 'True', 'NewReplicaSetAvailable'],
      ]),
    )
    expect((await podsOf(rig)).map(({ status: pod }) => pod?.phase)).toEqual([
      'Running',
      'Running',
      'Running',
    ])
  })

  test('follows its replicas, and brings back a pod that somebody deletes', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await client.create(Deployment, deployment())
    await rig.settle()
    await client.patch(Deployment, key, { merge: { spec: { replicas: 1 } } })
    await rig.settle()
    const [pod] = await podsOf(rig)
    await client.delete(Pod, { namespace, name: pod?.metadata.name ?? '' })
    await rig.settle()
    const pods = await podsOf(rig)
    expect(pods).toHaveLength(1)
    expect(pods[0]?.metadata.uid).not.toBe(pod?.metadata.uid)
    expect((await client.get(Deployment, key)).status?.availableReplicas).toBe(1)
  })

  test('rolls out a new template without ever having too few pods or too many', async () => {
    const rig = await createEmbeddedRig({ simulation: { podStartMs: 1_000 } })
    const { client, server } = rig.cluster
    await client.create(Deployment, deployment({ replicas: 4 }))
    await rig.pass(2_000)
    const counts: number[] = []
    const available: number[] = []
    const unsubscribe = server.store.subscribe({ resource: 'pods', after: server.store.revision }, () => {
      const pods = Array.from(server.store.scan('pods'), ({ object }) => object as unknown as Pod)
      counts.push(pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).length)
      available.push(
        pods.filter(
          ({ metadata, status }) =>
            metadata.deletionTimestamp === undefined &&
            status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
        ).length,
      )
    })
    await client.patch(Deployment, key, { merge: { spec: { template: template('nginx:2') } } })
    for (let second = 0; second < 20; second++) await rig.pass(1_000)
    unsubscribe()
    expect(Math.max(...counts)).toBe(5)
    expect(Math.min(...available)).toBe(3)
    const images = new Set((await podsOf(rig)).map(({ spec }) => spec?.containers[0]?.image))
    expect(images).toEqual(new Set(['nginx:2']))
    const sets = (await client.list(ReplicaSet, { namespace })).items
    expect(new Set(sets.map(({ spec }) => spec?.replicas))).toEqual(new Set([0, 4]))
    expect((await client.get(Deployment, key)).metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '2',
    })
  })

  test('that is recreated has no pod of the old template beside one of the new', async () => {
    const rig = await createEmbeddedRig({ simulation: { podStartMs: 1_000, podStopMs: 1_000 } })
    const { client } = rig.cluster
    await client.create(Deployment, deployment({ replicas: 2, strategy: { type: 'Recreate' } }))
    await rig.pass(2_000)
    await client.patch(Deployment, key, { merge: { spec: { template: template('nginx:2') } } })
    for (let step = 0; step < 20; step++) {
      await rig.pass(500)
      expect(new Set((await podsOf(rig)).map(({ spec }) => spec?.containers[0]?.image)).size).toBeLessThan(2)
    }
    expect((await podsOf(rig)).map(({ spec }) => spec?.containers[0]?.image)).toEqual(['nginx:2', 'nginx:2'])
  })

  test('that cannot make progress says so after its deadline', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    const fate = { 'kubewright.dev/fate': 'image-pull-error' }
    await client.create(
      Deployment,
      deployment({ progressDeadlineSeconds: 60, template: template('nginx', fate) }),
    )
    await rig.pass(61_000)
    const { status } = await client.get(Deployment, key)
    expect(status?.conditions?.find(({ type }) => type === 'Progressing')).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
    })
    const [pod] = await podsOf(rig)
    expect(pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('ImagePullBackOff')
  })

  test('that is paused rolls nothing out until it is resumed', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await client.create(Deployment, deployment({ replicas: 1 }))
    await rig.settle()
    await client.patch(Deployment, key, { merge: { spec: { paused: true, template: template('nginx:2') } } })
    await rig.settle()
    expect((await podsOf(rig))[0]?.spec?.containers[0]?.image).toBe('nginx:1')
    await client.patch(Deployment, key, { merge: { spec: { paused: false } } })
    await rig.settle()
    expect((await podsOf(rig)).map(({ spec }) => spec?.containers[0]?.image)).toEqual(['nginx:2'])
  })
})

describe('other workloads', () => {
  test('a StatefulSet makes its pods one after the other, with volumes of their own', async () => {
    const rig = await createEmbeddedRig({ simulation: { podStartMs: 1_000 } })
    const { client } = rig.cluster
    await client.create(StatefulSet, {
      metadata: key,
      spec: {
        replicas: 2,
        serviceName: 'web',
        selector: { matchLabels: labels },
        template: template(),
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          } as unknown as PersistentVolumeClaim,
        ],
      },
    })
    await rig.pass(500)
    expect((await podsOf(rig)).map(({ metadata }) => metadata.name)).toEqual(['web-0'])
    for (let second = 0; second < 5; second++) await rig.pass(1_000)
    expect((await podsOf(rig)).map(({ metadata }) => metadata.name)).toEqual(['web-0', 'web-1'])
    const claims = (await client.list(PersistentVolumeClaim, { namespace })).items
    expect(claims.map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([
      ['data-web-0', 'Bound'],
      ['data-web-1', 'Bound'],
    ])
    expect((await client.get(StatefulSet, key)).status).toMatchObject({
      readyReplicas: 2,
      currentReplicas: 2,
    })
  })

  test('a DaemonSet has one pod on every node, also on one that comes later', async () => {
    const rig = await createEmbeddedRig({ simulation: { nodes: 2 } })
    const { client } = rig.cluster
    await client.create(DaemonSet, {
      metadata: key,
      spec: { selector: { matchLabels: labels }, template: template() },
    })
    await rig.settle()
    expect(new Set((await podsOf(rig)).map(({ spec }) => spec?.nodeName))).toEqual(
      new Set(['node-1', 'node-2']),
    )
    await client.create(Node, { metadata: { name: 'late' } })
    await rig.settle()
    expect(await podsOf(rig)).toHaveLength(3)
    expect((await client.get(DaemonSet, key)).status).toMatchObject({ desiredNumberScheduled: 3 })
  })

  test('a Job completes, and one whose pods fail gives up', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    const job = (name: string, annotations: Record<string, string> = {}) => ({
      metadata: { namespace, name },
      spec: {
        completions: 2,
        backoffLimit: 1,
        template: {
          metadata: { annotations },
          spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'busybox' }] },
        },
      },
    })
    await client.create(Job, job('good'))
    await client.create(Job, job('bad', { 'kubewright.dev/fate': 'fail' }))
    await rig.settle()
    const good = await client.get(Job, { namespace, name: 'good' })
    expect(good.status).toMatchObject({ succeeded: 2 })
    expect(good.status?.conditions?.map(({ type }) => type)).toContain('Complete')
    const failure = async (): Promise<string | undefined> =>
      (await client.get(Job, { namespace, name: 'bad' })).status?.conditions?.find(
        ({ type }) => type === 'Failed',
      )?.reason
    // The second try waits for ten seconds.
    expect(await failure()).toBeUndefined()
    await rig.pass(9_000)
    expect(await failure()).toBeUndefined()
    await rig.pass(1_000)
    expect(await failure()).toBe('BackoffLimitExceeded')
  })

  test('a Job that fails for ever tries less and less often', async () => {
    const rig = await createEmbeddedRig()
    await rig.cluster.client.create(Job, {
      metadata: key,
      spec: {
        backoffLimit: 100_000,
        template: {
          metadata: { annotations: { 'kubewright.dev/fate': 'fail' } },
          spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] },
        },
      },
    })
    await rig.pass(30 * 60_000)
    // After 10, 20, 40, 80, 160, 320 and 600 seconds, and then every ten minutes.
    expect(await podsOf(rig)).toHaveLength(8)
  })

  test('a Job that another controller manages is left to it', async () => {
    const rig = await createEmbeddedRig()
    await rig.cluster.client.create(Job, {
      metadata: key,
      spec: {
        managedBy: 'example.com/other',
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
      },
    })
    await rig.settle()
    expect(await podsOf(rig)).toEqual([])
  })

  test.each(['fail', 'succeed'])(
    'containers that are always restarted and %s are restarted',
    async (fate) => {
      const rig = await createEmbeddedRig()
      const { client } = rig.cluster
      await client.create(
        Deployment,
        deployment({ replicas: 2, template: template('nginx', { 'kubewright.dev/fate': fate }) }),
      )
      await client.create(StatefulSet, {
        metadata: { namespace, name: 'db' },
        spec: {
          replicas: 1,
          serviceName: 'db',
          selector: { matchLabels: { app: 'db' } },
          template: {
            ...template('nginx', { 'kubewright.dev/fate': fate }),
            metadata: { labels: { app: 'db' }, annotations: { 'kubewright.dev/fate': fate } },
          },
        },
      })
      await rig.pass(60_000)
      const pods = await podsOf(rig)
      expect(pods).toHaveLength(3)
      expect(pods.map(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason)).toEqual([
        'CrashLoopBackOff',
        'CrashLoopBackOff',
        'CrashLoopBackOff',
      ])
    },
  )

  test('minReadySeconds make StatefulSets and DaemonSets available later', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    const spec = { minReadySeconds: 30, selector: { matchLabels: labels }, template: template() }
    await client.create(StatefulSet, { metadata: key, spec: { ...spec, replicas: 2, serviceName: 'web' } })
    await client.create(DaemonSet, { metadata: key, spec })
    const available = async () => [
      (await client.get(StatefulSet, key)).status?.availableReplicas,
      (await client.get(DaemonSet, key)).status?.numberAvailable,
    ]
    await rig.settle()
    expect(await available()).toEqual([0, undefined])
    await rig.pass(31_000)
    expect(await available()).toEqual([1, 1])
    await rig.pass(31_000)
    expect(await available()).toEqual([2, 1])
  })

  test('a Service has the addresses of the pods that are ready', async () => {
    const rig = await createEmbeddedRig()
    const { client } = rig.cluster
    await client.create(Service, { metadata: key, spec: { selector: labels, ports: [{ port: 80 }] } })
    await client.create(Deployment, deployment({ replicas: 2 }))
    await rig.settle()
    const addresses = async (): Promise<number> =>
      (await client.get(Endpoints, key)).subsets?.[0]?.addresses?.length ?? 0
    expect(await addresses()).toBe(2)
    await client.patch(Deployment, key, { merge: { spec: { replicas: 0 } } })
    await rig.settle()
    expect(await addresses()).toBe(0)
  })

  test('pods have the fate that the simulation is told', async () => {
    const rig = await createEmbeddedRig({
      simulation: { podFate: ({ metadata }) => (metadata.name === 'broken' ? 'crash-loop' : undefined) },
    })
    const { client } = rig.cluster
    for (const name of ['broken', 'fine'])
      await client.create(Pod, { metadata: { namespace, name }, spec: template().spec })
    await rig.settle()
    const broken = await client.get(Pod, { namespace, name: 'broken' })
    expect(broken.status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe('CrashLoopBackOff')
    const fine = await client.get(Pod, { namespace, name: 'fine' })
    expect(fine.status?.phase).toBe('Running')
  })
})

test('a pod that is deleted without patience is gone, whoever takes it away', async () => {
  const rig = await createEmbeddedRig()
  const { client } = rig.cluster
  await client.create(Pod, { metadata: { namespace, name: 'p' }, spec: template().spec })
  await rig.settle()
  await client.delete(Pod, { namespace, name: 'p' }, { gracePeriodSeconds: 0 })
  expect((await client.list(Pod, { namespace })).items).toEqual([])
})

test('a run with the same seed and the same clock is the same run, to the last byte', async () => {
  const run = async (): Promise<string> => {
    const rig = await createEmbeddedRig({ seed: 7 })
    const { client, server } = rig.cluster
    await client.create(Deployment, deployment())
    await rig.pass(10_000)
    await client.patch(Deployment, key, { merge: { spec: { template: template('nginx:2') } } })
    await rig.pass(10_000)
    const texts: string[] = []
    for (const resource of ['deployments.apps', 'replicasets.apps', 'pods', 'events'])
      for (const { json } of server.store.scan(resource)) texts.push(json.toString())
    return texts.join('\n')
  }
  expect(await run()).toBe(await run())
})
