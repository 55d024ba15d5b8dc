import { parseJson } from 'kubewright/base'
import { readText } from 'kubewright/client'
import type { TransportRequest } from 'kubewright/objects'
import { createCluster, type EmbeddedCluster, eventually } from 'kubewright/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// What is sent, and what the real server answered to it; `ours` says why an answer differs on purpose. A row that takes
// exponential or quadratic time does not end within the time of a test.

interface Row {
  readonly method?: TransportRequest['method']
  readonly path?: string
  readonly type?: string
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  readonly reason?: string
  /** A part of the message. */
  readonly says?: string
  /** Members of the answer. */
  readonly holds?: Record<string, unknown>
  readonly ours?: string
}

const group = 'hostile.example.com'
const configMaps = '/api/v1/namespaces/default/configmaps'
const things = `/apis/${group}/v1/namespaces/default/things`
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const yaml = 'application/yaml'
const merge = 'application/merge-patch+json'
const strategic = 'application/strategic-merge-patch+json'
const jsonPatch = 'application/json-patch+json'
const apply = 'application/apply-patch+yaml'

const configMap = (name: string, more: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}${more}}`
const thing = (name: string, more: string): string =>
  `{"apiVersion":"${group}/v1","kind":"Thing","metadata":{"name":"${name}"}${more}}`
const definition = (plural: string, kind: string, schema: object): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  })
const patchOf = (...operations: object[]): string => JSON.stringify(operations)
const nested = (open: string, close: string, depth: number, within = ''): string =>
  open.repeat(depth) + within + close.repeat(depth)
const manyOf = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(',')
const patch = (type: string, body: string, query = ''): Pick<Row, 'method' | 'path' | 'type' | 'body'> => ({
  method: 'PATCH',
  path: `${configMaps}/kept${query}`,
  type,
  body,
})
const get = (path: string): Pick<Row, 'method' | 'path'> => ({ method: 'GET', path })
/** Parsed, so that `__proto__` is a key. */
const data = (text: string): Record<string, unknown> => parseJson(text) as Record<string, unknown>

let cluster: EmbeddedCluster

beforeAll(async () => {
  cluster = await createCluster({ kind: 'embedded', https: false })
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  await send({
    path: definitions,
    body: definition('things', 'Thing', {
      type: 'object',
      properties: {
        // Defined by parsing: a literal with this key would set the prototype.
        spec: {
          type: 'object',
          properties: data(
            '{"__proto__":{"type":"string","default":"d"},"constructor":{"type":"object","properties":{"prototype":{"type":"integer"}}}}',
          ),
        },
        free,
        code: { type: 'string', pattern: '^(a+)+$' },
        word: {
          type: 'string',
          maxLength: 1000,
          'x-kubernetes-validations': [{ rule: "self.matches('^(b+)+$')" }],
        },
      },
    }),
  })
  await eventually(async () => {
    if ((await send(get(things))).status !== 200) throw new Error('Things are not served yet.')
  })
  await send({ body: configMap('kept', ',"data":{"a":"1"}') })
}, 60_000)
afterAll(() => cluster.stop())

async function send({
  method = 'POST',
  path = configMaps,
  type = 'application/json',
  body,
  headers,
}: Omit<Row, 'status'>): Promise<{ status: number; text: string }> {
  const response = await cluster.transport({
    method,
    path,
    headers: { ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, text: await readText(response.body) }
}

function check(rows: Readonly<Record<string, Row>>): void {
  test.each(Object.entries(rows))('%s', async (_, row) => {
    const { store } = cluster.server
    const before = store.revision
    const { status, text } = await send(row)
    const answer = text.startsWith('{') ? data(text) : {}
    const shown = text.slice(0, 500)
    expect({ status, reason: answer['reason'], shown }).toEqual({
      status: row.status,
      reason: row.reason,
      shown,
    })
    if (row.says !== undefined) expect(answer['message']).toContain(row.says)
    if (row.holds !== undefined) expect(answer).toMatchObject(row.holds)
    if (status >= 400) expect(store.revision).toBe(before)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    const next = await send(get(`${configMaps}/kept`))
    expect(next.status).toBe(200)
  })
}

describe('keys that are properties of every object', () => {
  const key = '{"__proto__":"x"}'
  const inMap = { status: 200, holds: { data: data('{"a":"1","__proto__":"x"}') } }
  check({
    'are kept as data': {
      body: configMap('hostile-data', ',"data":{"__proto__":"x","constructor":"y"}'),
      status: 201,
      holds: { data: data('{"__proto__":"x","constructor":"y"}') },
    },
    'are no labels': {
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":${key}}}`,
      status: 422,
      reason: 'Invalid',
      says: 'metadata.labels: Invalid value: "__proto__": name part must consist of',
    },
    'may be annotations': {
      body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hostile-annotation","annotations":{"constructor":"y","toString":"z"}}}',
      status: 201,
      holds: { metadata: { annotations: data('{"constructor":"y","toString":"z"}') } },
    },
    'are unknown fields': {
      path: `${configMaps}?fieldValidation=Strict`,
      body: configMap('x', ',"__proto__":{"polluted":true}'),
      status: 400,
      reason: 'BadRequest',
      says: 'strict decoding error: unknown field "__proto__"',
    },
    'do not give metadata what it lacks': {
      body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"__proto__":{"name":"x"}}}',
      status: 422,
      reason: 'Invalid',
      says: 'metadata.name: Required value',
    },
    'are merged as data': { ...patch(merge, `{"data":${key}}`, '?dryRun=All'), ...inMap },
    'are merged into nothing else': {
      ...patch(merge, '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
      status: 200,
    },
    'are merged strategically': { ...patch(strategic, `{"data":${key}}`, '?dryRun=All'), ...inMap },
    'are added by a JSON patch': {
      ...patch(jsonPatch, patchOf({ op: 'add', path: '/data/__proto__', value: 'x' }), '?dryRun=All'),
      ...inMap,
    },
    'are applied': {
      ...patch(apply, configMap('kept', `,"data":${key}`), '?dryRun=All&fieldManager=__proto__'),
      ...inMap,
    },
    'are no field to apply': {
      ...patch(apply, configMap('kept', ',"__proto__":{"polluted":"x"}'), '?fieldManager=x'),
      status: 500,
      says: '.__proto__: field not declared in schema',
    },
    'are no way for a JSON patch': {
      ...patch(jsonPatch, patchOf({ op: 'add', path: '/__proto__/polluted', value: true })),
      status: 422,
      reason: 'Invalid',
    },
    'are no way to the prototype': {
      ...patch(jsonPatch, patchOf({ op: 'add', path: '/constructor/prototype/polluted', value: true })),
      status: 422,
      reason: 'Invalid',
    },
    'are nothing to copy': {
      ...patch(jsonPatch, patchOf({ op: 'copy', from: '/__proto__/toString', path: '/data/x' })),
      status: 422,
      reason: 'Invalid',
    },
    'are no index of a list': {
      ...patch(jsonPatch, patchOf({ op: 'add', path: '/metadata/managedFields/length', value: 0 })),
      status: 422,
      reason: 'Invalid',
    },
    'are merged by YAML as data': {
      path: `${configMaps}?dryRun=All`,
      type: yaml,
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  <<: {__proto__: x}\n',
      status: 201,
      holds: { data: data(key) },
    },
    'may be fields of a custom resource, with defaults': {
      path: things,
      body: thing(
        'own',
        ',"spec":{"constructor":{"prototype":1,"x":2}},"free":{"__proto__":{"polluted":true},"toString":1}',
      ),
      status: 201,
      holds: {
        spec: data('{"__proto__":"d","constructor":{"prototype":1}}'),
        free: data('{"__proto__":{"polluted":true},"toString":1}'),
      },
    },
    'are applied to a custom resource': {
      method: 'PATCH',
      path: `${things}/own?fieldManager=x&force=true`,
      type: apply,
      body: thing('own', ',"spec":{"__proto__":"y"},"free":{"__proto__":{"polluted":false}}'),
      status: 200,
      holds: { spec: data('{"__proto__":"y"}'), free: data('{"__proto__":{"polluted":false},"toString":1}') },
    },
    'are removed from a custom resource': {
      method: 'PATCH',
      path: `${things}/own`,
      type: jsonPatch,
      body: patchOf(
        { op: 'test', path: '/free/__proto__/polluted', value: false },
        { op: 'remove', path: '/free/__proto__' },
      ),
      status: 200,
      holds: { free: { toString: 1 } },
    },
    'select nothing by label': {
      ...get(`${configMaps}?labelSelector=constructor`),
      status: 200,
      holds: { items: [] },
    },
    'are no field to select by': {
      ...get(`${configMaps}?fieldSelector=__proto__%3Dx`),
      status: 400,
      reason: 'BadRequest',
      says: '"__proto__" is not a known field selector',
    },
    'are no namespace': {
      ...get('/api/v1/namespaces/__proto__/configmaps/x'),
      status: 404,
      reason: 'NotFound',
      says: 'configmaps "x" not found',
    },
    'are no group': { ...get('/apis/__proto__/v1/x'), status: 404 },
    'are no resource': {
      ...get('/api/v1/namespaces/default/constructor/x'),
      status: 404,
      reason: 'NotFound',
    },
    'are no subresource': { ...get(`${configMaps}/kept/constructor`), status: 404, reason: 'NotFound' },
    'are no path': { ...get('/__proto__'), status: 404 },
    'are no document': { ...get('/openapi/v3/constructor'), status: 404 },
    'are no kind': {
      body: '{"apiVersion":"__proto__","kind":"__proto__"}',
      status: 400,
      reason: 'BadRequest',
      says: 'no kind "__proto__" is registered for version "__proto__"',
    },
    'are no user': {
      ...get(`${configMaps}/kept`),
      headers: { 'impersonate-user': '__proto__', 'impersonate-extra-__proto__': 'x' },
      status: 403,
      reason: 'Forbidden',
      says: 'User "__proto__" cannot get resource "configmaps"',
    },
  })
})

