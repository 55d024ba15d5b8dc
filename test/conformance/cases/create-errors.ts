import { area, type Case, table } from '../case.js'
import { configMap, gadget, metaConfigMap, metaWidget, object, pod, widget } from './objects.js'

const zeroUid = '00000000-0000-4000-8000-000000000000'
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: zeroUid }
const long = (length: number): string => 'a'.repeat(length)

/** Metadata that a creator may send; most of it is refused or ignored. */
const metadata: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'no name': {},
  'an empty name': { name: '' },
  'a name with capitals': { name: 'Upper' },
  'a name with an underscore': { name: 'under_score' },
  'a name with a slash': { name: 'a/b' },
  'a name with a percent sign': { name: 'a%b' },
  'a name that is a dot': { name: '.' },
  'a name that is two dots': { name: '..' },
  'a name that begins with a dash': { name: '-a' },
  'a name that ends with a dot': { name: 'a.' },
  'a name with two dots in a row': { name: 'a..b' },
  'a name of 253 characters': { name: long(253) },
  'a name of 254 characters': { name: long(254) },
  'a name with an umlaut': { name: 'übel' },
  'a name with a control character': { name: 'a\nb' },
  'a name and a generateName': { name: 'both', generateName: 'prefix-' },
  'a generateName': { generateName: 'prefix-' },
  'a generateName with capitals': { generateName: 'Upper-' },
  'a generateName that is too long': { generateName: `${long(300)}-` },
  'a generateName without a dash': { generateName: 'prefix' },
  'another namespace': { name: 'a', namespace: 'another' },
  'a namespace that is no name': { name: 'a', namespace: 'No_Name' },
  'a resourceVersion': { name: 'a', resourceVersion: '12' },
  'a resourceVersion of zero': { name: 'a', resourceVersion: '0' },
  'a resourceVersion that is no number': { name: 'a', resourceVersion: 'x' },
  'a uid': { name: 'a', uid: zeroUid },
  'a creationTimestamp': { name: 'a', creationTimestamp: '2001-01-01T00:00:00Z' },
  'a deletionTimestamp': {
    name: 'a',
    deletionTimestamp: '2001-01-01T00:00:00Z',
    deletionGracePeriodSeconds: 3,
  },
  'a generation': { name: 'a', generation: 7 },
  'a selfLink': { name: 'a', selfLink: '/somewhere' },
  'a wrong label key': { name: 'a', labels: { 'not ok': 'v' } },
  'an empty label key': { name: 'a', labels: { '': 'v' } },
  'a label key with two slashes': { name: 'a', labels: { 'a/b/c': 'v' } },
  'a label key with an empty prefix': { name: 'a', labels: { '/b': 'v' } },
  'a label key with a wrong prefix': { name: 'a', labels: { 'UP_/b': 'v' } },
  'a label key that is too long': { name: 'a', labels: { [long(64)]: 'v' } },
  'a label value that is too long': { name: 'a', labels: { k: long(64) } },
  'a label value with a space': { name: 'a', labels: { k: 'a b' } },
  'a label value that is a number': { name: 'a', labels: { k: 1 } },
  'a label value that is null': { name: 'a', labels: { k: null } },
  'labels that are a list': { name: 'a', labels: ['a'] },
  'a wrong annotation key': { name: 'a', annotations: { 'not ok': 'v' } },
  'an annotation key with capitals': { name: 'a', annotations: { 'Example.com/Key': 'v' } },
  'annotations that are too large': { name: 'a', annotations: { k: long(262_145) } },
  'annotations of the largest size': { name: 'a', annotations: { k: long(262_143) } },
  'an unqualified finalizer': { name: 'a', finalizers: ['mine'] },
  'a wrong finalizer': { name: 'a', finalizers: ['not ok'] },
  'an empty finalizer': { name: 'a', finalizers: [''] },
  'a finalizer': { name: 'a', finalizers: ['example.com/f'] },
  'a finalizer twice': { name: 'a', finalizers: ['example.com/f', 'example.com/f'] },
  'two contradicting finalizers': { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] },
  'an owner': { name: 'a', ownerReferences: [{ ...owner, kind: 'Node' }] },
  'an owner without uid': { name: 'a', ownerReferences: [{ ...owner, uid: '' }] },
  'an owner without name': { name: 'a', ownerReferences: [{ ...owner, name: '' }] },
  'an owner without kind': { name: 'a', ownerReferences: [{ ...owner, kind: '' }] },
  'an owner without apiVersion': { name: 'a', ownerReferences: [{ ...owner, apiVersion: '' }] },
  'an owner with a wrong apiVersion': { name: 'a', ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] },
  'an owner that is an event': { name: 'a', ownerReferences: [{ ...owner, kind: 'Event' }] },
  'two controllers': {
    name: 'a',
    ownerReferences: [
      { ...owner, controller: true },
      { ...owner, name: 'second', uid: '11111111-0000-4000-8000-000000000000', controller: true },
    ],
  },
  'the same owner twice': { name: 'a', ownerReferences: [owner, owner] },
  'managed fields of its own': {
    name: 'a',
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': {} },
      },
    ],
  },
  'managed fields with a wrong operation': {
    name: 'a',
    managedFields: [
      { manager: 'm', operation: 'Steal', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
    ],
  },
  'managed fields with a wrong type': {
    name: 'a',
    managedFields: [
      { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV2', fieldsV1: {} },
    ],
  },
  'managed fields with a wrong path': {
    name: 'a',
    managedFields: [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'x:y': {} },
      },
    ],
  },
  'an unknown field': { name: 'a', unknown: 'x' },
}

