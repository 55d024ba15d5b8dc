import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import {
  configMap,
  deployment,
  metaConfigMap,
  metaWidget,
  object,
  pod,
  podTemplate,
  service,
  widget,
} from './objects.js'

const levels = ['Strict', 'Warn', 'Ignore', '', 'Loose'] as const

interface Odd {
  readonly resource: string
  /** Data, or a text where keys are to appear twice. */
  readonly make: (t: Conversation) => unknown
}

const odd: Readonly<Record<string, Odd>> = {
  'an unknown field of a config map': { resource: 'configmaps', make: () => configMap('a', { unknown: 1 }) },
  'an unknown field of metadata': {
    resource: 'configmaps',
    make: () => metaConfigMap({ name: 'a', unknown: 1 }),
  },
  'unknown fields of a deployment': {
    resource: 'deployments',
    make: () =>
      deployment('a', {
        unknown: 1,
        template: {
          metadata: { labels: { app: 'a' } },
          spec: {
            containers: [{ name: 'c', image: 'i', unknown: 2, ports: [{ containerPort: 80, x: 1 }] }],
            strange: { a: 1 },
          },
        },
      }),
  },
  'an unknown field of a pod': {
    resource: 'pods',
    make: () => pod('a', { Containers: [], hostNetWork: true }),
  },
  'a field in other letters': {
    resource: 'services',
    make: () => service('a', { ports: [{ Port: 80, port: 81 }] }),
  },
  'a key of a config map twice': {
    resource: 'configmaps',
    make: () => '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}',
  },
  'fields of a config map twice': {
    resource: 'configmaps',
    make: () =>
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"b"},"data":{"a":"1"},"data":{"b":"2"},"x":1}',
  },
  'an unknown field of a widget': { resource: 'widgets', make: (t) => widget(t, 'a', { unknown: 1 }) },
  'many unknown fields of a widget': {
    resource: 'widgets',
    make: (t) => ({
      ...widget(t, 'a', {
        unknown: 1,
        parts: [{ name: 'x', y: 1 }],
        nested: { z: 1, deeper: { w: 1 } },
        free: { any: 1 },
      }),
      top: 1,
    }),
  },
  'an unknown field of metadata of a widget': {
    resource: 'widgets',
    make: (t) => metaWidget(t, { name: 'a', unknown: 1 }),
  },
  'a key of a widget twice': {
    resource: 'widgets',
    make: (t) =>
      `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2,"parts":[{"name":"x","name":"y"}]}}`,
  },
  'an unknown and a wrong field': {
    resource: 'widgets',
    make: (t) => widget(t, 'a', { unknown: 1, size: 'x' }),
  },
  'an unknown field of a gadget, which keeps all': {
    resource: 'gadgets',
    make: (t) => object(`${t.group}/v1`, 'Gadget', `${t.tag}-a`, { unknown: 1 }),
  },
  'an unknown field of a definition': {
    resource: 'customresourcedefinitions',
    make: (t) =>
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `xs.${t.tag}.example.com`, {
        spec: {
          group: `${t.tag}.example.com`,
          unknown: 1,
          scope: 'Cluster',
          names: { plural: 'xs', kind: 'X', y: 1 },
          versions: [
            {
              name: 'v1',
              served: false,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', nonsense: 1 } },
            },
          ],
        },
      }),
  },
  'nothing odd': { resource: 'configmaps', make: () => configMap('a') },
}

const created = table(
  'field validation',
  Object.fromEntries(Object.entries(odd).map(([name, row]) => [`created: ${name}`, row])),
  async (t, { resource, make }) => {
    for (const level of levels) await t.post(t.url(resource, `?dryRun=All&fieldValidation=${level}`), make(t))
    await t.post(t.url(resource, '?dryRun=All'), make(t))
  },
)

