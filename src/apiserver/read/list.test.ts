import { describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../testing/index.js'
import {
  createTestReader as createReaderAt,
  type TestReader as ReaderOnly,
  type TestReaderOptions,
  testResource,
  widgetResource,
} from './test-reader.js'

interface TestReader extends ReaderOnly {
  readonly clock: FakeClock
}

function createTestReader(options?: TestReaderOptions): TestReader {
  const clock = createFakeClock()
  return { ...createReaderAt(clock, options), clock }
}

const path = '/api/v1/namespaces/default/configmaps'
const widgets = '/apis/example.com/v1/namespaces/default/widgets'

async function listed(reader: TestReader, target: string): Promise<Record<string, unknown>> {
  const { status, text } = await reader.read(target)
  expect([status, text]).toEqual([200, text])
  return JSON.parse(text)
}
const names = (list: Record<string, unknown>): unknown[] =>
  (list['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name)
const continueOf = (list: Record<string, unknown>): string => String(metadataOf(list)['continue'])
const metadataOf = (list: Record<string, unknown>): Record<string, unknown> =>
  list['metadata'] as Record<string, unknown>

function withMaps(): TestReader {
  const reader = createTestReader({ initialRevision: 100 })
  for (const name of ['c3', 'c1', 'c2', 'c5', 'c4'])
    reader.put(`default/${name}`, { data: { name } }, name < 'c3' ? { x: 'y' } : undefined)
  reader.put('other/o1', {}, { x: 'y' })
  return reader
}

test('items of a built-in kind do not repeat their kind, items of a custom one do', async () => {
  const reader = createTestReader()
  reader.put('default/a', { data: { k: 'ü' } })
  const { text, headers } = await reader.read(path)
  expect(text).toBe(
    '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"2"},"items":[{"metadata":{"name":"a","namespace":"default","resourceVersion":"2"},"data":{"k":"ü"}}]}\n',
  )
  expect(headers['content-type']).toBe('application/json')
  expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))

  const custom = createTestReader({ resources: [widgetResource()] })
  custom.put('default/w', { spec: { size: '1' } })
  expect((await custom.read(widgets)).text).toBe(
    '{"kind":"WidgetList","apiVersion":"example.com/v1","metadata":{"continue":"","resourceVersion":"2"},"items":[{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"w","namespace":"default","resourceVersion":"2"},"spec":{"size":"1"}}]}\n',
  )
})

test('a list without items has an empty list of them', async () => {
  const { text } = await createTestReader().read(path)
  expect(text).toBe(
    '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}\n',
  )
})

test('a namespace is a scope, selectors narrow it', async () => {
  const reader = withMaps()
  const list = async (target: string): Promise<unknown[]> => names(await listed(reader, target))
  expect(await list(path)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5'])
  expect(await list('/api/v1/configmaps')).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'o1'])
  expect(await list('/api/v1/configmaps?labelSelector=x%3Dy')).toEqual(['c1', 'c2', 'o1'])
  expect(await list('/api/v1/configmaps?labelSelector=x')).toEqual(['c1', 'c2', 'o1'])
  expect(await list('/api/v1/configmaps?labelSelector=!x')).toEqual(['c3', 'c4', 'c5'])
  expect(await list('/api/v1/configmaps?labelSelector=x+in+(z)')).toEqual([])
  expect(
    await list('/api/v1/configmaps?labelSelector=x%3Dy&fieldSelector=metadata.namespace%3Ddefault'),
  ).toEqual(['c1', 'c2'])
  expect(await list(`${path}?fieldSelector=metadata.name%3Dc4`)).toEqual(['c4'])
  expect(await list(`${path}?fieldSelector=metadata.name!%3Dc4`)).toEqual(['c1', 'c2', 'c3', 'c5'])
  expect(await list(`${path}?fieldSelector=metadata.name%3Dc4,metadata.name%3Dc5`)).toEqual([])
  expect(await list('/api/v1/configmaps?fieldSelector=metadata.name%3Do1')).toEqual(['o1'])
})

