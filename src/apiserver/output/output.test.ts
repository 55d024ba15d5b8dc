import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringifyJson } from '../../base/index.js'
import { createFakeClock } from '../../testing/index.js'
import { createTestReader, type TestReader, widgetResource } from '../read/test-reader.js'
import { valueContent } from './content.js'
import { indentJson } from './pretty-json.js'
import type { ProtobufSource } from './protobuf-codec.js'
import { toYaml } from './yaml-text.js'

const path = '/api/v1/namespaces/default/configmaps'
const as = (kind: string, version = 'v1'): { accept: string } => ({
  accept: `application/json;as=${kind};v=${version};g=meta.k8s.io`,
})

function withMap(): TestReader {
  const reader = createTestReader(createFakeClock())
  reader.put('default/a', { data: { key: '1', yes: 'yes', empty: '' } })
  return reader
}

test('indented JSON is what Go would write, without a line break at its end', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(Buffer.from(stringifyJson(value))).toString()).toBe(
        JSON.stringify(value, undefined, 2),
      )
    }),
  )
})

test('an indented answer', async () => {
  const { text, headers } = await withMap().read(`${path}/a?pretty=1`)
  expect(text).toBe(`{
  "kind": "ConfigMap",
  "apiVersion": "v1",
  "metadata": {
    "name": "a",
    "namespace": "default",
    "resourceVersion": "2"
  },
  "data": {
    "key": "1",
    "yes": "yes",
    "empty": ""
  }
}`)
  expect(headers['content-length']).toBe(String(text.length))
})

test('YAML has its keys in order and quotes what would be something else', async () => {
  const { text, headers } = await withMap().read(`${path}/a`, { accept: 'application/yaml' })
  expect(headers['content-type']).toBe('application/yaml')
  expect(text).toBe(`apiVersion: v1
data:
  empty: ""
  key: "1"
  "yes": "yes"
kind: ConfigMap
metadata:
  name: a
  namespace: default
  resourceVersion: "2"
`)
})

test('YAML says the same as JSON, whatever it says', async () => {
  const { parse } = await import('yaml')
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
      // Through JSON: it has no -0.
      const source = JSON.parse(
        stringifyJson({ apiVersion: 'v1', kind: 'X', value, '<<': 'no merge' }),
      ) as ProtobufSource
      const text = String(toYaml(valueContent(source)))
      expect(parse(text)).toEqual(source)
    }),
  )
})

test('a failure in YAML', async () => {
  const { status, text } = await withMap().read(`${path}/zz`, { accept: 'application/yaml' })
  expect(status).toBe(404)
  expect(text).toBe(`apiVersion: v1
code: 404
details:
  kind: configmaps
  name: zz
kind: Status
message: configmaps "zz" not found
metadata: {}
reason: NotFound
status: Failure
`)
})

test('a failure for which no form was asked that fits is indented JSON', async () => {
  const reader = withMap()
  for (const options of [as('Table'), { accept: 'application/json;stream=foo' }]) {
    const { headers, text } = await reader.read(`${path}/zz`, options)
    expect(headers['content-type']).toBe('application/json')
    expect(text).toMatch(/^{\n {2}"kind": "Status",\n/)
  }
})

describe('tables', () => {
  test('of one object have its version, of a list that of the list', async () => {
    const reader = withMap()
    reader.put('default/b')
    const one = await reader.read(`${path}/a`, as('Table'))
    expect(one.text).toBe(
      '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2"},"columnDefinitions":[{"name":"Name","type":"string","format":"name","description":"Its name.","priority":0},{"name":"Age","type":"string","format":"","description":"Its age.","priority":0}],"rows":[{"cells":["a","<unknown>"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"default","resourceVersion":"2"}}}]}\n',
    )
    const list = JSON.parse((await reader.read(`${path}?limit=1`, as('Table'))).text)
    expect(list.metadata).toEqual({
      resourceVersion: '3',
      continue: expect.any(String),
      remainingItemCount: 1,
    })
    expect(list.rows).toHaveLength(1)
  })

  test('of nothing have no rows', async () => {
    const { text } = await createTestReader(createFakeClock()).read(path, as('Table'))
    expect(text).toMatch(/"rows":\[\]}\n$/)
  })

  test('carry of the objects what is asked for', async () => {
    const reader = withMap()
    const rowOf = async (query: string, version = 'v1'): Promise<string> => {
      const { text } = await reader.read(`${path}?${query}`, as('Table', version))
      return text.slice(text.indexOf('"rows"'))
    }
    expect(await rowOf('includeObject=None')).toBe('"rows":[{"cells":["a","<unknown>"],"object":null}]}\n')
    expect(await rowOf('includeObject=Object')).toBe(
      `"rows":[{"cells":["a","<unknown>"],"object":${String(reader.store.get('configmaps', 'default/a')?.json)}}]}\n`,
    )
    expect(await rowOf('', 'v1beta1')).toContain('"apiVersion":"meta.k8s.io/v1beta1"')
    const { status, text } = await reader.read(`${path}?includeObject=Foo`, as('Table'))
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      `Unable to convert to Table as requested: includeObject: Invalid value: "Foo": must be 'Metadata', 'Object', 'None', or empty`,
    ])
  })
})

