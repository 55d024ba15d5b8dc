import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import {
  configMap,
  deployment,
  gadget,
  metaConfigMap,
  object,
  pod,
  secret,
  service,
  widget,
} from './objects.js'

/** One object of a kind, through its whole life. */
interface Life {
  readonly resource: string
  readonly make: (t: Conversation) => Readonly<Record<string, unknown>>
  /** A merge patch that changes it. */
  readonly change: object
}

const lives: Readonly<Record<string, Life>> = {
  'config map': {
    resource: 'configmaps',
    make: () => configMap('a', { data: { k: 'v' } }),
    change: { data: { k: 'w', more: 'x' } },
  },
  'config map with bytes': {
    resource: 'configmaps',
    make: () => configMap('a', { binaryData: { k: 'AAEC' }, data: { text: 'v' } }),
    change: { binaryData: { k: null, l: 'AwQF' } },
  },
  'immutable config map': {
    resource: 'configmaps',
    make: () => configMap('a', { immutable: true, data: { k: 'v' } }),
    change: { data: { k: 'w' } },
  },
  secret: {
    resource: 'secrets',
    make: () => secret('a', { stringData: { k: 'v' }, data: { l: 'dg==' } }),
    change: { stringData: { l: 'w' } },
  },
  service: {
    resource: 'services',
    make: () => service('a', { ports: [{ port: 80 }], selector: { app: 'a' } }),
    change: { spec: { selector: { app: 'b' } } },
  },
  'headless service': {
    resource: 'services',
    make: () => service('a', { clusterIP: 'None', ports: [{ port: 80, name: 'http' }] }),
    change: { spec: { publishNotReadyAddresses: true } },
  },
  'service account': {
    resource: 'serviceaccounts',
    make: () => object('v1', 'ServiceAccount', 'a'),
    change: { automountServiceAccountToken: false },
  },
  'limit range': {
    resource: 'limitranges',
    make: () =>
      object('v1', 'LimitRange', 'a', {
        spec: { limits: [{ type: 'Container', max: { cpu: '2' }, default: { cpu: '1' } }] },
      }),
    change: { spec: { limits: [{ type: 'Pod', max: { memory: '1Gi' } }] } },
  },
  'replica set': {
    resource: 'replicasets',
    make: () =>
      object('apps/v1', 'ReplicaSet', 'a', {
        spec: {
          replicas: 0,
          selector: { matchLabels: { app: 'a' } },
          template: {
            metadata: { labels: { app: 'a' } },
            spec: { containers: [{ name: 'main', image: 'i' }] },
          },
        },
      }),
    change: { spec: { minReadySeconds: 5 } },
  },
  'pod template': {
    resource: 'podtemplates',
    make: () =>
      object('v1', 'PodTemplate', 'a', {
        template: {
          metadata: { labels: { app: 'a' } },
          spec: { containers: [{ name: 'main', image: 'i' }] },
        },
      }),
    change: { template: { metadata: { labels: { app: 'b' } } } },
  },
  lease: {
    resource: 'leases',
    make: () =>
      object('coordination.k8s.io/v1', 'Lease', 'a', {
        spec: {
          holderIdentity: 'me',
          leaseDurationSeconds: 15,
          renewTime: '2001-02-03T04:05:06.123456Z',
          leaseTransitions: 1,
        },
      }),
    change: { spec: { holderIdentity: 'you', acquireTime: '2001-02-03T04:05:06Z' } },
  },
  role: {
    resource: 'roles',
    make: () =>
      object('rbac.authorization.k8s.io/v1', 'Role', 'a', {
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      }),
    change: { rules: [{ apiGroups: ['apps'], resources: ['*'], verbs: ['*'] }] },
  },
  'network policy': {
    resource: 'networkpolicies',
    make: () =>
      object('networking.k8s.io/v1', 'NetworkPolicy', 'a', {
        spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
      }),
    change: { spec: { policyTypes: ['Ingress', 'Egress'] } },
  },
  ingress: {
    resource: 'ingresses',
    make: () =>
      object('networking.k8s.io/v1', 'Ingress', 'a', {
        spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
      }),
    change: { spec: { ingressClassName: 'c' } },
  },
  'priority class': {
    resource: 'priorityclasses',
    make: (t) => object('scheduling.k8s.io/v1', 'PriorityClass', `${t.tag}-a`, { value: 10 }),
    change: { description: 'changed' },
  },
  'cluster role': {
    resource: 'clusterroles',
    make: (t) =>
      object('rbac.authorization.k8s.io/v1', 'ClusterRole', `${t.tag}-a`, {
        rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
      }),
    change: { rules: [] },
  },
  'storage class': {
    resource: 'storageclasses',
    make: (t) => object('storage.k8s.io/v1', 'StorageClass', `${t.tag}-a`, { provisioner: 'example.com/p' }),
    change: { allowVolumeExpansion: true },
  },
  'runtime class': {
    resource: 'runtimeclasses',
    make: (t) => object('node.k8s.io/v1', 'RuntimeClass', `${t.tag}-a`, { handler: 'h' }),
    change: { overhead: { podFixed: { cpu: '100m' } } },
  },
  'ingress class': {
    resource: 'ingressclasses',
    make: (t) =>
      object('networking.k8s.io/v1', 'IngressClass', `${t.tag}-a`, { spec: { controller: 'example.com/c' } }),
    change: { metadata: { labels: { l: 'm' } } },
  },
  widget: {
    resource: 'widgets',
    make: (t) => widget(t, 'a', { size: 3, parts: [{ name: 'x' }] }),
    change: { spec: { size: 4, parts: [{ name: 'y', count: 1 }] } },
  },
  gadget: {
    resource: 'gadgets',
    make: (t) => gadget(t, `${t.tag}-a`, { anything: { goes: [1, 'two', null, 3.5, 9007199254740993n] } }),
    change: { anything: { goes: null, new: true } },
  },
  'pod that no node takes': {
    resource: 'pods',
    make: () => pod('a', { schedulerName: 'nobody' }),
    change: { metadata: { labels: { l: 'm' } } },
  },
}