describe('patterns that take for ever where they backtrack', () => {
  const invalidPattern = (pattern: string): Row => ({
    path: definitions,
    body: definition('others', 'Other', { type: 'object', properties: { a: { type: 'string', pattern } } }),
    status: 422,
    reason: 'Invalid',
    says: 'must be a valid regular expression, but isn',
  })
  check({
    'are answered for a schema': {
      path: things,
      body: thing('x', `,"code":"${'a'.repeat(100_000)}!"`),
      status: 422,
      reason: 'Invalid',
      says: "should match '^(a+)+$'",
    },
    'are answered for a rule': {
      path: things,
      body: thing('x', `,"word":"${'b'.repeat(900)}!"`),
      status: 422,
      reason: 'Invalid',
      says: "failed rule: self.matches('^(b+)+$')",
    },
    'are refused where they look ahead': invalidPattern('^(?=a)b'),
    'are refused where they look back': invalidPattern(String.raw`(a)\1`),
    'are refused where they count too far': invalidPattern('((a{100}){100}){100}'),
  })
})

describe('YAML', () => {
  const level = (name: string, of: string): string =>
    `${name}: &${name} [${Array(9).fill(`*${of}`).join(',')}]\n`
  const refused = { type: yaml, status: 400, reason: 'BadRequest' } as const
  check({
    'that multiplies itself': {
      ...refused,
      body: `a: &a [x,x,x,x,x,x,x,x,x]\n${level('b', 'a')}${level('c', 'b')}${level('d', 'c')}${level('e', 'd')}${level('f', 'e')}`,
      says: 'yaml: document contains excessive aliasing',
    },
    'that contains itself': {
      ...refused,
      body: 'a: &a [*a]\n',
      says: "yaml: anchor 'a' value contains itself",
    },
    'that is deep': {
      ...refused,
      body: `a: ${'['.repeat(20_000)}`,
      says: 'yaml: exceeded max depth of ',
      ours: 'at 200 levels, not at 10,000: the parser calls itself',
    },
    'that has too many parts': {
      ...refused,
      body: '\n'.repeat(3_000_000),
      says: 'send it as JSON',
      ours: 'it is slow to read',
    },
    'with a tag that would be code': {
      path: `${configMaps}?dryRun=All`,
      type: yaml,
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: !!js/function "function(){}"\n',
      status: 201,
      holds: { data: { a: 'function(){}' } },
    },
    'with a key that is there twice': {
      ...refused,
      path: `${configMaps}?fieldValidation=Strict`,
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: x, a: "1"}\n',
      says: 'key "a" already set in map',
    },
    'with a zero byte': {
      ...refused,
      body: 'apiVersion: v1\nkind: ConfigMap\u0000\n',
      says: 'yaml: control characters are not allowed',
    },
    'that is no UTF-8': {
      ...refused,
      body: Buffer.from('kind: "\xff\xfe"\n', 'latin1'),
      says: 'yaml: invalid leading UTF-8 octet',
    },
    'with a merge of what is no map': {
      ...refused,
      body: 'a: {<<: x}\n',
      says: 'yaml: map merge requires map',
    },
  })
})

