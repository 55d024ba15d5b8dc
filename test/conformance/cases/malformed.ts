import { area, type Case, table } from '../case.js'
import type { Conversation } from '../conversation.js'
import { configMap, object, widget } from './objects.js'

/** Bodies that are not what they should be; the same for a built-in kind and a custom one. */
const bodies: Readonly<Record<string, (apiVersion: string, kind: string) => string>> = {
  nothing: () => '',
  'a space': () => ' ',
  'no JSON': () => 'hello',
  'half of an object': () => '{"apiVersion":',
  'two objects': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"}}{"x":1}`,
  'a comma too many': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"},}`,
  'a list': () => '[]',
  'a text': () => '"text"',
  'a number': () => '5',
  null: () => 'null',
  true: () => 'true',
  'an empty object': () => '{}',
  'no kind': (apiVersion) => `{"apiVersion":"${apiVersion}","metadata":{"name":"a"}}`,
  'no apiVersion': (_, kind) => `{"kind":"${kind}","metadata":{"name":"a"}}`,
  'neither kind nor apiVersion': () => '{"metadata":{"name":"a"}}',
  'another kind': (apiVersion) => `{"apiVersion":"${apiVersion}","kind":"Secret","metadata":{"name":"a"}}`,
  'an unknown kind': (apiVersion) =>
    `{"apiVersion":"${apiVersion}","kind":"Nothing","metadata":{"name":"a"}}`,
  'another apiVersion': (_, kind) => `{"apiVersion":"apps/v1","kind":"${kind}","metadata":{"name":"a"}}`,
  'an unknown apiVersion': (_, kind) =>
    `{"apiVersion":"nothing.example.com/v1","kind":"${kind}","metadata":{"name":"a"}}`,
  'an apiVersion that is none': (_, kind) =>
    `{"apiVersion":"a/b/c","kind":"${kind}","metadata":{"name":"a"}}`,
  'a kind that is a number': (apiVersion) =>
    `{"apiVersion":"${apiVersion}","kind":5,"metadata":{"name":"a"}}`,
  'a list of objects': (apiVersion, kind) => `{"apiVersion":"${apiVersion}","kind":"${kind}List","items":[]}`,
  'a Status': () => '{"apiVersion":"v1","kind":"Status"}',
  'metadata that is a text': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":"x"}`,
  'metadata that is a list': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":[]}`,
  'a name that is a number': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":5}}`,
  'labels with a number': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","labels":{"x":5}}}`,
  'finalizers that are a text': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","finalizers":"x"}}`,
  'a time that is none': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","creationTimestamp":"yesterday"}}`,
  'a generation that is a fraction': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","generation":1.5}}`,
  'a generation that is too large': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","generation":99999999999999999999}}`,
  'a byte order mark': (apiVersion, kind) =>
    `\ufeff{"kind":"${kind}","metadata":{"name":"a"},"apiVersion":"${apiVersion}"}`,
  'a comment': (apiVersion, kind) =>
    `// hi\n{"kind":"${kind}","metadata":{"name":"a"},"apiVersion":"${apiVersion}"}`,
  'a control character in a text': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","annotations":{"x":"a\tb"}}}`,
  'half of a character': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","annotations":{"x":"\\ud800"}}}`,
  'a zero character': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","annotations":{"x":"a\\u0000b"}}}`,
  'numbers in odd forms': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a","generation":01}}`,
  'deep nesting': (apiVersion, kind) =>
    `{"apiVersion":"${apiVersion}","kind":"${kind}","metadata":{"name":"a"},"x":${'['.repeat(10_001)}${']'.repeat(10_001)}}`,
}

const kinds = {
  'config map': { resource: 'configmaps', apiVersion: () => 'v1', kind: 'ConfigMap' },
  widget: { resource: 'widgets', apiVersion: (t: Conversation) => `${t.group}/v1`, kind: 'Widget' },
}

const bodyCases = table(
  'malformed requests',
  Object.fromEntries(
    Object.entries(kinds).flatMap(([kindName, kind]) =>
      Object.entries(bodies).map(
        ([name, make]) => [`a ${kindName} made of ${name}`, { ...kind, make }] as const,
      ),
    ),
  ),
  async (t, { resource, apiVersion, kind, make }) => {
    const body = make(apiVersion(t), kind)
    await t.post(t.url(resource, '?dryRun=All'), body)
    await t.put(t.url(resource, 'a?dryRun=All'), body)
  },
  { namespace: 'shared' },
)