const whole = table(
  'crud',
  prefixed('the whole life of a ', lives),
  async (t, { resource, make, change }) => {
    const draft = make(t)
    const created = await t.post(t.url(resource), draft)
    const { name } = created
    await t.post(t.url(resource), draft)
    const read = await t.get(t.url(resource, name))
    await t.put(t.url(resource, name), read.body)
    await t.patch(t.url(resource, name), 'merge', change)
    await t.put(t.url(resource, name), read.body)
    await t.get(t.url(resource, `?fieldSelector=metadata.name=${name}`))
    await t.delete(t.url(resource, `${name}?gracePeriodSeconds=0`))
    await t.get(t.url(resource, name))
    await t.delete(t.url(resource, name))
    await t.put(t.url(resource, name), draft)
    await t.patch(t.url(resource, name), 'merge', change)
  },
)

function prefixed<Row>(prefix: string, rows: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}${name}`, row]))
}

const single = area('crud', {
  'a read of what is not there': async (t) => {
    await t.get(t.url('configmaps', 'missing'))
    await t.get(t.url('widgets', 'missing'))
    await t.get(t.url('gadgets', `${t.tag}-missing`))
    await t.get(t.urlIn('missing-namespace', 'configmaps', 'missing'))
    await t.get(t.urlIn('missing-namespace', 'configmaps'))
    await t.get(t.urlIn('missing-namespace', 'widgets'))
    await t.get(t.url('namespaces', `${t.tag}-missing`))
  },
  'writes of what is not there': async (t) => {
    await t.put(t.url('configmaps', 'missing'), configMap('missing'))
    await t.put(
      t.url('configmaps', 'missing'),
      metaConfigMap({ name: 'missing', uid: '00000000-0000-4000-8000-000000000000' }),
    )
    await t.put(t.url('configmaps', 'missing'), metaConfigMap({ name: 'missing', resourceVersion: '1' }))
    await t.patch(t.url('configmaps', 'missing'), 'json', [])
    await t.patch(t.url('configmaps', 'missing'), 'strategic', {})
    await t.delete(t.url('widgets', 'missing'))
    await t.put(t.url('leases', 'missing'), object('coordination.k8s.io/v1', 'Lease', 'missing'))
    await t.put(t.url('widgets', 'missing/status'), widget(t, 'missing'))
  },
  'a put may create some kinds': async (t) => {
    await t.put(t.url('leases', 'a'), object('coordination.k8s.io/v1', 'Lease', 'a', { spec: {} }))
    await t.put(t.url('services', 'a'), service('a', { ports: [{ port: 1 }] }))
    await t.put(
      t.url('events', 'a'),
      object('v1', 'Event', 'a', { involvedObject: { namespace: t.namespace } }),
    )
    await t.put(t.url('limitranges', 'a'), object('v1', 'LimitRange', 'a', { spec: { limits: [] } }))
    await t.put(t.url('serviceaccounts', 'a'), object('v1', 'ServiceAccount', 'a'))
    await t.put(t.url('roles', 'a'), object('rbac.authorization.k8s.io/v1', 'Role', 'a', { rules: [] }))
  },
  'a deployment counts generations': async (t) => {
    await t.post(t.url('deployments'), deployment('a'))
    await t.patch(t.url('deployments', 'a'), 'merge', { metadata: { labels: { l: 'm' } } })
    await t.patch(t.url('deployments', 'a'), 'merge', { spec: { minReadySeconds: 1 } })
    await t.patch(t.url('deployments', 'a'), 'merge', { spec: { minReadySeconds: 1 } })
    await t.patch(t.url('deployments', 'a/status'), 'merge', { status: { observedGeneration: 2 } })
    await t.patch(t.url('deployments', 'a'), 'merge', { metadata: { annotations: { a: 'b' } } })
  },
  'a widget counts generations': async (t) => {
    await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { labels: { l: 'm' } } })
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { size: 2 } })
    await t.patch(t.url('widgets', 'a/status'), 'merge', { status: { phase: 'x' } })
    await t.patch(t.url('widgets', 'a/status'), 'merge', {
      spec: { size: 3 },
      metadata: { labels: { k: 'n' } },
    })
    await t.patch(t.url('widgets', 'a'), 'merge', { status: { phase: 'y' } })
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { generation: 77 } })
  },
  'an integer beyond 2^53 stays what it is': async (t) => {
    await t.post(
      t.url('gadgets'),
      gadget(t, `${t.tag}-a`, { n: 9007199254740993n, m: -9223372036854775808n }),
    )
    await t.get(t.url('gadgets', `${t.tag}-a`))
    await t.patch(t.url('gadgets', `${t.tag}-a`), 'merge', { o: 9223372036854775807n })
    await t.patch(t.url('gadgets', `${t.tag}-a`), 'merge', '{"p":1.0,"q":1e3,"r":1e400}')
    await t.patch(t.url('gadgets', `${t.tag}-a`), 'merge', '{"p":1.0,"q":1e3,"s":-0,"u":0.1}')
    await t.delete(t.url('gadgets', `${t.tag}-a`))
  },
  'keys that mean something in JavaScript are keys': async (t) => {
    const data = '{"__proto__":"p","constructor":"c","toString":"t"}'
    await t.post(
      t.url('configmaps'),
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${data}}`,
    )
    await t.patch(t.url('configmaps', 'a'), 'merge', '{"data":{"__proto__":"q","hasOwnProperty":"h"}}')
    await t.patch(
      t.url('configmaps', 'a'),
      'json',
      '[{"op":"replace","path":"/data/constructor","value":"d"}]',
    )
    await t.patch(t.url('configmaps', 'a'), 'json', '[{"op":"remove","path":"/data/__proto__"}]')
    const free = '{"__proto__":{"x":1},"constructor":{"prototype":{"y":2}}}'
    await t.post(
      t.url('widgets'),
      `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"free":${free}}}`,
    )
    await t.patch(t.url('widgets', 'a'), 'merge', '{"spec":{"free":{"__proto__":{"z":3}}}}')
    await t.get(t.url('widgets', 'a'))
  },
})

export const crud: readonly Case[] = [...whole, ...single]