describe('JSON', () => {
  const tooDeep = {
    status: 400,
    reason: 'BadRequest',
    says: "invalid character '{' exceeded max depth",
  } as const
  const objects = nested('{"x":', '}', 10_001, '1')
  const inThing = (value: string): Pick<Row, 'path' | 'body'> => ({
    path: `${things}?dryRun=All`,
    body: thing('x', `,"free":{"a":${value}}`),
  })
  check({
    'that is deep': {
      body: '['.repeat(1_000_000),
      status: 400,
      reason: 'BadRequest',
      says: "json parse error: invalid character '[' exceeded max depth",
    },
    'that is deep, to merge': { ...patch(merge, objects), ...tooDeep },
    'that is deep, to merge strategically': { ...patch(strategic, objects), ...tooDeep },
    'that is deep, to patch with': {
      ...patch(jsonPatch, `[{"op":"add","path":"/x","value":${objects}}]`),
      ...tooDeep,
    },
    'that is deep, to apply': {
      ...patch(apply, objects, '?fieldManager=x'),
      status: 400,
      reason: 'BadRequest',
      says: 'exceeded max depth',
    },
    'that is deep, where anything may stand': {
      ...inThing(nested('[', ']', 9_000)),
      status: 400,
      reason: 'BadRequest',
      says: 'nested deeper than',
      ours: 'objects of more than 1,000 levels cannot be stored',
    },
    'with a number that no machine holds': { ...inThing('1e400'), status: 400, reason: 'BadRequest' },
    'with a number of a million digits': {
      ...inThing('9'.repeat(1_000_000)),
      status: 400,
      reason: 'BadRequest',
    },
    'with the largest integer': {
      ...inThing('9223372036854775807'),
      status: 201,
      holds: { free: { a: 9223372036854775807n } },
    },
    'with a quantity of a million digits': {
      path: '/api/v1/namespaces/default/limitranges',
      body: `{"apiVersion":"v1","kind":"LimitRange","metadata":{"name":"x"},"spec":{"limits":[{"type":"Container","max":{"cpu":"${'9'.repeat(1_000_000)}!"}}]}}`,
      status: 400,
      reason: 'BadRequest',
      says: 'quantities must match the regular expression',
    },
    'with a key that is there twice': {
      path: `${configMaps}?fieldValidation=Strict`,
      body: configMap('x', ',"data":{"a":"x","a":"y"}'),
      status: 400,
      reason: 'BadRequest',
      says: 'strict decoding error: duplicate field "data.a"',
    },
    'with 50,000 keys': {
      ...inThing(`{${manyOf(50_000, (index) => `"k${index}":1`)}}`),
      status: 201,
    },
    'with 20,000 owners': {
      path: `${configMaps}?dryRun=All`,
      body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","ownerReferences":[${manyOf(20_000, (index) => `{"apiVersion":"v1","kind":"X","name":"x","uid":"${index}"}`)}]}}`,
      status: 201,
    },
    'with a zero character in a name': {
      body: configMap(String.raw`a\u0000b`, ''),
      status: 422,
      reason: 'Invalid',
      says: String.raw`metadata.name: Invalid value: "a\x00b": a lowercase RFC 1123 subdomain`,
    },
    'with a zero byte': {
      body: configMap('a\u0000b', ''),
      status: 400,
      reason: 'BadRequest',
      says: String.raw`invalid character '\x00' in string literal`,
    },
    'that is no UTF-8': {
      path: `${configMaps}?dryRun=All`,
      body: Buffer.from(configMap('x', ',"data":{"a":"\xff\xfe\xc0\x80"}'), 'latin1'),
      status: 201,
      holds: { data: { a: '\ufffd'.repeat(4) } },
    },
    'in gzip, which nobody unpacks': {
      body: Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'),
      headers: { 'content-encoding': 'gzip' },
      status: 400,
      reason: 'BadRequest',
      says: String.raw`invalid character '\x1f' looking for beginning of value`,
    },
    'that is too large': {
      body: configMap('x', `,"data":{"a":"${'x'.repeat(3 * 1024 * 1024)}"}`),
      status: 413,
      reason: 'RequestEntityTooLarge',
      says: 'Request entity too large: limit is 3145728',
    },
  })
})

