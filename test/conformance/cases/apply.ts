import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import {
  configMap,
  deployment,
  metaConfigMap,
  metaWidget,
  object,
  absentOwner as owner,
  pod,
  service,
  widget,
} from './objects.js'

/** Two managers apply one after the other to a widget. */
interface TwoManagers {
  readonly first: object
  readonly second: object
  /** What the first applies again in the end. */
  readonly third?: object
}

const merging: Readonly<Record<string, TwoManagers>> = {
  'different fields': { first: { size: 1 }, second: { title: 't' }, third: {} },
  'the same field with the same value': { first: { size: 1 }, second: { size: 1 }, third: {} },
  'the same field with another value': { first: { size: 1 }, second: { size: 2 } },
  'different items of a keyed list': {
    first: { parts: [{ name: 'a' }] },
    second: { parts: [{ name: 'b' }] },
    third: { parts: [] },
  },
  'the same item of a keyed list': {
    first: { parts: [{ name: 'a', count: 1 }] },
    second: { parts: [{ name: 'a', color: 'blue' }] },
    third: { parts: [] },
  },
  'the same field of an item': {
    first: { parts: [{ name: 'a', count: 1 }] },
    second: { parts: [{ name: 'a', count: 2 }] },
  },
  'items with two keys and a default': {
    first: { ports: [{ port: 1, name: 'x' }] },
    second: { ports: [{ port: 1, protocol: 'UDP', name: 'y' }] },
    third: { ports: [{ port: 2 }] },
  },
  'different items of a set': {
    first: { set: ['a', 'b'] },
    second: { set: ['b', 'c'] },
    third: { set: ['a'] },
  },
  'an atomic list': { first: { atomicList: ['a'] }, second: { atomicList: ['b'] } },
  'an atomic list of the same items': {
    first: { atomicList: ['a'] },
    second: { atomicList: ['a'] },
    third: {},
  },
  'a list without a type': { first: { plainList: ['a'] }, second: { plainList: ['b'] } },
  'a map': { first: { labels: { a: '1' } }, second: { labels: { b: '2' } }, third: { labels: {} } },
  'an atomic map': { first: { atomicMap: { a: '1' } }, second: { atomicMap: { b: '2' } } },
  'a nested object': {
    first: { nested: { a: '1' } },
    second: { nested: { b: '2', deeper: { c: 3 } } },
    third: { nested: {} },
  },
  'an atomic object': { first: { atomicObject: { a: '1' } }, second: { atomicObject: { b: '2' } } },
  'free data': {
    first: { free: { a: { x: 1 } } },
    second: { free: { a: { y: 2 }, b: [1] } },
    third: { free: {} },
  },
  'free data with a conflict': { first: { free: { a: [1] } }, second: { free: { a: [2] } } },
  'a number or a text': { first: { port: 80 }, second: { port: 'http' } },
  null: { first: { note: null }, second: { note: 'n' }, third: { note: 'n' } },
  'nothing at all': { first: {}, second: {}, third: {} },
  'a default': { first: { mode: 'slow' }, second: { mode: 'fast' }, third: {} },
}

const ofTwo = table('apply', prefixed('two managers of ', merging), async (t, { first, second, third }) => {
  const url = t.url('widgets', 'a')
  await t.apply(url, 'one', widget(t, 'a', { ...first }))
  await t.apply(url, 'two', widget(t, 'a', { ...second }))
  await t.apply(`${url}?force=true`, 'two', widget(t, 'a', { ...second }))
  if (third !== undefined) await t.apply(url, 'one', widget(t, 'a', { ...third }))
  await t.apply(url, 'two', widget(t, 'a'))
  await t.get(url)
})

