import { describe, expect, test } from 'vitest'
import type { Transport, TransportRequest } from '../../objects/index.js'
import { createFakeClock } from '../../testing/fake-clock.js'
import { type AdmissionTestServer, createAdmissionTestServer } from '../test-admission.js'
import type { Answer } from '../test-server.js'

interface Review {
  readonly apiVersion: string
  readonly request: Readonly<Record<string, unknown>> & { readonly uid: string }
}

interface Reply {
  readonly status?: number
  readonly type?: string
  readonly body: unknown
}

type Respond = (review: Review, request: TransportRequest) => Reply | Promise<Reply>

const api = '/apis/admissionregistration.k8s.io/v1'
const configMaps = '/api/v1/namespaces/geng/configmaps'
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }
const merge = { contentType: 'application/merge-patch+json' }

function allowed(response: Readonly<Record<string, unknown>> = {}, version = 'v1'): Respond {
  return ({ request }) => ({
    body: {
      apiVersion: `admission.k8s.io/${version}`,
      kind: 'AdmissionReview',
      response: { uid: request.uid, allowed: true, ...response },
    },
  })
}

const encoded = (patch: unknown): string => Buffer.from(JSON.stringify(patch)).toString('base64')
const patching = (patch: unknown, more = {}): Respond =>
  allowed({ patchType: 'JSONPatch', patch: encoded(patch), ...more })
const denied = (status?: unknown): Respond =>
  allowed({ allowed: false, ...(status !== undefined && { status }) })

/** A server whose service `geng/hook` is this process: the path of a call names the function that answers it. */
async function serverWith(
  hooks: Readonly<Record<string, Respond>>,
): Promise<AdmissionTestServer & { readonly reviews: Review[] }> {
  const reviews: Review[] = []
  const transport: Transport = async (request) => {
    const text = typeof request.body === 'string' ? request.body : Buffer.from(request.body ?? []).toString()
    const review = JSON.parse(text) as Review
    reviews.push(review)
    const name = request.path.slice(1).split('?')[0] ?? ''
    const {
      status = 200,
      type = 'application/json',
      body,
    } = (await hooks[name]?.(review, request)) ?? {
      status: 404,
      body: '',
    }
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return {
      status,
      headers: { 'content-type': type },
      body: (async function* () {
        yield bytes
      })(),
    }
  }
  const server = await createAdmissionTestServer({ services: new Map([['geng/hook:443', transport]]) })
  return { ...server, reviews }
}

type Hook = readonly [path: string, more?: Readonly<Record<string, unknown>>]

async function configure(
  server: AdmissionTestServer,
  kind: 'Validating' | 'Mutating',
  hooks: readonly Hook[],
): Promise<void> {
  await server.create(`${api}/${kind.toLowerCase()}webhookconfigurations`, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: 'hooks' },
    webhooks: hooks.map(([path, more = {}], index) => ({
      name: `${String.fromCharCode(120 + index)}.geng.io`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: 2,
      clientConfig: { service: { namespace: 'geng', name: 'hook', path: `/${path}` } },
      rules: [
        {
          operations: ['*'],
          apiGroups: ['*'],
          apiVersions: ['*'],
          resources: ['configmaps', 'configmaps/*'],
        },
      ],
      ...more,
    })),
  })
}

async function answerTo(kind: 'Validating' | 'Mutating', respond: Respond, more = {}): Promise<Answer> {
  const server = await serverWith({ hook: respond })
  await configure(server, kind, [['hook', more]])
  return server.send('POST', configMaps, configMap)
}

const call = 'Internal error occurred: failed calling webhook "x.geng.io": failed to call webhook:'
const invalid =
  'Internal error occurred: failed calling webhook "x.geng.io": received invalid webhook response:'
const findKind =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