test('a label that stands elsewhere in the object does not select it', async () => {
  const reader = createTestReader()
  reader.put('default/a', { data: { x: 'y' } })
  reader.put('default/b', {}, { x: 'y' })
  expect(names(await listed(reader, `${path}?labelSelector=x%3Dy`))).toEqual(['b'])
})

test('pages show one revision whatever changes meanwhile, and count what is left', async () => {
  const reader = withMaps()
  const first = await listed(reader, `${path}?limit=2`)
  expect(names(first)).toEqual(['c1', 'c2'])
  expect(metadataOf(first)).toEqual({
    resourceVersion: '106',
    continue: Buffer.from('{"v":"meta.k8s.io/v1","rv":106,"start":"/c2\\u0000"}').toString('base64url'),
    remainingItemCount: 3,
  })
  reader.remove('default/c3')
  reader.put('default/c2a')
  reader.put('default/c4', { data: { changed: 'yes' } })
  const second = await listed(reader, `${path}?limit=2&continue=${continueOf(first)}`)
  expect(names(second)).toEqual(['c3', 'c4'])
  expect(metadataOf(second)).toMatchObject({ resourceVersion: '106', remainingItemCount: 1 })
  expect(JSON.stringify(second)).not.toContain('changed')
  const third = await listed(reader, `${path}?limit=2&continue=${continueOf(second)}`)
  expect(names(third)).toEqual(['c5'])
  expect(metadataOf(third)).toEqual({ resourceVersion: '106' })
})

test('pages of a selection do not count what is left', async () => {
  const reader = withMaps()
  const first = await listed(reader, '/api/v1/configmaps?limit=2&labelSelector=x')
  expect(names(first)).toEqual(['c1', 'c2'])
  expect(metadataOf(first)['remainingItemCount']).toBeUndefined()
  const second = await listed(
    reader,
    `/api/v1/configmaps?limit=2&labelSelector=x&continue=${continueOf(first)}`,
  )
  expect(names(second)).toEqual(['o1'])
  expect(metadataOf(second)).toEqual({ resourceVersion: '106' })
})

test('pages of all namespaces under a field selector go on where they were', async () => {
  const reader = withMaps()
  const target = '/api/v1/configmaps?limit=4&fieldSelector=metadata.namespace%3Ddefault'
  const first = await listed(reader, target)
  expect(names(first)).toEqual(['c1', 'c2', 'c3', 'c4'])
  expect(names(await listed(reader, `${target}&continue=${continueOf(first)}`))).toEqual(['c5'])
})

test('a page of what is forgotten is refused with a token to go on without consistency', async () => {
  const reader = withMaps()
  const first = await listed(reader, `${path}?limit=2`)
  reader.put('default/c0')
  reader.put('default/c6')
  reader.store.compact()
  const { status, text } = await reader.read(`${path}?limit=2&continue=${continueOf(first)}`)
  expect(status).toBe(410)
  const failure = JSON.parse(text)
  expect(failure).toMatchObject({
    kind: 'Status',
    reason: 'Expired',
    code: 410,
    message:
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
  })
  const rest = await listed(reader, `${path}?continue=${failure.metadata.continue}`)
  expect(names(rest)).toEqual(['c3', 'c4', 'c5', 'c6'])
  expect(metadataOf(rest)).toEqual({ resourceVersion: '108' })
})

test('any version at all is never cut into pages, a version with a limit is that version', async () => {
  const reader = withMaps()
  expect(metadataOf(await listed(reader, `${path}?limit=1&resourceVersion=0`))).toEqual({
    resourceVersion: '106',
  })
  reader.remove('default/c1')
  const exact = await listed(reader, `${path}?limit=1&resourceVersion=105`)
  expect(names(exact)).toEqual(['c1'])
  expect(metadataOf(exact)).toMatchObject({ resourceVersion: '105', remainingItemCount: 4 })
  const match = await listed(reader, `${path}?resourceVersion=103&resourceVersionMatch=Exact`)
  expect(names(match)).toEqual(['c1', 'c2', 'c3'])
  expect(names(await listed(reader, `${path}?resourceVersion=103`))).toEqual(['c2', 'c3', 'c4', 'c5'])
  expect(
    names(
      await listed(
        reader,
        `${path}?resourceVersion=103&resourceVersionMatch=Exact&fieldSelector=metadata.name%3Dc1`,
      ),
    ),
  ).toEqual(['c1'])
})

