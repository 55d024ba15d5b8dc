import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import { metaConfigMap, metaWidget, pod, secret } from './objects.js'

const labelled: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  a: { app: 'web', tier: 'front' },
  b: { app: 'web', tier: 'back', canary: '' },
  c: { app: 'db', 'example.com/size': '10' },
  d: { 'example.com/size': '3' },
  e: {},
}

const selectors = [
  'app=web',
  'app==web',
  'app!=web',
  'app',
  '!app',
  'canary=',
  'canary',
  'app in (web)',
  'app in (web,db)',
  'app in (web, db),tier',
  'app notin (web)',
  'app notin (web,db)',
  'tier in ()',
  'tier in (,front)',
  'app=web,tier=back',
  'app = web , tier != back',
  'example.com/size=10',
  'example.com/size>5',
  'example.com/size<5',
  'example.com/size>x',
  'app>1',
  '',
  ' ',
  ',',
  'app=web,',
  'app=',
  '=web',
  'app=web=db',
  'app in web',
  'app in (web',
  'app notin',
  '!',
  '!app=web',
  'not ok=web',
  'app=not ok',
  'app=a_b.c-d',
  `${'a'.repeat(64)}=x`,
  'a/b/c=x',
  'app===web',
  'x in (a),y notin (b),z,!w',
  'app=web,app=db',
  'in=x',
  'app in (in,notin)',
  'app%3Dweb',
]

const fieldSelectors = [
  'metadata.name=a',
  'metadata.name!=a',
  'metadata.name==a',
  `metadata.namespace!=other`,
  'metadata.name=a,metadata.name!=b',
  'metadata.name',
  'metadata.labels=x',
  'metadata.uid=x',
  'name=a',
  'data.x=1',
  'metadata.name=',
  'metadata.name in (a)',
  '',
  ',',
  'metadata.name=a\\,b',
  'metadata.name=a\\',
  '=a',
]

async function makeConfigMaps(t: Conversation): Promise<void> {
  for (const [name, labels] of Object.entries(labelled))
    await t.quietly({
      method: 'POST',
      path: t.url('configmaps'),
      headers: { 'content-type': 'application/json' },
      body: metaConfigMap({ name, labels: { ...labels, 'of-case': 'x' } }),
    })
}

const inGroups = <Item>(items: readonly Item[], size: number): Record<string, readonly Item[]> =>
  Object.fromEntries(
    Array.from({ length: Math.ceil(items.length / size) }, (_, index) => {
      const group = items.slice(index * size, (index + 1) * size)
      return [group.map((item) => `"${String(item).slice(0, 30)}"`).join(' '), group]
    }),
  )

const byLabel = table(
  'selectors',
  prefixed('labels of config maps: ', inGroups(selectors, 4)),
  async (t, group) => {
    await makeConfigMaps(t)
    // Not the one that is in every namespace.
    const others = 'fieldSelector=metadata.name!%3Dkube-root-ca.crt'
    for (const selector of group)
      await t.get(t.url('configmaps', `?${others}&labelSelector=${encodeURIComponent(selector)}`))
  },
)

const byField = table(
  'selectors',
  prefixed('fields of config maps: ', inGroups(fieldSelectors, 4)),
  async (t, group) => {
    await makeConfigMaps(t)
    for (const selector of group)
      await t.get(t.url('configmaps', `?labelSelector=of-case&fieldSelector=${encodeURIComponent(selector)}`))
  },
)

const podFields = [
  'spec.nodeName=n',
  'spec.nodeName=',
  'spec.nodeName!=',
  'status.phase=Pending',
  'status.phase!=Pending',
  'spec.restartPolicy=Always',
  'spec.schedulerName=nobody',
  'spec.serviceAccountName=default',
  'spec.hostNetwork=false',
  'status.podIP=',
  'status.nominatedNodeName=',
  'spec.containers=x',
  'status.reason=x',
]

