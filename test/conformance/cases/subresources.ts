import { area, type Case, table } from '../case.js'
import { deployment, object, pod, podTemplate, widget } from './objects.js'

const scale = (name: string, replicas: unknown, metadata: object = {}): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, ...metadata },
  spec: { replicas },
})

const workload = (kind: string, more: object = {}): object =>
  object('apps/v1', kind, 'a', {
    spec: { replicas: 1, selector: { matchLabels: { app: 'a' } }, template: podTemplate(), ...more },
  })

const scaled: Readonly<Record<string, object>> = {
  deployments: workload('Deployment'),
  replicasets: workload('ReplicaSet'),
  statefulsets: workload('StatefulSet', { serviceName: 's' }),
  replicationcontrollers: object('v1', 'ReplicationController', 'a', {
    spec: { replicas: 1, selector: { app: 'a' }, template: podTemplate() },
  }),
}

const scales = table(
  'subresources',
  Object.fromEntries(
    Object.entries(scaled).map(([resource, body]) => [`the scale of ${resource}`, { resource, body }]),
  ),
  async (t, { resource, body }) => {
    await t.post(t.url(resource), body)
    const first = await t.get(t.url(resource, 'a/scale'))
    await t.put(t.url(resource, 'a/scale'), scale('a', 3))
    await t.put(t.url(resource, 'a/scale'), first.body)
    await t.patch(t.url(resource, 'a/scale'), 'merge', { spec: { replicas: 4 } })
    await t.patch(t.url(resource, 'a/scale'), 'strategic', { spec: { replicas: 5 } })
    await t.patch(t.url(resource, 'a/scale'), 'json', [{ op: 'replace', path: '/spec/replicas', value: 6 }])
    await t.put(t.url(resource, 'a/scale'), scale('a', -1))
    await t.put(t.url(resource, 'a/scale'), scale('b', 1))
    await t.put(t.url(resource, 'a/scale'), scale('a', 'many'))
    await t.put(t.url(resource, 'a/scale'), scale('a', 7, { labels: { l: 'm' } }))
    await t.put(t.url(resource, 'a/scale?dryRun=All'), scale('a', 8))
    await t.get(t.url(resource, 'a'))
    await t.get(t.url(resource, 'missing/scale'))
    await t.delete(t.url(resource, 'a/scale'))
    await t.post(t.url(resource, 'a/scale'), scale('a', 1))
  },
)

const eviction = (name: string, more: object = {}): object => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...more,
})

const budget = (name: string, spec: object): object =>
  object('policy/v1', 'PodDisruptionBudget', name, { spec })

const statusOf = (status: object): object => ({ status })

