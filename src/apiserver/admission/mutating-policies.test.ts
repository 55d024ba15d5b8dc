import { describe, expect, test } from 'vitest'
import { type AdmissionTestServer, createAdmissionTestServer } from '../test-admission.js'
import type { Answer } from '../test-server.js'

// Every message is the real server's.

const api = '/apis/admissionregistration.k8s.io/v1'
const configMaps = '/api/v1/namespaces/geng/configmaps'
const deployments = '/apis/apps/v1/namespaces/geng/deployments'
const rule = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: ['', 'apps'],
  apiVersions: ['v1'],
  resources: ['configmaps', 'deployments'],
}
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { x: '1' } }
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'd' } },
    template: {
      metadata: { labels: { app: 'd' } },
      spec: { containers: [{ name: 'i', image: 'i' }] },
    },
  },
}

type Spec = Readonly<Record<string, unknown>>

const applying = (expression: string): Spec => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
})
const patching = (expression: string): Spec => ({ patchType: 'JSONPatch', jsonPatch: { expression } })

async function add(server: AdmissionTestServer, name: string, spec: Spec): Promise<Answer> {
  const answer = await server.send('POST', `${api}/mutatingadmissionpolicies`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: 'Never', ...spec },
  })
  await server.create(`${api}/mutatingadmissionpolicybindings`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: `${name}-b` },
    spec: {
      policyName: name,
      ...(spec['paramKind'] !== undefined && { paramRef: { name: 'par', parameterNotFoundAction: 'Deny' } }),
    },
  })
  return answer
}

async function serverWith(mutation: Spec, more: Spec = {}): Promise<AdmissionTestServer> {
  const server = await createAdmissionTestServer()
  expect((await add(server, 'p', { mutations: [mutation], ...more })).status).toBe(201)
  return server
}

describe('an object that is applied', () => {
  test('adds to what is there, and nobody owns what it adds', async () => {
    const server = await serverWith(
      applying(
        "Object{metadata: Object.metadata{labels: {'user': request.userInfo.username}}, data: {'extra': string(size(object.data))}}",
      ),
    )
    const { body } = await server.send('POST', configMaps, configMap)
    expect(body).toMatchObject({ data: { x: '1', extra: '1' } })
    expect(body['metadata']).toHaveProperty('labels.user')
    expect(JSON.stringify(body['metadata'])).not.toContain('f:extra')
  })

  test('merges lists by their keys', async () => {
    const server = await serverWith(
      applying(
        "Object{spec: Object.spec{replicas: object.spec.replicas + 1, template: Object.spec.template{spec: Object.spec.template.spec{initContainers: [Object.spec.template.spec.initContainers{name: 'side', image: 'side', restartPolicy: 'Always'}], containers: object.spec.template.spec.containers.map(c, Object.spec.template.spec.containers{name: c.name, env: [Object.spec.template.spec.containers.env{name: 'FOO', value: c.name}]})}}}}",
      ),
    )
    const { body } = await server.send('POST', deployments, deployment)
    expect(body['spec']).toMatchObject({
      replicas: 2,
      template: {
        spec: {
          containers: [{ name: 'i', image: 'i', env: [{ name: 'FOO', value: 'i' }] }],
          initContainers: [{ name: 'side', image: 'side', terminationMessagePath: '/dev/termination-log' }],
        },
      },
    })
  })

  test('may use variables and parameters', async () => {
    const server = await createAdmissionTestServer()
    await server.create(configMaps, { ...configMap, metadata: { name: 'par' }, data: { tier: 'gold' } })
    await add(server, 'p', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'tier', expression: "params.data.tier + '!'" }],
      mutations: [applying("Object{data: {'tier': variables.tier}}")],
    })
    const { body } = await server.send('POST', configMaps, configMap)
    expect(body['data']).toEqual({ x: '1', tier: 'gold!' })
  })
})