describe('partial metadata', () => {
  test('of one object and of a list', async () => {
    const reader = withMap()
    const partial =
      '{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"default","resourceVersion":"2"}}'
    expect((await reader.read(`${path}/a`, as('PartialObjectMetadata'))).text).toBe(`${partial}\n`)
    expect((await reader.read(path, as('PartialObjectMetadataList'))).text).toBe(
      `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"2"},"items":[${partial}]}\n`,
    )
    reader.remove('default/a')
    expect((await reader.read(path, as('PartialObjectMetadataList'))).text).toBe(
      '{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"3"},"items":null}\n',
    )
  })

  test('of the wrong sort is refused in the words of the real server', async () => {
    const maps = withMap()
    const widgets = createTestReader(createFakeClock(), { resources: [widgetResource()] })
    widgets.put('default/w')
    const widgetPath = '/apis/example.com/v1/namespaces/default/widgets'
    const answers = await Promise.all([
      maps.read(path, as('PartialObjectMetadata')),
      maps.read(`${path}/a`, as('PartialObjectMetadataList')),
      widgets.read(widgetPath, as('PartialObjectMetadata')),
      widgets.read(`${widgetPath}/w`, as('PartialObjectMetadataList')),
    ])
    expect(answers.map(({ status, text }) => `${status} ${JSON.parse(text).message}`)).toEqual([
      '406 you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
      '406 you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)',
      '406 you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)',
      '500 content is not a list',
    ])
  })
})

test('protobuf is made by the codec', async () => {
  const reader = createTestReader(createFakeClock(), {
    protobuf: {
      knows: (_, kind) => kind.startsWith('ConfigMap'),
      encode: (object) => Buffer.from(`k8s\0${stringifyJson(object)}`),
    },
  })
  reader.put('default/a')
  const { text, headers } = await reader.read(path, { accept: 'application/vnd.kubernetes.protobuf' })
  expect(headers['content-type']).toBe('application/vnd.kubernetes.protobuf')
  expect(JSON.parse(text.slice(4))).toMatchObject({
    kind: 'ConfigMapList',
    items: [{ metadata: { name: 'a' } }],
  })
  // It does not know a Status, so a failure is for people.
  const failure = await reader.read(`${path}/zz`, { accept: 'application/vnd.kubernetes.protobuf' })
  expect([failure.status, failure.headers['content-type']]).toEqual([404, 'application/json'])
})

test('a long list comes in several parts that add up to its length', async () => {
  const reader = createTestReader(createFakeClock())
  for (let count = 0; count < 1000; count++)
    reader.put(`default/c${count}`, { data: { value: 'x'.repeat(1000) } })
  const { headers, body } = await reader.open(path)
  const sizes: number[] = []
  for await (const chunk of body) sizes.push(chunk.length)
  expect(sizes.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(Number(headers['content-length']))
})
