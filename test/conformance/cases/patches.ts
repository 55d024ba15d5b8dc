import { area, type Case, table } from '../case.js'
import { absentOwner, configMap, deployment, pod, service, widget } from './objects.js'

const operation = (op: string, path: string, more: object = {}): object => ({ op, path, ...more })

/** JSON patches of a config map with data a=1, b=2, and labels. */
const jsonPatches: Readonly<Record<string, unknown>> = {
  'add a member': [operation('add', '/data/c', { value: '3' })],
  'add over a member': [operation('add', '/data/a', { value: '3' })],
  'replace a member': [operation('replace', '/data/a', { value: '3' })],
  'replace what is not there': [operation('replace', '/data/z', { value: '3' })],
  'remove a member': [operation('remove', '/data/a')],
  'remove what is not there': [operation('remove', '/data/z')],
  'remove below what is not there': [operation('remove', '/nothing/z')],
  'add below what is not there': [operation('add', '/binaryData/z', { value: 'AAEC' })],
  'add a whole map': [operation('add', '/binaryData', { value: { z: 'AAEC' } })],
  'move a member': [operation('move', '/data/c', { from: '/data/a' })],
  'move what is not there': [operation('move', '/data/c', { from: '/data/z' })],
  'copy a member': [operation('copy', '/data/c', { from: '/data/a' })],
  'copy what is not there': [operation('copy', '/data/c', { from: '/data/z' })],
  'a test that holds': [
    operation('test', '/data/a', { value: '1' }),
    operation('replace', '/data/a', { value: '9' }),
  ],
  'a test that fails': [
    operation('test', '/data/a', { value: '2' }),
    operation('replace', '/data/a', { value: '9' }),
  ],
  'a test of what is not there': [operation('test', '/data/z', { value: '2' })],
  'a test for null of what is not there': [operation('test', '/data/z', { value: null })],
  'a test of a map': [operation('test', '/data', { value: { b: '2', a: '1' } })],
  'a test of the version': [operation('test', '/metadata/resourceVersion', { value: '1' })],
  'an escaped path': [operation('add', '/metadata/annotations/example.com~1x~0y', { value: 'v' })],
  'an escaped path into annotations that are there': [
    operation('add', '/metadata/annotations', { value: {} }),
    operation('add', '/metadata/annotations/example.com~1x', { value: 'v' }),
  ],
  'the end of a list': [operation('add', '/metadata/finalizers/-', { value: 'example.com/g' })],
  'the head of a list': [operation('add', '/metadata/finalizers/0', { value: 'example.com/g' })],
  'beyond a list': [operation('add', '/metadata/finalizers/5', { value: 'example.com/g' })],
  'a negative index': [operation('add', '/metadata/finalizers/-1', { value: 'example.com/g' })],
  'an index that is a word': [operation('add', '/metadata/finalizers/x', { value: 'example.com/g' })],
  'remove from a list': [operation('remove', '/metadata/finalizers/0')],
  'remove beyond a list': [operation('remove', '/metadata/finalizers/3')],
  'an unknown operation': [operation('swap', '/data/a', { value: '3' })],
  'no operation': [{ path: '/data/a', value: '3' }],
  'no path': [{ op: 'add', value: '3' }],
  'no value': [operation('add', '/data/c')],
  'no from': [operation('move', '/data/c')],
  'a path without a slash': [operation('add', 'data/c', { value: '3' })],
  'an empty path': [operation('replace', '', { value: {} })],
  nothing: [],
  'no list': { op: 'add', path: '/data/c', value: '3' },
  'a wrong value': [operation('add', '/data/c', { value: 3 })],
  'a wrong whole': [operation('replace', '/data', { value: [] })],
  'the name': [operation('replace', '/metadata/name', { value: 'other' })],
  'the kind': [operation('replace', '/kind', { value: 'Secret' })],
  'an unknown field': [operation('add', '/unknown', { value: 'x' })],
  'too many operations': Array.from({ length: 10_001 }, () => operation('test', '/data/a', { value: '1' })),
  null: null,
  'a text': 'text',
  'operations that are no objects': [1, 2],
}

const json = table('patches', prefixed('a JSON patch: ', jsonPatches), async (t, patch) => {
  await t.post(t.url('configmaps'), {
    ...configMap('a', { data: { a: '1', b: '2' } }),
    metadata: { name: 'a', finalizers: ['example.com/f'] },
  })
  await t.patch(t.url('configmaps', 'a'), 'json', JSON.stringify(patch))
})

