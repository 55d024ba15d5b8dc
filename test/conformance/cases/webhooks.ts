import { type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import { at, textAt } from '../data.js'
import type { Webhook, WebhookHandler } from '../webhooks.js'
import { configMap, deployment, metaConfigMap, object, pod, widget } from './objects.js'

type Phase = 'mutating' | 'validating'

/** What a handler answers: the response of a review, or something that is no review. */
const respond =
  (response: object | ((review: Record<string, unknown>) => object)): WebhookHandler =>
  (review) => ({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid: textAt(review, 'request.uid'),
      ...(typeof response === 'function' ? response(review) : response),
    },
  })

const allow = respond({ allowed: true })

const patched = (operations: readonly object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
})

interface Registered {
  readonly phase: Phase
  readonly webhook: Webhook
  /** Merged into the only webhook of the configuration. */
  readonly more?: object
}

/** A configuration with one webhook, for config maps of this namespace unless it says otherwise. */
function configuration(t: Conversation, { phase, webhook, more = {} }: Registered, name = 'w'): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: phase === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: `${t.tag}-${name}` },
    webhooks: [
      {
        name: `${name}.example.com`,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 30,
        clientConfig: { url: webhook.url, caBundle: webhook.caBundle },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': t.namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
        ...more,
      },
    ],
  }
}

const resourceOf = (phase: Phase): string => `${phase}webhookconfigurations`

/** Makes the configuration and waits until the server acts by it: a config map `probe` is what tells. */
async function register(t: Conversation, registered: Registered, name = 'w'): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const { phase, webhook } = registered
  await t.quietly({
    method: 'POST',
    path: t.url(resourceOf(phase)),
    headers,
    body: configuration(t, registered, name),
  })
  const probe = {
    method: 'POST',
    path: t.url('configmaps', '?dryRun=All'),
    headers,
    body: configMap('probe'),
  }
  const giveUpMs = Date.now() + 10_000
  while (webhook.calls === 0 && Date.now() < giveUpMs) {
    await t.quietly(probe)
    if (webhook.calls === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }
  webhook.forget()
}

/** The review without a say in the waiting for it: probes are let through. */
const unlessProbe =
  (handler: WebhookHandler): WebhookHandler =>
  (review) =>
    textAt(review, 'request.name') === 'probe' ? allow(review) : handler(review)

/**
 * The same conversation, but before a change the server's cache catches up: with a stale object at hand the server would
 * ask its webhooks once more.
 */
function calm(t: Conversation): Conversation {
  const settle = async (path: string): Promise<void> => {
    const [collection = path] = /^.*\/namespaces\/[^/]+\/[^/?]+/.exec(path) ?? []
    await t.quietly({ method: 'GET', path: `${collection}?limit=1` })
  }
  return {
    ...t,
    put: async (path, ...rest) => (await settle(path), t.put(path, ...rest)),
    patch: async (path, ...rest) => (await settle(path), t.patch(path, ...rest)),
    apply: async (path, ...rest) => (await settle(path), t.apply(path, ...rest)),
    delete: async (path, ...rest) => (await settle(path), t.delete(path, ...rest)),
  }
}

/** What a webhook may answer to the creation of a config map. */
const answers: Readonly<Record<string, WebhookHandler>> = {
  yes: allow,
  no: respond({ allowed: false }),
  'no, and why': respond({ allowed: false, status: { message: 'not today' } }),
  'no, with a code': respond({ allowed: false, status: { message: 'gone away', code: 410, reason: 'Gone' } }),
  'no, with a reason alone': respond({ allowed: false, status: { reason: 'TooBusy' } }),
  'no, with a code of success': respond({ allowed: false, status: { code: 200, message: 'odd' } }),
  'no, with details': respond({
    allowed: false,
    status: { message: 'm', code: 422, details: { name: 'n', causes: [{ field: 'f', message: 'x' }] } },
  }),
  warnings: respond({
    allowed: true,
    warnings: ['mind the gap', '', 'second "quoted" – ünïcode', 'x'.repeat(300)],
  }),
  'no, with warnings': respond({ allowed: false, warnings: ['mind'] }),
  'another uid': respond({ uid: 'other', allowed: true }),
  'no response': () => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' }),
  'another version': (review) => ({
    apiVersion: 'admission.k8s.io/v1beta1',
    kind: 'AdmissionReview',
    response: { uid: textAt(review, 'request.uid'), allowed: true },
  }),
  'another kind': () => ({ apiVersion: 'v1', kind: 'Status' }),
  'no data': () => 'hello',
  nothing: () => '',
  'an error': () => 500,
  'not found': () => 404,
  'a redirect': () => 302,
  'audit annotations': respond({ allowed: true, auditAnnotations: { key: 'value' } }),
}