describe('operations', () => {
  test('are done in their order', async () => {
    const server = await serverWith(
      patching(
        "[JSONPatch{op: 'add', path: '/metadata/annotations', value: {'a': 'b'}}, JSONPatch{op: 'add', path: '/metadata/annotations/' + jsonpatch.escapeKey('x.y/z~'), value: 'v'}, JSONPatch{op: 'remove', path: '/data/x'}]",
      ),
    )
    const answer = await server.send('POST', configMaps, configMap)
    // The name of the annotation is wrong on purpose: it shows how it was escaped.
    expect(answer.text).toContain('x.y/z~')
    expect(answer.status).toBe(422)
  })

  test('are not done when one of them tests in vain', async () => {
    const server = await serverWith(
      patching(
        "[JSONPatch{op: 'test', path: '/data/x', value: '2'}, JSONPatch{op: 'add', path: '/data/never', value: 'v'}]",
      ),
    )
    const { body } = await server.send('POST', configMaps, configMap)
    expect(body['data']).toEqual({ x: '1' })
  })

  test('are not done when a condition is not met', async () => {
    const server = await serverWith(patching("[JSONPatch{op: 'remove', path: '/data/x'}]"), {
      matchConditions: [{ name: 'c', expression: "object.metadata.name != 'c'" }],
    })
    const { body } = await server.send('POST', configMaps, configMap)
    expect(body['data']).toEqual({ x: '1' })
  })
})

describe('what cannot be done refuses the request', () => {
  test.each([
    [
      'a key that is missing',
      patching("[JSONPatch{op: 'remove', path: '/spec/y'}]"),
      "JSON Patch: error in remove for path: '/spec/y': Unable to remove nonexistent key: y: missing value",
    ],
    [
      'a part of something whole',
      applying("Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'a': 'b'}}}}"),
      'error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector',
    ],
    [
      'an object in a wrong place',
      applying('Object{spec: Object.spec.wrong{replicas: 2}}'),
      'type mismatch: unexpected type name "Object.spec.wrong", expected "Object.spec", which matches field name path from root Object type',
    ],
    [
      'a field that nobody knows',
      applying('Object{spec: Object.spec{nothing: 2}}'),
      'error applying patch: failed to convert patch object to typed object: .spec.nothing: field not declared in schema',
    ],
    [
      'an expression that fails',
      applying("Object{metadata: Object.metadata{labels: {'a': object.nothing}}}"),
      "expression 'Object{metadata: Object.metadata{labels: {'a': object.nothing}}}' resulted in error: no such key: nothing",
    ],
  ])('%s', async (_, mutation, message) => {
    const server = await serverWith(mutation)
    const answer = await server.send('POST', deployments, deployment)
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({
      reason: 'Invalid',
      message: `policy 'p' with binding 'p-b' denied request: ${message}`,
    })
  })

  test('unless it should not matter', async () => {
    const server = await serverWith(applying("Object{data: {'a': object.nothing}}"), {
      failurePolicy: 'Ignore',
    })
    expect((await server.send('POST', configMaps, configMap)).status).toBe(201)
  })

  test('fields that the kind does not have, always', async () => {
    const server = await serverWith(patching("[JSONPatch{op: 'add', path: '/a', value: 5}]"), {
      failurePolicy: 'Ignore',
    })
    const answer = await server.send('POST', configMaps, configMap)
    expect(answer.status).toBe(500)
    expect(answer.body['message']).toBe('Internal error occurred: strict decoding error: unknown field "a"')
  })
})

test('a policy that wants it is evaluated again when another has changed the object', async () => {
  const server = await serverWith(
    applying(
      "Object{metadata: Object.metadata{annotations: {'seen': has(object.metadata.labels) ? 'yes' : 'no'}}}",
    ),
    { reinvocationPolicy: 'IfNeeded' },
  )
  await add(server, 'q', { mutations: [applying("Object{metadata: Object.metadata{labels: {'x': 'y'}}}")] })
  const { body } = await server.send('POST', configMaps, configMap)
  expect(body['metadata']).toMatchObject({ annotations: { seen: 'yes' }, labels: { x: 'y' } })
})

test.each([
  [applying("{'a': 'b'}"), 'must evaluate to Object but got map(string, string)'],
  [patching("JSONPatch{op: 'add'}"), 'must evaluate to list(JSONPatch) but got JSONPatch'],
  [
    patching('[JSONPatch{op: 5}]'),
    "compilation failed: ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'\n | [JSONPatch{op: 5}]\n | .............^",
  ],
  [
    patching('[Nothing{op: 5}]'),
    "compilation failed: ERROR: <input>:1:9: undeclared reference to 'Nothing' (in container '')\n | [Nothing{op: 5}]\n | ........^",
  ],
])('%j is no mutation', async (mutation, message) => {
  const server = await createAdmissionTestServer()
  const answer = await add(server, 'p', { mutations: [mutation] })
  expect(answer.status).toBe(422)
  expect(answer.body['message']).toContain(message)
})