const mergePatches: Readonly<Record<string, unknown>> = {
  'a member': { spec: { size: 2 } },
  'null removes': { spec: { size: null, parts: null } },
  'a list is replaced': { spec: { parts: [{ name: 'z' }], set: ['q'] } },
  'a map is merged': { spec: { labels: { b: null, c: 'd' } } },
  'a nested null in what is not there': { spec: { nested: { a: null, b: 'x' } } },
  'null within a list': { spec: { plainList: [null, 'a'] } },
  'an empty object': {},
  null: null,
  'a list': [],
  'a text': 'text',
  'a number': 5,
  'an unknown field': { spec: { unknown: 1 } },
  'a wrong type': { spec: { size: 'large' } },
  'a wrong type of an object': { spec: 'x' },
  'spec is null': { spec: null },
  'metadata is null': { metadata: null },
  'the kind is removed': { kind: null },
  'the version as a precondition': { metadata: { resourceVersion: '1' }, spec: { size: 2 } },
  'the version is removed': { metadata: { resourceVersion: null } },
  'the name is removed': { metadata: { name: null } },
  'a default is removed': { spec: { mode: null } },
  'free data': { spec: { free: { a: { b: [1, 2, { c: null }] }, d: null } } },
}

const merge = table('patches', prefixed('a merge patch: ', mergePatches), async (t, patch) => {
  await t.post(
    t.url('widgets'),
    widget(t, 'a', {
      size: 1,
      parts: [{ name: 'x' }],
      set: ['p'],
      labels: { a: 'b', b: 'c' },
      free: { a: 1 },
    }),
  )
  await t.patch(t.url('widgets', 'a'), 'merge', JSON.stringify(patch))
})

const two = [
  {
    name: 'one',
    image: 'i1',
    env: [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
    ],
    args: ['x', 'y'],
  },
  { name: 'two', image: 'i2', ports: [{ containerPort: 80, protocol: 'TCP', name: 'http' }] },
]

/** Strategic patches of the pod template of a deployment with two containers. */
const strategicPatches: Readonly<Record<string, object>> = {
  'an item is merged by its key': { containers: [{ name: 'one', image: 'i3' }] },
  'an item is added in front': { containers: [{ name: 'three', image: 'i3' }] },
  'items within items': {
    containers: [
      {
        name: 'one',
        env: [
          { name: 'A', value: '9' },
          { name: 'C', value: '3' },
        ],
      },
    ],
  },
  'a plain list is replaced': { containers: [{ name: 'one', args: ['z'] }] },
  'an item is deleted': { containers: [{ name: 'one', $patch: 'delete' }] },
  'an item that is not there is deleted': { containers: [{ name: 'nine', $patch: 'delete' }] },
  'a list is replaced': { containers: [{ $patch: 'replace' }, { name: 'three', image: 'i3' }] },
  'an item is replaced': { containers: [{ name: 'one', image: 'i9', $patch: 'replace' }] },
  'a map is replaced': { securityContext: { $patch: 'replace', runAsUser: 5 } },
  'a map is deleted': { securityContext: { $patch: 'delete' } },
  'a map is merged': { securityContext: { runAsGroup: 7 } },
  'an unknown directive': { securityContext: { $patch: 'explode' } },
  'an unknown directive in a list': { containers: [{ name: 'one', $patch: 'explode' }] },
  'a merge directive': { containers: [{ name: 'one', image: 'i4', $patch: 'merge' }] },
  'an item without its key': { containers: [{ image: 'i3' }] },
  'an item that is no object': { containers: ['x'] },
  'a list that is an object': { containers: { name: 'x' } },
  'an order': {
    containers: [{ name: 'two' }, { name: 'one' }],
    '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }],
  },
  'an order with a new item': {
    containers: [{ name: 'three', image: 'i3' }],
    '$setElementOrder/containers': [{ name: 'one' }, { name: 'three' }, { name: 'two' }],
  },
  'an order that lacks an item of the patch': {
    containers: [{ name: 'three', image: 'i3' }],
    '$setElementOrder/containers': [{ name: 'one' }, { name: 'two' }],
  },
  'an order without a patch': { '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }] },
  'deletion from a plain list': { containers: [{ name: 'one', '$deleteFromPrimitiveList/args': ['x'] }] },
  'retained keys': { securityContext: { $retainKeys: ['runAsUser'], runAsUser: 8 } },
  'retained keys that lack one': { securityContext: { $retainKeys: ['runAsGroup'], runAsUser: 8 } },
  'retained keys of a volume': { volumes: [{ name: 'v', emptyDir: {}, $retainKeys: ['name', 'emptyDir'] }] },
  'a volume by its key': { volumes: [{ name: 'v', emptyDir: {} }] },
  'a volume changes its source': { volumes: [{ name: 'v', emptyDir: {}, hostPath: null }] },
  'null removes a list': { volumes: null },
  'null removes a field': { securityContext: { runAsUser: null } },
  'ports by two keys': { containers: [{ name: 'two', ports: [{ containerPort: 80, protocol: 'UDP' }] }] },
  'ports by one key': { containers: [{ name: 'two', ports: [{ containerPort: 80, name: 'web' }] }] },
  'tolerations have no key': { tolerations: [{ key: 'b', operator: 'Exists' }] },
  'secrets by their name': { imagePullSecrets: [{ name: 'b' }] },
  'an unknown field': { unknownField: 5 },
  'a wrong type': { restartPolicy: 5 },
  'a list of texts for a set': { hostAliases: [{ ip: '1.2.3.4', hostnames: ['b'] }] },
}

const strategic = table('patches', prefixed('a strategic patch: ', strategicPatches), async (t, spec) => {
  const template = {
    metadata: { labels: { app: 'a' } },
    spec: {
      containers: two,
      securityContext: { runAsUser: 1, runAsGroup: 2 },
      volumes: [{ name: 'v', hostPath: { path: '/x' } }],
      tolerations: [{ key: 'a', operator: 'Exists' }],
      imagePullSecrets: [{ name: 'a' }],
      hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }],
    },
  }
  await t.post(t.url('deployments'), deployment('a', { template }))
  await t.patch(t.url('deployments', 'a'), 'strategic', { spec: { template: { spec } } })
})