const byPhase = <Row>(rows: Readonly<Record<string, Row>>): Record<string, { phase: Phase; row: Row }> =>
  Object.fromEntries(
    (['mutating', 'validating'] as const).flatMap((phase) =>
      Object.entries(rows).map(([name, row]): [string, { phase: Phase; row: Row }] => [
        `${phase}: ${name}`,
        { phase, row },
      ]),
    ),
  )

function calmTable<Row>(
  rows: Readonly<Record<string, Row>>,
  run: (t: Conversation, row: Row) => Promise<void>,
): Case[] {
  return table('admission webhooks', rows, (t, row) => run(calm(t), row))
}

function calmArea(cases: Readonly<Record<string, (t: Conversation) => Promise<void>>>): Case[] {
  return calmTable(cases, (t, run) => run(t))
}

const answered = calmTable(byPhase(answers), async (t, { phase, row }) => {
  const webhook = t.webhook(unlessProbe(row))
  await register(t, { phase, webhook })
  await t.post(t.url('configmaps'), configMap('a', { data: { k: 'v' } }))
  await t.get(t.url('configmaps', 'a'))
  webhook.record()
})

/** The patches of a mutating webhook. */
const mutations: Readonly<Record<string, object>> = {
  'a label': patched([{ op: 'add', path: '/metadata/labels', value: { by: 'webhook' } }]),
  data: patched([{ op: 'replace', path: '/data/k', value: 'changed' }]),
  nothing: patched([]),
  'the same value': patched([{ op: 'replace', path: '/data/k', value: 'v' }]),
  'the name': patched([{ op: 'replace', path: '/metadata/name', value: 'other' }]),
  'the namespace': patched([{ op: 'replace', path: '/metadata/namespace', value: 'other' }]),
  'what is not there': patched([{ op: 'replace', path: '/nothing', value: 'x' }]),
  'a wrong type': patched([{ op: 'replace', path: '/data', value: 'x' }]),
  'an invalid label': patched([{ op: 'add', path: '/metadata/labels', value: { 'not ok': 'x' } }]),
  'an unknown field': patched([{ op: 'add', path: '/unknown', value: 'x' }]),
  'the uid': patched([{ op: 'add', path: '/metadata/uid', value: '00000000-0000-4000-8000-000000000000' }]),
  'a patch without its type': { allowed: true, patch: Buffer.from('[]').toString('base64') },
  'a patch of another type': {
    allowed: true,
    patchType: 'MergePatch',
    patch: Buffer.from('{}').toString('base64'),
  },
  'a type without a patch': { allowed: true, patchType: 'JSONPatch' },
  'a patch that is no JSON': {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from('x').toString('base64'),
  },
  'a patch that is not base64': { allowed: true, patchType: 'JSONPatch', patch: '%%%' },
  'a patch with a no': { ...patched([{ op: 'replace', path: '/data/k', value: 'x' }]), allowed: false },
}

const mutated = calmTable(
  Object.fromEntries(Object.entries(mutations).map(([name, response]) => [`a patch of ${name}`, response])),
  async (t, response) => {
    const webhook = t.webhook(unlessProbe(respond(response)))
    await register(t, { phase: 'mutating', webhook })
    await t.post(t.url('configmaps'), configMap('a', { data: { k: 'v' } }))
    webhook.record()
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { l: 'm' } })
    webhook.record()
  },
)

const failing: Readonly<Record<string, WebhookHandler>> = {
  fails: () => 500,
  'says nothing': () => undefined,
  'talks nonsense': () => 'x',
}

const policies = calmTable(
  Object.fromEntries(
    (['Ignore', 'Fail'] as const).flatMap((failurePolicy) =>
      Object.entries(failing).map(
        ([name, handler]) =>
          [`one that ${name}, with the policy ${failurePolicy}`, { failurePolicy, handler }] as const,
      ),
    ),
  ),
  async (t, { failurePolicy, handler }) => {
    const webhook = t.webhook(unlessProbe(handler))
    await register(t, { phase: 'validating', webhook, more: { failurePolicy, timeoutSeconds: 1 } })
    await t.post(t.url('configmaps'), configMap('a'))
    webhook.record()
  },
)

