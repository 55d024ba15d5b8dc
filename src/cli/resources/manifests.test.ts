import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseManifests, readManifests } from './manifests.js'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-manifests-'))
  await mkdir(join(folder, 'empty'))
  const file = (name: string): string =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}"}}`
  await writeFile(join(folder, 'b.yaml'), `${file('b1')}\n---\n---\n${file('b2')}\n`)
  await writeFile(join(folder, 'a.json'), file('a'))
  await writeFile(join(folder, 'README.md'), '# no manifest')
})
afterAll(() => rm(folder, { recursive: true }))

test('a folder is read in the order of its files, and what is no manifest is passed over', async () => {
  expect((await readManifests([folder])).map(({ name }) => name)).toEqual(['a', 'b1', 'b2'])
  const paths = [join(folder, 'b.yaml'), join(folder, 'a.json')]
  expect((await readManifests(paths)).map(({ name }) => name)).toEqual(['b1', 'b2', 'a'])
})

test('a list counts as what is in it', () => {
  const text = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: x}}
- {apiVersion: example.com/v1, kind: Foo, metadata: {name: b}, spec: {n: 1}}
`
  expect(parseManifests(text, 'list.yaml')).toMatchObject([
    { name: 'a', namespace: 'x', object: { kind: 'ConfigMap' } },
    { name: 'b', namespace: undefined, object: { apiVersion: 'example.com/v1', spec: { n: 1 } } },
  ])
})

test.each([
  ['no YAML', 'a: [1', 'neither YAML nor JSON'],
  ['a text', 'hello', 'no object'],
  ['no apiVersion', 'kind: Foo\nmetadata: {name: a}', 'no apiVersion'],
  ['no kind', 'apiVersion: v1\nmetadata: {name: a}', 'no kind'],
  ['no name', 'apiVersion: v1\nkind: Foo\nmetadata: {generateName: a-}', 'no metadata.name'],
  ['a number for a name', 'apiVersion: v1\nkind: Foo\nmetadata: {name: 5}', 'no metadata.name'],
  ['a number for a namespace', 'apiVersion: v1\nkind: Foo\nmetadata: {name: a, namespace: 5}', 'namespace'],
])('%s is refused, with the place', (_name, text, message) => {
  expect(() => parseManifests(`---\n${text}\n`, 'bad.yaml')).toThrow(
    expect.objectContaining({ code: 'KW_MANIFEST', message: expect.stringMatching(`^bad.yaml.*${message}`) }),
  )
})

test.each([
  ['a file that is not there', () => join(folder, 'absent.yaml'), 'Check the path'],
  ['a folder without manifests', () => join(folder, 'empty'), 'there is no object in it'],
  ['a URL', () => 'https://example.com/foo.yaml', 'Download the file'],
])('%s gets the next step', async (_name, path, message) => {
  await expect(readManifests([path()])).rejects.toMatchObject({
    code: 'KW_MANIFEST',
    message: expect.stringContaining(message),
  })
})
