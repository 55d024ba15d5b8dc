import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toKubeconfig } from '../client/index.js'
import { writeKubeconfig } from './kubeconfig-file.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-kubeconfig-'))
})
afterEach(() => rm(folder, { recursive: true }))

const kubeconfig = (server: string): string =>
  `${JSON.stringify(toKubeconfig({ name: 'kubewright', server }), undefined, 2)}\n`

test('a kubeconfig is for its owner alone, and goes when it is removed', async () => {
  const file = await writeKubeconfig(join(folder, 'config'), kubeconfig('https://127.0.0.1:1'))
  expect((await stat(file.path)).mode & 0o777).toBe(0o600)
  await file.remove()
  await expect(stat(file.path)).rejects.toThrow('ENOENT')
})

test('an older one of ours is replaced, and only the newer one removes it', async () => {
  const path = join(folder, 'config')
  const older = await writeKubeconfig(path, kubeconfig('https://127.0.0.1:1'))
  await writeKubeconfig(path, kubeconfig('https://127.0.0.1:2'))
  await older.remove()
  expect(await readFile(path, 'utf8')).toContain('127.0.0.1:2')
})

test('what is not ours is left as it is', async () => {
  const path = join(folder, 'config')
  await writeFile(path, 'apiVersion: v1\nkind: Config\ncurrent-context: production\n')
  await expect(writeKubeconfig(path, kubeconfig('https://127.0.0.1:1'))).rejects.toMatchObject({
    code: 'KW_KUBECONFIG_EXISTS',
    path,
  })
  expect(await readFile(path, 'utf8')).toContain('production')
})

test.each([
  ['a folder that is not there', () => join(folder, 'absent', 'config')],
  ['a folder in its place', () => folder],
])('%s is named', async (_name, path) => {
  await expect(writeKubeconfig(path(), kubeconfig('https://127.0.0.1:1'))).rejects.toMatchObject({
    code: 'KW_KUBECONFIG_UNWRITABLE',
    message: expect.stringContaining('--kubeconfig'),
  })
})
