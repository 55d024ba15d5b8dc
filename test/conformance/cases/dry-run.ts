import { area, type Case } from '../case.js'
import { configMap, metaConfigMap, object, pod, service, widget } from './objects.js'

export const dryRun: readonly Case[] = area('dry run', {
  'nothing is created': async (t) => {
    await t.post(t.url('configmaps', '?dryRun=All'), configMap('a'))
    await t.get(t.url('configmaps', 'a'))
    await t.post(t.url('widgets', '?dryRun=All'), widget(t, 'a'))
    await t.get(t.url('widgets', 'a'))
    await t.post(t.url('pods', '?dryRun=All'), pod('a'))
    await t.get(t.url('pods', 'a'))
    await t.post(t.url('namespaces', '?dryRun=All'), object('v1', 'Namespace', `${t.tag}-x`))
    await t.get(t.url('namespaces', `${t.tag}-x`))
  },
  'nothing is changed': async (t) => {
    const created = await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    await t.patch(t.url('widgets', 'a?dryRun=All'), 'merge', { spec: { size: 2 } })
    await t.patch(t.url('widgets', 'a/status?dryRun=All'), 'merge', { status: { phase: 'x' } })
    await t.patch(t.url('widgets', 'a/scale?dryRun=All'), 'merge', { spec: { replicas: 2 } })
    await t.put(t.url('widgets', 'a?dryRun=All'), {
      ...widget(t, 'a', { size: 3 }),
      metadata: { name: 'a', resourceVersion: created.version },
    })
    await t.get(t.url('widgets', 'a'))
  },
  'nothing is deleted': async (t) => {
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'a', labels: { l: 'm' } }))
    await t.delete(t.url('configmaps', 'a?dryRun=All'))
    await t.delete(t.url('configmaps', '?labelSelector=l&dryRun=All'))
    await t.delete(t.url('configmaps', 'a'), { dryRun: ['All'], propagationPolicy: 'Foreground' })
    await t.get(t.url('configmaps', 'a'))
  },
  'errors are the same': async (t) => {
    await t.post(t.url('configmaps', '?dryRun=All'), configMap('Not Ok'))
    await t.post(t.url('configmaps'), configMap('a'))
    await t.post(t.url('configmaps', '?dryRun=All'), configMap('a'))
    await t.put(t.url('configmaps', 'missing?dryRun=All'), configMap('missing'))
    await t.patch(t.url('configmaps', 'missing?dryRun=All'), 'merge', {})
    await t.delete(t.url('configmaps', 'missing?dryRun=All'))
    await t.put(t.url('configmaps', 'a?dryRun=All'), metaConfigMap({ name: 'a', resourceVersion: '1' }))
  },
  'values that are none': async (t) => {
    for (const value of ['', 'all', 'true', 'None', 'All,All', 'All&dryRun=All', 'All&dryRun=x'])
      await t.post(t.url('configmaps', `?dryRun=${value}`), configMap(`a-${value.length}`))
  },
  'a service takes no address': async (t) => {
    await t.post(t.url('services', '?dryRun=All'), service('a', { type: 'NodePort', ports: [{ port: 80 }] }))
    await t.get(t.url('services', 'a'))
  },
  'a version stays': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    await t.patch(t.url('configmaps', 'a?dryRun=All'), 'merge', { data: { k: 'v' } })
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { k: 'w' } })
  },
  'a put that would create': async (t) => {
    await t.put(t.url('leases', 'a?dryRun=All'), object('coordination.k8s.io/v1', 'Lease', 'a'))
    await t.get(t.url('leases', 'a'))
  },
  'reviews and tokens': async (t) => {
    await t.post(t.url('serviceaccounts', 'default/token?dryRun=All'), {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    })
    await t.post(t.url('selfsubjectaccessreviews', '?dryRun=All'), {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { nonResourceAttributes: { path: '/', verb: 'get' } },
    })
  },
})