const finalizer = (patch: object): object => ({ metadata: patch })

const others = area('patches', {
  'strategic directives in metadata': async (t) => {
    await t.post(t.url('configmaps'), {
      ...configMap('a', { data: { a: '1', b: '2' } }),
      metadata: { name: 'a', labels: { l: 'm' }, finalizers: ['example.com/a', 'example.com/b'] },
    })
    const patch = (body: object): Promise<unknown> => t.patch(t.url('configmaps', 'a'), 'strategic', body)
    await patch(finalizer({ finalizers: ['example.com/c'] }))
    await patch(finalizer({ '$deleteFromPrimitiveList/finalizers': ['example.com/a'] }))
    await patch(finalizer({ '$setElementOrder/finalizers': ['example.com/c', 'example.com/b'] }))
    await patch(
      finalizer({
        finalizers: ['example.com/d'],
        '$setElementOrder/finalizers': ['example.com/d', 'example.com/c', 'example.com/b'],
      }),
    )
    await patch({ data: { $patch: 'replace', c: '3' } })
    await patch({ data: { $patch: 'delete' } })
    await patch({ $patch: 'delete' })
    await patch({ $patch: 'replace', data: { z: '1' } })
    await patch(finalizer({ ownerReferences: [absentOwner] }))
    await patch(finalizer({ ownerReferences: [{ uid: absentOwner['uid'], $patch: 'delete' }] }))
  },
  'a strategic patch of a service': async (t) => {
    await t.post(
      t.url('services'),
      service('a', {
        ports: [
          { name: 'http', port: 80 },
          { name: 'https', port: 443 },
        ],
      }),
    )
    await t.patch(t.url('services', 'a'), 'strategic', {
      spec: {
        ports: [
          { port: 443, name: 'tls' },
          { port: 81, name: 'x' },
        ],
      },
    })
    await t.patch(t.url('services', 'a'), 'strategic', { spec: { ports: [{ port: 80, $patch: 'delete' }] } })
    await t.patch(t.url('services', 'a'), 'strategic', { spec: { selector: { $patch: 'replace', a: 'b' } } })
  },
  'a strategic patch of a widget': async (t) => {
    await t.post(t.url('widgets'), widget(t, 'a'))
    await t.patch(t.url('widgets', 'a'), 'strategic', { spec: { size: 2 } })
    await t.patch(t.url('widgets', 'a/status'), 'strategic', { status: {} })
    await t.patch(t.url('widgets', 'missing'), 'strategic', {})
  },
  'types of patches that are none': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    for (const type of [
      'application/json',
      'text/plain',
      'application/xml',
      '',
      'application/merge-patch+json; charset=utf-8',
      'application/merge-patch+yaml',
      'application/apply-patch+json',
      'nonsense',
    ])
      await t.patch(t.url('configmaps', 'a'), 'merge', '{"data":{"k":"v"}}', { 'content-type': type })
    await t.patch(t.url('widgets', 'a'), 'merge', '{}', { 'content-type': 'application/json' })
  },
  'patches that are no JSON': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    await t.post(t.url('widgets'), widget(t, 'a'))
    for (const type of ['json', 'merge', 'strategic'] as const) {
      await t.patch(t.url('configmaps', 'a'), type, '{"data":')
      await t.patch(t.url('configmaps', 'a'), type, '')
      await t.patch(t.url('widgets', 'a'), type, 'x: y')
    }
  },
  'a stale version in a patch is a conflict': async (t) => {
    const first = await t.post(t.url('configmaps'), configMap('a'))
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { k: '1' } })
    const stale = { metadata: { resourceVersion: first.version }, data: { k: '2' } }
    await t.patch(t.url('configmaps', 'a'), 'merge', stale)
    await t.patch(t.url('configmaps', 'a'), 'strategic', stale)
    await t.patch(t.url('configmaps', 'a'), 'json', [
      operation('replace', '/metadata/resourceVersion', { value: first.version }),
      operation('replace', '/data/k', { value: '3' }),
    ])
    await t.post(t.url('widgets'), widget(t, 'a'))
    await t.patch(t.url('widgets', 'a'), 'merge', {
      metadata: { resourceVersion: first.version },
      spec: { size: 3 },
    })
  },
  'options of patches': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    const patch = (query: string, type: 'merge' | 'apply' = 'merge'): Promise<unknown> =>
      t.patch(t.url('configmaps', `a?${query}`), type, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        data: { k: 'v' },
      })
    await patch('force=true')
    await patch('fieldManager=')
    await patch(`fieldManager=${'m'.repeat(129)}`)
    await patch('fieldManager=a%00b')
    await patch('fieldManager=me')
    await patch('dryRun=Some')
    await patch('dryRun=All&fieldManager=other')
    await patch('fieldValidation=Loose')
    await patch('force=maybe', 'apply')
    await patch('', 'apply')
  },
  'JSON patches of widgets': async (t) => {
    await t.post(t.url('widgets'), widget(t, 'a', { size: 1, parts: [{ name: 'x' }, { name: 'y' }] }))
    const patch = (...operations: object[]): Promise<unknown> =>
      t.patch(t.url('widgets', 'a'), 'json', operations)
    await patch(operation('replace', '/spec/parts/1/name', { value: 'z' }))
    await patch(operation('move', '/spec/parts/0', { from: '/spec/parts/1' }))
    await patch(operation('add', '/spec/parts/-', { value: { name: 'x' } }))
    await patch(operation('add', '/spec/unknown', { value: 1 }))
    await patch(operation('remove', '/spec'))
    await patch(operation('add', '/status', { value: { phase: 'x' } }))
    await patch(operation('test', '/metadata/labels', { value: null }))
    await t.patch(t.url('widgets', 'a/status'), 'json', [
      operation('add', '/status', { value: { phase: 'x' } }),
    ])
  },
  'a patch of a pod status': async (t) => {
    await t.post(t.url('pods'), pod('a'))
    const condition = (type: string, status: string): object => ({ type, status })
    const patch = (status: object): Promise<unknown> =>
      t.patch(t.url('pods', 'a/status'), 'strategic', { status })
    await patch({ phase: 'Running', conditions: [condition('Ready', 'True')] })
    await patch({ conditions: [condition('Ready', 'False'), condition('Other', 'True')] })
    await patch({ conditions: [{ type: 'Other', $patch: 'delete' }] })
    await patch({ podIPs: [{ ip: '1.2.3.4' }], podIP: '1.2.3.4' })
    await patch({ phase: 'Nonsense' })
  },
})

function prefixed<Row>(prefix: string, rows: Readonly<Record<string, Row>>): Record<string, Row> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}${name}`, row]))
}

export const patches: readonly Case[] = [...json, ...merge, ...strategic, ...others]