const types = [
  '',
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'APPLICATION/JSON',
  'text/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/merge-patch+json',
  'nonsense',
  'application/json, application/json',
]

const typeCases = table(
  'malformed requests',
  Object.fromEntries(types.map((type) => [`a body of type ${type || '(none)'}`, type])),
  async (t, type) => {
    await t.post(t.url('configmaps', '?dryRun=All'), JSON.stringify(configMap('a')), { 'content-type': type })
    // The real server breaks the connection over protobuf for a kind that it knows by a schema alone.
    if (!type.endsWith('protobuf'))
      await t.post(t.url('widgets', '?dryRun=All'), JSON.stringify(widget(t, 'a')), { 'content-type': type })
    await t.delete(t.url('configmaps', 'missing'), { gracePeriodSeconds: 0 }, { 'content-type': type })
  },
  { namespace: 'shared' },
)

/** Paths as they go over the wire; `N` is the namespace, `G` the group. */
const paths = [
  'GET /nothing',
  'GET /api/v1/nothings',
  'GET /api/v1/namespaces/N/nothings',
  'GET /api/v1/namespaces/N/nothings/a',
  'GET /api/v1/namespaces/N/nothings/a/status',
  'GET /api/v1/namespaces//configmaps',
  'GET /api/v1/namespaces/N/configmaps/',
  'GET /api/v1/namespaces/N//configmaps',
  'GET //api/v1/namespaces/N/configmaps/missing',
  'GET /api//v1/namespaces/N/configmaps/missing',
  'GET /api/v1/namespaces/N/configmaps/../secrets',
  'GET /api/v1/namespaces/N/./configmaps',
  'GET /api/v1/namespaces/N/configmaps/%2e%2e',
  'GET /api/v1/namespaces/N/configmaps/a%2Fb',
  'GET /api/v1/namespaces/N/configmaps/a%20b',
  'GET /api/v1/namespaces/N/configmaps/%41',
  'GET /api/v1/namespaces/N/configmaps/a?limit=1&limit=2',
  'GET /api/v1/namespaces/N/configmaps/a;b',
  'GET /api/v1/namespaces/N/configmaps/missing?%zz',
  'GET /API/v1',
  'GET /api/V1/namespaces',
  'GET /api/v1/Namespaces',
  'GET /apis/',
  'GET /api/',
  'GET /apis/apps/',
  'GET /apis/apps/v1/',
  'GET /apis/G/v1/nothings',
  'GET /apis/G/v9/widgets',
  'GET /apis/G/v1/namespaces/N/widgets/',
  'GET /apis/G/v1/namespaces/N/widgets/a/b/c',
  'GET /apis/G/v1/namespaces/N/widgets/a/nothing',
  'GET /apis/G/v1/namespaces/N/gadgets',
  'GET /apis/G/v1/namespaces/N/gadgets/a',
  'POST /apis/G/v1/widgets',
  'PUT /apis/G/v1/namespaces/N/widgets',
  'PATCH /apis/G/v1/namespaces/N/widgets',
  'POST /apis/G/v1/namespaces/N/widgets/a',
  'PUT /api/v1/namespaces/N/configmaps',
  'PATCH /api/v1/namespaces/N/configmaps',
  'POST /api/v1/namespaces/N/configmaps/a',
  'HEAD /api/v1/namespaces/N/configmaps/missing',
  'HEAD /apis/G/v1/namespaces/N/widgets',
  'OPTIONS /api/v1/namespaces/N/configmaps',
  'OPTIONS /apis/G/v1/namespaces/N/widgets',
  'TRACE /api/v1/namespaces/N/configmaps',
  'FOO /api/v1/namespaces/N/configmaps',
  'FOO /apis/G/v1/namespaces/N/widgets',
  'POST /api',
  'DELETE /apis/apps',
  'POST /version',
  'POST /healthz',
  'PUT /openapi/v3',
  'GET /openapi/v3/nothing',
  'GET /api/v1/watch/nothings',
  'GET /api/v1/proxy/nodes/x',
  'GET /api/v1/namespaces/N/pods/missing/exec?command=x',
  'POST /api/v1/namespaces/N/pods/missing/attach',
  'GET /api/v1/componentstatuses/nothing',
  'GET /version?timeout=invalid',
  'GET /healthz?timeout=1',
  'GET /apis?timeout=x',
  'GET /nothing?timeout=x',
  'GET /api/v1/namespaces/N/configmaps?timeout=x',
]