const ofPods = table('selectors', prefixed('fields of pods: ', inGroups(podFields, 5)), async (t, group) => {
  for (const name of ['a', 'b'])
    await t.quietly({
      method: 'POST',
      path: t.url('pods'),
      headers: { 'content-type': 'application/json' },
      body: pod(name, {
        schedulerName: 'nobody',
        ...(name === 'b' && { nodeName: 'n', restartPolicy: 'Never' }),
      }),
    })
  for (const selector of group) {
    const answer = await t.quietly({
      method: 'GET',
      path: t.url('pods', `?fieldSelector=${encodeURIComponent(selector)}`),
    })
    const names = Array.isArray(answer.at('items'))
      ? [answer.at('items.0.metadata.name'), answer.at('items.1.metadata.name')]
      : answer.body
    t.note(selector, { status: answer.status, names })
  }
})

function prefixed<Row>(prefix: string, rows: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}${name}`, row]))
}

const others = area('selectors', {
  'fields of widgets': async (t) => {
    for (const [name, spec] of Object.entries({
      a: { mode: 'fast', size: 1 },
      b: { mode: 'slow', size: 2 },
      c: {},
    }))
      await t.post(t.url('widgets'), metaWidget(t, { name }, { spec }))
    for (const selector of [
      'spec.mode=fast',
      'spec.mode!=fast',
      'spec.size=2',
      'spec.size=',
      'spec.mode=slow,spec.size=2',
      'spec.title=x',
      'metadata.name=b',
      'metadata.name=b,spec.mode=slow',
      'status.phase=x',
    ])
      await t.get(t.url('widgets', `?fieldSelector=${encodeURIComponent(selector)}`))
  },
  'fields of secrets, namespaces, events, jobs and services': async (t) => {
    await t.post(t.url('secrets'), secret('a', { type: 'example.com/x' }))
    await t.get(t.url('secrets', '?fieldSelector=type%3Dexample.com/x'))
    await t.get(t.url('secrets', '?fieldSelector=type%3Dother'))
    await t.get(t.url('secrets', '?fieldSelector=data%3Dother'))
    await t.get(t.url('namespaces', `?fieldSelector=metadata.name=${t.namespace},status.phase%3DActive`))
    await t.get(t.url('namespaces', `?fieldSelector=metadata.name=${t.namespace},status.phase%3DTerminating`))
    await t.get(t.url('namespaces', `?fieldSelector=metadata.name=${t.namespace},spec.x%3DTerminating`))
    await t.get(
      t.url('events', '?fieldSelector=involvedObject.kind%3DPod,reason%3Dx,type%3DNormal,source%3Dy'),
    )
    await t.get(t.url('events', '?fieldSelector=involvedObject.color%3Dblue'))
    await t.get(t.url('jobs', '?fieldSelector=status.successful%3D1'))
    await t.get(t.url('jobs', '?fieldSelector=status.failed%3D1'))
    await t.get(t.url('services', '?fieldSelector=spec.clusterIP%3DNone,spec.type%3DClusterIP'))
    await t.get(t.url('deployments', '?fieldSelector=status.replicas%3D1'))
    await t.get(t.url('replicasets', '?fieldSelector=status.replicas%3D1'))
    await t.get(t.url('nodes', `?fieldSelector=metadata.name%3D${t.tag},spec.unschedulable%3Dfalse`))
    await t.get(t.url('nodes', '?fieldSelector=spec.podCIDR%3Dx'))
  },
  'a field selector in a path to one object': async (t) => {
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'a' }))
    await t.get(t.url('configmaps', 'a?fieldSelector=metadata.name%3Db'))
    await t.get(t.url('configmaps', 'a?labelSelector=nonsense==='))
  },
  'a selector over all namespaces': async (t) => {
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'a', labels: { only: t.tag } }))
    await t.get(t.urlIn(undefined, 'configmaps', `?labelSelector=only%3D${t.tag}`))
    await t.get(
      t.urlIn(
        undefined,
        'configmaps',
        `?labelSelector=only%3D${t.tag}&fieldSelector=metadata.namespace%3D${t.namespace}`,
      ),
    )
    await t.get(
      t.urlIn(
        undefined,
        'configmaps',
        `?labelSelector=only%3D${t.tag}&fieldSelector=metadata.namespace%21%3D${t.namespace}`,
      ),
    )
    await t.get(t.url('configmaps', `?fieldSelector=metadata.namespace%3Dother,metadata.name%3Da`))
  },
})

export const selectorCases: readonly Case[] = [...byLabel, ...byField, ...ofPods, ...others]
