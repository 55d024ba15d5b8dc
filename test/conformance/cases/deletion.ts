import { area, type Case, table } from '../case.js'
import { absentOwner, configMap, metaConfigMap, metaWidget, pod, widget } from './objects.js'

const finalizers = ['example.com/f']

const optionBodies: Readonly<Record<string, { readonly query?: string; readonly body?: unknown }>> = {
  nothing: {},
  'a kind': { body: { kind: 'DeleteOptions', apiVersion: 'v1' } },
  'a kind of meta': { body: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' } },
  'another kind': { body: { kind: 'Status', apiVersion: 'v1' } },
  'another version': { body: { kind: 'DeleteOptions', apiVersion: 'v9' } },
  'no kind': { body: { gracePeriodSeconds: 0 } },
  'an empty object': { body: {} },
  'no JSON': { body: 'x' },
  'an unknown field': { body: { unknown: 1 } },
  'a wrong type': { body: { gracePeriodSeconds: 'x' } },
  'a negative grace period': { body: { gracePeriodSeconds: -5 } },
  'a policy in the background': { body: { propagationPolicy: 'Background' } },
  'a policy in the foreground': { body: { propagationPolicy: 'Foreground' } },
  'a policy to orphan': { body: { propagationPolicy: 'Orphan' } },
  'a policy that is none': { body: { propagationPolicy: 'Nonsense' } },
  'an empty policy': { body: { propagationPolicy: '' } },
  'a policy in the query': { query: 'propagationPolicy=Foreground' },
  'a wrong policy in the query': { query: 'propagationPolicy=foreground' },
  'the old way to orphan': { body: { orphanDependents: true } },
  'the old way not to orphan': { body: { orphanDependents: false } },
  'the old and the new way': { body: { orphanDependents: true, propagationPolicy: 'Orphan' } },
  'the old way in the query': { query: 'orphanDependents=true' },
  'a dry run': { query: 'dryRun=All' },
  'a dry run in the body': { body: { dryRun: ['All'] } },
  'a wrong dry run': { body: { dryRun: ['Some'] } },
  'a wrong dry run in the query': { query: 'dryRun=true' },
  'another uid': { body: { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } } },
  'another version of the object': { body: { preconditions: { resourceVersion: '1' } } },
  'a grace period in the query': { query: 'gracePeriodSeconds=0' },
  'a wrong grace period in the query': { query: 'gracePeriodSeconds=x' },
  'an unknown query': { query: 'unknown=1' },
  'options in both places': {
    query: 'gracePeriodSeconds=5',
    body: { gracePeriodSeconds: 0, propagationPolicy: 'Background' },
  },
  'a read that may be ignored': { body: { ignoreStoreReadErrorWithClusterBreakingPotential: true } },
}

const options = table(
  'deletion',
  Object.fromEntries(
    (['configmaps', 'widgets'] as const).flatMap((resource) =>
      Object.entries(optionBodies).map(
        ([name, row]) => [`of ${resource} with ${name}`, { ...row, resource }] as const,
      ),
    ),
  ),
  async (t, { resource, query, body }) => {
    await t.post(t.url(resource), resource === 'widgets' ? widget(t, 'a') : configMap('a'))
    const path = t.url(resource, query === undefined ? 'a' : `a?${query}`)
    await t.send({
      method: 'DELETE',
      path,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
    })
    // The garbage collector may already have taken what waited for it.
    await t.untilSent(
      { method: 'GET', path: t.url(resource, 'a') },
      (answer) => answer.at('metadata.deletionTimestamp') === undefined,
    )
  },
)