/** Which requests a webhook hears of; the probe must be one of them. */
const filters: Readonly<Record<string, object>> = {
  'creations and deletions': {
    rules: [
      { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'DELETE'] },
    ],
  },
  'updates too': {
    rules: [
      { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE', 'UPDATE'] },
    ],
  },
  // A selector of namespaces does not keep a webhook from what has none, and other cases would hear of it.
  'all resources': {
    rules: [
      { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'], scope: 'Namespaced' },
    ],
  },
  'all with subresources': {
    rules: [
      { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'], scope: 'Namespaced' },
    ],
  },
  'objects with a label': {
    objectSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
  },
  'a condition on the name': {
    matchConditions: [{ name: 'n', expression: "object == null || object.metadata.name != 'b'" }],
  },
  'a condition on the operation': {
    matchConditions: [{ name: 'n', expression: "request.operation != 'UPDATE'" }],
  },
  'a condition on the user': {
    matchConditions: [{ name: 'n', expression: "request.userInfo.username != ''" }],
  },
  'a condition that fails': {
    matchConditions: [
      { name: 'n', expression: "object.metadata.name == 'probe' || object.data.missing == 'x'" },
    ],
  },
}

const filtered = calmTable(
  Object.fromEntries(Object.entries(filters).map(([name, more]) => [`one that hears of ${name}`, more])),
  async (t, more) => {
    const webhook = t.webhook(allow)
    await register(t, { phase: 'validating', webhook, more })
    await t.post(t.url('configmaps'), configMap('a', { data: { k: 'v' } }))
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'b', labels: { skip: 'x' } }))
    await t.patch(t.url('configmaps', 'a'), 'merge', { data: { k: 'w' } })
    await t.post(t.url('deployments'), deployment('a'))
    await t.patch(t.url('deployments', 'a/scale'), 'merge', { spec: { replicas: 0 } })
    await t.patch(t.url('deployments', 'a/status'), 'merge', { status: { observedGeneration: 1 } })
    await t.delete(t.url('configmaps', 'a'))
    webhook.record()
  },
)

