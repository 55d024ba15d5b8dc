import {
  type Client,
  type ClusterConfig,
  crdEstablished,
  createClient,
  createDiscovery,
  deleted,
  hasCondition,
  readText,
  retryOnConflict,
  type ServerWarning,
  type WatchEvent,
  waitFor,
} from 'kubewright/client'
import { CustomResourceDefinition } from 'kubewright/kinds/apiextensions.k8s.io/v1'
import { Deployment } from 'kubewright/kinds/apps/v1'
import { ConfigMap, Pod, ServiceAccount } from 'kubewright/kinds/core/v1'
import { PodDisruptionBudget } from 'kubewright/kinds/policy/v1'
import {
  isApplyConflict,
  isConflict,
  isInvalid,
  isNotFound,
  isRequestEntityTooLarge,
  isTooManyRequests,
  isUnauthorized,
  type Kind,
  type LabelSelector,
  type NamespacedObjectMeta,
} from 'kubewright/objects'
import type { Cluster } from 'kubewright/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNamespace, sharedCluster } from './shared-cluster.js'

let cluster: Cluster
let namespace: string

/** The cluster as somebody who has nothing but a token. */
function bearerConfig(token: string): ClusterConfig {
  return {
    ...cluster.config,
    credentials: { get: () => Promise.resolve({ authorization: `Bearer ${token}` }), refused: () => false },
  }
}

const inNamespace = (name: string): { namespace: string; name: string } => ({ namespace, name })
const warnings: ServerWarning[] = []
let client: Client

beforeAll(async () => {
  cluster = await sharedCluster()
  namespace = await createNamespace(cluster, 'client-test')
  client = createClient({
    config: cluster.config,
    fieldManager: 'client-test',
    onWarning: (warning) => warnings.push(warning),
  })
  // Pods are refused without it.
  await waitFor(client, ServiceAccount, inNamespace('default'), { until: () => true })
})

afterAll(async () => {
  client.close()
  await cluster.stop()
})

const configMap = (name: string, data: Record<string, string> = {}) => ({
  metadata: { ...inNamespace(name), labels: { 'client-test': 'yes' } },
  data,
})

const pod = (name: string, labels: Record<string, string> = {}) => ({
  metadata: { ...inNamespace(name), labels },
  // Nobody schedules it, so that a control plane with controllers leaves it as alone as one without.
  spec: {
    containers: [{ name: 'main', image: 'example.com/none:1' }],
    schedulerName: 'nobody',
    terminationGracePeriodSeconds: 0,
  },
})

const deployment = (name: string, replicas: number) => ({
  metadata: inNamespace(name),
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod(name).spec },
  },
})

