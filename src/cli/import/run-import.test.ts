import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ImportResult, runImport } from './run-import.js'

let folder = ''
let outDir = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-import-'))
  outDir = join(folder, 'generated')
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

interface CrdText {
  readonly kind: string
  readonly group?: string
  readonly plural?: string
  readonly served?: boolean
  readonly field?: string
}

function crdText({ kind, group = 'example.com', plural, served = true, field = 'name' }: CrdText): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: plural ?? `${kind.toLowerCase()}s`, kind },
      versions: ['v1', 'v2'].map((name) => ({
        name,
        served,
        schema: { openAPIV3Schema: { type: 'object', properties: { [field]: { type: 'string' } } } },
      })),
    },
  })
}

/** Imports the CRDs from files of their own. */
async function importCrds(crds: readonly CrdText[], force = false): Promise<ImportResult> {
  const paths = crds.map((_, index) => join(folder, `${index}.json`))
  for (const [index, crd] of crds.entries()) await writeFile(paths[index] ?? '', crdText(crd))
  return runImport({ source: { type: 'files', paths }, outDir, force })
}

const outFile = (path: string): string => join(outDir, path)

test('every group version becomes a file; a second import changes nothing', async () => {
  const crds = [{ kind: 'Foo' }, { kind: 'Bar' }, { kind: 'Baz', group: 'other.example.com' }]
  const first = await importCrds(crds)
  expect(first.files).toEqual([
    { path: 'example.com/v1.ts', kinds: ['Bar', 'Foo'] },
    { path: 'example.com/v2.ts', kinds: ['Bar', 'Foo'] },
    { path: 'other.example.com/v1.ts', kinds: ['Baz'] },
    { path: 'other.example.com/v2.ts', kinds: ['Baz'] },
  ])
  expect(first.changed).toEqual(first.files.map(({ path }) => outFile(path)))
  expect((await readdir(outDir, { recursive: true })).filter((path) => path.endsWith('.ts'))).toHaveLength(4)
  expect((await importCrds(crds)).changed).toEqual([])
})

test('a CRD that changed is written again', async () => {
  await importCrds([{ kind: 'Foo' }])
  const { changed } = await importCrds([{ kind: 'Foo', field: 'size' }])
  expect(changed).toHaveLength(2)
  expect(await readFile(outFile('example.com/v1.ts'), 'utf8')).toContain('size?: string')
})

test('a file that people wrote is kept, and nothing else is written either', async () => {
  await mkdir(outFile('example.com'), { recursive: true })
  await writeFile(outFile('example.com/v2.ts'), 'export const mine = 1\n')
  await expect(importCrds([{ kind: 'Foo' }])).rejects.toMatchObject({ code: 'KW_IMPORT_FOREIGN_FILE' })
  expect(await readdir(outFile('example.com'))).toEqual(['v2.ts'])
  expect(await readFile(outFile('example.com/v2.ts'), 'utf8')).toBe('export const mine = 1\n')
})

test('with force the file of people is overwritten', async () => {
  await mkdir(outFile('example.com'), { recursive: true })
  await writeFile(outFile('example.com/v2.ts'), 'export const mine = 1\n')
  await importCrds([{ kind: 'Foo' }], true)
  expect(await readFile(outFile('example.com/v2.ts'), 'utf8')).toContain('interface Foo')
})

test('an import that would drop kinds of an earlier one is refused by their names', async () => {
  await importCrds([{ kind: 'Foo' }, { kind: 'Bar' }])
  await expect(importCrds([{ kind: 'Foo' }])).rejects.toMatchObject({
    code: 'KW_IMPORT_FOREIGN_FILE',
    message: expect.stringContaining('bars.example.com'),
  })
  expect((await importCrds([{ kind: 'Foo' }], true)).changed).toHaveLength(2)
})

test('a link inside the output folder leads nowhere', async () => {
  const elsewhere = join(folder, 'elsewhere')
  await mkdir(elsewhere)
  await mkdir(outDir)
  await symlink(elsewhere, outFile('example.com'))
  await expect(importCrds([{ kind: 'Foo' }], true)).rejects.toMatchObject({ code: 'KW_IMPORT_OUTSIDE' })
  expect(await readdir(elsewhere)).toEqual([])
})

test('a file that is a link is replaced; what it pointed at stays as it was', async () => {
  const target = join(folder, 'target.ts')
  await writeFile(target, 'export const mine = 1\n')
  await mkdir(outFile('example.com'), { recursive: true })
  await symlink(target, outFile('example.com/v1.ts'))
  await importCrds([{ kind: 'Foo' }], true)
  expect(await readFile(target, 'utf8')).toBe('export const mine = 1\n')
  expect(await readFile(outFile('example.com/v1.ts'), 'utf8')).toContain('interface Foo')
})

test('the output folder may itself be a link', async () => {
  await mkdir(join(folder, 'real'))
  await symlink(join(folder, 'real'), outDir)
  await importCrds([{ kind: 'Foo' }])
  expect(await readdir(join(folder, 'real', 'example.com'))).toEqual(['v1.ts', 'v2.ts'])
})

test('an output folder that is a file is an error with a next step', async () => {
  await writeFile(outDir, '')
  await expect(importCrds([{ kind: 'Foo' }])).rejects.toMatchObject({
    code: 'KW_IMPORT_UNWRITABLE',
    message: expect.stringContaining('Check --out'),
  })
})

test('one CRD in two files counts once; two versions of it are an error', async () => {
  const { files } = await importCrds([{ kind: 'Foo' }, { kind: 'Foo' }])
  expect(files[0]?.kinds).toEqual(['Foo'])
  await expect(importCrds([{ kind: 'Foo' }, { kind: 'Foo', field: 'size' }])).rejects.toMatchObject({
    code: 'KW_IMPORT_DUPLICATE',
  })
})

test('two resources of one kind are an error', async () => {
  await expect(importCrds([{ kind: 'Foo' }, { kind: 'Foo', plural: 'fooses' }])).rejects.toMatchObject({
    code: 'KW_IMPORT_DUPLICATE',
  })
})

test('files without a CRD are an error that names them', async () => {
  const path = join(folder, 'values.yaml')
  await writeFile(path, 'kind: ConfigMap\napiVersion: v1\n')
  await expect(runImport({ source: { type: 'files', paths: [path] }, outDir })).rejects.toMatchObject({
    code: 'KW_IMPORT_NO_CRD',
    subject: path,
  })
})

test('a CRD that serves no version is reported; alone it is an error', async () => {
  const unserved = { kind: 'Old', served: false }
  expect((await importCrds([{ kind: 'Foo' }, unserved])).unserved).toEqual(['olds.example.com'])
  await expect(importCrds([unserved])).rejects.toMatchObject({ code: 'KW_IMPORT_NO_CRD' })
})