const others = area('field validation', {
  'YAML with unknown and double keys': async (t) => {
    const yaml =
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\nunknown: 1\n'
    const type = { 'content-type': 'application/yaml' }
    for (const level of levels)
      await t.post(t.url('configmaps', `?dryRun=All&fieldValidation=${level}`), yaml, type)
  },
  'YAML of a widget with unknown and double keys': async (t) => {
    const yaml = `apiVersion: ${t.group}/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 1\n  size: 2\n  unknown: 1\n`
    const type = { 'content-type': 'application/yaml' }
    for (const level of levels)
      await t.post(t.url('widgets', `?dryRun=All&fieldValidation=${level}`), yaml, type)
  },
  'puts and patches of a config map': async (t) => {
    await t.post(t.url('configmaps'), configMap('a', { data: { k: 'v' } }))
    for (const level of levels) {
      await t.put(t.url('configmaps', `a?fieldValidation=${level}`), configMap('a', { unknown: 1 }))
      await t.patch(t.url('configmaps', `a?fieldValidation=${level}`), 'merge', { unknown: 1 })
      await t.patch(t.url('configmaps', `a?fieldValidation=${level}`), 'merge', '{"data":{"k":"1","k":"2"}}')
      await t.patch(t.url('configmaps', `a?fieldValidation=${level}`), 'json', [
        { op: 'add', path: '/unknown', value: 1 },
      ])
      await t.patch(
        t.url('configmaps', `a?fieldValidation=${level}`),
        'json',
        '[{"op":"add","op":"add","path":"/data/x","value":"1","more":2}]',
      )
      await t.patch(t.url('configmaps', `a?fieldValidation=${level}`), 'strategic', {
        unknown: 1,
        metadata: { strange: 2 },
      })
    }
  },
  'puts and patches of a widget': async (t) => {
    const created = await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    for (const level of levels) {
      await t.put(
        t.url('widgets', `a?dryRun=All&fieldValidation=${level}`),
        metaWidget(t, { name: 'a', resourceVersion: created.version }, { spec: { unknown: 1 } }),
      )
      await t.patch(t.url('widgets', `a?dryRun=All&fieldValidation=${level}`), 'merge', {
        spec: { unknown: 1 },
      })
      await t.patch(
        t.url('widgets', `a?dryRun=All&fieldValidation=${level}`),
        'merge',
        '{"spec":{"size":1,"size":2}}',
      )
      await t.patch(t.url('widgets', `a?dryRun=All&fieldValidation=${level}`), 'json', [
        { op: 'add', path: '/spec/unknown', value: 1 },
      ])
    }
  },
  apply: async (t) => {
    for (const level of levels) {
      await t.apply(
        t.url('configmaps', `a?dryRun=All&fieldValidation=${level}`),
        'me',
        configMap('a', { unknown: 1 }),
      )
      await t.apply(
        t.url('widgets', `a?dryRun=All&fieldValidation=${level}`),
        'me',
        widget(t, 'a', { unknown: 1 }),
      )
      await t.apply(
        t.url('widgets', `a?dryRun=All&fieldValidation=${level}`),
        'me',
        `{"apiVersion":"${t.group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2}}`,
      )
    }
  },
  subresources: async (t) => {
    await t.post(t.url('widgets'), widget(t, 'a', { replicas: 1 }))
    for (const level of levels) {
      await t.patch(t.url('widgets', `a/status?dryRun=All&fieldValidation=${level}`), 'merge', {
        status: { unknown: 1 },
      })
      await t.patch(t.url('widgets', `a/scale?dryRun=All&fieldValidation=${level}`), 'merge', {
        spec: { replicas: 2, unknown: 1 },
      })
    }
  },
  'annotations of profiles warn': async (t) => {
    const appArmor = 'container.apparmor.security.beta.kubernetes.io/main'
    const annotations = {
      'seccomp.security.alpha.kubernetes.io/pod': 'runtime/default',
      'container.seccomp.security.alpha.kubernetes.io/main': 'unconfined',
    }
    for (const profile of ['unconfined', 'localhost/mine', 'localhost/', 'nonsense']) {
      const metadata = { name: 'a', annotations: { ...annotations, [appArmor]: profile } }
      await t.post(t.url('pods', '?dryRun=All'), { ...pod('a'), metadata })
      await t.post(
        t.url('deployments', '?dryRun=All'),
        deployment('a', { template: { ...podTemplate(), metadata: { ...metadata, labels: { app: 'a' } } } }),
      )
      const securityContext = { appArmorProfile: { type: 'Unconfined' } }
      await t.post(t.url('pods', '?dryRun=All'), { ...pod('a', { securityContext }), metadata })
    }
  },
  'deprecated fields and names warn': async (t) => {
    await t.post(
      t.url('pods', '?dryRun=All'),
      pod('a.b', { serviceAccount: 'default', securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    )
    await t.post(
      t.url('pods', '?dryRun=All'),
      pod('a', {
        nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
        containers: [
          {
            name: 'c',
            image: 'i',
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
            ports: [{ containerPort: 80 }, { containerPort: 80 }],
          },
        ],
      }),
    )
    await t.post(t.url('pods', '?dryRun=All'), {
      ...pod('a'),
      metadata: {
        name: 'a',
        annotations: {
          'container.apparmor.security.beta.kubernetes.io/main': 'runtime/default',
          'scheduler.alpha.kubernetes.io/critical-pod': '',
        },
      },
    })
    await t.post(
      t.url('services', '?dryRun=All'),
      service('a', { ports: [{ port: 80 }], externalIPs: ['001.2.3.4'] }),
    )
    await t.post(
      t.url('persistentvolumeclaims', '?dryRun=All'),
      object('v1', 'PersistentVolumeClaim', 'a', {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } },
      }),
    )
    await t.post(
      t.url('poddisruptionbudgets', '?dryRun=All'),
      object('policy/v1', 'PodDisruptionBudget', 'a', { spec: { selector: {} } }),
    )
    await t.post(t.url('endpoints', '?dryRun=All'), object('v1', 'Endpoints', 'a'))
    await t.get(t.url('endpoints', 'a'))
    await t.post(
      t.url('networkpolicies', '?dryRun=All'),
      object('networking.k8s.io/v1', 'NetworkPolicy', 'a', {
        spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '1.2.3.4/24' } }] }] },
      }),
    )
  },
})

export const fieldValidation: readonly Case[] = [...created, ...others]
