import { expect, test } from 'vitest'
import { createAdmissionTestServer } from '../test-admission.js'

const authorization = '/apis/authorization.k8s.io/v1'
const authentication = '/apis/authentication.k8s.io/v1'
const zed = { name: 'zed', groups: ['system:authenticated'] }
const pods = { verb: 'get', resource: 'pods' }

function review(kind: string, spec: unknown, metadata?: unknown): unknown {
  const group = kind === 'TokenReview' || kind === 'SelfSubjectReview' ? 'authentication' : 'authorization'
  return { apiVersion: `${group}.k8s.io/v1`, kind, ...(metadata !== undefined && { metadata }), spec }
}

test.each([
  [
    'subjectaccessreviews',
    review('SubjectAccessReview', {}),
    '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
  ],
  [
    'subjectaccessreviews',
    review('SubjectAccessReview', {
      user: 'x',
      resourceAttributes: { verb: 'get' },
      nonResourceAttributes: { path: '/x', verb: 'get' },
    }),
    '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
  ],
  [
    'selfsubjectaccessreviews',
    review('SelfSubjectAccessReview', {
      resourceAttributes: {
        ...pods,
        fieldSelector: {},
        labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] },
      },
    }),
    '.authorization.k8s.io "" is invalid: [spec.resourceAttributes.fieldSelector.requirements: Required value: when spec.resourceAttributes.fieldSelector is specified, requirements or rawSelector is required, spec.resourceAttributes.labelSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements]',
  ],
  [
    'namespaces/geng/localsubjectaccessreviews',
    review('LocalSubjectAccessReview', { user: 'zed', resourceAttributes: pods }),
    '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
  ],
  ['selfsubjectrulesreviews', review('SelfSubjectRulesReview', {}), 'no namespace on request'],
])('%s refuses a question that cannot be answered', async (path, body, message) => {
  const server = await createAdmissionTestServer()
  expect((await server.send('POST', `${authorization}/${path}`, body)).body['message']).toBe(message)
})

test('an access review says what the user may, and which selectors it could not read', async () => {
  const server = await createAdmissionTestServer()
  const resourceAttributes = {
    ...pods,
    fieldSelector: { rawSelector: 'a=b,,c' },
    labelSelector: { requirements: [{ key: 'a', operator: 'Foo' }] },
  }
  const spec = { user: 'x', groups: ['system:masters'], resourceAttributes }
  const answer = await server.send(
    'POST',
    `${authorization}/subjectaccessreviews`,
    review('SubjectAccessReview', spec),
  )
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    spec,
    status: {
      allowed: true,
      evaluationError:
        'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
    },
  })
})

test('a review of a namespace takes its name from the path', async () => {
  const server = await createAdmissionTestServer()
  const answer = await server.send(
    'POST',
    `${authorization}/namespaces/geng/localsubjectaccessreviews`,
    review('LocalSubjectAccessReview', { user: 'zed', resourceAttributes: { ...pods, namespace: 'geng' } }),
  )
  expect(answer.body).toMatchObject({ metadata: { namespace: 'geng' }, status: { allowed: false } })
})

test('a token that is nobody’s is told so, and none at all is refused', async () => {
  const server = await createAdmissionTestServer()
  const send = (spec: unknown): ReturnType<typeof server.send> =>
    server.send('POST', `${authentication}/tokenreviews`, review('TokenReview', spec))
  expect((await send({ token: 'abc' })).body['status']).toEqual({ user: {}, error: 'invalid bearer token' })
  expect((await send({})).body['message']).toBe('token is required for TokenReview in authentication')
})

test('everybody may ask who he is', async () => {
  const server = await createAdmissionTestServer()
  await server.create('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'basic' },
    rules: [{ apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] }],
  })
  await server.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'basic' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'basic' },
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:authenticated' }],
  })
  const answer = await server.send(
    'POST',
    `${authentication}/selfsubjectreviews`,
    review('SelfSubjectReview', undefined),
    { user: zed },
  )
  expect(answer.body['status']).toEqual({ userInfo: { username: 'zed', groups: ['system:authenticated'] } })
})