const others = area('subresources', {
  'the status of a widget': async (t) => {
    const created = await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    const { metadata } = created.body as { metadata: object } // what the server has just made
    await t.get(t.url('widgets', 'a/status'))
    await t.put(t.url('widgets', 'a/status'), {
      ...widget(t, 'a', { size: 9 }),
      metadata,
      status: { phase: 'x' },
    })
    await t.put(t.url('widgets', 'a/status'), { ...widget(t, 'a'), metadata, status: { phase: 'y' } })
    await t.patch(t.url('widgets', 'a/status'), 'merge', statusOf({ phase: 'z', unknown: 1 }))
    await t.patch(t.url('widgets', 'a/status'), 'merge', statusOf({ replicas: 'x' }))
    await t.patch(t.url('widgets', 'a/status'), 'merge', {
      metadata: { labels: { l: 'm' }, annotations: { n: 'o' } },
      status: { phase: 'q' },
    })
    await t.patch(t.url('widgets', 'a/status'), 'merge', { metadata: { finalizers: ['example.com/f'] } })
    await t.patch(t.url('widgets', 'a/status'), 'merge', { status: null })
    await t.delete(t.url('widgets', 'a/status'))
    await t.post(t.url('widgets', 'a/status'), widget(t, 'a'))
    await t.get(t.url('widgets', 'a'))
  },
  'the status of a gadget, which has none': async (t) => {
    await t.get(t.url('gadgets', `${t.tag}/status`))
    await t.put(t.url('gadgets', `${t.tag}/status`), object(`${t.group}/v1`, 'Gadget', t.tag))
    await t.get(t.url('gadgets', `${t.tag}/scale`))
    await t.get(t.url('widgets', 'a/nothing'))
    await t.get(t.url('configmaps', 'a/status'))
    await t.get(t.url('configmaps', 'a/b/c'))
  },
  'the status of a deployment': async (t) => {
    await t.post(t.url('deployments'), deployment('a'))
    await t.patch(t.url('deployments', 'a/status'), 'merge', {
      spec: { replicas: 5 },
      ...statusOf({ observedGeneration: 1, replicas: 2 }),
    })
    await t.patch(t.url('deployments', 'a/status'), 'merge', statusOf({ replicas: -1 }))
    await t.patch(t.url('deployments', 'a/status'), 'merge', statusOf({ availableReplicas: 9, replicas: 3 }))
    await t.patch(
      t.url('deployments', 'a/status'),
      'merge',
      statusOf({ conditions: [{ type: 'Available', status: 'Perhaps' }] }),
    )
    await t.patch(t.url('deployments', 'a/status'), 'merge', { metadata: { labels: { l: 'm' } } })
    await t.get(t.url('deployments', 'a/status'))
  },
  'the status of a node, a namespace and a service': async (t) => {
    await t.post(t.url('nodes'), object('v1', 'Node', `${t.tag}-n`))
    await t.patch(
      t.url('nodes', `${t.tag}-n/status`),
      'strategic',
      statusOf({ capacity: { cpu: '4', memory: '8Gi' }, conditions: [{ type: 'Ready', status: 'True' }] }),
    )
    await t.patch(
      t.url('nodes', `${t.tag}-n/status`),
      'strategic',
      statusOf({
        conditions: [{ type: 'Ready', status: 'False' }],
        addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
      }),
    )
    await t.delete(t.url('nodes', `${t.tag}-n`))
    await t.patch(
      t.url('namespaces', `${t.namespace}/status`),
      'merge',
      statusOf({ conditions: [{ type: 'X', status: 'True' }] }),
    )
    await t.patch(t.url('namespaces', `${t.namespace}/status`), 'merge', statusOf({ phase: 'Terminating' }))
    await t.post(
      t.url('services'),
      object('v1', 'Service', 'a', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
    )
    await t.patch(
      t.url('services', 'a/status'),
      'merge',
      statusOf({ loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } }),
    )
    await t.patch(
      t.url('services', 'a/status'),
      'merge',
      statusOf({ loadBalancer: { ingress: [{ ip: 'nonsense' }] } }),
    )
    await t.patch(t.url('services', 'a/status'), 'merge', {
      metadata: { labels: { l: 'm' } },
      spec: { type: 'ClusterIP' },
    })
  },
  'the scale of a widget': async (t) => {
    await t.post(t.url('widgets'), widget(t, 'none'))
    await t.get(t.url('widgets', 'none/scale'))
    await t.put(t.url('widgets', 'none/scale'), scale('none', 2))
    await t.post(t.url('widgets'), widget(t, 'a', { replicas: 1 }))
    await t.patch(t.url('widgets', 'a/status'), 'merge', statusOf({ replicas: 1, selector: 'app=a' }))
    const first = await t.get(t.url('widgets', 'a/scale'))
    await t.put(t.url('widgets', 'a/scale'), scale('a', 3))
    await t.put(t.url('widgets', 'a/scale'), first.body)
    await t.put(t.url('widgets', 'a/scale'), scale('a', -1))
    await t.put(t.url('widgets', 'a/scale'), { ...scale('a', 1), kind: 'Other' })
    await t.put(t.url('widgets', 'a/scale'), 'no JSON')
    await t.put(t.url('widgets', 'a/scale'), { ...scale('a', 1), spec: { replicas: 'x' } })
    await t.put(t.url('widgets', 'a/scale?fieldValidation=Strict'), { ...scale('a', 1), other: 1 })
    await t.put(t.url('widgets', 'a/scale'), { ...scale('a', 1), apiVersion: 'autoscaling/v2' })
    await t.put(t.url('widgets', 'a/scale'), scale('b', 1))
    await t.patch(t.url('widgets', 'a/scale'), 'merge', { spec: { replicas: 4 } })
    await t.patch(t.url('widgets', 'a/scale'), 'merge', { spec: { replicas: null } })
    await t.patch(t.url('widgets', 'a/scale'), 'json', [{ op: 'replace', path: '/spec/replicas', value: 5 }])
    await t.patch(t.url('widgets', 'a/scale'), 'strategic', { spec: { replicas: 6 } })
    await t.patch(t.url('widgets', 'a/scale'), 'merge', statusOf({ replicas: 77 }))
    await t.get(t.url('widgets', 'a'))
    await t.get(t.url('widgets', 'missing/scale'))
  },
  'an eviction': async (t) => {
    await t.post(t.url('pods'), pod('a'))
    await t.post(t.url('pods', 'a/eviction'), eviction('b'))
    await t.post(t.url('pods', 'a/eviction'), eviction(''))
    await t.post(t.url('pods', 'a/eviction?dryRun=All'), eviction('a'))
    await t.post(t.url('pods', 'a/eviction'), { ...eviction('a'), apiVersion: 'policy/v1beta1' })
    await t.post(t.url('pods', 'a/eviction'), {
      ...eviction('a'),
      deleteOptions: { preconditions: { uid: 'other' } },
    })
    await t.post(t.url('pods', 'a/eviction'), { ...eviction('a'), deleteOptions: { gracePeriodSeconds: 0 } })
    await t.get(t.url('pods', 'a'))
    await t.post(t.url('pods', 'a/eviction'), eviction('a'))
    await t.get(t.url('pods', 'a/eviction'))
  },
  'an eviction within a budget': async (t) => {
    const body = { ...pod('a'), metadata: { name: 'a', labels: { app: 'a' } } }
    await t.post(t.url('pods'), body)
    await t.patch(
      t.url('pods', 'a/status'),
      'merge',
      statusOf({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }),
    )
    await t.post(
      t.url('poddisruptionbudgets'),
      budget('p', { minAvailable: 1, selector: { matchLabels: { app: 'a' } } }),
    )
    await t.post(t.url('pods', 'a/eviction'), eviction('a'))
    await t.patch(
      t.url('poddisruptionbudgets', 'p/status'),
      'merge',
      statusOf({
        observedGeneration: 1,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 1,
        disruptionsAllowed: 0,
      }),
    )
    await t.post(t.url('pods', 'a/eviction'), eviction('a'))
    await t.patch(t.url('poddisruptionbudgets', 'p/status'), 'merge', statusOf({ disruptionsAllowed: 1 }))
    await t.post(t.url('pods', 'a/eviction?dryRun=All'), eviction('a'))
    await t.post(t.url('pods', 'a/eviction'), eviction('a', { deleteOptions: { gracePeriodSeconds: 0 } }))
    await t.get(t.url('poddisruptionbudgets', 'p'))
    await t.get(t.url('pods', 'a'))
  },
  'an eviction of a pod with two budgets': async (t) => {
    await t.post(t.url('pods'), { ...pod('a'), metadata: { name: 'a', labels: { app: 'a' } } })
    await t.patch(
      t.url('pods', 'a/status'),
      'merge',
      statusOf({ phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }),
    )
    for (const name of ['p', 'q'])
      await t.post(
        t.url('poddisruptionbudgets'),
        budget(name, { maxUnavailable: 1, selector: { matchLabels: { app: 'a' } } }),
      )
    await t.post(t.url('pods', 'a/eviction'), eviction('a'))
  },
  'a binding': async (t) => {
    const binding = (name: string, target: object): object => object('v1', 'Binding', name, { target })
    await t.post(t.url('pods'), pod('a', { schedulerName: 'nobody' }))
    await t.post(t.url('pods', 'a/binding'), binding('a', { kind: 'Pod', name: 'x' }))
    await t.post(t.url('pods', 'a/binding'), binding('a', { kind: 'Node', name: '' }))
    await t.post(t.url('pods', 'a/binding'), binding('b', { kind: 'Node', name: 'n' }))
    await t.post(t.url('pods', 'a/binding?dryRun=All'), binding('a', { kind: 'Node', name: 'n' }))
    await t.post(t.url('pods', 'a/binding'), binding('a', { kind: 'Node', name: 'n' }))
    await t.get(t.url('pods', 'a'))
    await t.post(t.url('pods', 'a/binding'), binding('a', { kind: 'Node', name: 'm' }))
    await t.post(t.url('pods', 'missing/binding'), binding('missing', { kind: 'Node', name: 'm' }))
    await t.post(t.url('pods'), pod('b', { schedulerName: 'nobody' }))
    await t.post(t.url('bindings'), binding('b', { kind: 'Node', name: 'n' }))
    await t.get(t.url('bindings'))
  },
  'a binding of a pod with gates': async (t) => {
    await t.post(t.url('pods'), pod('a', { schedulingGates: [{ name: 'example.com/g' }] }))
    await t.post(
      t.url('pods', 'a/binding'),
      object('v1', 'Binding', 'a', { target: { kind: 'Node', name: 'n' } }),
    )
    await t.patch(t.url('pods', 'a'), 'strategic', { spec: { schedulingGates: [{ name: 'example.com/h' }] } })
    await t.patch(t.url('pods', 'a'), 'merge', { spec: { schedulingGates: null } })
  },
  'the token of a service account': async (t) => {
    const request = (spec: object): object => ({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec,
    })
    await t.post(t.url('serviceaccounts', 'default/token'), request({}))
    await t.post(t.url('serviceaccounts', 'default/token'), request({ expirationSeconds: 5 }))
    await t.post(
      t.url('serviceaccounts', 'default/token'),
      request({ expirationSeconds: 600, audiences: ['x', 'y'] }),
    )
    await t.post(t.url('serviceaccounts', 'default/token'), request({ expirationSeconds: 5_000_000_000 }))
    await t.post(
      t.url('serviceaccounts', 'default/token'),
      request({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'missing' } }),
    )
    await t.post(
      t.url('serviceaccounts', 'default/token'),
      request({ boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } }),
    )
    await t.post(t.url('serviceaccounts', 'missing/token'), request({}))
    await t.get(t.url('serviceaccounts', 'default/token'))
    await t.post(t.url('serviceaccounts', 'default/token'), {})
  },
  'a token opens the door, and is reviewed': async (t) => {
    const answer = await t.quietly({
      method: 'POST',
      path: t.url('serviceaccounts', 'default/token'),
      headers: { 'content-type': 'application/json' },
      body: {},
    })
    const token = String(answer.at('status.token'))
    const review = (spec: object): object => ({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec,
    })
    await t.post(t.url('tokenreviews'), review({ token }))
    await t.post(t.url('tokenreviews'), review({ token, audiences: ['other'] }))
    await t.post(t.url('tokenreviews'), review({ token: 'wrong' }))
    await t.post(t.url('tokenreviews'), review({}))
    const bearer = { authorization: `Bearer ${token}` }
    await t.send({
      method: 'POST',
      path: t.url('selfsubjectreviews'),
      as: 'nobody',
      headers: { ...bearer, 'content-type': 'application/json' },
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    })
    await t.send({ method: 'GET', path: t.url('configmaps'), as: 'nobody', headers: bearer })
    await t.send({ method: 'GET', path: '/api', as: 'nobody', headers: bearer })
    await t.send({
      method: 'GET',
      path: '/api',
      as: 'nobody',
      headers: { authorization: `Bearer ${token}x` },
    })
    await t.send({ method: 'GET', path: '/api', as: 'nobody', headers: { authorization: 'Bearer wrong' } })
    await t.send({
      method: 'GET',
      path: '/api',
      as: 'nobody',
      headers: { authorization: 'Basic d3Jvbmc6d3Jvbmc=' },
    })
  },
  'a token bound to a pod': async (t) => {
    const created = await t.post(t.url('pods'), pod('a', { schedulerName: 'nobody' }))
    const request = (uid: string): object => ({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 600, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'a', uid } },
    })
    await t.post(t.url('serviceaccounts', 'default/token'), request('00000000-0000-4000-8000-000000000000'))
    await t.post(t.url('serviceaccounts', 'default/token'), request(created.uid))
  },
  'the containers of a running pod': async (t) => {
    await t.post(t.url('pods'), pod('a'))
    await t.get(t.url('pods', 'a/ephemeralcontainers'))
    const ephemeral = { spec: { ephemeralContainers: [{ name: 'debug', image: 'i' }] } }
    await t.patch(t.url('pods', 'a/ephemeralcontainers'), 'strategic', ephemeral)
    await t.patch(t.url('pods', 'a/ephemeralcontainers'), 'strategic', {
      spec: { ephemeralContainers: [{ name: 'debug', image: 'j' }] },
    })
    await t.patch(t.url('pods', 'a/ephemeralcontainers'), 'merge', { spec: { ephemeralContainers: [] } })
    await t.patch(t.url('pods', 'a'), 'strategic', ephemeral)
    await t.get(t.url('pods', 'a/resize'))
    await t.patch(t.url('pods', 'a/resize'), 'strategic', {
      spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] },
    })
  },
  'logs and others of a pod without a node': async (t) => {
    await t.post(t.url('pods'), pod('a', { schedulerName: 'nobody' }))
    await t.get(t.url('pods', 'a/log'))
    await t.get(t.url('pods', 'a/log?container=other'))
    await t.get(t.url('pods', 'a/log?tailLines=-1'))
    await t.get(t.url('pods', 'a/log?tailLines=x'))
    await t.get(t.url('pods', 'missing/log'))
    await t.get(t.url('pods', 'a/exec'))
    await t.get(t.url('pods', 'a/attach'))
    await t.get(t.url('pods', 'a/portforward'))
    await t.get(t.url('pods', 'a/proxy'))
    await t.get(t.url('services', 'missing/proxy'))
  },
  'the finalizers of a namespace': async (t) => {
    const finalize = (finalizers: readonly string[]): object => ({
      ...object('v1', 'Namespace', t.namespace),
      spec: { finalizers },
    })
    await t.put(t.url('namespaces', `${t.namespace}/finalize`), finalize(['kubernetes', 'example.com/f']))
    await t.put(t.url('namespaces', `${t.namespace}/finalize`), finalize(['not ok']))
    await t.put(t.url('namespaces', `${t.namespace}`), finalize([]))
    await t.put(t.url('namespaces', `${t.namespace}/finalize`), finalize(['kubernetes']))
    await t.get(t.url('namespaces', `${t.namespace}/finalize`))
  },
  'the approval of a certificate': async (t) => {
    await t.post(
      t.url('certificatesigningrequests'),
      object('certificates.k8s.io/v1', 'CertificateSigningRequest', `${t.tag}-c`, {
        spec: { request: 'bm9uc2Vuc2U=', signerName: 'example.com/s', usages: ['client auth'] },
      }),
    )
    await t.patch(t.url('certificatesigningrequests', `${t.tag}-missing/approval`), 'merge', {})
    await t.get(t.url('certificatesigningrequests', `${t.tag}-missing/approval`))
  },
})

export const subresources: readonly Case[] = [...scales, ...others]
