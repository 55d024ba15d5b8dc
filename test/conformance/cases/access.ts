import { stringifyJson } from 'kubewright/base'
import { area, type Case } from '../case.js'
import type { Conversation } from '../conversation.js'
import { at, listAt } from '../data.js'
import type { Answer } from '../exchange.js'
import { configMap, object, pod, widget } from './objects.js'

const rbac = 'rbac.authorization.k8s.io/v1'
const rbacGroup = 'rbac.authorization.k8s.io'
type Headers = Record<string, string | string[]>

/** A user without rights, unless a case gives some. */
const as = (t: Conversation, name = 'jane', more: Headers = {}): Headers => ({
  'impersonate-user': `${t.tag}-${name}`,
  ...more,
})

const role = (name: string, rules: readonly object[]): object => object(rbac, 'Role', name, { rules })
const reads = (resource: string, verbs = ['get', 'list']): object => ({
  apiGroups: [''],
  resources: [resource],
  verbs,
})

const bind = (t: Conversation, name: string, roleName: string, more: object = {}): object =>
  object(rbac, 'RoleBinding', name, {
    subjects: [{ kind: 'User', name: `${t.tag}-jane`, apiGroup: rbacGroup }],
    roleRef: { kind: 'Role', name: roleName, apiGroup: rbacGroup },
    ...more,
  })

/** Gives jane the rules and waits until they hold: `path` becomes readable. */
async function grant(t: Conversation, rules: readonly object[], path: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await t.quietly({ method: 'POST', path: t.url('roles'), headers, body: role('granted', rules) })
  await t.quietly({
    method: 'POST',
    path: t.url('rolebindings'),
    headers,
    body: bind(t, 'granted', 'granted'),
  })
  await t.untilSent({ method: 'GET', path, headers: as(t) }, ({ status }) => status !== 403, { quiet: true })
}

const review = (kind: string, spec: object): object => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec })

