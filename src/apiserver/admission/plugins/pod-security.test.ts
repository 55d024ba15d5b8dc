import { describe, expect, test } from 'vitest'
import { type AdmissionTestServer, createAdmissionTestServer } from '../../test-admission.js'

const label = 'pod-security.kubernetes.io/'
const merge = { contentType: 'application/merge-patch+json' }

async function serverWith(labels: Readonly<Record<string, string>>): Promise<AdmissionTestServer> {
  const server = await createAdmissionTestServer()
  const answer = await server.send('PATCH', '/api/v1/namespaces/geng', { metadata: { labels } }, merge)
  expect(answer.status).toBe(200)
  return server
}

function pod(spec: Readonly<Record<string, unknown>>, name = 'p'): unknown {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  }
}

const container = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  containers: [
    { name: 'c', image: 'i', ...fields },
    { name: 'd', image: 'i' },
  ],
})
const secured = (securityContext: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  container({ securityContext })

const restricted = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [
    {
      name: 'c',
      image: 'i',
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    },
  ],
}

const everything =
  'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")'

describe('the baseline', () => {
  test.each([
    [
      secured({ privileged: true }),
      'privileged (container "c" must not set securityContext.privileged=true)',
    ],
    [
      secured({ capabilities: { add: ['SYS_ADMIN', 'CHOWN'] } }),
      'non-default capabilities (container "c" must not include "SYS_ADMIN" in securityContext.capabilities.add)',
    ],
    [{ hostNetwork: true, hostPID: true }, 'host namespaces (hostNetwork=true, hostPID=true)'],
    [{ volumes: [{ name: 'h', hostPath: { path: '/x' } }] }, 'hostPath volumes (volume "h")'],
    [
      container({
        ports: [
          { containerPort: 1, hostPort: 1 },
          { containerPort: 2, hostPort: 2 },
        ],
      }),
      'hostPort (container "c" uses hostPorts 1, 2)',
    ],
    [
      container({ livenessProbe: { httpGet: { port: 1, host: 'x' } } }),
      'probe or lifecycle host (container "c" uses probe or lifecycle host "x")',
    ],
    [
      secured({ seLinuxOptions: { type: 'foo', user: 'u', role: 'r' } }),
      'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "foo"; user may not be set; role may not be set)',
    ],
    [
      secured({ seccompProfile: { type: 'Unconfined' } }),
      'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
    ],
    [
      { securityContext: { sysctls: [{ name: 'kernel.foo', value: '1' }] } },
      'forbidden sysctls (kernel.foo)',
    ],
    [
      secured({ appArmorProfile: { type: 'Unconfined' } }),
      'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
    ],
  ])('refuses %j', async (spec, why) => {
    const server = await serverWith({ [`${label}enforce`]: 'baseline' })
    const answer = await server.send('POST', '/api/v1/namespaces/geng/pods', pod(spec))
    expect([answer.status, answer.body['message']]).toEqual([
      403,
      `pods "p" is forbidden: violates PodSecurity "baseline:latest": ${why}`,
    ])
  })

  test('lets an ordinary pod pass', async () => {
    const server = await serverWith({ [`${label}enforce`]: 'baseline' })
    expect((await server.send('POST', '/api/v1/namespaces/geng/pods', pod({}))).status).toBe(201)
  })
})

test('restricted, a pod must give up everything', async () => {
  const server = await serverWith({ [`${label}enforce`]: 'restricted', [`${label}enforce-version`]: 'v1.25' })
  const send = (spec: Readonly<Record<string, unknown>>): ReturnType<typeof server.send> =>
    server.send('POST', '/api/v1/namespaces/geng/pods', pod(spec))
  expect((await send({})).body['message']).toBe(
    `pods "p" is forbidden: violates PodSecurity "restricted:v1.25": ${everything}`,
  )
  expect((await send(restricted)).status).toBe(201)
})

test('what is only warned of is created, also by those who make pods', async () => {
  const server = await serverWith({ [`${label}warn`]: 'restricted' })
  const warning = [`299 - ${JSON.stringify(`would violate PodSecurity "restricted:latest": ${everything}`)}`]
  expect((await server.send('POST', '/api/v1/namespaces/geng/pods', pod({}))).warnings).toEqual(warning)
  const answer = await server.send('POST', '/apis/apps/v1/namespaces/geng/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  })
  expect([answer.status, answer.warnings]).toEqual([201, warning])
})

test('a namespace that becomes stricter is told of the pods that are there already', async () => {
  const server = await serverWith({})
  for (const [name, spec] of [
    ['a', {}],
    ['b', {}],
    ['c', { hostPID: true }],
  ] as const)
    await server.send('POST', '/api/v1/namespaces/geng/pods', pod(spec, name))
  const labels = { [`${label}enforce`]: 'baseline' }
  const answer = await server.send('PATCH', '/api/v1/namespaces/geng', { metadata: { labels } }, merge)
  expect(answer.warnings).toEqual([
    '299 - "existing pods in namespace \\"geng\\" violate the new PodSecurity enforce level \\"baseline:latest\\""',
    '299 - "c: host namespaces"',
  ])
})

test('labels that are no levels are refused', async () => {
  const server = await createAdmissionTestServer()
  const answer = await server.send(
    'PATCH',
    '/api/v1/namespaces/geng',
    { metadata: { labels: { [`${label}enforce`]: 'zzz' } } },
    merge,
  )
  expect(answer.body['message']).toBe(
    'Namespace "geng" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "zzz": must be one of privileged, baseline, restricted',
  )
})