/** Widgets that cannot be applied. */
const invalid: Readonly<Record<string, (t: Conversation) => unknown>> = {
  'a wrong type': (t) => widget(t, 'a', { size: 'large' }),
  'a value out of bounds': (t) => widget(t, 'a', { size: 5000 }),
  'an unknown field': (t) => widget(t, 'a', { unknown: 1 }),
  'a key that is missing': (t) => widget(t, 'a', { parts: [{ count: 1 }] }),
  'a key that appears twice': (t) => widget(t, 'a', { parts: [{ name: 'a' }, { name: 'a' }] }),
  'an item of a set that appears twice': (t) => widget(t, 'a', { set: ['a', 'a'] }),
  'a text for a list': (t) => widget(t, 'a', { parts: 'x' }),
  'an item that is null': (t) => widget(t, 'a', { parts: [null] }),
  'managed fields': (t) => metaWidget(t, { name: 'a', managedFields: [{ manager: 'm' }] }),
  'managed fields that are empty': (t) => metaWidget(t, { name: 'a', managedFields: [] }),
  'a stale version': (t) => metaWidget(t, { name: 'a', resourceVersion: '1' }, { spec: { size: 2 } }),
  'a version that is no number': (t) => metaWidget(t, { name: 'a', resourceVersion: 'x' }),
  'another uid': (t) => metaWidget(t, { name: 'a', uid: '00000000-0000-4000-8000-000000000000' }),
  'another name': (t) => widget(t, 'b'),
  'no name': (t) => metaWidget(t, {}),
  'another namespace': (t) => metaWidget(t, { name: 'a', namespace: 'other' }),
  'another kind': (t) => object(`${t.group}/v1`, 'Gadget', 'a'),
  'another version': (t) => object(`${t.group}/v2`, 'Widget', 'a'),
  'no kind': (t) => ({ apiVersion: `${t.group}/v1`, metadata: { name: 'a' } }),
  'no apiVersion': () => ({ kind: 'Widget', metadata: { name: 'a' } }),
  'a text': () => '"text"',
  'a list': () => '[]',
  nothing: () => '',
  null: () => 'null',
  'no YAML': () => 'a: b: c',
  'two documents': (t) => `apiVersion: ${t.group}/v1\nkind: Widget\nmetadata: {name: a}\n---\na: b\n`,
  'a tab': () => '\tapiVersion: v1',
  'a status': (t) => ({ ...widget(t, 'a'), status: { phase: 'x' } }),
  'a finalizer that is none': (t) => metaWidget(t, { name: 'a', finalizers: ['not ok'] }),
  'a label that is none': (t) => metaWidget(t, { name: 'a', labels: { 'not ok': 'x' } }),
  'a generateName': (t) => metaWidget(t, { name: 'a', generateName: 'a-' }),
}

const refused = table('apply', prefixed('a widget with ', invalid), async (t, make) => {
  await t.apply(t.url('widgets', 'a'), 'one', make(t))
  await t.quietly({
    method: 'POST',
    path: t.url('widgets'),
    headers: { 'content-type': 'application/json' },
    body: widget(t, 'a', { size: 1 }),
  })
  await t.apply(t.url('widgets', 'a'), 'one', make(t))
})

const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `m${index + 10}`)