export const access: readonly Case[] = area('access', {
  'a user without rights': async (t) => {
    const who = as(t)
    await t.get(t.url('configmaps'), who)
    await t.get(t.url('configmaps', 'a'), who)
    await t.post(t.url('configmaps'), configMap('a'), who)
    await t.put(t.url('configmaps', 'a'), configMap('a'), who)
    await t.patch(t.url('configmaps', 'a'), 'merge', {}, who)
    await t.apply(t.url('configmaps', 'a'), 'me', configMap('a'), who)
    await t.delete(t.url('configmaps', 'a'), undefined, who)
    await t.delete(t.url('configmaps'), undefined, who)
    await t.get(t.url('configmaps', '?watch=1'), who)
    await t.get(t.urlIn(undefined, 'configmaps'), who)
    await t.get(t.url('nodes'), who)
    await t.get(t.url('nodes', 'n'), who)
    await t.get(t.url('namespaces', t.namespace), who)
    await t.get(t.url('widgets'), who)
    await t.get(t.url('widgets', 'a/status'), who)
    await t.get(t.url('gadgets'), who)
    await t.get(t.url('pods', 'a/log'), who)
    await t.post(t.url('pods', 'a/eviction'), {}, who)
  },
  'paths that are no resources': async (t) => {
    const who = as(t)
    for (const path of [
      '/',
      '/api',
      '/apis',
      '/healthz',
      '/livez',
      '/readyz',
      '/version',
      '/metrics',
      '/openapi/v2',
      '/openapi/v3',
      '/logs',
      '/nothing',
    ])
      await t
        .quietly({ method: 'GET', path, headers: who })
        .then(({ status, body }) => t.note(path, { status, ...(status >= 400 && { body }) }))
  },
  'nobody at all': async (t) => {
    for (const path of ['/api', '/healthz', '/livez', '/readyz', '/version', '/nothing', t.url('configmaps')])
      await t
        .quietly({ method: 'GET', path, as: 'nobody' })
        .then(({ status, body }) => t.note(path, { status, ...(status >= 400 && { body }) }))
  },
  'a role and a binding': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    await grant(t, [reads('configmaps')], t.url('configmaps'))
    await t.get(t.url('configmaps', 'a'), as(t))
    await t.post(t.url('configmaps'), configMap('b'), as(t))
    await t.get(t.url('configmaps', '?watch=1'), as(t))
    await t.get(t.urlIn('default', 'configmaps'), as(t))
    await t.get(t.urlIn(undefined, 'configmaps'), as(t))
    await t.get(t.url('secrets'), as(t))
    await t.get(t.url('configmaps', 'a'), as(t, 'joe'))
  },
  'a rule for one name': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    await grant(t, [{ ...reads('configmaps', ['*']), resourceNames: ['a'] }], t.url('configmaps', 'a'))
    await t.get(t.url('configmaps', 'b'), as(t))
    await t.get(t.url('configmaps'), as(t))
    await t.get(t.url('configmaps', '?fieldSelector=metadata.name%3Da'), as(t))
    await t.post(t.url('configmaps'), configMap('c'), as(t))
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { k: 'v' } }, as(t))
    await t.put(t.url('configmaps', 'b'), configMap('b'), as(t))
    await t.delete(t.url('configmaps', 'a'), undefined, as(t))
  },
  'a rule for a subresource': async (t) => {
    await t.post(t.url('widgets'), widget(t, 'a', { replicas: 1 }))
    await grant(
      t,
      [
        { apiGroups: [t.group], resources: ['widgets/status'], verbs: ['*'] },
        { apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] },
      ],
      t.url('widgets', 'a/status'),
    )
    await t.patch(t.url('widgets', 'a/status'), 'merge', { status: { phase: 'x' } }, as(t))
    await t.get(t.url('widgets', 'a'), as(t))
    await t.get(t.url('widgets', 'a/scale'), as(t))
    await t.patch(t.url('widgets', 'a/scale'), 'merge', {}, as(t))
  },
  'apply needs the rights to patch, and to create': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    await grant(t, [reads('configmaps', ['get', 'patch'])], t.url('configmaps', 'a'))
    await t.apply(t.url('configmaps', 'a'), 'me', configMap('a', { data: { k: 'v' } }), as(t))
    await t.apply(t.url('configmaps', 'b'), 'me', configMap('b'), as(t))
    await t.put(t.url('leases', 'x'), object('coordination.k8s.io/v1', 'Lease', 'x'), as(t))
  },
  'nobody gives more than he has': async (t) => {
    const all = {
      apiGroups: ['', rbacGroup],
      resources: ['configmaps', 'roles', 'rolebindings'],
      verbs: ['get', 'list', 'create', 'update', 'patch', 'delete'],
    }
    await grant(t, [all], t.url('configmaps'))
    await t.post(t.url('roles'), role('less', [reads('configmaps')]), as(t))
    await t.post(t.url('roles'), role('more', [reads('secrets')]), as(t))
    await t.post(t.url('roles'), role('mixed', [reads('configmaps', ['get', 'watch']), reads('pods')]), as(t))
    await t.post(t.url('rolebindings'), bind(t, 'less', 'less'), as(t))
    await t.post(t.url('roles'), role('secret', [reads('secrets')]))
    await t.untilSent(
      {
        method: 'POST',
        path: t.url('rolebindings'),
        headers: { ...as(t), 'content-type': 'application/json' },
        body: bind(t, 'secret', 'secret'),
      },
      (answer) => String(answer.at('message')).includes('attempting to grant'),
    )
    await t.post(t.url('rolebindings'), bind(t, 'missing', 'missing'), as(t))
    await t.patch(t.url('roles', 'less'), 'merge', { rules: [reads('secrets')] }, as(t))
    await t.post(
      t.url('rolebindings'),
      bind(t, 'admin', 'x', { roleRef: { kind: 'ClusterRole', name: 'cluster-admin', apiGroup: rbacGroup } }),
      as(t),
    )
  },
  'roles and bindings that are wrong': async (t) => {
    await t.post(t.url('roles'), role('a', [{}]))
    await t.post(t.url('roles'), role('a', [{ apiGroups: [''], resources: ['pods'], verbs: [] }]))
    await t.post(t.url('roles'), role('a', [{ resources: ['pods'], verbs: ['get'] }]))
    await t.post(t.url('roles'), role('a', [{ nonResourceURLs: ['/x'], verbs: ['get'] }]))
    await t.post(
      t.url('clusterroles', '?dryRun=All'),
      object(rbac, 'ClusterRole', `${t.tag}-a`, {
        rules: [{ nonResourceURLs: ['/x'], resources: ['pods'], apiGroups: [''], verbs: ['get'] }],
      }),
    )
    await t.post(t.url('rolebindings'), bind(t, 'a', ''))
    await t.post(
      t.url('rolebindings'),
      bind(t, 'a', 'r', { roleRef: { kind: 'Other', name: 'x', apiGroup: rbacGroup } }),
    )
    await t.post(
      t.url('rolebindings'),
      bind(t, 'a', 'r', { roleRef: { kind: 'Role', name: 'x', apiGroup: 'wrong' } }),
    )
    await t.post(t.url('rolebindings'), bind(t, 'a', 'r', { subjects: [{ kind: 'User', name: '' }] }))
    await t.post(t.url('rolebindings'), bind(t, 'a', 'r', { subjects: [{ kind: 'Robot', name: 'x' }] }))
    await t.post(
      t.url('rolebindings'),
      bind(t, 'a', 'r', { subjects: [{ kind: 'ServiceAccount', name: 'x' }] }),
    )
    await t.post(
      t.url('rolebindings'),
      bind(t, 'a', 'r', {
        subjects: [{ kind: 'ServiceAccount', name: 'x', namespace: 'n', apiGroup: 'wrong' }],
      }),
    )
    await t.post(
      t.url('rolebindings'),
      bind(t, 'a', 'r', {
        subjects: [
          { kind: 'ServiceAccount', name: 'x', namespace: 'n' },
          { kind: 'Group', name: 'g' },
        ],
      }),
    )
    await t.post(t.url('roles'), role('ok', [reads('pods')]))
    await t.post(t.url('rolebindings'), bind(t, 'ok', 'ok'))
    await t.patch(t.url('rolebindings', 'ok'), 'merge', { roleRef: { name: 'other' } })
    await t.patch(t.url('rolebindings', 'ok'), 'merge', { subjects: null })
    await t.post(t.url('clusterrolebindings', '?dryRun=All'), {
      ...bind(t, `${t.tag}-x`, 'r'),
      kind: 'ClusterRoleBinding',
    })
  },
  'groups and service accounts as subjects': async (t) => {
    const headers = { 'content-type': 'application/json' }
    await t.quietly({ method: 'POST', path: t.url('roles'), headers, body: role('r', [reads('configmaps')]) })
    await t.quietly({
      method: 'POST',
      path: t.url('rolebindings'),
      headers,
      body: bind(t, 'b', 'r', {
        subjects: [
          { kind: 'Group', name: `${t.tag}-team`, apiGroup: rbacGroup },
          { kind: 'ServiceAccount', name: 'default', namespace: t.namespace },
        ],
      }),
    })
    const team = as(t, 'jim', { 'impersonate-group': [`${t.tag}-team`, 'system:authenticated'] })
    await t.untilSent(
      { method: 'GET', path: t.url('configmaps', '?limit=1'), headers: team },
      ({ status }) => status === 200,
      { quiet: true },
    )
    await t.get(t.url('secrets'), team)
    const account = { 'impersonate-user': `system:serviceaccount:${t.namespace}:default` }
    await t.untilSent(
      { method: 'GET', path: t.url('configmaps', '?limit=1'), headers: account },
      ({ status }) => status === 200,
      { quiet: true },
    )
    await t.get(t.url('secrets'), account)
    await t.get(t.url('configmaps'), { 'impersonate-user': `system:serviceaccount:${t.namespace}:other` })
  },
  'a cluster role that gathers others': async (t) => {
    const headers = { 'content-type': 'application/json' }
    const label = { [`${t.tag}.example.com/gather`]: 'true' }
    await t.quietly({
      method: 'POST',
      path: t.url('clusterroles'),
      headers,
      body: {
        ...object(rbac, 'ClusterRole', ''),
        metadata: { name: `${t.tag}-part`, labels: label },
        rules: [reads('pods')],
      },
    })
    await t.post(
      t.url('clusterroles'),
      object(rbac, 'ClusterRole', `${t.tag}-whole`, {
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: label }] },
        rules: [],
      }),
    )
    await t.until(t.url('clusterroles', `${t.tag}-whole`), (answer) => answer.at('rules.0') !== undefined)
  },
  impersonation: async (t) => {
    const who = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
    await t.post(t.url('selfsubjectreviews'), who)
    await t.post(t.url('selfsubjectreviews'), who, as(t))
    await t.post(t.url('selfsubjectreviews'), who, as(t, 'x', { 'impersonate-group': ['a', 'b'] }))
    await t.post(
      t.url('selfsubjectreviews'),
      who,
      as(t, 'x', {
        'impersonate-uid': '5',
        'impersonate-extra-scopes': ['one', 'two'],
        'impersonate-extra-acme.com%2Fproject': 'p',
      }),
    )
    await t.post(t.url('selfsubjectreviews'), who, { 'impersonate-user': 'system:serviceaccount:ns:name' })
    await t.post(t.url('selfsubjectreviews'), who, { 'impersonate-user': 'system:anonymous' })
    await t.post(t.url('selfsubjectreviews'), who, { 'impersonate-group': 'alone' })
    await t.post(t.url('selfsubjectreviews'), who, {
      'impersonate-user': 'system:node:n',
      'impersonate-group': 'system:nodes',
    })
    await t.post(t.url('selfsubjectreviews'), who, { 'impersonate-user': 'a b', 'impersonate-group': '' })
  },
  'impersonation by somebody who may not': async (t) => {
    const answer = await t.quietly({
      method: 'POST',
      path: t.url('serviceaccounts', 'default/token'),
      headers: { 'content-type': 'application/json' },
      body: {},
    })
    const authorization = `Bearer ${String(answer.at('status.token'))}`
    const send = (headers: Headers): Promise<unknown> =>
      t.send({ method: 'GET', path: '/api', as: 'nobody', headers: { authorization, ...headers } })
    await send({ 'impersonate-user': 'jane' })
    await send({ 'impersonate-user': 'jane', 'impersonate-group': 'g' })
    await send({ 'impersonate-user': 'system:serviceaccount:a:b' })
    await send({ 'impersonate-user': 'jane', 'impersonate-extra-x': 'y' })
    await send({ 'impersonate-user': 'jane', 'impersonate-uid': 'u' })
  },
  'reviews of access': async (t) => {
    await grant(t, [reads('configmaps')], t.url('configmaps'))
    const user = `${t.tag}-jane`
    const attributes = { namespace: t.namespace, verb: 'get', resource: 'configmaps' }
    await t.post(
      t.url('subjectaccessreviews'),
      review('SubjectAccessReview', { user, resourceAttributes: attributes }),
    )
    await t.post(
      t.url('subjectaccessreviews'),
      review('SubjectAccessReview', { user, resourceAttributes: { ...attributes, verb: 'delete' } }),
    )
    await t.post(
      t.url('subjectaccessreviews'),
      review('SubjectAccessReview', { user, resourceAttributes: { ...attributes, namespace: 'other' } }),
    )
    await t.post(
      t.url('subjectaccessreviews'),
      review('SubjectAccessReview', { groups: ['system:masters'], resourceAttributes: attributes }),
    )
    await t.post(
      t.url('subjectaccessreviews'),
      review('SubjectAccessReview', { user, nonResourceAttributes: { path: '/metrics', verb: 'get' } }),
    )
    await t.post(t.url('subjectaccessreviews'), review('SubjectAccessReview', { user }))
    await t.post(
      t.url('subjectaccessreviews'),
      review('SubjectAccessReview', { resourceAttributes: attributes }),
    )
    await t.post(
      t.url('subjectaccessreviews'),
      review('SubjectAccessReview', {
        user,
        resourceAttributes: attributes,
        nonResourceAttributes: { path: '/' },
      }),
    )
    await t.post(
      t.url('selfsubjectaccessreviews'),
      review('SelfSubjectAccessReview', { resourceAttributes: attributes }),
      as(t),
    )
    await t.post(
      t.url('selfsubjectaccessreviews'),
      review('SelfSubjectAccessReview', {
        resourceAttributes: { ...attributes, resource: 'pods', subresource: 'log' },
      }),
      as(t),
    )
    await t.post(
      t.url('selfsubjectaccessreviews'),
      review('SelfSubjectAccessReview', { resourceAttributes: attributes }),
    )
    await t.post(
      t.url('localsubjectaccessreviews'),
      review('LocalSubjectAccessReview', { user, resourceAttributes: attributes }),
    )
    await t.post(
      t.url('localsubjectaccessreviews'),
      review('LocalSubjectAccessReview', { user, resourceAttributes: { ...attributes, namespace: 'other' } }),
    )
    await t.get(t.url('subjectaccessreviews'))
  },
  'the rules of a user': async (t) => {
    await grant(t, [reads('configmaps'), { ...reads('secrets'), resourceNames: ['s'] }], t.url('configmaps'))
    const ask = (spec: object): Promise<Answer> =>
      t.quietly({
        method: 'POST',
        path: t.url('selfsubjectrulesreviews'),
        headers: { 'content-type': 'application/json', ...as(t) },
        body: review('SelfSubjectRulesReview', spec),
      })
    const { status, body } = await ask({ namespace: t.namespace })
    t.note('status', status)
    // The bindings are in no order, and so are the rules that they lead to.
    for (const rules of ['resourceRules', 'nonResourceRules'])
      t.note(
        rules,
        listAt(body, `status.${rules}`).toSorted((a, b) => (stringifyJson(a) < stringifyJson(b) ? -1 : 1)),
      )
    t.note('incomplete', at(body, 'status.incomplete'))
    t.note('without a namespace', (await ask({})).body)
  },
  'an owner that is blocked needs a right': async (t) => {
    await grant(
      t,
      [reads('configmaps', ['get', 'create', 'update', 'patch'])],
      t.url('configmaps', 'missing'),
    )
    const owner = await t.post(t.url('configmaps'), configMap('owner'))
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.uid }
    await t.post(
      t.url('configmaps'),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ownerReferences: [reference] } },
      as(t),
    )
    await t.post(
      t.url('configmaps'),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'b', ownerReferences: [{ ...reference, blockOwnerDeletion: true }] },
      },
      as(t),
    )
  },
  'what a service account of a pod must be': async (t) => {
    await t.post(t.url('pods'), pod('a', { serviceAccountName: 'missing' }))
    await t.post(t.url('serviceaccounts'), {
      ...object('v1', 'ServiceAccount', 'quiet'),
      automountServiceAccountToken: false,
    })
    await t.untilSent(
      {
        method: 'POST',
        path: t.url('pods'),
        headers: { 'content-type': 'application/json' },
        body: pod('b', { serviceAccountName: 'quiet' }),
      },
      ({ status }) => status === 201,
    )
    await t.post(
      t.url('pods'),
      pod('c', { serviceAccountName: 'default', automountServiceAccountToken: false }),
    )
    await t.post(t.url('pods'), pod('d', { serviceAccount: 'default' }))
  },
})
