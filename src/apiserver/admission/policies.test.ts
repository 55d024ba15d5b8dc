import { describe, expect, test } from 'vitest'
import { type AdmissionTestServer, createAdmissionTestServer } from '../test-admission.js'

const api = '/apis/admissionregistration.k8s.io/v1'
const configMaps = '/api/v1/namespaces/geng/configmaps'
const configMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c' },
  data: { a: 'b', n: '5' },
}
const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }

function policy(spec: Readonly<Record<string, unknown>>): Parameters<AdmissionTestServer['create']>[1] {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
  }
}

async function serverWith(
  spec: Readonly<Record<string, unknown>>,
  binding: Readonly<Record<string, unknown>> = {},
): Promise<AdmissionTestServer> {
  const server = await createAdmissionTestServer()
  await server.create('/api/v1/namespaces/geng/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'par', labels: { p: '1', n: '5' } },
  })
  await server.create(`${api}/validatingadmissionpolicies`, policy(spec))
  await server.create(`${api}/validatingadmissionpolicybindings`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'b' },
    spec: { policyName: 'p', validationActions: ['Deny'], ...binding },
  })
  return server
}

const checks = (
  ...validations: readonly (string | Readonly<Record<string, unknown>>)[]
): Record<string, unknown> => ({
  validations: validations.map((each) => (typeof each === 'string' ? { expression: each } : each)),
})
const secret = { apiVersion: 'v1', kind: 'Secret' }
const ask = "authorizer.path('/x').check('get').allowed()"