describe('objects', () => {
  test('are created, read, updated, patched and deleted', async () => {
    const created = await client.create(ConfigMap, configMap('life', { a: '1' }))
    expect(created).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } })
    expect(await client.get(ConfigMap, created.metadata)).toEqual(created)
    const updated = await client.update(ConfigMap, { ...created, data: { a: '2' } })
    expect(updated.data).toEqual({ a: '2' })
    const merged = await client.patch(ConfigMap, inNamespace('life'), {
      merge: { data: { a: null, b: '3' } },
    })
    expect(merged.data).toEqual({ b: '3' })
    const stepped = await client.patch(ConfigMap, inNamespace('life'), {
      json: [
        { op: 'test', path: '/data/b', value: '3' },
        { op: 'add', path: '/data/c', value: '4' },
      ],
    })
    expect(stepped.data).toEqual({ b: '3', c: '4' })
    await client.delete(ConfigMap, inNamespace('life'), { preconditions: { uid: created.metadata.uid } })
    await expect(client.get(ConfigMap, inNamespace('life'))).rejects.toSatisfy(isNotFound)
  })

  test('can be named by the server', async () => {
    const { metadata } = await client.create(ConfigMap, {
      metadata: { namespace, generateName: 'named-', labels: { 'client-test': 'yes' } },
    })
    expect(metadata.name).toMatch(/^named-./)
  })

  test('are patched strategically where they are built in: lists merge by key', async () => {
    await client.create(Deployment, deployment('strategic', 0))
    const patched = await client.patch(Deployment, inNamespace('strategic'), {
      strategic: {
        spec: { template: { spec: { containers: [{ name: 'second', image: 'example.com/second:1' }] } } },
      },
    })
    expect(patched.spec?.template.spec?.containers.map((container) => container.name)).toEqual([
      'second',
      'main',
    ])
  })

  test('are applied: created, then changed, with fields owned', async () => {
    const first = await client.apply(ConfigMap, configMap('applied', { a: '1', b: '1' }))
    const second = await client.apply(ConfigMap, configMap('applied', { a: '2' }))
    expect(second.metadata.uid).toBe(first.metadata.uid)
    expect(second.data).toEqual({ a: '2' })
    const rivalry = client.apply(ConfigMap, configMap('applied', { a: '3' }), { fieldManager: 'rival' })
    await expect(rivalry).rejects.toSatisfy(isApplyConflict)
    await expect(rivalry).rejects.not.toSatisfy(isConflict)
    const forced = await client.apply(ConfigMap, configMap('applied', { a: '3' }), {
      fieldManager: 'rival',
      force: true,
    })
    expect(forced.data).toEqual({ a: '3' })
  })

  test('that changed meanwhile are a conflict, and reading again solves it', async () => {
    const old = await client.create(ConfigMap, configMap('contested', { n: '0' }))
    await client.patch(ConfigMap, old.metadata, { merge: { data: { n: '1' } } })
    await expect(client.update(ConfigMap, { ...old, data: { n: 'x' } })).rejects.toSatisfy(isConflict)
    await Promise.all(
      Array.from({ length: 4 }, () =>
        retryOnConflict(
          async () => {
            const current = await client.get(ConfigMap, old.metadata)
            const n = String(Number(current.data?.['n']) + 1)
            return client.update(ConfigMap, { ...current, data: { n } })
          },
          { maxTries: 50 },
        ),
      ),
    )
    expect((await client.get(ConfigMap, old.metadata)).data).toEqual({ n: '5' })
  })

  test('are not touched by a dry run', async () => {
    const created = await client.create(ConfigMap, configMap('dry'), { dryRun: true })
    expect(created.metadata.uid).not.toBe('')
    await expect(client.get(ConfigMap, inNamespace('dry'))).rejects.toSatisfy(isNotFound)
    const careful = createClient({ config: cluster.config, dryRun: true })
    await client.create(ConfigMap, configMap('kept'))
    await careful.delete(ConfigMap, inNamespace('kept'))
    await careful.deleteCollection(ConfigMap, { namespace })
    careful.close()
    expect((await client.get(ConfigMap, inNamespace('kept'))).metadata.name).toBe('kept')
  })

  test('with unknown fields are refused or warned about, as asked', async () => {
    const odd = { ...deployment('odd', 0), spek: {} }
    await expect(client.create(Deployment, odd, { dryRun: true, fieldValidation: 'Strict' })).rejects.toThrow(
      /unknown field "spek"/,
    )
    await client.create(Deployment, odd, { dryRun: true, fieldValidation: 'Warn' })
    await client.create(Deployment, odd, { dryRun: true, fieldValidation: 'Warn' })
    expect(warnings.filter((warning) => warning.text.includes('spek'))).toEqual([
      { text: 'unknown field "spek"', request: `create deployments.apps ${namespace}/odd` },
    ])
  })

  test('that are invalid are refused with the field', async () => {
    const error: unknown = await client
      .create(ConfigMap, configMap('Not Valid'))
      .catch((thrown: unknown) => thrown)
    expect(error).toSatisfy(isInvalid)
    expect(error).toMatchObject({
      causes: [{ field: 'metadata.name' }],
      request: `create configmaps ${namespace}/Not Valid`,
    })
  })

  test('that are too large are refused once, for good', async () => {
    const huge = configMap('huge', { data: 'x'.repeat(4 * 1024 * 1024) })
    await expect(client.create(ConfigMap, huge)).rejects.toSatisfy(isRequestEntityTooLarge)
  })
})