describe('JSON patches', () => {
  const refused = { status: 422, reason: 'Invalid' } as const
  check({
    'of too many operations': {
      ...patch(jsonPatch, `[${manyOf(10_001, () => '{"op":"test","path":"/data/a","value":"1"}')}]`),
      status: 413,
      reason: 'RequestEntityTooLarge',
      says: 'The allowed maximum operations in a JSON patch is 10000, got 10001',
    },
    'that copy what they have copied': {
      ...patch(
        jsonPatch,
        `[${manyOf(9_000, (index) => `{"op":"copy","from":"/data","path":"/data/c${index}"}`)}]`,
      ),
      ...refused,
    },
    'to an item far away': {
      ...patch(jsonPatch, patchOf({ op: 'add', path: '/metadata/managedFields/99999999999', value: {} })),
      ...refused,
    },
    'with a pointer of a million steps': {
      ...patch(jsonPatch, patchOf({ op: 'add', path: '/~1'.repeat(1_000_000), value: 1 })),
      ...refused,
    },
  })
})

describe('parameters and headers', () => {
  const long = 400_000
  const refused = { status: 400, reason: 'BadRequest' } as const
  const withHeader = (name: string, value: string): Pick<Row, 'method' | 'path' | 'headers'> => ({
    ...get(`${configMaps}/kept`),
    headers: { [name]: value },
  })
  check({
    'a path of slashes': { ...get(`/api/v1/${'/'.repeat(long)}a`), status: 404, reason: 'NotFound' },
    'a path that climbs': { ...get(`${configMaps}/../secrets`), status: 404, reason: 'NotFound' },
    'a path that climbs in disguise': {
      ...get(`${configMaps}/..%2fsecrets`),
      status: 404,
      reason: 'NotFound',
    },
    'a path that is encoded twice': {
      ...get(`${configMaps}/%252e%252e`),
      ...refused,
      says: `Name parameter invalid: "%2e%2e": may not contain '%'`,
    },
    'a name with a zero character': { ...get(`${configMaps}/a%00b`), status: 404, reason: 'NotFound' },
    'a name that is no UTF-8': { ...get(`${configMaps}/%ff%fe`), status: 404, reason: 'NotFound' },
    'an escape that is none': { ...get(`${configMaps}/%zz`), ...refused },
    'a name of 400,000 characters': {
      ...get(`${configMaps}/${'a'.repeat(long)}`),
      status: 404,
      reason: 'NotFound',
    },
    'a time limit of 400,000 digits': {
      ...get(`${configMaps}?timeout=${'1'.repeat(long)}`),
      ...refused,
      says: 'time: missing unit in duration',
    },
    'a limit beyond all numbers': {
      ...get(`${configMaps}?limit=99999999999999999999`),
      ...refused,
      says: 'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    },
    'a continue token that leads elsewhere': {
      ...get(
        `${configMaps}?continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"../../secrets"}').toString('base64url')}`,
      ),
      ...refused,
      says: 'invalid continue token: continue key is not valid: ../../secrets',
    },
    'a label selector of commas': {
      ...get(`${configMaps}?labelSelector=${','.repeat(long)}`),
      ...refused,
      says: "found ',', expected: !, identifier, or 'end of string'",
    },
    'a label selector of brackets': {
      ...get(`${configMaps}?labelSelector=a+in+(${'('.repeat(long)}`),
      ...refused,
      says: "unable to parse requirement: found '('",
    },
    'a label selector of 50,000 values': {
      ...get(`${configMaps}?labelSelector=a+in+(${'b,'.repeat(50_000)}c)`),
      status: 200,
      holds: { items: [] },
    },
    'an Accept of spaces': {
      ...withHeader('accept', `a/b${' '.repeat(long)};x`),
      status: 406,
      reason: 'NotAcceptable',
    },
    'an Accept of 30,000 wishes': {
      ...withHeader(
        'accept',
        manyOf(30_000, (index) => `a/b;q=0.${index}`),
      ),
      status: 406,
      reason: 'NotAcceptable',
    },
    'a content type of spaces': {
      type: `application/json;a${' '.repeat(long)}b`,
      body: configMap('x', ''),
      status: 415,
      reason: 'UnsupportedMediaType',
    },
    'an extra of a user that is encoded wrongly': {
      ...get(`${configMaps}/kept`),
      headers: { 'impersonate-user': 'a', 'impersonate-extra-%zz': 'x' },
      status: 403,
      reason: 'Forbidden',
    },
    'headers that are properties of every object': {
      ...get(`${configMaps}/kept`),
      headers: { constructor: 'x', 'impersonate-extra-constructor': '' },
      status: 400,
      reason: 'BadRequest',
      says: 'without impersonating a user name',
    },
  })
})

describe('webhooks', () => {
  const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
  const configuration = (url: string): string =>
    JSON.stringify({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'hostile' },
      webhooks: [
        {
          name: 'a.hostile.example.com',
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          clientConfig: { url },
          rules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] }],
        },
      ],
    })
  const refused = (url: string, says: string): Row => ({
    path: configurations,
    body: configuration(url),
    status: 422,
    reason: 'Invalid',
    says: `webhooks[0].clientConfig.url: Invalid value: ${says}`,
  })
  check({
    'without encryption': refused('http://example.com', `"http": 'https' is the only allowed URL scheme`),
    'that are files': refused('file:///etc/passwd', `"file": 'https' is the only allowed URL scheme`),
    'without a host': refused('https:///x', '"": host must be specified'),
    'with a password': refused('https://user:pw@example.com', '"user:pw": user information is not permitted'),
    'with a question': refused('https://example.com/?a=b', '"a=b": query parameters are not permitted'),
    'with a fragment': refused('https://example.com/#x', '"x": fragments are not permitted'),
  })

  // The metadata of a cloud, as an address, as numbers and as IPv6; a private network; all addresses of this machine.
  test.each([
    '169.254.169.254',
    '2852039166',
    '[::ffff:169.254.169.254]',
    '[fe80::1]',
    '10.0.0.1',
    '0.0.0.0',
  ])('at %s are not connected to, and nothing is written without them', async (host) => {
    await send({ path: configurations, body: configuration(`https://${host}/latest`) })
    const { revision } = cluster.server.store
    const { status, text } = await send({ path: things, body: thing('unasked', '') })
    expect(status).toBe(500)
    expect(data(text)['message']).toContain('the server may not connect to this address')
    expect(cluster.server.store.revision).toBe(revision)
    await send({ method: 'DELETE', path: `${configurations}/hostile` })
  })
})
