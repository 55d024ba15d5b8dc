import { area, type Case } from '../case.js'
import {
  configMap,
  deployment,
  metaConfigMap,
  metaWidget,
  object,
  absentOwner as owner,
  pod,
  secret,
  service,
  widget,
} from './objects.js'

export const updates: readonly Case[] = area('updates and conflicts', {
  'a put with a stale version is a conflict': async (t) => {
    const first = await t.post(t.url('configmaps'), configMap('a', { data: { n: '1' } }))
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { n: '2' } })
    await t.put(t.url('configmaps', 'a'), first.body)
    await t.get(t.url('configmaps', 'a'))
  },
  'a put of a widget with a stale version is a conflict': async (t) => {
    const first = await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { size: 2 } })
    await t.put(t.url('widgets', 'a'), first.body)
    await t.put(t.url('widgets', 'a/status'), first.body)
  },
  'a put with a version of the future is a conflict': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    await t.put(t.url('configmaps', 'a'), metaConfigMap({ name: 'a', resourceVersion: '99999999999' }))
    await t.put(t.url('configmaps', 'a'), metaConfigMap({ name: 'a', resourceVersion: '0' }))
    await t.put(t.url('configmaps', 'a'), metaConfigMap({ name: 'a', resourceVersion: 'x' }))
    await t.put(t.url('configmaps', 'a'), metaConfigMap({ name: 'a', resourceVersion: '-1' }))
    await t.put(
      t.url('configmaps', 'a'),
      metaConfigMap({ name: 'a', resourceVersion: '18446744073709551616' }),
    )
  },
  'a put without a version is unconditional for some kinds': async (t) => {
    await t.post(t.url('configmaps'), configMap('a', { data: { n: '1' } }))
    await t.put(t.url('configmaps', 'a'), configMap('a', { data: { n: '2' } }))
    await t.post(t.url('secrets'), secret('a'))
    await t.put(t.url('secrets', 'a'), secret('a', { data: { k: 'dg==' } }))
    await t.post(t.url('deployments'), deployment('a', { paused: true }))
    await t.put(t.url('deployments', 'a'), deployment('a', { paused: true, minReadySeconds: 1 }))
    await t.post(t.url('services'), service('a', { ports: [{ port: 1 }] }))
    await t.put(t.url('services', 'a'), service('a', { ports: [{ port: 2 }] }))
  },
  'a put of a widget needs a version': async (t) => {
    await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    await t.put(t.url('widgets', 'a'), widget(t, 'a', { size: 2 }))
    await t.put(t.url('widgets', 'a'), metaWidget(t, { name: 'a', resourceVersion: '0' }))
    await t.put(t.url('widgets', 'a/status'), widget(t, 'a'))
  },
  'kinds that need a version': async (t) => {
    const crd = await t.post(t.url('customresourcedefinitions'), {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${t.tag}.example.com` },
      spec: {
        group: `${t.tag}.example.com`,
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          { name: 'v1', served: false, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    })
    const { name } = crd
    await t.put(t.url('customresourcedefinitions', name), {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
      spec: crd.at('spec'),
    })
    await t.quietly({ method: 'DELETE', path: t.url('customresourcedefinitions', name) })
    await t.post(t.url('leases'), {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
    })
    await t.put(t.url('leases', 'a'), {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'a' },
    })
  },
  'a put with another uid is a conflict': async (t) => {
    const created = await t.post(t.url('configmaps'), configMap('a'))
    await t.put(t.url('configmaps', 'a'), metaConfigMap({ name: 'a', uid: owner['uid'] }))
    await t.put(t.url('configmaps', 'a'), metaConfigMap({ name: 'a', uid: created.uid }))
    await t.post(t.url('widgets'), widget(t, 'a'))
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { uid: owner['uid'] } })
  },
  'a put that changes nothing keeps the version': async (t) => {
    const created = await t.post(t.url('configmaps'), configMap('a', { data: { n: '1' } }))
    const same = await t.put(t.url('configmaps', 'a'), created.body)
    await t.put(t.url('configmaps', 'a?fieldManager=other'), same.body)
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { n: '1' } })
    await t.patch(t.url('configmaps', 'a'), 'merge', {})
    await t.patch(t.url('configmaps', 'a'), 'json', [])
    await t.patch(t.url('configmaps', 'a'), 'strategic', {})
    await t.put(t.url('configmaps', 'a'), configMap('a', { data: { n: '1' } }))
  },
  'a put of a widget that changes nothing keeps the version': async (t) => {
    const created = await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    await t.put(t.url('widgets', 'a'), created.body)
    await t.put(t.url('widgets', 'a/status'), created.body)
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { size: 1, mode: 'fast' } })
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { mode: null } })
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { unknown: 'pruned' } })
  },
  'metadata that nobody may change': async (t) => {
    const { body } = await t.post(t.url('configmaps'), metaConfigMap({ name: 'a', labels: { l: 'm' } }))
    t.note('created', typeof body)
    for (const metadata of [
      { creationTimestamp: '2001-01-01T00:00:00Z' },
      { creationTimestamp: null },
      { generation: 5 },
      { selfLink: '/x' },
      { deletionTimestamp: '2001-01-01T00:00:00Z' },
      { deletionGracePeriodSeconds: 5 },
      { generateName: 'x-' },
      { namespace: 'other' },
      { name: 'other' },
      { managedFields: [] },
      { managedFields: [{}] },
      { managedFields: null },
    ])
      await t.patch(t.url('configmaps', 'a'), 'merge', { metadata })
    await t.get(t.url('configmaps', 'a'))
  },
  'metadata of a widget that nobody may change': async (t) => {
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a', labels: { l: 'm' } }))
    for (const metadata of [
      { creationTimestamp: '2001-01-01T00:00:00Z' },
      { creationTimestamp: null },
      { generation: 5 },
      { selfLink: '/x' },
      { deletionTimestamp: '2001-01-01T00:00:00Z' },
      { generateName: 'x-' },
      { namespace: 'other' },
      { name: 'other' },
      { managedFields: [] },
      { managedFields: null },
    ])
      await t.patch(t.url('widgets', 'a'), 'merge', { metadata })
    await t.patch(t.url('widgets', 'a'), 'merge', { kind: 'Other' })
    await t.patch(t.url('widgets', 'a'), 'merge', { apiVersion: 'other/v1' })
    await t.get(t.url('widgets', 'a'))
  },
  'labels, annotations, finalizers and owners change as anybody likes': async (t) => {
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'a', labels: { a: '1', b: '2' } }))
    await t.patch(t.url('configmaps', 'a'), 'merge', {
      metadata: {
        labels: { a: null, c: '' },
        annotations: { n: 'x' },
        ownerReferences: [owner],
      },
    })
    await t.patch(t.url('configmaps', 'a'), 'merge', { metadata: { labels: null, ownerReferences: null } })
    await t.patch(t.url('configmaps', 'a'), 'merge', { metadata: { labels: { 'not ok': 'x' } } })
    await t.patch(t.url('configmaps', 'a'), 'merge', { metadata: { finalizers: ['not ok'] } })
    await t.patch(t.url('configmaps', 'a'), 'merge', { metadata: { ownerReferences: [{ name: 'x' }] } })
  },
  'a finalizer without a group': async (t) => {
    const finalizers = ['plain']
    const objects: readonly [string, object][] = [
      ['configmaps', configMap('a')],
      ['deployments', deployment('a')],
      ['poddisruptionbudgets', object('policy/v1', 'PodDisruptionBudget', 'a', { spec: {} })],
      ['limitranges', object('v1', 'LimitRange', 'a', { spec: { limits: [] } })],
      ['roles', object('rbac.authorization.k8s.io/v1', 'Role', 'a', { rules: [] })],
      ['widgets', widget(t, 'a')],
    ]
    for (const [resource, body] of objects) {
      await t.post(t.url(resource, '?dryRun=All'), { ...body, metadata: { name: 'a', finalizers } })
      await t.post(t.url(resource), body)
      await t.patch(t.url(resource, 'a?dryRun=All'), 'merge', { metadata: { finalizers } })
    }
  },
  'an immutable config map and secret': async (t) => {
    await t.post(t.url('configmaps'), configMap('a', { data: { k: 'v' } }))
    await t.patch(t.url('configmaps', 'a'), 'merge', { immutable: true })
    await t.patch(t.url('configmaps', 'a'), 'merge', { immutable: false })
    await t.patch(t.url('configmaps', 'a'), 'merge', { immutable: null })
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { k: 'w' } })
    await t.patch(t.url('configmaps', 'a'), 'merge', { binaryData: { k: 'AAEC' } })
    await t.patch(t.url('configmaps', 'a'), 'merge', { metadata: { labels: { l: 'm' } } })
    await t.post(t.url('secrets'), secret('a', { immutable: true, data: { k: 'dg==' } }))
    await t.patch(t.url('secrets', 'a'), 'merge', { data: { k: 'dw==' } })
    await t.patch(t.url('secrets', 'a'), 'merge', { stringData: { l: 'm' } })
    await t.patch(t.url('secrets', 'a'), 'merge', { type: 'other' })
  },
  'fields of a pod that nobody may change': async (t) => {
    await t.post(t.url('pods'), pod('a', { schedulerName: 'nobody' }))
    for (const spec of [
      { containers: [{ name: 'main', image: 'example.com/image:2' }] },
      { containers: [{ name: 'other', image: 'example.com/image:2' }] },
      { nodeName: 'n' },
      { activeDeadlineSeconds: 10 },
      { activeDeadlineSeconds: 20 },
      { activeDeadlineSeconds: null },
      { restartPolicy: 'Never' },
      { terminationGracePeriodSeconds: 1 },
      { tolerations: [{ key: 'k', operator: 'Exists' }] },
      { hostNetwork: true },
      { serviceAccountName: 'other' },
    ])
      await t.patch(t.url('pods', 'a'), 'strategic', { spec })
  },
  'fields of a deployment and a service that nobody may change': async (t) => {
    await t.post(t.url('deployments'), deployment('a', { paused: true }))
    await t.patch(t.url('deployments', 'a'), 'merge', { spec: { selector: { matchLabels: { app: 'b' } } } })
    await t.patch(t.url('deployments', 'a'), 'merge', {
      spec: { template: { metadata: { labels: { app: 'b' } } } },
    })
    await t.post(t.url('services'), service('a', { ports: [{ port: 80 }] }))
    await t.patch(t.url('services', 'a'), 'merge', {
      spec: { clusterIP: '10.96.0.77', clusterIPs: ['10.96.0.77'] },
    })
    await t.patch(t.url('services', 'a'), 'merge', { spec: { clusterIP: 'None', clusterIPs: ['None'] } })
    await t.patch(t.url('services', 'a'), 'merge', {
      spec: { type: 'ExternalName', externalName: 'example.com', clusterIP: null, clusterIPs: null },
    })
    await t.patch(t.url('services', 'a'), 'merge', { spec: { type: 'ClusterIP' } })
    await t.patch(t.url('services', 'a'), 'merge', { spec: { type: 'NodePort' } })
    await t.patch(t.url('services', 'a'), 'merge', { spec: { type: 'ClusterIP' } })
  },
  'a status is not written through the object': async (t) => {
    const created = await t.post(t.url('widgets'), metaWidget(t, { name: 'a' }, { status: { phase: 'x' } }))
    await t.put(t.url('widgets', 'a'), {
      ...metaWidget(t, { name: 'a', resourceVersion: created.version }),
      status: { phase: 'y' },
    })
    await t.post(t.url('pods'), { ...pod('a', { schedulerName: 'nobody' }), status: { phase: 'Running' } })
    await t.post(t.url('services'), {
      ...service('a', { ports: [{ port: 80 }] }),
      status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
    })
  },
})