describe('what a webhook answers decides, in the words of the real server', () => {
  test.each<[string, Respond, number, string]>([
    ['a refusal', denied(), 400, 'admission webhook "x.geng.io" denied the request without explanation'],
    [
      'a message',
      denied({ message: 'no way' }),
      400,
      'admission webhook "x.geng.io" denied the request: no way',
    ],
    [
      'a reason and a code that is none',
      denied({ reason: 'Because', code: 200 }),
      400,
      'admission webhook "x.geng.io" denied the request: Because',
    ],
    [
      'a code',
      denied({ message: 'tea', code: 418, reason: 'Teapot' }),
      418,
      'admission webhook "x.geng.io" denied the request: tea',
    ],
    [
      'no response',
      () => ({ body: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' } }),
      500,
      `${invalid} webhook response was absent`,
    ],
    [
      'another version',
      allowed({}, 'v1beta1'),
      500,
      `${call} converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion`,
    ],
    [
      'another kind',
      () => ({ body: { apiVersion: 'v1', kind: 'Pod' } }),
      500,
      `${call} no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"`,
    ],
    [
      'no JSON',
      () => ({ body: 'hello' }),
      500,
      `${call} couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type ${findKind}`,
    ],
    [
      'a list',
      () => ({ body: [] }),
      500,
      `${call} couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${findKind}`,
    ],
    [
      'nothing',
      () => ({ body: '' }),
      500,
      `${call} 0-length response with status code: 200 and content type: application/json`,
    ],
    [
      '500',
      () => ({ status: 500, type: 'text/plain', body: 'boom\nline' }),
      500,
      `${call} an error on the server ("boom\\nline") has prevented the request from succeeding`,
    ],
    [
      '404',
      () => ({ status: 404, type: 'text/plain', body: 'x' }),
      500,
      `${call} the server could not find the requested resource`,
    ],
    [
      '400',
      () => ({ status: 400, type: 'text/plain', body: 'x' }),
      500,
      `${call} the server rejected our request for an unknown reason`,
    ],
    ['403', () => ({ status: 403, type: 'text/plain', body: 'denied' }), 500, `${call} denied`],
    [
      '503',
      () => ({ status: 503, type: 'text/plain', body: 'x' }),
      500,
      `${call} the server is currently unable to handle the request`,
    ],
    [
      '418',
      () => ({ status: 418, type: 'text/plain', body: 'x' }),
      500,
      `${call} the server responded with the status code 418 but did not return more information`,
    ],
    [
      'a Status',
      () => ({ status: 409, body: { kind: 'Status', status: 'Failure', message: 'own status' } }),
      500,
      `${call} own status`,
    ],
    ['a patch', patching([]), 500, `${invalid} validating webhook may not return response.patch`],
    [
      'a type of patch',
      allowed({ patchType: 'JSONPatch' }),
      500,
      `${invalid} validating webhook may not return response.patchType`,
    ],
  ])('%s', async (_name, respond, status, message) => {
    const answer = await answerTo('Validating', respond)
    expect([answer.status, answer.body['message']]).toEqual([status, message])
  })

  test.each<[string, Respond, string]>([
    [
      'a patch without a type',
      allowed({ patch: encoded([{ op: 'add', path: '/data', value: {} }]) }),
      `${invalid} webhook returned response.patch but not response.patchType`,
    ],
    [
      'a type without a patch',
      allowed({ patchType: 'JSONPatch' }),
      `${invalid} webhook returned response.patchType but not response.patch`,
    ],
    [
      'a patch that does not apply',
      patching([{ op: 'remove', path: '/nope/x' }]),
      'Internal error occurred: remove operation does not apply: doc is missing path: "/nope/x": missing value',
    ],
    [
      'a patch that is no list',
      patching({ a: 1 }),
      'Internal error occurred: failed calling webhook "x.geng.io": received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    ],
    [
      'a patch that is no base64',
      allowed({ patchType: 'JSONPatch', patch: '%%%' }),
      `${call} illegal base64 data at input byte 0`,
    ],
    [
      'a patch of another type',
      patching([{ op: 'add', path: '/data', value: {} }], { patchType: 'Merge' }),
      'Internal error occurred: failed calling webhook "x.geng.io": unsupported patch type "Merge"',
    ],
    [
      'a test that fails',
      patching([{ op: 'test', path: '/metadata/name', value: 'zz' }]),
      'Internal error occurred: testing value /metadata/name failed: test failed',
    ],
    [
      'a value of another type',
      patching([{ op: 'add', path: '/data', value: 5 }]),
      'Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string',
    ],
  ])('mutating: %s', async (_name, respond, message) => {
    const answer = await answerTo('Mutating', respond)
    expect([answer.status, answer.body['message']]).toEqual([500, message])
  })

  test('the uid must be that of the question', async () => {
    const answer = await answerTo('Validating', allowed({ uid: 'nope' }))
    expect(answer.body['message']).toMatch(
      /received invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "nope"$/,
    )
  })

  test('a service that nobody stands for is not found', async () => {
    const clientConfig = { service: { namespace: 'geng', name: 'other', path: '/ok' } }
    const answer = await answerTo('Validating', allowed(), { clientConfig })
    expect(answer.body['message']).toBe(
      `${call} Post "https://other.geng.svc:443/ok?timeout=2s": service "other" not found`,
    )
  })

  test('warnings reach the client', async () => {
    const answer = await answerTo('Validating', allowed({ warnings: ['w1', 'w2 "q"'] }))
    expect([answer.status, answer.warnings]).toEqual([201, ['299 - "w1"', '299 - "w2 \\"q\\""']])
  })

  test('a failure is ignored where the policy says so', async () => {
    const answer = await answerTo('Validating', () => ({ status: 500, body: '' }), {
      failurePolicy: 'Ignore',
    })
    expect(answer.status).toBe(201)
  })

  test('a webhook of the older version is asked and answers in it', async () => {
    const answer = await answerTo('Validating', allowed({ allowed: false }, 'v1beta1'), {
      admissionReviewVersions: ['v1beta1', 'v1'],
    })
    expect(answer.status).toBe(400)
  })
})

describe('a webhook is asked', () => {
  test('with the review that the real server sends', async () => {
    const server = await serverWith({ hook: allowed() })
    await configure(server, 'Validating', [['hook']])
    await server.send('POST', configMaps, configMap)
    const [review] = server.reviews
    expect(review).toMatchObject({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: {
        kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        resource: { group: '', version: 'v1', resource: 'configmaps' },
        requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
        requestResource: { group: '', version: 'v1', resource: 'configmaps' },
        name: 'c',
        namespace: 'geng',
        operation: 'CREATE',
        userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
        object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c', namespace: 'geng' } },
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
      },
    })
  })

  test.each<[Readonly<Record<string, unknown>>, number]>([
    [{ objectSelector: { matchLabels: { a: 'b' } } }, 0],
    [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'geng' } } }, 1],
    [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } }, 0],
    [{ rules: [{ operations: ['UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['*'] }] }, 0],
    [{ rules: [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['*'], resources: ['*'] }] }, 0],
    [
      {
        rules: [
          { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: 'Cluster' },
        ],
      },
      0,
    ],
    [
      {
        rules: [
          {
            operations: ['*'],
            apiGroups: ['*'],
            apiVersions: ['*'],
            resources: ['*/*'],
            scope: 'Namespaced',
          },
        ],
      },
      1,
    ],
    [{ matchConditions: [{ name: 'c', expression: "object.metadata.name == 'c'" }] }, 1],
    [{ matchConditions: [{ name: 'c', expression: "object.metadata.name == 'd'" }] }, 0],
    [
      {
        matchConditions: [{ name: 'c', expression: "authorizer.requestResource.check('create').allowed()" }],
      },
      1,
    ],
    [{ matchConditions: [{ name: 'c', expression: "request.operation == 'CREATE' && !request.dryRun" }] }, 1],
    [{ matchConditions: [{ name: 'c', expression: 'object.nope == 1' }], failurePolicy: 'Ignore' }, 0],
  ])('only if it wants to be: %j', async (more, calls) => {
    const server = await serverWith({ hook: allowed() })
    await configure(server, 'Validating', [['hook', more]])
    expect((await server.send('POST', configMaps, configMap)).status).toBe(201)
    expect(server.reviews).toHaveLength(calls)
  })

  test('unless its conditions cannot be told: then the request fails', async () => {
    const answer = await answerTo('Validating', allowed(), {
      matchConditions: [{ name: 'c', expression: 'object.nope == 1' }],
    })
    expect([answer.status, answer.body['message']]).toEqual([
      403,
      'configmaps "c" is forbidden: expression \'object.nope == 1\' resulted in error: no such key: nope',
    ])
  })

  test('about updates and deletions with what was there', async () => {
    const server = await serverWith({ hook: allowed() })
    await server.create(configMaps, configMap)
    await configure(server, 'Validating', [['hook']])
    await server.send('PATCH', `${configMaps}/c`, { data: { a: 'b' } }, merge)
    await server.send('DELETE', `${configMaps}/c`)
    expect(
      server.reviews.map(({ request: { operation, object, oldObject } }) => [operation, object, oldObject]),
    ).toMatchObject([
      ['UPDATE', { data: { a: 'b' } }, { metadata: { name: 'c' } }],
      ['DELETE', null, { data: { a: 'b' } }],
    ])
  })

  test('never about what configures webhooks', async () => {
    const server = await serverWith({ hook: denied() })
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }]
    await configure(server, 'Validating', [['hook', { rules }]])
    expect((await server.send('DELETE', `${api}/validatingwebhookconfigurations/hooks`)).status).toBe(200)
  })

  test('in a dry run only if it promises to leave no traces', async () => {
    const server = await serverWith({ hook: allowed() })
    await configure(server, 'Validating', [['hook', { sideEffects: 'NoneOnDryRun' }]])
    expect((await server.send('POST', `${configMaps}?dryRun=All`, configMap)).status).toBe(201)
    expect(server.reviews[0]?.request['dryRun']).toBe(true)
  })
})

