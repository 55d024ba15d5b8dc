import { area, type Case, table } from '../case.js'
import { configMap, metaConfigMap, object, widget } from './objects.js'
import { shownObjects } from './shown-objects.js'

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }
const asMetadata = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }
const asMetadataList = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' }

const tables = table(
  'output',
  Object.fromEntries(Object.entries(shownObjects).map(([name, row]) => [`tables of ${name}`, row])),
  async (t, { resource, make, status, isComplete }) => {
    const { name } = await t.post(t.url(resource), make(t))
    if (isComplete !== undefined) await t.until(t.url(resource, name), isComplete)
    if (status !== undefined) await t.patch(t.url(resource, `${name}/status`), 'merge', { status })
    await t.get(t.url(resource, `?fieldSelector=metadata.name%3D${name}`), asTable)
    await t.get(t.url(resource, name), asTable)
    await t.get(t.url(resource, `?fieldSelector=metadata.name%3D${name}`), asMetadataList)
    await t.delete(t.url(resource, `${name}?gracePeriodSeconds=0`))
  },
)

/** What a client may ask for, and get or not. */
const accepts = [
  '',
  '*/*',
  'application/*',
  'application/json',
  'application/json;pretty=1',
  'application/yaml',
  'text/html',
  'text/plain',
  'application/json;q=0.5,application/yaml;q=0.9',
  'text/html,*/*;q=0.1',
  'nonsense',
  'application/json;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
  'application/json;as=Table;g=meta.k8s.io;v=v2',
  'application/json;as=Table',
  'application/json;as=Nothing;g=meta.k8s.io;v=v1',
  'application/json;as=Nothing;g=meta.k8s.io;v=v1,application/json',
  'application/yaml;as=Table;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  'application/yaml;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/json;charset=utf-8',
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1',
]

const negotiated = table(
  'output',
  Object.fromEntries(accepts.map((accept) => [`accepted: ${accept || '(nothing)'}`, accept])),
  async (t, accept) => {
    await t.post(t.url('configmaps'), metaConfigMap({ name: 'a', labels: { l: 'm' } }, { data: { k: 'v' } }))
    await t.post(t.url('widgets'), widget(t, 'a', { size: 1 }))
    await t.get(t.url('configmaps', 'a'), { accept })
    await t.get(t.url('configmaps', '?labelSelector=l'), { accept })
    await t.get(t.url('widgets', 'a'), { accept })
    await t.get(t.url('widgets'), { accept })
    await t.get(t.url('widgets', 'missing'), { accept })
    await t.patch(t.url('configmaps', 'a'), 'merge', {}, { accept })
    await t.delete(t.url('widgets', 'a'), undefined, { accept })
  },
)

