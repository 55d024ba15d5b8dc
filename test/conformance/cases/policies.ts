import { stringifyJson } from 'kubewright/base'
import { type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import { at } from '../data.js'
import { configMap, object, widget } from './objects.js'

const group = 'admissionregistration.k8s.io/v1'

/** A policy for config maps, without the name. */
interface Policy {
  readonly spec: object
  readonly binding?: object
  /** The parameters, a config map `params` in the namespace of the case. */
  readonly params?: object
}

const constraints = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] },
  ],
}

function policyOf(t: Conversation, spec: object): object {
  return object(group, 'ValidatingAdmissionPolicy', `${t.tag}-p`, {
    spec: { matchConstraints: constraints, failurePolicy: 'Fail', ...spec },
  })
}

function bindingOf(t: Conversation, spec: object): object {
  return object(group, 'ValidatingAdmissionPolicyBinding', `${t.tag}-b`, {
    spec: {
      policyName: `${t.tag}-p`,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': t.namespace } } },
      ...spec,
    },
  })
}

const validation = (expression: string, more: object = {}): object => ({
  validations: [{ expression, ...more }],
})

/** Every policy refuses the config map `probe`, which is how one sees that it is in force. */
const isProbe = "object.metadata.name == 'probe'"
const rule = (expression: string): string => `!(${isProbe}) && (${expression})`

const inForce: Readonly<Record<string, Policy>> = {
  'a rule': { spec: validation(rule("object.data.k == 'v'")) },
  'a rule with a message': { spec: validation(rule("object.data.k == 'v'"), { message: 'k must be v' }) },
  'a rule with a message that is computed': {
    spec: validation(rule("object.data.k == 'v'"), { messageExpression: "'not ' + object.metadata.name" }),
  },
  'a rule with a message that cannot be computed': {
    spec: validation(rule("object.data.k == 'v'"), {
      messageExpression: 'string(object.data.missing)',
      message: 'fallback',
    }),
  },
  'a rule with a reason': { spec: validation(rule("object.data.k == 'v'"), { reason: 'Forbidden' }) },
  'two rules': {
    spec: {
      validations: [
        { expression: rule("object.data.k == 'v'") },
        { expression: 'size(object.metadata.name) == 1', message: 'short names' },
      ],
    },
  },
  'a rule that fails': { spec: validation(rule("object.data.missing == 'v'")) },
  'a rule that fails and is ignored': {
    spec: { ...validation(`!(${isProbe}) && object.data.missing == 'v'`), failurePolicy: 'Ignore' },
  },
  variables: {
    spec: {
      variables: [{ name: 'k', expression: 'object.data.k' }],
      ...validation(rule("variables.k == 'v'")),
    },
  },
  'a condition': {
    spec: {
      matchConditions: [{ name: 'm', expression: "object.metadata.name != 'b'" }],
      ...validation(rule("object.data.k == 'v'")),
    },
  },
  'the old object': { spec: validation(rule('oldObject == null || oldObject.data.k == object.data.k')) },
  'the request': {
    spec: validation(rule("request.operation == 'CREATE' && request.userInfo.username != ''")),
  },
  'the namespace': { spec: validation(rule('namespaceObject.metadata.name == object.metadata.namespace')) },
  warnings: {
    spec: validation(rule("object.data.k == 'v'"), { message: 'careful' }),
    binding: { validationActions: ['Warn'] },
  },
  'an audit': { spec: validation(rule("object.data.k == 'v'")), binding: { validationActions: ['Audit'] } },
  'an audit and a denial': {
    spec: validation(rule("object.data.k == 'v'")),
    binding: { validationActions: ['Deny', 'Audit'] },
  },
  parameters: {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      ...validation(rule('object.data.k == params.data.k')),
    },
    binding: { paramRef: { name: 'params', namespace: undefined, parameterNotFoundAction: 'Deny' } },
    params: { data: { k: 'v' } },
  },
  'parameters that are missing': {
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      ...validation(rule('object.data.k == params.data.k')),
    },
    binding: { paramRef: { name: 'missing', parameterNotFoundAction: 'Deny' } },
  },
}

/** An audit shows in nothing that a client sees. */
const isShown = ({ binding }: Policy): boolean =>
  binding === undefined || !/^\["Audit"\]$/.test(stringifyJson(at(binding, 'validationActions')))

const enforced = table(
  'admission policies',
  Object.fromEntries(Object.entries(inForce)),
  async (t, policy) => {
    const headers = { 'content-type': 'application/json' }
    if (policy.params !== undefined)
      await t.post(t.url('configmaps'), configMap('params', { ...policy.params }))
    await t.quietly({
      method: 'POST',
      path: t.url('validatingadmissionpolicies'),
      headers,
      body: policyOf(t, policy.spec),
    })
    await t.quietly({
      method: 'POST',
      path: t.url('validatingadmissionpolicybindings'),
      headers,
      body: bindingOf(t, policy.binding ?? {}),
    })
    if (isShown(policy))
      await t.untilSent(
        {
          method: 'POST',
          path: t.url('configmaps', '?dryRun=All'),
          headers,
          body: configMap('probe', { data: { k: 'v' } }),
        },
        (answer) => answer.status >= 400 || answer.headers['warning'] !== undefined,
        { quiet: true },
      )
    await t.post(t.url('configmaps'), configMap('a', { data: { k: 'v' } }))
    await t.post(t.url('configmaps'), configMap('b', { data: { k: 'w' } }))
    await t.post(t.url('configmaps'), configMap('c'))
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { k: 'x' } })
    await t.apply(t.url('configmaps', 'd'), 'me', configMap('d', { data: { k: 'y' } }))
    await t.post(t.url('secrets'), object('v1', 'Secret', 'a'))
    await t.delete(t.url('configmaps', 'a'))
  },
)

