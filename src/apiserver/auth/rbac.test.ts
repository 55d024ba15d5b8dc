import { describe, expect, test } from 'vitest'
import { type AdmissionTestServer, createAdmissionTestServer } from '../test-admission.js'
import type { User } from '../user.js'
import { bootstrapRoles } from './bootstrap-roles.js'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const group = 'rbac.authorization.k8s.io'
const user: User = { name: 'gee', groups: ['system:authenticated'] }

const paths: Readonly<Record<string, (namespace: string) => string>> = {
  ClusterRole: () => `${rbac}/clusterroles`,
  ClusterRoleBinding: () => `${rbac}/clusterrolebindings`,
  Role: (namespace) => `${rbac}/namespaces/${namespace}/roles`,
  RoleBinding: (namespace) => `${rbac}/namespaces/${namespace}/rolebindings`,
}

function role(name: string, rules: unknown, more = {}): Parameters<AdmissionTestServer['create']>[1] {
  return { apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name }, rules, ...more }
}

function binding(
  name: string,
  [kind, roleName]: readonly [string, string],
  subjects: readonly unknown[],
  namespace?: string,
): Parameters<AdmissionTestServer['create']>[1] {
  return {
    apiVersion: `${group}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    roleRef: { apiGroup: group, kind, name: roleName },
    subjects,
  }
}

const subject = (kind: string, name: string, more = {}): unknown => ({
  kind,
  name,
  ...(kind !== 'ServiceAccount' && { apiGroup: group }),
  ...more,
})

/** A server where `gee` may write roles and has a few rights of his own to give. */
async function withGee(): Promise<AdmissionTestServer> {
  const server = await createAdmissionTestServer()
  await server.create(
    `${rbac}/clusterroles`,
    role('geng-1', [
      { apiGroups: [group], resources: ['*'], verbs: ['create', 'update', 'patch', 'get', 'list'] },
      { apiGroups: [''], resources: ['pods', '*/scale'], verbs: ['get', 'list'] },
      { apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a'], verbs: ['*'] },
      { nonResourceURLs: ['/metrics/*'], verbs: ['get'] },
    ]),
  )
  await server.create(
    `${rbac}/clusterrolebindings`,
    binding('geng-1', ['ClusterRole', 'geng-1'], [subject('User', 'gee')]),
  )
  return server
}

const asked = (question: string): Parameters<AdmissionTestServer['authorizer']>[0]['info'] => {
  const [verb = '', what = '', name = '', namespace = ''] = question.split(' ')
  if (what.startsWith('/'))
    return {
      verb,
      path: what,
      isResource: false,
      group: '',
      version: '',
      resource: '',
      subresource: '',
      namespace: '',
      name: '',
    }
  const [resource = '', subresource = ''] = what.split('/')
  const [plural = '', ...groupParts] = resource.split('.')
  return {
    verb,
    path: '',
    isResource: true,
    group: groupParts.join('.'),
    version: 'v1',
    resource: plural,
    subresource,
    namespace,
    name,
  }
}

describe('what a user may do is what the rules of his roles say', () => {
  test.each([
    ['get pods', true],
    ['delete pods', false],
    ['get pods/log', false],
    ['get foo/scale', true],
    ['get foo.example.com/scale', false],
    ['delete deployments.apps a', true],
    ['delete deployments.apps b', false],
    ['delete deployments.apps', false],
    ['delete deployments a', false],
    ['get /metrics/x', true],
    ['get /metrics', false],
    ['post /metrics/x', false],
  ])('%s: %s', async (question, isAllowed) => {
    const { authorizer } = await withGee()
    expect(authorizer({ user, info: asked(question) }).isAllowed).toBe(isAllowed)
  })

  test('the reason names the binding, the role and the subject', async () => {
    const server = await withGee()
    await server.create(
      `${rbac}/namespaces/geng/rolebindings`,
      binding(
        'b1',
        ['ClusterRole', 'geng-1'],
        [subject('ServiceAccount', 'sa'), subject('Group', 'g')],
        'geng',
      ),
    )
    const reason = (name: string, groups: readonly string[], question: string): string =>
      server.authorizer({ user: { name, groups }, info: asked(question) }).reason
    expect(reason('gee', [], 'get pods')).toBe(
      'RBAC: allowed by ClusterRoleBinding "geng-1" of ClusterRole "geng-1" to User "gee"',
    )
    expect(reason('x', ['g'], 'get pods p geng')).toBe(
      'RBAC: allowed by RoleBinding "b1/geng" of ClusterRole "geng-1" to Group "g"',
    )
    expect(reason('system:serviceaccount:geng:sa', [], 'get pods p geng')).toBe(
      'RBAC: allowed by RoleBinding "b1/geng" of ClusterRole "geng-1" to ServiceAccount "sa/geng"',
    )
    expect(reason('system:serviceaccount:geng:sa', [], 'get pods p other')).toBe('')
    expect(reason('x', ['system:masters'], 'get anything')).toBe('')
  })

  test('bindings to roles that are not there are told of, each once', async () => {
    const server = await createAdmissionTestServer()
    const subjects = [subject('User', 'gmiss')]
    await server.create(`${rbac}/clusterrolebindings`, binding('m', ['ClusterRole', 'nope'], subjects))
    await server.create(
      `${rbac}/namespaces/geng/rolebindings`,
      binding('m', ['Role', 'nope'], subjects, 'geng'),
    )
    const answer = await server.send('GET', '/api/v1/namespaces/geng/pods', undefined, {
      user: { name: 'gmiss', groups: [] },
    })
    expect(answer.body['message']).toBe(
      'pods is forbidden: User "gmiss" cannot list resource "pods" in API group "" in the namespace "geng": RBAC: [clusterrole.rbac.authorization.k8s.io "nope" not found, role.rbac.authorization.k8s.io "nope" not found]',
    )
  })

  test('a change of a role or a binding counts at once', async () => {
    const server = await withGee()
    const may = (): boolean => server.authorizer({ user, info: asked('get pods') }).isAllowed
    expect(may()).toBe(true)
    await server.send('DELETE', `${rbac}/clusterrolebindings/geng-1`)
    expect(may()).toBe(false)
    await server.create(
      `${rbac}/clusterrolebindings`,
      binding('geng-2', ['ClusterRole', 'geng-1'], [subject('User', 'gee')]),
    )
    expect(may()).toBe(true)
    await server.send(
      'PATCH',
      `${rbac}/clusterroles/geng-1`,
      { rules: [] },
      { contentType: 'application/merge-patch+json' },
    )
    expect(may()).toBe(false)
  })
})

const held =
  'user "gee" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:'

describe('nobody gives what he does not have', () => {
  test.each([
    [[{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }], undefined],
    [[{ apiGroups: [''], resources: ['foo/scale'], verbs: ['get'] }], undefined],
    [[], undefined],
    [
      [{ apiGroups: [''], resources: ['pods', 'secrets'], verbs: ['get', 'delete'] }],
      '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete"]}',
    ],
    [
      [{ apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a', 'b'], verbs: ['get'] }],
      '{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["b"], Verbs:["get"]}',
    ],
    [
      [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] }],
      '{APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]}',
    ],
    [
      [{ nonResourceURLs: ['/metrics/a', '/metrics', '/x*'], verbs: ['get', 'post'] }],
      '{NonResourceURLs:["/metrics"], Verbs:["get"]}\n{NonResourceURLs:["/metrics"], Verbs:["post"]}\n{NonResourceURLs:["/metrics/a"], Verbs:["post"]}\n{NonResourceURLs:["/x*"], Verbs:["get"]}\n{NonResourceURLs:["/x*"], Verbs:["post"]}',
    ],
    [
      [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
    ],
  ])('a role with %j', async (rules, missing) => {
    const server = await withGee()
    const answer = await server.send('POST', `${rbac}/clusterroles`, role('geng-2', rules), { user })
    if (missing === undefined) expect(answer.status).toBe(201)
    else
      expect(answer.body).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: `clusterroles.rbac.authorization.k8s.io "geng-2" is forbidden: ${held}\n${missing}`,
        details: { name: 'geng-2', group, kind: 'clusterroles' },
      })
  })

  test('a role that gathers others takes everything', async () => {
    const server = await withGee()
    const gathering = role('agg', [], {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
    })
    const answer = await server.send('POST', `${rbac}/clusterroles`, gathering, { user })
    expect(answer.body['message']).toBe(
      'clusterroles.rbac.authorization.k8s.io "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    )
  })

  test.each([
    ['ClusterRole', 'geng-1', 201, undefined],
    ['ClusterRole', 'nope', 404, 'clusterrolebindings.rbac.authorization.k8s.io "nope" not found'],
    ['Role', 'nope', 400, 'Namespace parameter required.'],
    ['Foo', 'x', 500, 'unsupported role reference kind: "Foo"'],
    [
      'ClusterRole',
      'geng-9',
      403,
      `clusterrolebindings.rbac.authorization.k8s.io "geng-2" is forbidden: ${held}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`,
    ],
  ])('a binding to %s %s', async (kind, name, status, message) => {
    const server = await withGee()
    await server.create(
      `${rbac}/clusterroles`,
      role('geng-9', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
    )
    const body = binding('geng-2', [kind, name], [subject('User', 'gee')])
    const answer = await server.send('POST', `${rbac}/clusterrolebindings`, body, { user })
    expect([answer.status, answer.body['message']]).toEqual([status, message])
  })

  test('but for those who may bind or escalate, where they may', async () => {
    const server = await withGee()
    await server.create(
      `${rbac}/clusterroles`,
      role('v', [{ apiGroups: [''], resources: ['x'], verbs: ['get'] }]),
    )
    await server.create(
      `${rbac}/clusterroles`,
      role('geng-3', [
        { apiGroups: [group], resources: ['clusterroles'], resourceNames: ['v'], verbs: ['bind'] },
      ]),
    )
    await server.create(
      `${rbac}/namespaces/geng/rolebindings`,
      binding('b2', ['ClusterRole', 'geng-3'], [subject('User', 'gee')], 'geng'),
    )
    const local = binding('b1', ['ClusterRole', 'v'], [], 'geng')
    expect((await server.send('POST', `${rbac}/namespaces/geng/rolebindings`, local, { user })).status).toBe(
      201,
    )
    const wide = binding('w', ['ClusterRole', 'v'], [])
    expect((await server.send('POST', `${rbac}/clusterrolebindings`, wide, { user })).status).toBe(403)
  })

  test('owners and finalizers of a role may be changed by those who could never have made it', async () => {
    const server = await withGee()
    await server.create(
      `${rbac}/clusterroles`,
      role('v', [{ apiGroups: [''], resources: ['x'], verbs: ['get'] }]),
    )
    const patch = async (metadata: unknown): Promise<number> =>
      (
        await server.send(
          'PATCH',
          `${rbac}/clusterroles/v`,
          { metadata },
          { user, contentType: 'application/merge-patch+json' },
        )
      ).status
    expect(await patch({ finalizers: ['a.b/c'] })).toBe(200)
    expect(await patch({ labels: { a: 'b' } })).toBe(403)
  })
})

test('the roles of a new server can all be created, and admin, edit and view have what they gather', async () => {
  const server = await createAdmissionTestServer()
  for (const name of ['kube-system', 'kube-public'])
    if (server.parts.cluster.get('namespaces', '', name) === undefined)
      await server.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const roles = await bootstrapRoles()
  for (const object of roles) {
    const path = paths[object.kind]?.(object.metadata.namespace ?? '') ?? ''
    await server.create(path, object)
  }
  const rulesOf = (name: string): number => {
    const rules = server.parts.cluster.get('clusterroles.rbac.authorization.k8s.io', '', name)?.['rules']
    return Array.isArray(rules) ? rules.length : 0
  }
  // Counted on the real server.
  expect(['admin', 'edit', 'view'].map(rulesOf)).toEqual([29, 27, 12])
  expect(
    server.authorizer({ user: { name: 'u', groups: ['system:authenticated'] }, info: asked('get /healthz') }),
  ).toEqual({
    isAllowed: true,
    reason:
      'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
  })
})