/** A configuration that is refused, or defaulted. */
const wrongOnes: Readonly<Record<string, object>> = {
  'nothing but defaults': {},
  'a name without dots': { name: 'short' },
  'no name': { name: '' },
  'a plain address': { clientConfig: { url: 'http://127.0.0.1/' } },
  'an address with a query': { clientConfig: { url: 'https://127.0.0.1/?a=b' } },
  'an address with a user': { clientConfig: { url: 'https://me@127.0.0.1/' } },
  'no address': { clientConfig: {} },
  'a service and an address': {
    clientConfig: { url: 'https://127.0.0.1/', service: { name: 's', namespace: 'n' } },
  },
  'a service': { clientConfig: { service: { name: 's', namespace: 'n', path: '/p' } } },
  'a service with a wrong path': { clientConfig: { service: { name: 's', namespace: 'n', path: 'p//q' } } },
  'a service with a wrong port': { clientConfig: { service: { name: 's', namespace: 'n', port: 99999 } } },
  'a wrong bundle': { clientConfig: { url: 'https://127.0.0.1/', caBundle: 'bm9uc2Vuc2U=' } },
  'no side effects': { sideEffects: null },
  'wrong side effects': { sideEffects: 'Some' },
  'no review versions': { admissionReviewVersions: [] },
  'unknown review versions': { admissionReviewVersions: ['v9'] },
  'a long time-out': { timeoutSeconds: 31 },
  'no time-out': { timeoutSeconds: 0 },
  'a wrong policy': { failurePolicy: 'Panic' },
  'a wrong match policy': { matchPolicy: 'Loose' },
  'a rule without groups': {
    rules: [{ apiGroups: [], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
  },
  'a rule without versions': {
    rules: [{ apiGroups: [''], apiVersions: [], resources: ['pods'], operations: ['CREATE'] }],
  },
  'a rule without resources': {
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: [], operations: ['CREATE'] }],
  },
  'a rule without operations': {
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: [] }],
  },
  'a rule with a wrong operation': {
    rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['READ'] }],
  },
  'a rule with all and some': {
    rules: [
      {
        apiGroups: ['*', 'apps'],
        apiVersions: ['*', 'v1'],
        resources: ['*', 'pods'],
        operations: ['*', 'CREATE'],
      },
    ],
  },
  'a rule with a wrong scope': {
    rules: [
      { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'], scope: 'Some' },
    ],
  },
  'a wrong selector': { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
  'a condition without an expression': { matchConditions: [{ name: 'a', expression: '' }] },
  'a condition that does not compile': { matchConditions: [{ name: 'a', expression: 'object.' }] },
  'a condition that is no condition': { matchConditions: [{ name: 'a', expression: '1 + 1' }] },
  'a condition twice': {
    matchConditions: [
      { name: 'a', expression: 'true' },
      { name: 'a', expression: 'true' },
    ],
  },
  'a condition without a name': { matchConditions: [{ name: '', expression: 'true' }] },
}

const refused = table(
  'admission webhooks',
  byPhase(
    Object.fromEntries(
      Object.entries(wrongOnes).map(([name, more]) => [`a configuration with ${name}`, more]),
    ),
  ),
  async (t, { phase, row }) => {
    const webhook = t.webhook(allow)
    const body = configuration(t, {
      phase,
      webhook,
      more: { clientConfig: { url: 'https://127.0.0.1/hook' }, ...row },
    })
    await t.post(t.url(resourceOf(phase), '?dryRun=All'), body)
  },
  { namespace: 'shared' },
)

const others = calmArea({
  'a dry run is told': async (t) => {
    const webhook = t.webhook(allow)
    await register(t, { phase: 'mutating', webhook })
    await t.post(t.url('configmaps', '?dryRun=All&fieldManager=me&fieldValidation=Strict'), configMap('a'))
    webhook.record()
  },
  'a dry run is refused for one with side effects': async (t) => {
    const webhook = t.webhook(allow)
    const more = { sideEffects: 'NoneOnDryRun' }
    await register(t, { phase: 'validating', webhook, more })
    await t.post(t.url('configmaps', '?dryRun=All'), configMap('a'))
    webhook.record()
  },
  'all kinds of writes of a config map': async (t) => {
    const webhook = t.webhook(allow)
    await register(t, { phase: 'validating', webhook })
    await t.post(t.url('configmaps'), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { generateName: 'g-' },
    })
    await t.apply(t.url('configmaps', 'a'), 'me', configMap('a', { data: { k: 'v' } }))
    await t.apply(t.url('configmaps', 'a'), 'me', configMap('a', { data: { k: 'w' } }))
    await t.put(t.url('configmaps', 'a'), configMap('a'))
    await t.patch(t.url('configmaps', 'a'), 'json', [])
    await t.delete(t.url('configmaps', 'a'), { propagationPolicy: 'Background' })
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'b', labels: { l: 'm' } }))
    await t.delete(t.url('configmaps', '?labelSelector=l'))
    webhook.record()
  },
  'a patch is made again when another webhook has changed the object': async (t) => {
    const seen: unknown[] = []
    const first = t.webhook(
      unlessProbe((review) => {
        seen.push(at(review, 'request.object.metadata.labels'))
        return allow(review)
      }),
    )
    const second = t.webhook(
      unlessProbe(respond(patched([{ op: 'add', path: '/metadata/labels', value: { by: 'second' } }]))),
    )
    await register(t, { phase: 'mutating', webhook: first, more: { reinvocationPolicy: 'IfNeeded' } }, 'a')
    await register(t, { phase: 'mutating', webhook: second }, 'b')
    first.forget()
    seen.length = 0
    await t.post(t.url('configmaps'), configMap('a'))
    t.note('labels that the first saw', seen)
    first.record()
    second.record()
  },
  'a mutation is what validation sees': async (t) => {
    const mutating = t.webhook(
      unlessProbe(respond(patched([{ op: 'add', path: '/data', value: { m: 'x' } }]))),
    )
    const validating = t.webhook(allow)
    await register(t, { phase: 'mutating', webhook: mutating }, 'a')
    await register(t, { phase: 'validating', webhook: validating }, 'b')
    mutating.forget()
    await t.post(t.url('configmaps'), configMap('a'))
    validating.record()
  },
  'a widget and its subresources': async (t) => {
    const webhook = t.webhook(allow)
    const rules = [
      {
        apiGroups: [t.group],
        apiVersions: ['v1'],
        resources: ['widgets', 'widgets/status', 'widgets/scale'],
        operations: ['*'],
      },
      { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
    ]
    await register(t, { phase: 'validating', webhook, more: { rules } })
    await t.post(t.url('widgets'), widget(t, 'a', { size: 1, unknown: 1 }))
    await t.patch(t.url('widgets', 'a/status'), 'merge', { status: { phase: 'x' } })
    await t.patch(t.url('widgets', 'a/scale'), 'merge', { spec: { replicas: 2 } })
    await t.delete(t.url('widgets', 'a'))
    webhook.record()
  },
  'a widget is changed into one that is wrong': async (t) => {
    const webhook = t.webhook((review) =>
      textAt(review, 'request.kind.kind') === 'Widget'
        ? respond(patched([{ op: 'add', path: '/spec', value: { size: 5000, unknown: 2 } }]))(review)
        : allow(review),
    )
    const rules = [
      {
        apiGroups: ['', t.group],
        apiVersions: ['v1'],
        resources: ['widgets', 'configmaps'],
        operations: ['CREATE'],
      },
    ]
    await register(t, { phase: 'mutating', webhook, more: { rules } })
    await t.post(t.url('widgets'), widget(t, 'a'))
  },
  'an equivalent version': async (t) => {
    const webhook = t.webhook(allow)
    const rules = [
      { apiGroups: [t.group], apiVersions: ['v1'], resources: ['gizmos'], operations: ['*'] },
      { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
    ]
    await register(t, { phase: 'validating', webhook, more: { rules, matchPolicy: 'Equivalent' } })
    await t.post(
      t.url('gizmos.v1beta1'),
      object(`${t.group}/v1beta1`, 'Gizmo', 'a', { spec: { shared: 's' } }),
    )
    webhook.record()
  },
  'only the exact version': async (t) => {
    const webhook = t.webhook(allow)
    const rules = [
      { apiGroups: [t.group], apiVersions: ['v1'], resources: ['gizmos'], operations: ['*'] },
      { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
    ]
    await register(t, { phase: 'validating', webhook, more: { rules, matchPolicy: 'Exact' } })
    await t.post(
      t.url('gizmos.v1beta1'),
      object(`${t.group}/v1beta1`, 'Gizmo', 'a', { spec: { shared: 's' } }),
    )
    webhook.record()
  },
  'pods: bindings, evictions and tokens': async (t) => {
    const webhook = t.webhook(allow)
    const rules = [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: ['pods', 'pods/*', 'bindings', 'serviceaccounts/token'],
        operations: ['*'],
      },
      { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] },
    ]
    await register(t, { phase: 'validating', webhook, more: { rules } })
    await t.post(t.url('pods'), pod('a', { schedulerName: 'nobody' }))
    await t.post(
      t.url('pods', 'a/binding'),
      object('v1', 'Binding', 'a', { target: { kind: 'Node', name: 'n' } }),
    )
    await t.post(t.url('pods', 'a/eviction'), {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'a' },
    })
    await t.post(t.url('serviceaccounts', 'default/token'), {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    })
    // Its deletion would be heard of as often as the server's cache is behind.
    webhook.record()
  },
  'two that say no': async (t) => {
    const one = t.webhook(unlessProbe(respond({ allowed: false, status: { message: 'one' } })))
    await register(t, { phase: 'validating', webhook: one }, 'a')
    await t.post(t.url('configmaps'), configMap('a'))
    await t.put(t.url('configmaps', 'a'), configMap('a'))
    await t.apply(t.url('configmaps', 'a'), 'me', configMap('a'))
  },
  'an update that changes nothing is heard of': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    const webhook = t.webhook(allow)
    await register(t, { phase: 'validating', webhook })
    await t.patch(t.url('configmaps', 'a'), 'merge', {})
    await t.patch(t.url('configmaps', 'missing'), 'merge', {})
    await t.delete(t.url('configmaps', 'missing'))
    await t.put(t.url('configmaps', 'missing'), configMap('missing'))
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'Not Ok' }))
    await t.post(t.url('configmaps'), configMap('a'))
    webhook.record()
  },
})

export const webhookCases: readonly Case[] = [
  ...answered,
  ...mutated,
  ...policies,
  ...filtered,
  ...refused,
  ...others,
]