const wrongPolicies: Readonly<Record<string, object>> = {
  'nothing but defaults': validation('true'),
  'no rules': {},
  'a rule that does not compile': validation('object.'),
  'a rule that is no condition': validation("'text'"),
  'an unknown variable': validation('variables.x == 1'),
  'an unknown name': validation('nothing == 1'),
  'an unknown function': validation('object.metadata.name.shout()'),
  'an empty rule': validation('  '),
  'a message of two lines': validation('true', { message: 'a\nb' }),
  'a wrong message': validation('true', { messageExpression: '1' }),
  'a wrong reason': validation('true', { reason: 'Because' }),
  'a wrong failure policy': { ...validation('true'), failurePolicy: 'Panic' },
  'no constraints': { ...validation('true'), matchConstraints: null },
  'no rules in the constraints': { ...validation('true'), matchConstraints: {} },
  'a wrong operation': {
    ...validation('true'),
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['READ'] }],
    },
  },
  'a wrong variable': {
    ...validation('true'),
    variables: [
      { name: '1', expression: 'true' },
      { name: 'a', expression: '' },
    ],
  },
  'a variable twice': {
    ...validation('true'),
    variables: [
      { name: 'a', expression: '1' },
      { name: 'a', expression: '2' },
    ],
  },
  'a wrong condition': { ...validation('true'), matchConditions: [{ name: 'a', expression: 'object.' }] },
  'parameters without a kind': { ...validation('true'), paramKind: { apiVersion: 'v1' } },
  'parameters without params': { ...validation('params.x == 1') },
  'audit annotations': { auditAnnotations: [{ key: 'k', valueExpression: "'v'" }] },
  'wrong audit annotations': { auditAnnotations: [{ key: 'K !', valueExpression: '1' }] },
  'rules that are too expensive': validation(
    "object.metadata.annotations.all(a, object.metadata.annotations.all(b, object.metadata.annotations.all(c, a.matches('x*')))) ",
  ),
}

const wrongBindings: Readonly<Record<string, object>> = {
  'nothing but defaults': {},
  'no policy': { policyName: '' },
  'no actions': { validationActions: [] },
  'a wrong action': { validationActions: ['Shout'] },
  'contradicting actions': { validationActions: ['Deny', 'Warn'] },
  'an action twice': { validationActions: ['Deny', 'Deny'] },
  'parameters without a name': { paramRef: {} },
  'parameters by name and label': { paramRef: { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' } },
  'parameters without an action': { paramRef: { name: 'a' } },
  'a wrong selector': {
    matchResources: { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
  },
}

const refused = [
  ...table(
    'admission policies',
    Object.fromEntries(Object.entries(wrongPolicies).map(([name, spec]) => [`a policy with ${name}`, spec])),
    async (t, spec) =>
      void (await t.post(t.url('validatingadmissionpolicies', '?dryRun=All'), policyOf(t, spec))),
    { namespace: 'shared' },
  ),
  ...table(
    'admission policies',
    Object.fromEntries(Object.entries(wrongBindings).map(([name, spec]) => [`a binding with ${name}`, spec])),
    async (t, spec) =>
      void (await t.post(t.url('validatingadmissionpolicybindings', '?dryRun=All'), bindingOf(t, spec))),
    { namespace: 'shared' },
  ),
  ...table(
    'admission policies',
    { 'of widgets, by their fields': 'object.spec.size < 5' },
    async (t, expression) => {
      const headers = { 'content-type': 'application/json' }
      const matchConstraints = {
        resourceRules: [
          { apiGroups: [t.group], apiVersions: ['v1'], resources: ['widgets'], operations: ['*'] },
        ],
      }
      await t.quietly({
        method: 'POST',
        path: t.url('validatingadmissionpolicies'),
        headers,
        body: policyOf(t, {
          matchConstraints,
          ...validation(`request.operation == 'DELETE' || (${rule(expression)})`),
        }),
      })
      await t.quietly({
        method: 'POST',
        path: t.url('validatingadmissionpolicybindings'),
        headers,
        body: bindingOf(t, {}),
      })
      await t.untilSent(
        {
          method: 'POST',
          path: t.url('widgets', '?dryRun=All'),
          headers,
          body: widget(t, 'probe', { size: 9 }),
        },
        ({ status }) => status >= 400,
        { quiet: true },
      )
      await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
      await t.post(t.url('widgets'), widget(t, 'b', { size: 6 }))
      await t.post(t.url('widgets'), widget(t, 'c'))
      await t.patch(t.url('widgets', 'a'), 'merge', { spec: { size: 7 } })
      await t.delete(t.url('widgets', 'a'))
    },
  ),
]

export const policies: readonly Case[] = [...enforced, ...refused]