describe('collections', () => {
  beforeAll(async () => {
    await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        client.create(ConfigMap, {
          ...configMap(`many-${index}`),
          metadata: { ...inNamespace(`many-${index}`), labels: { 'client-test': 'many' } },
        }),
      ),
    )
  })
  const many = (): { namespace: string; labelSelector: LabelSelector } => ({
    namespace,
    labelSelector: { matchLabels: { 'client-test': 'many' } },
  })

  test('are listed whole, by page, and page by page', async () => {
    const whole = await client.list(ConfigMap, many())
    expect(whole.items).toHaveLength(25)
    expect(whole.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' })
    const page = await client.list(ConfigMap, { ...many(), limit: 10 })
    expect(page.items).toHaveLength(10)
    expect(page.metadata.continue).toBeDefined()
    const sizes: number[] = []
    for await (const each of client.pages(ConfigMap, { ...many(), pageSize: 10 }))
      sizes.push(each.items.length)
    expect(sizes).toEqual([10, 10, 5])
    const all = await client.listAll(ConfigMap, { ...many(), pageSize: 10 })
    expect(all.items).toEqual(whole.items)
    expect(all.metadata.continue).toBeUndefined()
  })

  test('are listed by field', async () => {
    const { items } = await client.list(ConfigMap, {
      namespace,
      fieldSelector: { 'metadata.name': 'many-7' },
    })
    expect(items.map((item) => item.metadata.name)).toEqual(['many-7'])
  })

  test('are listed over all namespaces', async () => {
    const { items } = await client.list(ConfigMap)
    expect(new Set(items.map((item) => item.metadata.namespace)).size).toBeGreaterThan(1)
  })

  test('are listed, read and watched as metadata alone', async () => {
    const { items } = await client.list(ConfigMap, { ...many(), metadataOnly: true })
    expect(items).toHaveLength(25)
    expect(items[0]).toMatchObject({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' })
    const one = await client.get(ConfigMap, inNamespace('many-1'), { metadataOnly: true })
    expect(Object.keys(one).toSorted()).toEqual(['apiVersion', 'kind', 'metadata'])
    for await (const event of client.watch(ConfigMap, { ...many(), metadataOnly: true })) {
      expect(event).toMatchObject({ type: 'added', object: { kind: 'PartialObjectMetadata' } })
      break
    }
  })

  test('a continue token that is none is a bad request', async () => {
    await expect(client.list(ConfigMap, { namespace, limit: 1, continue: 'nonsense' })).rejects.toMatchObject(
      {
        httpStatus: 400,
      },
    )
  })

  test('are deleted by label', async () => {
    await client.deleteCollection(ConfigMap, many())
    expect((await client.list(ConfigMap, many())).items).toEqual([])
  })
})

describe('a watch', () => {
  test('shows changes from a version on, in order, and ends when the server ends it', async () => {
    const { metadata } = await client.list(ConfigMap, { namespace })
    await client.create(ConfigMap, configMap('watched', { a: '1' }))
    await client.patch(ConfigMap, inNamespace('watched'), { merge: { data: { a: '2' } } })
    await client.delete(ConfigMap, inNamespace('watched'))
    const seen: string[] = []
    for await (const event of client.watch(ConfigMap, {
      namespace,
      fieldSelector: { 'metadata.name': 'watched' },
      resourceVersion: metadata.resourceVersion,
      timeoutSeconds: 1,
    })) {
      if (event.type !== 'bookmark') seen.push(`${event.type} ${event.object.data?.['a']}`)
    }
    expect(seen).toEqual(['added 1', 'modified 2', 'deleted 2'])
  })

  test('streams the present objects first and marks their end', async () => {
    await client.create(ConfigMap, configMap('present'))
    const events: WatchEvent<ConfigMap>[] = []
    for await (const event of client.watch(ConfigMap, { namespace, sendInitialEvents: true })) {
      events.push(event)
      if (event.type === 'bookmark' && event.initialEventsEnd) break
    }
    expect(events.some((event) => event.type === 'added' && event.object.metadata.name === 'present')).toBe(
      true,
    )
    expect(events.at(-1)).toMatchObject({ type: 'bookmark', initialEventsEnd: true })
  })

  test('ends with its signal', async () => {
    const controller = new AbortController()
    const watching = (async () => {
      for await (const _ of client.watch(ConfigMap, { namespace, signal: controller.signal }))
        controller.abort(new Error('enough'))
    })()
    await expect(watching).rejects.toThrow('enough')
  })
})

describe('subresources', () => {
  test('eviction, within the limits of a budget', async () => {
    const labels = { app: 'evicted' }
    await client.create(Pod, pod('evicted', labels))
    await client.patchStatus(Pod, inNamespace('evicted'), {
      merge: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    })
    await client.create(PodDisruptionBudget, {
      metadata: inNamespace('evicted'),
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    })
    await expect(client.evict(inNamespace('evicted'), { maxTries: 1 })).rejects.toSatisfy(isTooManyRequests)
    await client.delete(PodDisruptionBudget, inNamespace('evicted'))
    await client.evict(inNamespace('evicted'), { gracePeriodSeconds: 0 })
    await waitFor(client, Pod, inNamespace('evicted'), { until: deleted() })
  })

  test('any other: a binding puts a pod on a node', async () => {
    await client.create(Pod, pod('bound'))
    await client.subresource(Pod, inNamespace('bound'), 'binding').create({
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'bound' },
      target: { kind: 'Node', name: 'nowhere' },
    })
    expect((await client.get(Pod, inNamespace('bound'))).spec?.nodeName).toBe('nowhere')
    expect(await client.subresource(Pod, inNamespace('bound'), 'ephemeralcontainers').get()).toMatchObject({
      kind: 'Pod',
    })
  })

  test('a token of a service account opens the door, and a wrong one does not', async () => {
    const { token, expirationTimestamp } = await client.createToken(inNamespace('default'), {
      expirationSeconds: 600,
    })
    expect(expirationTimestamp).toMatch(/^\d{4}-/)
    const other = createClient({ config: bearerConfig(token) })
    const review = await other.request({ method: 'GET', path: '/version' })
    expect(JSON.parse(await readText(review.body))).toMatchObject({ major: '1' })
    other.close()
    const nobody = createClient({ config: bearerConfig('wrong') })
    await expect(nobody.get(Pod, inNamespace('bound'))).rejects.toSatisfy(isUnauthorized)
    nobody.close()
  })

  test('logs: none of a pod that has no node, a clear no where there is no pod', async () => {
    await client.create(Pod, pod('silent'))
    expect(await client.logs(inNamespace('silent'), { container: 'main', tailLines: 5 })).toBe('')
    for await (const line of client.followLogs(inNamespace('silent'))) expect(line).toBeUndefined()
    await expect(client.logs(inNamespace('missing'))).rejects.toMatchObject({
      reason: 'NotFound',
      request: `get pods/log ${namespace}/missing`,
    })
    await expect(client.followLogs(inNamespace('missing')).next()).rejects.toSatisfy(isNotFound)
  })
})

