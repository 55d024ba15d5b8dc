import { describe, expect, test } from 'vitest'
import { type AdmissionTestServer, createAdmissionTestServer } from '../../test-admission.js'

const pods = '/api/v1/namespaces/geng/pods'

function pod(
  spec: Readonly<Record<string, unknown>> = {},
  metadata: Readonly<Record<string, unknown>> = {},
): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  }
}

async function specOf(
  spec: Readonly<Record<string, unknown>>,
  prepare?: (server: AdmissionTestServer) => Promise<unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  const server = await createAdmissionTestServer()
  await prepare?.(server)
  const answer = await server.send('POST', pods, pod(spec))
  expect(answer.body).toMatchObject({ kind: 'Pod' })
  return answer.body['spec'] as Readonly<Record<string, unknown>>
}

const priorityClass =
  (name: string, more: Readonly<Record<string, unknown>>) =>
  (server: AdmissionTestServer): Promise<unknown> =>
    server.create('/apis/scheduling.k8s.io/v1/priorityclasses', {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value: 7,
      ...more,
    })

const runtimeClass = (server: AdmissionTestServer): Promise<unknown> =>
  server.create('/apis/node.k8s.io/v1/runtimeclasses', {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'rc' },
    handler: 'h',
    overhead: { podFixed: { cpu: '100m' } },
    scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
  })

const limitRange =
  (limits: Readonly<Record<string, unknown>>) =>
  (server: AdmissionTestServer): Promise<unknown> =>
    server.create('/api/v1/namespaces/geng/limitranges', {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'lr' },
      spec: { limits: [limits] },
    })

const notReady = {
  key: 'node.kubernetes.io/not-ready',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}
const unreachable = { ...notReady, key: 'node.kubernetes.io/unreachable' }

describe('a new pod', () => {
  test('gets a service account and its token', async () => {
    const spec = await specOf({})
    const [volume] = spec['volumes'] as { name: string }[]
    expect(volume?.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/)
    expect(spec).toMatchObject({
      serviceAccountName: 'default',
      serviceAccount: 'default',
      volumes: [
        {
          projected: {
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              {
                downwardAPI: {
                  items: [
                    { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
                  ],
                },
              },
            ],
            defaultMode: 420,
          },
        },
      ],
      containers: [
        {
          volumeMounts: [
            {
              name: volume?.name,
              readOnly: true,
              mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
            },
          ],
        },
      ],
    })
  })

  test.each([
    [{}, [notReady, unreachable]],
    [{ tolerations: [{ operator: 'Exists' }] }, [{ operator: 'Exists' }]],
    [
      { tolerations: [{ ...notReady, tolerationSeconds: 5 }] },
      [{ ...notReady, tolerationSeconds: 5 }, unreachable],
    ],
  ])('with %j tolerates nodes in trouble for a while', async (spec, tolerations) => {
    expect((await specOf(spec))['tolerations']).toEqual(tolerations)
  })

  test.each<
    [
      Readonly<Record<string, unknown>>,
      ((server: AdmissionTestServer) => Promise<unknown>) | undefined,
      Readonly<Record<string, unknown>>,
    ]
  >([
    [{}, undefined, { priority: 0, preemptionPolicy: 'PreemptLowerPriority' }],
    [
      { priorityClassName: 'pc' },
      priorityClass('pc', { preemptionPolicy: 'Never' }),
      { priority: 7, preemptionPolicy: 'Never', priorityClassName: 'pc' },
    ],
    [{}, priorityClass('pd', { globalDefault: true }), { priority: 7, priorityClassName: 'pd' }],
  ])('with %j has the priority of its class', async (spec, prepare, expected) => {
    expect(await specOf(spec, prepare)).toMatchObject(expected)
  })

  test('gets what its runtime class says', async () => {
    expect(await specOf({ runtimeClassName: 'rc' }, runtimeClass)).toMatchObject({
      overhead: { cpu: '100m' },
      nodeSelector: { a: 'b' },
      tolerations: [notReady, unreachable, { key: 'k', operator: 'Exists' }],
    })
  })

  test('without a token is left without a volume', async () => {
    expect(await specOf({ automountServiceAccountToken: false })).not.toHaveProperty('volumes')
  })

  test('gets the limits that its namespace has for those who name none', async () => {
    const server = await createAdmissionTestServer()
    await limitRange({
      type: 'Container',
      default: { cpu: '500m', memory: '1Gi' },
      defaultRequest: { cpu: '100m', memory: '1Gi' },
    })(server)
    const answer = await server.send('POST', pods, pod())
    expect(answer.body).toMatchObject({
      metadata: {
        annotations: {
          'kubernetes.io/limit-ranger':
            'LimitRanger plugin set: cpu, memory request for container c; cpu, memory limit for container c',
        },
      },
      spec: {
        containers: [
          { resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '100m', memory: '1Gi' } } },
        ],
      },
    })
  })

  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } }

  test.each<
    [
      Readonly<Record<string, unknown>>,
      string,
      (((server: AdmissionTestServer) => Promise<unknown>) | undefined)?,
      Readonly<Record<string, unknown>>?,
    ]
  >([
    [
      { serviceAccountName: 'nope' },
      'error looking up service account geng/nope: serviceaccount "nope" not found',
    ],
    [{ priorityClassName: 'nope' }, 'no PriorityClass with name nope was found'],
    [
      { priority: 5 },
      'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ],
    [
      { preemptionPolicy: 'Never' },
      'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    ],
    [{ runtimeClassName: 'nope' }, 'pod rejected: RuntimeClass "nope" not found'],
    [
      { overhead: { cpu: '1' } },
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    ],
    [
      { runtimeClassName: 'rc', overhead: { cpu: '1' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
      runtimeClass,
    ],
    [
      { runtimeClassName: 'rc', nodeSelector: { a: 'c' } },
      'conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = c',
      runtimeClass,
    ],
    [{ serviceAccountName: 'default' }, 'a mirror pod may not reference service accounts', undefined, mirror],
    [
      { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '50m' } } }] },
      'minimum cpu usage per Container is 1, but request is 50m',
      limitRange({ type: 'Container', min: { cpu: '1' } }),
    ],
    [
      { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '2' } } }] },
      '[maximum cpu usage per Pod is 1, but limit is 2, memory max limit to request ratio per Pod is 2, but no request is specified or request is 0]',
      limitRange({ type: 'Pod', max: { cpu: '1' }, maxLimitRequestRatio: { memory: '2' } }),
    ],
    [
      {
        containers: [
          { name: 'c', image: 'i', resources: { limits: { memory: '100Mi' }, requests: { memory: '20Mi' } } },
        ],
      },
      'memory max limit to request ratio per Pod is 2, but provided ratio is 5.000000',
      limitRange({ type: 'Pod', maxLimitRequestRatio: { memory: '2' } }),
    ],
  ])('with %j is refused: %s', async (spec, why, prepare, metadata = {}) => {
    const server = await createAdmissionTestServer()
    await prepare?.(server)
    const answer = await server.send('POST', pods, pod(spec, metadata))
    expect([answer.status, answer.body['message']]).toEqual([403, `pods "p" is forbidden: ${why}`])
  })

  test('without a name is called by what its name will begin with', async () => {
    const server = await createAdmissionTestServer()
    const answer = await server.send(
      'POST',
      pods,
      pod({ serviceAccountName: 'zz' }, { name: undefined, generateName: 'gg-' }),
    )
    expect(answer.body).toMatchObject({
      message:
        'pods "gg-" is forbidden: error looking up service account geng/zz: serviceaccount "zz" not found',
      details: { name: 'gg-', kind: 'pods' },
    })
  })

  test('that names its node carries the zone of it', async () => {
    const server = await createAdmissionTestServer()
    await server.create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'z', other: 'x' } },
    })
    const answer = await server.send('POST', pods, pod({ nodeName: 'n' }))
    expect(answer.body.metadata.labels).toEqual({ 'topology.kubernetes.io/zone': 'z' })
  })
})