const others = area('apply', {
  'a config map is made, kept and changed': async (t) => {
    const url = t.url('configmaps', 'a')
    await t.apply(url, 'me', configMap('a', { data: { k: 'v' } }))
    await t.apply(url, 'me', configMap('a', { data: { k: 'v' } }))
    await t.apply(url, 'me', configMap('a', { data: { k: 'w', l: 'x' } }))
    await t.apply(url, 'me', configMap('a', { data: { l: 'x' } }))
    await t.apply(url, 'me', configMap('a'))
  },
  'YAML, with comments and anchors': async (t) => {
    const yaml = `# a comment
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
  labels: &l {x: "y"}
data:
  multi: |
    one
    two
  number: "5"
  folded: >-
    one
    two
`
    await t.apply(t.url('configmaps', 'a'), 'me', yaml)
    await t.apply(t.url('configmaps', 'b'), 'me', yaml.replace('name: a', 'name: b').replace('"5"', '5'))
    await t.apply(t.url('configmaps', 'c'), 'me', yaml.replace('name: a', 'name: c').replace('"5"', 'yes'))
  },
  'what another made by put conflicts, and is taken by force': async (t) => {
    await t.post(t.url('configmaps'), configMap('a', { data: { k: 'v', l: 'm' } }))
    const url = t.url('configmaps', 'a')
    await t.apply(url, 'me', configMap('a', { data: { k: 'w' } }))
    await t.apply(url, 'me', configMap('a', { data: { k: 'v' } }))
    await t.apply(url, 'me', configMap('a', { data: { k: 'w' } }))
    await t.apply(`${url}?force=true`, 'me', configMap('a', { data: { k: 'w' } }))
    await t.patch(url, 'merge', { data: { k: 'z' } })
    await t.apply(url, 'me', configMap('a', { data: { k: 'w' } }))
  },
  'the owner of a field changes': async (t) => {
    const url = t.url('deployments', 'a')
    await t.apply(url, 'one', deployment('a', { replicas: 0 }))
    await t.patch(t.url('deployments', 'a/scale?fieldManager=scaler'), 'merge', { spec: { replicas: 3 } })
    await t.apply(url, 'one', deployment('a', { replicas: 0 }))
    const { replicas: _replicas, ...spec } = deployment('a')['spec'] as Record<string, unknown> // made three files from here
    await t.apply(url, 'one', object('apps/v1', 'Deployment', 'a', { spec }))
    await t.get(t.url('deployments', 'a/scale'))
  },
  "a deployment: defaults are nobody's": async (t) => {
    const url = t.url('deployments', 'a')
    await t.apply(url, 'one', deployment('a'))
    await t.apply(url, 'one', deployment('a'))
    await t.apply(url, 'two', object('apps/v1', 'Deployment', 'a', { spec: { minReadySeconds: 3 } }))
    await t.apply(url, 'two', object('apps/v1', 'Deployment', 'a'))
  },
  'a deployment: containers, env and ports by their keys': async (t) => {
    const url = t.url('deployments', 'a')
    const spec = (containers: readonly object[]): object => ({
      template: { metadata: { labels: { app: 'a' } }, spec: { containers } },
    })
    await t.apply(
      url,
      'one',
      deployment('a', {
        ...spec([
          { name: 'main', image: 'i', env: [{ name: 'A', value: '1' }], ports: [{ containerPort: 80 }] },
        ]),
      }),
    )
    const side = (containers: readonly object[]): object =>
      object('apps/v1', 'Deployment', 'a', { spec: { template: { spec: { containers } } } })
    await t.apply(url, 'two', side([{ name: 'side', image: 'j' }]))
    await t.apply(url, 'three', side([{ name: 'main', env: [{ name: 'B', value: '2' }] }]))
    await t.apply(url, 'four', side([{ name: 'main', env: [{ name: 'A', value: '3' }] }]))
    await t.apply(url, 'five', side([{ name: 'main', ports: [{ containerPort: 80, protocol: 'UDP' }] }]))
    await t.apply(url, 'one', deployment('a'))
    await t.apply(url, 'two', side([]))
  },
  'a service: ports by two keys, and duplicates': async (t) => {
    const url = t.url('services', 'a')
    await t.apply(url, 'one', service('a', { ports: [{ port: 80 }] }))
    await t.apply(url, 'two', service('a', { ports: [{ port: 80, protocol: 'UDP', name: 'u' }] }))
    await t.apply(
      url,
      'two',
      service('a', {
        ports: [
          { port: 81, name: 'x' },
          { port: 81, name: 'y' },
        ],
      }),
    )
  },
  'a pod: what cannot be changed': async (t) => {
    const url = t.url('pods', 'a')
    await t.apply(url, 'one', pod('a'))
    await t.apply(url, 'one', pod('a', { hostNetwork: true }))
    await t.apply(url, 'one', pod('a', { containers: [{ name: 'main', image: 'other' }] }))
  },
  'labels, annotations, finalizers and owners': async (t) => {
    const url = t.url('configmaps', 'a')
    await t.apply(
      url,
      'one',
      metaConfigMap({
        name: 'a',
        labels: { a: '1' },
        finalizers: ['example.com/a'],
        ownerReferences: [owner],
      }),
    )
    await t.apply(
      url,
      'two',
      metaConfigMap({
        name: 'a',
        labels: { b: '2' },
        finalizers: ['example.com/b'],
        annotations: { x: 'y' },
      }),
    )
    await t.apply(url, 'two', metaConfigMap({ name: 'a', ownerReferences: [{ ...owner, controller: true }] }))
    await t.apply(url, 'one', metaConfigMap({ name: 'a' }))
    await t.apply(url, 'two', metaConfigMap({ name: 'a' }))
  },
  'the status of a widget': async (t) => {
    await t.apply(t.url('widgets', 'a'), 'one', { ...widget(t, 'a', { size: 1 }), status: { phase: 'x' } })
    await t.apply(t.url('widgets', 'a/status'), 'one', {
      ...widget(t, 'a', { size: 2 }),
      status: { phase: 'y' },
    })
    await t.apply(t.url('widgets', 'a/status'), 'two', {
      ...widget(t, 'a'),
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    })
    await t.apply(t.url('widgets', 'a/status'), 'two', { ...widget(t, 'a'), status: { phase: 'z' } })
    await t.apply(t.url('widgets', 'a/status?force=true'), 'two', {
      ...widget(t, 'a'),
      status: { phase: 'z' },
    })
    await t.apply(t.url('widgets', 'a'), 'one', widget(t, 'a', { size: 1 }))
    await t.apply(t.url('widgets', 'missing/status'), 'two', {
      ...widget(t, 'missing'),
      status: { phase: 'z' },
    })
  },
  'the status of a pod and a deployment': async (t) => {
    await t.post(t.url('deployments'), deployment('a'))
    const status = (fields: object): object => object('apps/v1', 'Deployment', 'a', { status: fields })
    await t.apply(
      t.url('deployments', 'a/status'),
      'one',
      status({ observedGeneration: 1, conditions: [{ type: 'Available', status: 'True' }] }),
    )
    await t.apply(
      t.url('deployments', 'a/status'),
      'two',
      status({ conditions: [{ type: 'Progressing', status: 'True' }] }),
    )
    await t.apply(t.url('deployments', 'a/status'), 'two', status({ conditions: [] }))
    await t.post(t.url('pods'), pod('a'))
    await t.apply(
      t.url('pods', 'a/status'),
      'one',
      object('v1', 'Pod', 'a', {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      }),
    )
  },
  'the scale of a widget': async (t) => {
    await t.apply(t.url('widgets', 'a'), 'one', widget(t, 'a', { replicas: 1 }))
    const scale = (replicas: number): object => object('autoscaling/v1', 'Scale', 'a', { spec: { replicas } })
    await t.apply(t.url('widgets', 'a/scale'), 'two', scale(2))
    await t.apply(t.url('widgets', 'a/scale?force=true'), 'two', scale(2))
    await t.get(t.url('widgets', 'a'))
    await t.apply(t.url('widgets', 'a'), 'one', widget(t, 'a', { replicas: 1 }))
  },
  'no more than ten managers that update': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    for (const manager of many(12))
      await t.patch(t.url('configmaps', `a?fieldManager=${manager}`), 'merge', { data: { [manager]: 'x' } })
    await t.get(t.url('configmaps', 'a'))
  },
  'any number of managers that apply': async (t) => {
    for (const manager of many(12))
      await t.apply(t.url('configmaps', 'a'), manager, configMap('a', { data: { [manager]: 'x' } }))
    await t.get(t.url('configmaps', 'a'))
  },
  'managed fields are reset by an empty entry': async (t) => {
    await t.apply(t.url('configmaps', 'a'), 'one', configMap('a', { data: { k: 'v' } }))
    await t.patch(t.url('configmaps', 'a'), 'merge', { metadata: { managedFields: [{}] } })
    await t.apply(t.url('configmaps', 'a'), 'one', configMap('a', { data: { k: 'w' } }))
    await t.patch(t.url('configmaps', 'a?fieldManager=x'), 'merge', { data: { z: 'z' } })
  },
  'a dry run': async (t) => {
    await t.apply(t.url('configmaps', 'a?dryRun=All'), 'one', configMap('a', { data: { k: 'v' } }))
    await t.get(t.url('configmaps', 'a'))
    await t.apply(t.url('configmaps', 'a'), 'one', configMap('a', { data: { k: 'v' } }))
    await t.apply(t.url('configmaps', 'a?dryRun=All'), 'two', configMap('a', { data: { k: 'w' } }))
    await t.apply(t.url('configmaps', 'a?dryRun=All&force=true'), 'two', configMap('a', { data: { k: 'w' } }))
    await t.get(t.url('configmaps', 'a'))
  },
  'another version of a kind': async (t) => {
    const gizmo = (version: string, spec: object): object =>
      object(`${t.group}/${version}`, 'Gizmo', 'a', { spec })
    await t.apply(t.url('gizmos', 'a'), 'one', gizmo('v1', { shared: 's', fresh: 'f' }))
    await t.apply(t.url('gizmos.v1beta1', 'a'), 'two', gizmo('v1beta1', { stale: 'x' }))
    await t.apply(t.url('gizmos.v1beta1', 'a'), 'two', gizmo('v1beta1', { shared: 't' }))
    await t.apply(t.url('gizmos.v1beta1', 'a?force=true'), 'one', gizmo('v1beta1', { shared: 't' }))
    await t.get(t.url('gizmos', 'a'))
  },
  'managers without a name': async (t) => {
    await t.patch(t.url('configmaps', 'a'), 'apply', configMap('a'))
    await t.apply(t.url('configmaps', 'a'), '', configMap('a'))
    await t.apply(t.url('configmaps', 'a'), 'x'.repeat(129), configMap('a'))
    await t.apply(t.url('configmaps', 'a'), '%01', configMap('a'))
    await t.apply(t.url('configmaps', 'a'), 'x'.repeat(128), configMap('a'))
    await t.post(t.url('configmaps'), configMap('b'), {
      'user-agent': 'kubectl/v1.2.3 (linux/amd64) kubernetes/abc',
    })
    await t.post(t.url('configmaps'), configMap('c'), { 'user-agent': '' })
    await t.post(t.url('configmaps'), configMap('d'), { 'user-agent': 'no-slash' })
    await t.post(t.url('configmaps'), configMap('e'), { 'user-agent': `${'long'.repeat(50)}/1` })
    await t.post(t.url('configmaps'), configMap('f'), { 'user-agent': 'Mozilla/5.0 (X11)' })
  },
  'apply creates where put cannot': async (t) => {
    await t.apply(t.url('widgets', 'a'), 'one', widget(t, 'a'))
    await t.apply(
      t.url('gadgets', `${t.tag}-a`),
      'one',
      object(`${t.group}/v1`, 'Gadget', `${t.tag}-a`, { any: { thing: [1] } }),
    )
    await t.apply(t.urlIn(`${t.tag}-missing`, 'widgets', 'a'), 'one', widget(t, 'a'))
    await t.apply(t.url('namespaces', `${t.tag}-new`), 'one', object('v1', 'Namespace', `${t.tag}-new`))
  },
  'an update between keeps the times of others': async (t) => {
    await t.apply(t.url('widgets', 'a'), 'one', widget(t, 'a', { set: ['a'], labels: { x: '1' } }))
    await t.patch(t.url('widgets', 'a?fieldManager=two'), 'merge', {
      spec: { labels: { x: '2', y: '3' }, set: ['a', 'b'] },
    })
    await t.patch(t.url('widgets', 'a?fieldManager=two'), 'merge', {
      spec: { labels: { y: null }, set: ['b'] },
    })
    await t.patch(t.url('widgets', 'a?fieldManager=three'), 'merge', { spec: null })
  },
  'the last applied configuration of kubectl': async (t) => {
    const last = JSON.stringify(configMap('a', { data: { k: 'v' } }))
    await t.post(
      t.url('configmaps'),
      metaConfigMap(
        { name: 'a', annotations: { 'kubectl.kubernetes.io/last-applied-configuration': last } },
        { data: { k: 'v' } },
      ),
    )
    await t.apply(t.url('configmaps', 'a'), 'kubectl', metaConfigMap({ name: 'a' }, { data: { k: 'w' } }))
    await t.apply(
      t.url('configmaps', 'a?force=true'),
      'kubectl',
      metaConfigMap({ name: 'a' }, { data: { k: 'w' } }),
    )
  },
})

// Go visits the managers at random.
const inAnyOrder = area(
  'apply',
  {
    'several conflicts at once': async (t) => {
      const url = t.url('configmaps', 'a')
      await t.apply(url, 'one', metaConfigMap({ name: 'a', labels: { l: '1' } }, { data: { k: '1' } }))
      await t.apply(url, 'two', metaConfigMap({ name: 'a', annotations: { n: '1' } }))
      await t.patch(`${url}?fieldManager=three`, 'merge', { data: { z: '1' } })
      await t.apply(
        url,
        'four',
        metaConfigMap(
          { name: 'a', labels: { l: '2' }, annotations: { n: '2' } },
          { data: { k: '2', z: '2' } },
        ),
      )
    },
  },
  { anyOrderOfCauses: true },
)

function prefixed<Row>(prefix: string, rows: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}${name}`, row]))
}

export const applies: readonly Case[] = [...ofTwo, ...refused, ...others, ...inAnyOrder]