const crdName = 'widgets.client.example.com'

interface Widget {
  apiVersion: 'client.example.com/v1'
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec?: { size?: number | bigint; replicas?: number }
  status?: { phase?: string; replicas?: number; conditions?: { type: string; status: string }[] }
}

const Widget: Kind<Widget> = {
  group: 'client.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  scope: 'Namespaced',
  subresources: ['scale', 'status'],
}

describe('a custom kind', () => {
  test('is waited for from before its CRD exists until it is served, found by discovery, and used', async () => {
    const discovery = createDiscovery(client)
    await expect(discovery.find('widgets')).rejects.toMatchObject({ code: 'KW_KIND_NOT_FOUND' })
    const waiting = waitFor(client, CustomResourceDefinition, { name: crdName }, { until: crdEstablished })
    await client.create(CustomResourceDefinition, {
      metadata: { name: crdName },
      spec: {
        group: 'client.example.com',
        scope: 'Namespaced',
        names: {
          plural: 'widgets',
          singular: 'widget',
          kind: 'Widget',
          listKind: 'WidgetList',
          shortNames: ['wdg'],
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
            },
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      size: { type: 'integer', format: 'int64' },
                      replicas: { type: 'integer', format: 'int32' },
                    },
                  },
                  status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                },
              },
            },
          },
        ],
      },
    })
    expect((await waiting).metadata.name).toBe(crdName)

    // Established comes a moment before the server serves and describes it.
    const widget = await until(() => discovery.find('wdg'))
    expect(widget).toMatchObject({ ...Widget, shortNames: ['wdg'] })
    expect(await discovery.kindFor({ apiVersion: 'client.example.com/v1', kind: 'Widget' })).toEqual(widget)
    expect(await discovery.find('deployments.apps')).toMatchObject({ kind: 'Deployment', version: 'v1' })

    const dynamic = await client.create(widget, { metadata: inNamespace('dynamic'), spec: { size: 3 } })
    expect(dynamic['spec']).toEqual({ size: 3 })
  })

  test('keeps an integer beyond 2^53 through reading and writing', async () => {
    const size = 9007199254740993n
    const created = await client.create(Widget, { metadata: inNamespace('big'), spec: { size } })
    expect(created.spec?.size).toBe(size)
    const read = await client.get(Widget, created.metadata)
    const updated = await client.update(Widget, {
      ...read,
      metadata: { ...read.metadata, labels: { a: 'b' } },
    })
    expect(updated.spec?.size).toBe(size)
    expect(
      (await client.list(Widget, { namespace })).items.find((item) => item.metadata.name === 'big')?.spec,
    ).toEqual({
      size,
    })
  })

  test('is waited for until its status is right', async () => {
    const created = await client.create(Widget, { metadata: inNamespace('waited') })
    const waiting = waitFor(client, Widget, created.metadata, { until: hasCondition('Ready') })
    await client.updateStatus(Widget, {
      ...created,
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    })
    await client.patchStatus(Widget, created.metadata, {
      json: [{ op: 'replace', path: '/status/conditions/0/status', value: 'True' }],
    })
    expect((await waiting).status?.conditions).toEqual([{ type: 'Ready', status: 'True' }])
    await expect(
      waitFor(client, Widget, created.metadata, { until: hasCondition('Never'), timeoutMs: 100 }),
    ).rejects.toMatchObject({ code: 'KW_WAIT_TIMEOUT', lastSeen: 'no condition Never' })
  })

  test('is scaled, unless it changed meanwhile', async () => {
    await client.create(Widget, { metadata: inNamespace('scaled'), spec: { replicas: 0 } })
    const scale = await client.getScale(Widget, inNamespace('scaled'))
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 0 }, status: { replicas: 0 } })
    const { resourceVersion } = scale.metadata
    const scaled = await client.updateScale(Widget, inNamespace('scaled'), { replicas: 1, resourceVersion })
    expect(scaled.spec.replicas).toBe(1)
    const late = client.updateScale(Widget, inNamespace('scaled'), { replicas: 2, resourceVersion })
    await expect(late).rejects.toSatisfy(isConflict)
    expect((await client.get(Widget, inNamespace('scaled'))).spec?.replicas).toBe(1)
  })

  test('has a status that is updated, patched and applied while the spec stays', async () => {
    const created = await client.create(Widget, { metadata: inNamespace('status'), spec: { size: 1 } })
    const updated = await client.updateStatus(Widget, {
      ...created,
      spec: { size: 2 },
      status: { phase: 'New' },
    })
    expect(updated).toMatchObject({ spec: { size: 1 }, status: { phase: 'New' } })
    const patched = await client.patchStatus(Widget, inNamespace('status'), {
      merge: { status: { replicas: 3 } },
    })
    expect(patched.status).toEqual({ phase: 'New', replicas: 3 })
    const applied = await client.applyStatus(
      Widget,
      { metadata: inNamespace('status'), status: { phase: 'Old' } },
      { force: true },
    )
    expect(applied.status).toEqual({ phase: 'Old', replicas: 3 })
  })

  test('cannot be replaced without its version', async () => {
    await expect(client.update(Widget, { metadata: inNamespace('big') })).rejects.toSatisfy(isInvalid)
  })

  test('says who holds it back when it does not go away', async () => {
    const held = await client.create(Widget, {
      metadata: { ...inNamespace('held'), finalizers: ['client.example.com/hold'] },
    })
    const remaining = await client.delete(Widget, held.metadata)
    expect(remaining?.metadata.deletionTimestamp).toBeDefined()
    await expect(
      waitFor(client, Widget, held.metadata, { until: deleted(), timeoutMs: 200 }),
    ).rejects.toThrow('held by the finalizers client.example.com/hold')
    await client.patch(Widget, held.metadata, { merge: { metadata: { finalizers: null } } })
    await waitFor(client, Widget, held.metadata, { until: deleted({ uid: held.metadata.uid }) })
  })
})

/** Tries until it works; the test's own time-out is the limit. */
async function until<R>(attempt: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await attempt()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