const others = area('deletion', {
  'with finalizers: a mark first': async (t) => {
    await t.post(
      t.url('widgets'),
      metaWidget(t, { name: 'a', finalizers: ['example.com/f', 'example.com/g'] }, { spec: { size: 1 } }),
    )
    await t.delete(t.url('widgets', 'a'))
    await t.get(t.url('widgets', 'a'))
    await t.delete(t.url('widgets', 'a'))
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { size: 2 } })
    await t.patch(t.url('widgets', 'a'), 'merge', {
      metadata: { finalizers: ['example.com/f', 'example.com/g', 'example.com/h'] },
    })
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { finalizers: ['example.com/h'] } })
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { finalizers: ['example.com/g'] } })
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { deletionTimestamp: null } })
    await t.post(t.url('widgets'), widget(t, 'a'))
    await t.patch(t.url('widgets', 'a/status'), 'merge', {
      status: { phase: 'x' },
      metadata: { finalizers: null },
    })
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { finalizers: [] } })
    await t.get(t.url('widgets', 'a'))
  },
  'with finalizers of a config map': async (t) => {
    const created = await t.post(t.url('configmaps'), metaConfigMap({ name: 'a', finalizers }))
    await t.delete(t.url('configmaps', 'a'), {
      preconditions: { uid: created.uid, resourceVersion: created.version },
    })
    await t.get(t.url('configmaps', 'a'))
    await t.put(t.url('configmaps', 'a'), configMap('a'))
    await t.get(t.url('configmaps', 'a'))
  },
  'the last finalizer goes by apply': async (t) => {
    await t.apply(t.url('configmaps', 'a'), 'me', metaConfigMap({ name: 'a', finalizers }))
    await t.delete(t.url('configmaps', 'a'))
    await t.apply(t.url('configmaps', 'a'), 'me', metaConfigMap({ name: 'a' }))
    await t.get(t.url('configmaps', 'a'))
  },
  'the last finalizer goes together with a change': async (t) => {
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a', finalizers }, { spec: { size: 1 } }))
    await t.delete(t.url('widgets', 'a'))
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { finalizers: null }, spec: { size: 2 } })
    await t.get(t.url('widgets', 'a'))
  },
  'the last finalizer goes in a dry run': async (t) => {
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a', finalizers }))
    await t.delete(t.url('widgets', 'a'))
    await t.patch(t.url('widgets', 'a?dryRun=All'), 'merge', { metadata: { finalizers: null } })
    await t.get(t.url('widgets', 'a'))
  },
  'a finalizer without a deletion': async (t) => {
    await t.post(t.url('widgets'), metaWidget(t, { name: 'a', finalizers }))
    await t.patch(t.url('widgets', 'a'), 'merge', { metadata: { finalizers: null } })
    await t.get(t.url('widgets', 'a'))
  },
  'preconditions that hold': async (t) => {
    const first = await t.post(t.url('widgets'), widget(t, 'a'))
    await t.patch(t.url('widgets', 'a'), 'merge', { spec: { size: 2 } })
    await t.delete(t.url('widgets', 'a'), { preconditions: { resourceVersion: first.version } })
    await t.delete(t.url('widgets', 'a'), { preconditions: { uid: first.uid } })
    const second = await t.post(t.url('configmaps'), configMap('a'))
    await t.delete(t.url('configmaps', 'a'), {
      preconditions: { uid: second.uid, resourceVersion: second.version },
    })
    await t.delete(t.url('configmaps', 'a'), { preconditions: { uid: second.uid } })
  },
  'a pod without a node goes at once': async (t) => {
    await t.post(t.url('pods'), pod('a', { schedulerName: 'nobody' }))
    await t.delete(t.url('pods', 'a'))
    await t.get(t.url('pods', 'a'))
  },
  'a pod on a node has its grace': async (t) => {
    await t.post(t.url('pods'), pod('a', { nodeName: 'nowhere', terminationGracePeriodSeconds: 300 }))
    await t.delete(t.url('pods', 'a'))
    await t.get(t.url('pods', 'a'))
    await t.delete(t.url('pods', 'a'), { gracePeriodSeconds: 600 })
    await t.delete(t.url('pods', 'a'), { gracePeriodSeconds: 100 })
    await t.delete(t.url('pods', 'a?gracePeriodSeconds=60'))
    await t.delete(t.url('pods', 'a'))
    await t.patch(t.url('pods', 'a'), 'merge', { metadata: { labels: { l: 'm' } } })
    await t.delete(t.url('pods', 'a'), { gracePeriodSeconds: 0 })
    await t.get(t.url('pods', 'a'))
  },
  'a pod with a finalizer and a grace': async (t) => {
    await t.post(t.url('pods'), { ...pod('a', { nodeName: 'nowhere' }), metadata: { name: 'a', finalizers } })
    await t.delete(t.url('pods', 'a'), { gracePeriodSeconds: 0 })
    await t.get(t.url('pods', 'a'))
    await t.patch(t.url('pods', 'a'), 'merge', { metadata: { finalizers: null } })
    await t.get(t.url('pods', 'a'))
  },
  'a pod that has ended goes at once': async (t) => {
    await t.post(t.url('pods'), pod('a', { nodeName: 'nowhere' }))
    await t.patch(t.url('pods', 'a/status'), 'merge', { status: { phase: 'Succeeded' } })
    await t.delete(t.url('pods', 'a'))
    await t.get(t.url('pods', 'a'))
  },
  'a dry run of a pod': async (t) => {
    await t.post(t.url('pods'), pod('a', { nodeName: 'nowhere' }))
    await t.delete(t.url('pods', 'a?dryRun=All'))
    await t.delete(t.url('pods', 'a?dryRun=All&gracePeriodSeconds=0'))
    await t.get(t.url('pods', 'a'))
  },
  'of many, by label': async (t) => {
    for (const name of ['a', 'b', 'c'])
      await t.post(t.url('widgets'), metaWidget(t, { name, labels: { odd: name === 'b' ? 'no' : 'yes' } }))
    await t.delete(t.url('widgets', '?labelSelector=odd%3Dyes&dryRun=All'))
    await t.delete(t.url('widgets', '?labelSelector=odd%3Dyes'))
    await t.get(t.url('widgets'))
    await t.delete(t.url('widgets', '?fieldSelector=metadata.name%3Db'))
    await t.delete(t.url('widgets'))
    await t.get(t.url('widgets'))
  },
  'of many config maps, with finalizers': async (t) => {
    for (const name of ['a', 'b', 'c'])
      await t.post(
        t.url('configmaps'),
        metaConfigMap({ name, labels: { l: 'm' }, ...(name === 'b' && { finalizers }) }),
      )
    await t.delete(t.url('configmaps', '?labelSelector=l%3Dm'))
    await t.get(t.url('configmaps', '?labelSelector=l%3Dm'))
    await t.patch(t.url('configmaps', 'b'), 'merge', { metadata: { finalizers: null } })
    await t.get(t.url('configmaps', '?labelSelector=l%3Dm'))
  },
  'of many, with options': async (t) => {
    for (const name of ['a', 'b']) await t.post(t.url('widgets'), metaWidget(t, { name }))
    await t.delete(t.url('widgets', '?labelSelector=%3D'))
    await t.delete(t.url('widgets', '?fieldSelector=spec.nothing%3D1'))
    await t.delete(t.url('widgets'), { propagationPolicy: 'Nonsense' })
    await t.delete(t.url('widgets'), { preconditions: { uid: 'x' } })
    await t.delete(t.url('widgets', '?limit=1'))
    await t.get(t.url('widgets'))
    await t.delete(t.url('widgets'), {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: 'Background',
    })
    await t.get(t.url('widgets'))
  },
  'of many where that is not allowed': async (t) => {
    await t.delete('/api/v1/namespaces')
    await t.delete('/api/v1/services?labelSelector=nobody%3Dhas')
    await t.delete('/api/v1/configmaps?labelSelector=nobody%3Dhas')
    await t.delete(`/apis/${t.group}/v1/widgets?labelSelector=nobody%3Dhas`)
    await t.delete('/api/v1/nodes?labelSelector=nobody%3Dhas')
    await t.delete(t.url('gadgets', '?labelSelector=nobody%3Dhas'))
  },
  'an owner that nobody knows': async (t) => {
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'a', ownerReferences: [absentOwner] }))
    await t.get(t.url('configmaps', 'a'))
    await t.delete(t.url('configmaps', 'a'))
  },
  'the same name lives twice': async (t) => {
    const first = await t.post(t.url('configmaps'), configMap('a'))
    await t.delete(t.url('configmaps', 'a'))
    const second = await t.post(t.url('configmaps'), configMap('a'))
    t.note('another uid', first.uid !== second.uid)
    await t.put(t.url('configmaps', 'a'), first.body)
    await t.delete(t.url('configmaps', 'a'), { preconditions: { uid: first.uid } })
  },
})

export const deletions: readonly Case[] = [...options, ...others]
