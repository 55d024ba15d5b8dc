import { area, type Case } from '../case.js'
import type { Answer } from '../exchange.js'
import { configMap, metaConfigMap, object, pod, widget } from './objects.js'

const isGone = ({ status }: Answer): boolean => status === 404
/** All that may be in a namespace is looked for in all kinds. */
const patient = { timeoutMs: 90_000 }
const namespace = (name: string, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, ...metadata },
})

export const namespaces: readonly Case[] = area('namespaces', {
  'a new one gets a label and a finalizer': async (t) => {
    await t.post(t.url('namespaces'), namespace(`${t.tag}-a`, { labels: { l: 'm' } }))
    await t.post(t.url('namespaces'), { ...namespace(`${t.tag}-b`), spec: { finalizers: ['example.com/f'] } })
    await t.post(t.url('namespaces'), { ...namespace(`${t.tag}-c`), status: { phase: 'Terminating' } })
    await t.post(
      t.url('namespaces'),
      namespace(`${t.tag}-d`, { labels: { 'kubernetes.io/metadata.name': 'wrong' } }),
    )
    await t.patch(t.url('namespaces', `${t.tag}-a`), 'merge', {
      metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } },
    })
    await t.patch(t.url('namespaces', `${t.tag}-a`), 'merge', { metadata: { labels: null } })
  },
  'it goes with all that is in it': async (t) => {
    const name = `${t.tag}-a`
    await t.post(t.url('namespaces'), namespace(name))
    await t.post(t.urlIn(name, 'configmaps'), configMap('a'))
    await t.post(t.urlIn(name, 'widgets'), widget(t, 'a'))
    await t.delete(t.url('namespaces', name))
    await t.until(t.url('namespaces', name), isGone, patient)
    await t.get(t.urlIn(name, 'configmaps', 'a'))
    await t.get(t.urlIn(name, 'widgets', 'a'))
    await t.post(t.urlIn(name, 'configmaps'), configMap('a'))
  },
  'it waits for finalizers within, and says so': async (t) => {
    const name = `${t.tag}-a`
    await t.post(t.url('namespaces'), namespace(name))
    await t.post(t.urlIn(name, 'configmaps'), metaConfigMap({ name: 'a', finalizers: ['example.com/f'] }))
    await t.delete(t.url('namespaces', name))
    await t.until(
      t.url('namespaces', name),
      (answer) => JSON.stringify(answer.at('status.conditions') ?? '').includes('example.com/f'),
      patient,
    )
    await t.get(t.urlIn(name, 'configmaps', 'a'))
    await t.post(t.urlIn(name, 'configmaps'), configMap('b'))
    await t.post(t.urlIn(name, 'widgets'), widget(t, 'b'))
    await t.post(t.urlIn(name, 'pods'), pod('b'))
    await t.post(t.urlIn(name, 'configmaps', '?dryRun=All'), configMap('b'))
    await t.apply(t.urlIn(name, 'configmaps', 'c'), 'me', configMap('c'))
    await t.patch(t.urlIn(name, 'configmaps', 'a'), 'merge', { data: { k: 'v' } })
    await t.post(t.url('namespaces'), namespace(name))
    await t.delete(t.url('namespaces', name))
    await t.patch(t.urlIn(name, 'configmaps', 'a'), 'merge', { metadata: { finalizers: null } })
    await t.until(t.url('namespaces', name), isGone, patient)
  },
  'one with a finalizer of its own': async (t) => {
    const name = `${t.tag}-a`
    await t.post(t.url('namespaces'), namespace(name, { finalizers: ['example.com/f'] }))
    await t.delete(t.url('namespaces', name))
    await t.until(
      t.url('namespaces', name),
      (answer) => answer.at('spec.finalizers') === undefined && answer.at('spec') !== undefined,
      { ...patient, quiet: true },
    )
    await t.patch(t.url('namespaces', name), 'merge', { metadata: { finalizers: null } })
    await t.until(t.url('namespaces', name), isGone, patient)
  },
  'some cannot be deleted': async (t) => {
    await t.delete(t.url('namespaces', 'default?dryRun=All'))
    await t.delete(t.url('namespaces', 'kube-system?dryRun=All'))
    await t.delete(t.url('namespaces', 'kube-public?dryRun=All'))
    await t.delete(t.url('namespaces', `${t.tag}-missing`))
  },
  'preconditions and dry runs of a deletion': async (t) => {
    const created = await t.post(t.url('namespaces'), namespace(`${t.tag}-a`))
    await t.delete(t.url('namespaces', `${t.tag}-a`), {
      preconditions: { uid: '00000000-0000-4000-8000-000000000000' },
    })
    await t.delete(t.url('namespaces', `${t.tag}-a?dryRun=All`))
    await t.get(t.url('namespaces', `${t.tag}-a`))
    await t.delete(t.url('namespaces', `${t.tag}-a`), { preconditions: { uid: created.uid } })
    await t.until(t.url('namespaces', `${t.tag}-a`), isGone, patient)
  },
  'the events of its life': async (t) => {
    const name = `${t.tag}-a`
    const watch = await t.watch(t.url('namespaces', `?fieldSelector=metadata.name%3D${name}`))
    await t.post(t.url('namespaces'), namespace(name))
    await watch.take(1)
    await t.patch(t.url('namespaces', name), 'merge', { metadata: { labels: { l: 'm' } } })
    await watch.take(1)
  },
  'a service account is in each': async (t) => {
    await t.get(t.url('serviceaccounts'))
    await t.delete(t.url('serviceaccounts', 'default'))
    await t.until(t.url('serviceaccounts', 'default'), ({ status }) => status === 200)
  },
  'the authority of the server is in each': async (t) => {
    await t.get(t.url('configmaps'))
    await t.delete(t.url('configmaps', 'kube-root-ca.crt'))
    await t.until(t.url('configmaps', 'kube-root-ca.crt'), ({ status }) => status === 200)
  },
  'names that no namespace can have': async (t) => {
    await t.get(t.urlIn('Not_Ok', 'configmaps'))
    await t.get(t.urlIn('Not_Ok', 'configmaps', 'a'))
    await t.post(t.urlIn('Not_Ok', 'configmaps'), configMap('a'))
    await t.post(t.urlIn('Not_Ok', 'widgets'), object(`${t.group}/v1`, 'Widget', 'a'))
  },
})