// Dry run: the same checks, and nothing is left behind in the namespace that all share.
const ofConfigMaps = table(
  'create errors',
  named('a config map with', metadata),
  async (t, row) => void (await t.post(t.url('configmaps', '?dryRun=All'), metaConfigMap(row))),
  { namespace: 'shared' },
)

const ofWidgets = table(
  'create errors',
  named('a widget with', metadata),
  async (t, row) => void (await t.post(t.url('widgets', '?dryRun=All'), metaWidget(t, row))),
  { namespace: 'shared' },
)

function named<Row>(prefix: string, rows: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix} ${name}`, row]))
}

/** Names that one kind allows and another does not. */
const names = ['a.b', 'a_b', 'A', '1a', 'a-1', 'system:a', 'a:b', long(64), 'a b', '1', 'a/b', '%41']
const kindsOfNames: Readonly<Record<string, (name: string) => [resource: string, object: object]>> = {
  pod: (name) => ['pods', pod(name)],
  service: (name) => ['services', object('v1', 'Service', name, { spec: { ports: [{ port: 80 }] } })],
  'service account': (name) => ['serviceaccounts', object('v1', 'ServiceAccount', name)],
  secret: (name) => ['secrets', object('v1', 'Secret', name)],
  role: (name) => ['roles', object('rbac.authorization.k8s.io/v1', 'Role', name, { rules: [] })],
  lease: (name) => ['leases', object('coordination.k8s.io/v1', 'Lease', name)],
  namespace: (name) => ['namespaces', object('v1', 'Namespace', name)],
  'cluster role': (name) => [
    'clusterroles',
    object('rbac.authorization.k8s.io/v1', 'ClusterRole', name, { rules: [] }),
  ],
  'priority class': (name) => [
    'priorityclasses',
    object('scheduling.k8s.io/v1', 'PriorityClass', name, { value: 1 }),
  ],
  'storage class': (name) => [
    'storageclasses',
    object('storage.k8s.io/v1', 'StorageClass', name, { provisioner: 'example.com/p' }),
  ],
}

const ofNames = table(
  'create errors',
  Object.fromEntries(Object.entries(kindsOfNames).map(([kind, make]) => [`the names of a ${kind}`, make])),
  async (t, make) => {
    for (const name of names) {
      const [resource, body] = make(name)
      await t.post(t.url(resource, '?dryRun=All'), body)
    }
  },
  { namespace: 'shared' },
)

const others = area(
  'create errors',
  {
    'a name that differs from the path': async (t) => {
      await t.put(t.url('configmaps', 'a'), configMap('b'))
      await t.put(t.url('widgets', 'a'), widget(t, 'b'))
      await t.put(t.url('configmaps', 'a'), metaConfigMap({}))
      await t.put(t.url('configmaps', 'a'), metaConfigMap({ name: 'a', namespace: 'other' }))
      await t.put(t.url('widgets', 'a'), metaWidget(t, { name: 'a', namespace: 'other' }))
    },
    'a post to an object': async (t) => {
      const name = `${t.tag}-a`
      await t.post(t.url('configmaps', name), configMap(name))
      await t.post(t.url('widgets', name), widget(t, name))
    },
    'a namespace on what has none': async (t) => {
      await t.post(t.url('gadgets', '?dryRun=All'), {
        ...gadget(t, 'x'),
        metadata: { name: `${t.tag}-x`, namespace: 'somewhere' },
      })
      await t.post(t.url('clusterroles', '?dryRun=All'), {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: `${t.tag}-x`, namespace: 'somewhere' },
        rules: [],
      })
      await t.post(t.url('namespaces', '?dryRun=All'), {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: `${t.tag}-x`, namespace: 'somewhere' },
      })
    },
    'a post without a namespace': async (t) => {
      await t.post('/api/v1/configmaps', configMap('a'))
      await t.post(`/apis/${t.group}/v1/widgets`, widget(t, 'a'))
      await t.post('/api/v1/configmaps', metaConfigMap({ name: 'a', namespace: t.namespace }))
      await t.post('/apis/apps/v1/deployments', object('apps/v1', 'Deployment', 'a'))
    },
    'a namespace that is not there': async (t) => {
      await t.post(t.urlIn(`${t.tag}-missing`, 'configmaps'), configMap('a'))
      await t.post(t.urlIn(`${t.tag}-missing`, 'widgets'), widget(t, 'a'))
      await t.post(t.urlIn(`${t.tag}-missing`, 'configmaps', '?dryRun=All'), configMap('a'))
      await t.post(t.urlIn(`${t.tag}-missing`, 'pods'), pod('a'))
    },
    'what is there already': async (t) => {
      await t.post(t.url('configmaps'), configMap(`${t.tag}-a`))
      await t.post(t.url('configmaps'), configMap(`${t.tag}-a`))
      await t.post(t.url('configmaps', '?dryRun=All'), configMap(`${t.tag}-a`))
      await t.post(t.url('widgets'), widget(t, `${t.tag}-a`))
      await t.post(t.url('widgets'), widget(t, `${t.tag}-a`, { size: 3 }))
      await t.post(t.url('widgets', '?dryRun=All'), widget(t, `${t.tag}-a`))
    },
    'a generated name of a secret, a pod and a gadget': async (t) => {
      const generated = { metadata: { generateName: `${t.tag}-` } }
      await t.post(t.url('secrets'), { apiVersion: 'v1', kind: 'Secret', ...generated })
      await t.post(t.url('pods', '?dryRun=All'), { ...pod(''), ...generated })
      await t.post(t.url('gadgets', '?dryRun=All'), { ...gadget(t, ''), ...generated })
      await t.post(t.url('gadgets', '?dryRun=All'), { ...gadget(t, ''), metadata: {} })
    },
    'no metadata at all': async (t) => {
      await t.post(t.url('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap' })
      await t.post(t.url('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: null })
      await t.post(t.url('widgets'), { apiVersion: `${t.group}/v1`, kind: 'Widget' })
      await t.post(t.url('widgets'), { apiVersion: `${t.group}/v1`, kind: 'Widget', metadata: null })
      await t.post(t.url('widgets'), { apiVersion: `${t.group}/v1`, kind: 'Widget', metadata: 'x' })
      await t.post(t.url('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: [] })
    },
  },
  { namespace: 'shared' },
)

export const createErrors: readonly Case[] = [...ofConfigMaps, ...ofWidgets, ...ofNames, ...others]