const isOfAll = /^\/apis\/$|namespaces\/\/|configmaps\/$|^\/openapi/

const pathCases = table(
  'malformed requests',
  Object.fromEntries(paths.map((path) => [path, path])),
  async (t, line) => {
    const [method = '', path = ''] = line.split(' ')
    const isWrite = /^(POST|PUT|PATCH)$/.test(method)
    const answer = await t.quietly({
      method,
      path: path.replace('/N/', `/${t.namespace}/`).replace('/G/', `/${t.group}/`),
      ...(isWrite && { body: '{}', headers: { 'content-type': 'application/json' } }),
    })
    const { status, headers, body } = answer
    // What is there for everybody changes with everybody.
    t.note(line, { status, headers, ...(isOfAll.test(path) ? { kind: answer.at('kind') } : { body }) })
  },
)

const large = (bytes: number): string => 'x'.repeat(bytes)

const others = area('malformed requests', {
  'a body that is too large': async (t) => {
    await t.post(
      t.url('configmaps', '?dryRun=All'),
      JSON.stringify(configMap('a', { data: { k: large(3 * 1024 * 1024) } })),
    )
    await t.patch(t.url('configmaps', 'a'), 'merge', JSON.stringify({ data: { k: large(3 * 1024 * 1024) } }))
    await t.post(
      t.url('widgets', '?dryRun=All'),
      JSON.stringify(widget(t, 'a', { note: large(3 * 1024 * 1024) })),
    )
  },
  'an object that is too large': async (t) => {
    await t.post(t.url('configmaps'), configMap('a', { data: { k: large(1024 * 1024) } }))
    await t.post(t.url('configmaps'), configMap('a', { data: { k: large(1024 * 1024 - 1), l: 'xx' } }))
    await t.post(
      t.url('secrets'),
      object('v1', 'Secret', 'a', { data: { k: Buffer.alloc(1024 * 1024 + 1).toString('base64') } }),
    )
  },
  'a widget that is too large to store': async (t) => {
    const answer = await t.post(t.url('widgets'), widget(t, 'a', { note: large(1_600_000) }))
    t.note('stored', answer.status)
  },
  'a body with a GET': async (t) => {
    await t.send({
      method: 'GET',
      path: t.url('configmaps', 'missing'),
      body: 'hello',
      headers: { 'content-type': 'text/plain' },
    })
  },
  'YAML for JSON': async (t) => {
    await t.post(
      t.url('configmaps', '?dryRun=All'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      { 'content-type': 'application/yaml' },
    )
    await t.post(t.url('configmaps', '?dryRun=All'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n')
    await t.post(
      t.url('widgets', '?dryRun=All'),
      `apiVersion: ${t.group}/v1\nkind: Widget\nmetadata: {name: a}\nspec: {size: 0x10, title: yes, note: ~, port: 1_000}\n`,
      { 'content-type': 'application/yaml' },
    )
    await t.post(t.url('configmaps', '?dryRun=All'), 'a: &a [x]\nb: *a\n', {
      'content-type': 'application/yaml',
    })
    await t.post(
      t.url('configmaps', '?dryRun=All'),
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}',
      { 'content-type': 'application/yaml' },
    )
  },
  'options that are none': async (t) => {
    for (const query of [
      'dryRun=All&fieldManager=%00',
      `dryRun=All&fieldManager=${'x'.repeat(200)}`,
      'dryRun=All&timeout=5s',
      'dryRun=All&timeout=nonsense',
      'dryRun=All&unknown=1',
      'dryRun=All&pretty=x',
      'fieldValidation=x&dryRun=All',
    ])
      await t.post(t.url('configmaps', `?${query}`), configMap('a'))
  },
  'a websocket that nobody wants': async (t) => {
    await t.get(t.url('configmaps', 'missing'), { 'sec-websocket-protocol': 'x' })
  },
  'conditions of HTTP': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    await t.get(t.url('configmaps', 'a'), { 'if-none-match': '*', 'if-match': '"x"', range: 'bytes=0-5' })
  },
})

export const malformed: readonly Case[] = [...bodyCases, ...typeCases, ...pathCases, ...others]