describe('mutating webhooks', () => {
  const label = (name: string, value: string): Respond =>
    patching([{ op: 'add', path: `/metadata/labels/${name}`, value }])
  const labelled = { ...configMap, metadata: { name: 'c', labels: { start: 'x' } } }

  test('see what those before them made of the object', async () => {
    const server = await serverWith({ one: label('one', '1'), two: label('two', '2') })
    await configure(server, 'Mutating', [['one'], ['two']])
    const answer = await server.send('POST', configMaps, labelled)
    expect(answer.body.metadata.labels).toEqual({ start: 'x', one: '1', two: '2' })
    expect(server.reviews[1]?.request['object']).toMatchObject({ metadata: { labels: { one: '1' } } })
  })

  test('are asked again only if they want to be and something has changed after them', async () => {
    const again = { reinvocationPolicy: 'IfNeeded' }
    const server = await serverWith({ one: allowed(), two: label('two', '2') })
    await configure(server, 'Mutating', [['one', again], ['two']])
    await server.send('POST', configMaps, labelled)
    expect(server.reviews).toHaveLength(3)
    expect(server.reviews[2]?.request['object']).toMatchObject({ metadata: { labels: { two: '2' } } })
  })

  test('that change nothing cause no second round', async () => {
    const server = await serverWith({ one: allowed(), two: label('start', 'x') })
    await configure(server, 'Mutating', [['one', { reinvocationPolicy: 'IfNeeded' }], ['two']])
    await server.send('POST', configMaps, labelled)
    expect(server.reviews).toHaveLength(2)
  })

  test('may not change what is deleted', async () => {
    const server = await serverWith({ one: label('one', '1') })
    await server.create(configMaps, labelled)
    await configure(server, 'Mutating', [['one']])
    expect((await server.send('DELETE', `${configMaps}/c`)).body['message']).toBe(
      'Internal error occurred: admission webhook "x.geng.io" attempted to modify the object, which is not supported for this operation',
    )
  })

  test('fields that the kind does not have are dropped from a patch', async () => {
    const answer = await answerTo('Mutating', patching([{ op: 'add', path: '/zzz', value: 5 }]))
    expect(answer.status).toBe(201)
    expect(answer.body).not.toHaveProperty('zzz')
  })
})

test('a webhook that does not answer in time has failed', async () => {
  const clock = createFakeClock()
  const never: Transport = ({ signal }) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  const server = await createAdmissionTestServer({ clock, services: new Map([['geng/hook:443', never]]) })
  await configure(server, 'Validating', [['slow']])
  const pending = server.send('POST', configMaps, configMap)
  await clock.advance(2000)
  expect((await pending).body['message']).toBe(
    `${call} Post "https://hook.geng.svc:443/slow?timeout=2s": context deadline exceeded`,
  )
})
