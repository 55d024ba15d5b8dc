import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseText, readFiles } from './file-source.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-import-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

test('a file may hold several documents, empty ones among them', () => {
  const documents = parseText('a: 1\n---\n# nothing\n---\nb: 2\n', 'crds.yaml')
  expect(documents).toEqual([
    { value: { a: 1 }, source: 'crds.yaml, document 1' },
    { value: null, source: 'crds.yaml, document 2' },
    { value: { b: 2 }, source: 'crds.yaml, document 3' },
  ])
})

test('an empty file has no documents', () => {
  expect(parseText('', 'empty.yaml')).toEqual([])
})

test('JSON keeps integers beyond 2^53', () => {
  expect(parseText('{"n": 9007199254740993}', 'a.json')[0]?.value).toEqual({ n: 9007199254740993n })
})

test('YAML in braces is still YAML', () => {
  expect(parseText('{a: 1}', 'a.yaml')[0]?.value).toEqual({ a: 1 })
})

test('YAML is 1.2: only true and false are booleans, and a key of any name stays a key', () => {
  const [document] = parseText('enum: [on, yes, NO, true]\n__proto__: {a: 1}\n1: one\n', 'a.yaml')
  expect(document?.value).toEqual(
    JSON.parse('{"1": "one", "enum": ["on", "yes", "NO", true], "__proto__": {"a": 1}}'),
  )
})

test('anchors and merge keys work', () => {
  const [document] = parseText('a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}\n', 'a.yaml')
  expect(document?.value).toEqual({ a: { x: 1 }, b: { x: 1 }, c: { x: 1, y: 2 } })
})

test('a list counts as its items, which get back the type that a typed list does not repeat', () => {
  const text = JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinitionList',
    items: [{ metadata: { name: 'a' } }, 'odd'],
  })
  expect(parseText(text, 'list.json')).toEqual([
    {
      value: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'a' },
      },
      source: 'list.json, item 1',
    },
    { value: 'odd', source: 'list.json, item 2' },
  ])
})

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
  .split('')
  .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(', ')}]`)
  .join('\n')}\n`

test.each([
  ['broken YAML', 'a: [1, 2\nb: }', 'Correct the file'],
  ['broken JSON', '{"a": 1,,}', 'Correct the file'],
  ['a key twice', 'a: 1\na: 2\n', 'line 2, column 1: Map keys must be unique'],
  ['an alias bomb', bomb, 'alias'],
  // Each of these would end the process inside of the YAML library: V8 has no stack left for a regular expression.
  ['a pit of brackets', '['.repeat(10_000), 'nested deeper'],
  ['a pit of braces', '{a: '.repeat(10_000), 'nested deeper'],
  ['a pit of dashes', '- '.repeat(10_000), 'nested deeper'],
  ['a pit of keys', '? '.repeat(10_000), 'nested deeper'],
  ['a chart template', '{{- if .Values.crds }}\na: {{ .b }}\n', 'helm template'],
])('%s is refused', (_name, text, message) => {
  expect(() => parseText(text, 'bad.yaml')).toThrow(
    expect.objectContaining({ code: 'KW_IMPORT_NOT_YAML', message: expect.stringContaining(message) }),
  )
})

test('files are read in the order they were named', async () => {
  const paths = ['b.yaml', 'a.yaml'].map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, `name: ${path}\n`)
  expect((await readFiles(paths)).map(({ source }) => source)).toEqual(paths)
})

test.each([
  ['a file that is not there', () => join(folder, 'absent.yaml'), 'Check the path'],
  ['a folder', () => folder, 'Name the files in it'],
  ['a URL', () => 'https://example.com/crds.yaml', 'Download the file'],
])('%s is unreadable, with the next step', async (_name, path, message) => {
  await expect(readFiles([path()])).rejects.toMatchObject({
    code: 'KW_IMPORT_UNREADABLE',
    message: expect.stringContaining(message),
  })
})