describe('a policy decides in the words of the real server', () => {
  test.each<
    [
      string,
      Readonly<Record<string, unknown>>,
      Readonly<Record<string, unknown>>,
      string | undefined,
      number?,
    ]
  >([
    ['true', checks('true'), {}, undefined],
    ['false', checks('false'), {}, 'failed expression: false'],
    [
      'the first of several',
      checks('true', "object.data.a != 'b'", 'false'),
      {},
      "failed expression: object.data.a != 'b'",
    ],
    ['a message', checks({ expression: 'false', message: ' mine ' }), {}, 'mine'],
    [
      'a message that is computed',
      checks({ expression: 'false', messageExpression: "'name ' + object.metadata.name", message: 'm' }),
      {},
      'name c',
    ],
    [
      'a message that cannot be computed',
      checks({ expression: 'false', messageExpression: 'string(object.nope)', message: 'm' }),
      {},
      'm',
    ],
    ['a reason', checks({ expression: 'false', reason: 'Forbidden' }), {}, 'failed expression: false', 403],
    [
      'another reason',
      checks({ expression: 'false', reason: 'RequestEntityTooLarge' }),
      {},
      'failed expression: false',
      413,
    ],
    [
      'an error',
      checks("object.data.nope == 'x'"),
      {},
      "expression 'object.data.nope == 'x'' resulted in error: no such key: nope",
    ],
    [
      'an error that is ignored',
      { ...checks("object.data.nope == 'x'"), failurePolicy: 'Ignore' },
      {},
      undefined,
    ],
    [
      'variables',
      {
        variables: [
          { name: 'n', expression: 'int(object.data.n)' },
          { name: 'm', expression: 'variables.n + 1' },
        ],
        ...checks({ expression: 'variables.m > 10', messageExpression: "'m is ' + string(variables.m)" }),
      },
      {},
      'm is 6',
    ],
    [
      'a variable that fails',
      { variables: [{ name: 'bad', expression: 'int(object.data.a)' }], ...checks('variables.bad > 1') },
      {},
      `expression 'variables.bad > 1' resulted in error: composited variable "bad" fails to evaluate: type conversion error from 'string' to 'int'`,
    ],
    [
      'a condition that is not met',
      { ...checks('false'), matchConditions: [{ name: 'x', expression: "object.metadata.name == 'd'" }] },
      {},
      undefined,
    ],
    [
      'a condition that fails',
      { ...checks('false'), matchConditions: [{ name: 'x', expression: 'object.nope == 1' }] },
      {},
      "expression 'object.nope == 1' resulted in error: no such key: nope",
    ],
    [
      'the user',
      checks("request.userInfo.username != 'admin'"),
      {},
      "failed expression: request.userInfo.username != 'admin'",
    ],
    [
      'the namespace',
      checks("namespaceObject.metadata.name != 'geng'"),
      {},
      "failed expression: namespaceObject.metadata.name != 'geng'",
    ],
    [
      'too many questions to the authorizer',
      checks(`${ask} && ${ask} && ${ask}`),
      {},
      `expression '${ask} && ${ask} && ${ask}' resulted in error: operation cancelled: actual cost limit exceeded`,
    ],
    [
      'an annotation that fails',
      { ...checks('true'), auditAnnotations: [{ key: 'k', valueExpression: "object.data.nope + 'x'" }] },
      {},
      "expression 'object.data.nope + 'x'' resulted in error: no such key: nope",
    ],
    ['no parameters', { paramKind: secret, ...checks('params == null') }, {}, undefined],
    [
      'a parameter by name',
      {
        paramKind: secret,
        ...checks({
          expression: 'object.data.n != params.metadata.labels.n',
          messageExpression: "'param ' + params.metadata.name + ' ' + params.kind",
        }),
      },
      { paramRef: { name: 'par', parameterNotFoundAction: 'Deny' } },
      'param par Secret',
    ],
    [
      'parameters by labels',
      { paramKind: secret, ...checks('object.data.n != params.metadata.labels.n') },
      { paramRef: { selector: { matchLabels: { p: '1' } }, parameterNotFoundAction: 'Allow' } },
      'failed expression: object.data.n != params.metadata.labels.n',
    ],
    [
      'parameters that are not there, which is fine',
      { paramKind: secret, ...checks('false') },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Allow' } },
      undefined,
    ],
    [
      'parameters that are not there, which is not',
      { paramKind: secret, ...checks('true') },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } },
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
    ],
    [
      'another name',
      { ...checks('false'), matchConstraints: { resourceRules: [{ ...rule, resourceNames: ['d'] }] } },
      {},
      undefined,
    ],
    [
      'an exception',
      {
        ...checks('false'),
        matchConstraints: { resourceRules: [{ ...rule, resources: ['*'] }], excludeResourceRules: [rule] },
      },
      {},
      undefined,
    ],
    [
      'another namespace',
      checks('false'),
      { matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } } },
      undefined,
    ],
  ])('%s', async (...[, spec, binding, why, code = 422]) => {
    const server = await serverWith(spec, binding)
    const answer = await server.send('POST', configMaps, configMap)
    const text = `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ${why}`
    if (why === undefined) expect(answer.body).toMatchObject({ kind: 'ConfigMap' })
    else
      expect(answer.body).toMatchObject({
        code,
        message: `configmaps "c" is forbidden: ${text}`,
        details: { name: 'c', kind: 'configmaps', causes: [{ message: text }] },
      })
  })

  test('a parameter kind that is not there makes the policy fail, not the binding', async () => {
    const server = await serverWith({ paramKind: { apiVersion: 'v1', kind: 'Nope' }, ...checks('true') })
    expect((await server.send('POST', configMaps, configMap)).body['message']).toBe(
      `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Nope'`,
    )
  })

  test('warned of, a request goes on', async () => {
    const server = await serverWith(checks({ expression: 'false', message: 'w1' }), {
      validationActions: ['Warn', 'Audit'],
    })
    const answer = await server.send('POST', configMaps, configMap)
    expect([answer.status, answer.warnings]).toEqual([
      201,
      [`299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': w1"`],
    ])
  })

  test('updates see what was there, deletions have no object', async () => {
    const server = await serverWith(checks('oldObject == null || object.data.a == oldObject.data.a'))
    await server.create(configMaps, configMap)
    const update = await server.send(
      'PATCH',
      `${configMaps}/c`,
      { data: { a: 'z' } },
      { contentType: 'application/merge-patch+json' },
    )
    expect(update.body['message']).toContain('failed expression: oldObject == null')
    const deletion = await server.send('DELETE', `${configMaps}/c`)
    expect(deletion.body['message']).toContain('resulted in error: no such key: data')
  })
})

describe('a policy that does not compile is refused', () => {
  test.each([
    ['1', 'must evaluate to bool but got int'],
    ['object.foo', 'must evaluate to bool but got dyn'],
    [
      'object.',
      "compilation failed: ERROR: <input>:1:8: Syntax error: no viable alternative at input '.'\n | object.\n | .......^",
    ],
    [
      'nope == 1',
      "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope == 1\n | ^",
    ],
    [
      'request.nope == 1',
      "compilation failed: ERROR: <input>:1:8: undefined field 'nope'\n | request.nope == 1\n | .......^",
    ],
    [
      "authorizer.check('x')",
      "compilation failed: ERROR: <input>:1:17: found no matching overload for 'check' applied to 'kubernetes.authorization.Authorizer.(string)'\n | authorizer.check('x')\n | ................^",
    ],
  ])('%s', async (expression, problem) => {
    const server = await createAdmissionTestServer()
    const answer = await server.send('POST', `${api}/validatingadmissionpolicies`, policy(checks(expression)))
    expect(answer.body).toMatchObject({
      code: 422,
      message: `ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: spec.validations[0].expression: Invalid value: ${JSON.stringify(expression)}: ${problem}`,
    })
  })
})