describe('namespaces', () => {
  test('that are not there take nothing', async () => {
    const server = await createAdmissionTestServer()
    const answer = await server.send('POST', '/api/v1/namespaces/nope/pods', pod())
    expect([answer.status, answer.body['message']]).toEqual([404, 'namespaces "nope" not found'])
  })

  test('that are being deleted take nothing new', async () => {
    const server = await createAdmissionTestServer()
    const { store } = server
    const stored = store.get('namespaces', 'geng')
    if (stored === undefined) throw new Error('no namespace')
    store.put('namespaces', 'geng', { ...stored.object, status: { phase: 'Terminating' } }, stored.revision)
    expect((await server.send('POST', pods, pod())).body).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message:
        'pods "p" is forbidden: unable to create new content in namespace geng because it is being terminated',
      details: {
        name: 'p',
        kind: 'pods',
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace geng is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    })
  })

  test.each(['default', 'kube-system', 'kube-public'])('%s is not deleted', async (name) => {
    const server = await createAdmissionTestServer()
    if (server.parts.cluster.get('namespaces', '', name) === undefined)
      await server.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const answer = await server.send('DELETE', `/api/v1/namespaces/${name}`)
    expect([answer.status, answer.body['message']]).toEqual([
      403,
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    ])
  })
})

describe('other kinds', () => {
  test('a new node is not ready', async () => {
    const server = await createAdmissionTestServer()
    const node = await server.create('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
    })
    expect(node['spec']).toEqual({ taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] })
  })

  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  }
  const claims = '/api/v1/namespaces/geng/persistentvolumeclaims'

  test('a claim is protected and of the default class, the newest', async () => {
    const server = await createAdmissionTestServer()
    for (const name of ['sb', 'sa'])
      await server.create('/apis/storage.k8s.io/v1/storageclasses', {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        provisioner: 'a.b/c',
      })
    expect(await server.create(claims, claim)).toMatchObject({
      metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
      spec: { storageClassName: 'sa' },
    })
  })

  test('a claim is as large as its namespace allows', async () => {
    const server = await createAdmissionTestServer()
    await limitRange({ type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '3Gi' } })(
      server,
    )
    expect((await server.send('POST', claims, claim)).body['message']).toBe(
      'persistentvolumeclaims "v" is forbidden: minimum storage usage per PersistentVolumeClaim is 2Gi, but request is 1Gi',
    )
  })

  test('an ingress is of the default class', async () => {
    const server = await createAdmissionTestServer()
    await server.create('/apis/networking.k8s.io/v1/ingressclasses', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'ic', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'a.b/c' },
    })
    const ingress = await server.create('/apis/networking.k8s.io/v1/namespaces/geng/ingresses', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    })
    expect(ingress).toMatchObject({ spec: { ingressClassName: 'ic' } })
  })

  test('only one priority class is the default', async () => {
    const server = await createAdmissionTestServer()
    await priorityClass('one', { globalDefault: true })(server)
    await expect(priorityClass('two', { globalDefault: true })(server)).rejects.toThrow(
      'PriorityClass one is already marked as default. Only one default can exist',
    )
  })
})