test('a version that is not there yet is waited for, three seconds and no longer', async () => {
  const reader = withMaps()
  const waiting = reader.read(`${path}?resourceVersion=107`)
  await reader.clock.advance(1000)
  reader.put('default/c6')
  expect((await waiting).status).toBe(200)

  const inVain = reader.read(`${path}?resourceVersion=999`)
  await reader.clock.advance(3000)
  const { status, text, headers } = await inVain
  expect(status).toBe(504)
  expect(headers['retry-after']).toBe('1')
  expect(text).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Timeout: Too large resource version: 999, current: 107","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],"retryAfterSeconds":1},"code":504}\n',
  )
  expect(reader.clock.pendingTimers).toBe(0)
})

test('who gives up while waiting for a version leaves nothing behind', async () => {
  const reader = withMaps()
  const controller = new AbortController()
  const waiting = reader.read(`${path}?resourceVersion=999`, { signal: controller.signal })
  const outcome = waiting.catch((error: unknown) => error)
  await reader.clock.advance(100)
  controller.abort()
  expect(await outcome).toMatchObject({ code: 'KW_ABORTED' })
  expect(reader.clock.pendingTimers).toBe(0)
})

// The answers of kube-apiserver 1.36.3.
describe('bad parameters are refused in the words of the real server', () => {
  const forbidden =
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch'
  test.each([
    ['limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    [
      'limit=99999999999999999999',
      400,
      'strconv.ParseInt: parsing "99999999999999999999": value out of range',
    ],
    ['timeoutSeconds=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'resourceVersion=abc',
      400,
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    ['resourceVersionMatch=Exact', 422, `${forbidden} is forbidden unless resourceVersion is provided`],
    [
      'resourceVersionMatch=Foo&resourceVersion=1',
      422,
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Foo": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      422,
      `${forbidden} "exact" is forbidden for resourceVersion "0"`,
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=1&continue=a',
      422,
      `${forbidden} is forbidden when continue is provided`,
    ],
    [
      'sendInitialEvents=true',
      422,
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    [
      'resourceVersion=1&resourceVersionMatch=Exact',
      410,
      'The resourceVersion for the provided list is too old.',
    ],
    ['limit=1&resourceVersion=1', 410, 'The resourceVersion for the provided list is too old.'],
    [
      `continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"x"}').toString('base64url')}&resourceVersion=10`,
      400,
      'specifying resource version is not allowed when using continue',
    ],
    ['fieldSelector=foo', 400, "invalid selector: 'foo'; can't understand 'foo'"],
    [
      'fieldSelector=foo%3D1',
      400,
      '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    [
      'fieldSelector=%3Dx',
      400,
      '"" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['fieldSelector=metadata.name%3Da%3Db', 400, 'invalid field selector: unescaped character in value: 61'],
    ['fieldSelector=metadata.name%3Da%5Cx', 400, 'invalid field selector: invalid escape sequence: \\x'],
    ['fieldSelector=metadata.name%3Da%5C', 400, 'invalid field selector: invalid escape sequence: \\'],
  ])('%s', async (query, code, message) => {
    const { status, text } = await withMaps().read(`${path}?${query}`)
    expect([status, JSON.parse(text).message]).toEqual([code, message])
  })

  test('a limit below zero is none', async () => {
    expect(names(await listed(withMaps(), `${path}?limit=-1`))).toHaveLength(5)
  })

  test('a custom resource names the field', async () => {
    const reader = createTestReader({ resources: [widgetResource()] })
    const { status, text } = await reader.read(`${widgets}?fieldSelector=foo%3D1`)
    expect([status, JSON.parse(text).message]).toEqual([400, 'field label not supported: foo'])
  })
})

test('another version is converted, selected by its own fields, and cut into pages', async () => {
  const reader = createTestReader({ resources: [widgetResource()] })
  for (const size of ['1', '2', '1', '2', '1'])
    reader.put(`default/w${reader.store.revision}`, { spec: { size } })
  const all = await listed(reader, '/apis/example.com/v2/widgets?limit=2')
  expect(all['items']).toEqual([
    {
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      metadata: { name: 'w1', namespace: 'default', resourceVersion: '2' },
      size: '1',
    },
    {
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      metadata: { name: 'w2', namespace: 'default', resourceVersion: '3' },
      size: '2',
    },
  ])
  expect(metadataOf(all)).toMatchObject({ remainingItemCount: 3 })
  const ones = await listed(reader, '/apis/example.com/v2/widgets?fieldSelector=spec.size%3D1&limit=2')
  expect(names(ones)).toEqual(['w1', 'w3'])
  expect(names(await listed(reader, '/apis/example.com/v1/widgets?fieldSelector=spec.size!%3D1'))).toEqual([
    'w2',
    'w4',
  ])
})

test('objects stored before the schema changed are shown in their new form', async () => {
  const resource = widgetResource({
    reshapesBefore: 3,
    reshape: (object) => ({ ...object, spec: { size: 'reshaped' } }),
  })
  const reader = createTestReader({ resources: [resource] })
  reader.put('default/old', { spec: { size: '1' } })
  reader.put('default/new', { spec: { size: '2' } })
  const list = await listed(reader, widgets)
  expect((list['items'] as { spec: unknown }[]).map(({ spec }) => spec)).toEqual([
    { size: '2' },
    { size: 'reshaped' },
  ])
})

test('objects of a cluster have no namespace in their keys', async () => {
  const resource = testResource({ plural: 'nodes', kind: 'Node', listKind: 'NodeList', scope: 'Cluster' })
  const reader = createTestReader({ resources: [resource] })
  reader.put('n1')
  reader.put('n2')
  expect(names(await listed(reader, '/api/v1/nodes'))).toEqual(['n1', 'n2'])
  expect(names(await listed(reader, '/api/v1/nodes?fieldSelector=metadata.name%3Dn2'))).toEqual(['n2'])
  expect(names(await listed(reader, '/api/v1/nodes?fieldSelector=metadata.namespace%3Dx'))).toEqual([])
})

describe('a single object', () => {
  test('comes as it is stored', async () => {
    const reader = createTestReader()
    reader.put('default/a', { data: { k: 'v' } })
    expect((await reader.read(`${path}/a`)).text).toBe(
      `${String(reader.store.get('configmaps', 'default/a')?.json)}\n`,
    )
  })

  test('that is not there is not found', async () => {
    const { status, text } = await createTestReader().read(`${path}/zz`)
    expect([status, text]).toEqual([
      404,
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"configmaps \\"zz\\" not found","reason":"NotFound","details":{"name":"zz","kind":"configmaps"},"code":404}\n',
    ])
  })

  test('is waited for, and refused, by its version', async () => {
    const reader = createTestReader()
    reader.put('default/a')
    expect((await reader.read(`${path}/a?resourceVersion=2`)).status).toBe(200)
    const late = reader.read(`${path}/a?resourceVersion=99999999`)
    await reader.clock.advance(3000)
    expect(JSON.parse((await late).text).message).toBe(
      'Timeout: Too large resource version: 99999999, current: 2',
    )
    const { status, text } = await reader.read(`${path}/a?resourceVersion=abc`)
    expect([status, text]).toEqual([
      500,
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"resourceVersion: Invalid value: \\"abc\\": strconv.ParseUint: parsing \\"abc\\": invalid syntax","code":500}\n',
    ])
  })

  test('is not exported any more', async () => {
    const reader = createTestReader()
    reader.put('default/a')
    const { status, text } = await reader.read(`${path}/a?export=1`)
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      'the export parameter, deprecated since v1.14, is no longer supported',
    ])
    expect((await reader.read(`${path}/a?export=false`)).status).toBe(200)
  })
})