const others = area('output', {
  'the objects of a table': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'))
    for (const include of ['None', 'Object', 'Metadata', 'Nonsense', ''])
      await t.get(t.url('configmaps', `a?includeObject=${include}`), asTable)
  },
  'a table page by page': async (t) => {
    for (const name of ['a', 'b', 'c']) await t.post(t.url('widgets'), widget(t, name))
    const first = await t.get(t.url('widgets', '?limit=2'), asTable)
    await t.get(
      t.url('widgets', `?limit=2&continue=${encodeURIComponent(String(first.at('metadata.continue')))}`),
      asTable,
    )
    await t.get(t.url('widgets', '?limit=2'), asMetadataList)
  },
  // Once it is stored, the server has more to say about it, at a time of its own.
  'a table of a flow schema': async (t) => {
    const spec = {
      matchingPrecedence: 9000,
      priorityLevelConfiguration: { name: 'global-default' },
      distinguisherMethod: { type: 'ByUser' },
    }
    const body = object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', `${t.tag}-a`, { spec })
    await t.post(t.url('flowschemas', '?dryRun=All'), body, asTable)
  },
  'an empty table': async (t) => {
    await t.get(t.url('widgets'), asTable)
    await t.get(t.url('secrets'), asTable)
    await t.get(t.url('secrets'), asMetadataList)
  },
  'tables of writes': async (t) => {
    await t.post(t.url('configmaps'), configMap('a'), asTable)
    await t.put(t.url('configmaps', 'a'), configMap('a', { data: { k: 'v' } }), asTable)
    await t.patch(t.url('configmaps', 'a'), 'merge', {}, asMetadata)
    await t.delete(t.url('configmaps', 'a'), undefined, asTable)
    await t.post(t.url('widgets'), widget(t, 'a'), asTable)
    await t.patch(t.url('widgets', 'a'), 'merge', {}, asMetadata)
    await t.get(t.url('widgets', 'a/scale'), asTable)
    await t.get(t.url('widgets', 'a/status'), asTable)
  },
  'YAML of an object': async (t) => {
    await t.post(
      t.url('widgets'),
      widget(t, 'a', {
        title: 'yes',
        note: null,
        free: {
          number: '1e3',
          text: 'a: b',
          lines: 'one\ntwo\n',
          empty: {},
          none: [],
          list: [1, 'x', null, true, 'true', '0x10', '~', '- a'],
          nested: [[1, [2], {}], [], { a: [{ b: 1, c: [] }] }],
          numbers: [0.5, -1.25, 1e6, 1.5e21, 1e-7, 1234567.5, 12345678, 9007199254740993n, 100.125],
          words: [
            '',
            ' ',
            'y',
            'No',
            'NULL',
            '.inf',
            '+.Inf',
            '<<',
            'nan',
            '1_000',
            '0b11',
            '0o17',
            '08',
            '1e999',
            '1:30',
            '-',
          ],
          times: ['2024-01-02', '2024-13-02', '2024-1-2T3:4:5Z', '2024-01-02 03:04:05', '12:30:45', '2024'],
          syntax: [
            '#a',
            'a #b',
            'a#b',
            'a:b',
            'a:',
            ':a',
            ': a',
            '?a',
            '? a',
            '-a',
            '--- a',
            "it's",
            "'",
            '"a"',
            '[a',
            'a]',
            '@a',
            '%',
            '{}',
            'a, b',
            '*',
            '=',
            '.',
            '...',
          ],
          special: ['a\tb', 'a\u0001', 'ä', '\u{1F600}', '\u00a0', 'a\\b', 'c:\\x', '\r', 'a\\ "b"\t'],
          blocks: ['a\n', '\n', 'a\n\n', ' a\nb', 'a \nb', 'a\n b', 'a\nb ', 'a\n\tb', '\na', 'a\n\nb'],
          long: [
            'word '.repeat(40).trim(),
            `it's ${'word '.repeat(40)}end: x`,
            `tab\t${'word  word '.repeat(20)}`,
            'x'.repeat(200),
            `${'x'.repeat(90)} y`,
          ],
          keys: {
            b10: 1,
            b9: 1,
            B: 1,
            a: 1,
            _: 1,
            '1': 1,
            'a b': 1,
            'a: b': 1,
            true: 1,
            ['k'.repeat(130)]: 'v',
            'two\nlines': [1],
            a01: 1,
            a1: 1,
            a00: 1,
            a0: 1,
          },
        },
      }),
    )
    for (const headers of [{ accept: 'application/yaml' }]) {
      const answer = await t.quietly({ method: 'GET', path: t.url('widgets', 'a'), headers })
      // Its managed fields hold a time: only the rest is shown.
      t.note('spec as YAML', answer.text.split('\nspec:')[1])
    }
  },
  'pretty output': async (t) => {
    const answer = async (path: string, headers: Record<string, string>): Promise<void> => {
      const { status } = await t.quietly({ method: 'GET', path, headers })
      t.note(path, status)
    }
    await t.post(t.url('configmaps'), configMap('a'))
    await answer(t.url('configmaps', 'a?pretty=true'), {})
    await answer(t.url('configmaps', 'a?pretty=nonsense'), {})
    await answer(t.url('configmaps', 'a'), { 'user-agent': 'curl/8' })
    await t.get(t.url('configmaps', 'a?pretty=1'))
  },
})

export const output: readonly Case[] = [...tables, ...negotiated, ...others]
