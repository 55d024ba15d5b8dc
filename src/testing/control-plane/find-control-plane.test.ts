import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cacheFolder } from './asset-folder.js'
import { type Component, platformOf } from './component.js'
import { findControlPlane } from './find-control-plane.js'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kubewright-find-'))
})
afterEach(() => rm(root, { recursive: true }))

const platform = platformOf(process)
const env = (): Record<string, string> => ({ XDG_CACHE_HOME: join(root, 'cache') })
const cache = (): string => cacheFolder({ env: env(), platform, version: 'v1.36.3' })

/** A program that answers to `--version` as the real one does. */
async function putProgram(folder: string, component: Component, says = 'Kubernetes v1.36.3'): Promise<void> {
  await mkdir(folder, { recursive: true })
  const answer = component === 'etcd' || component === 'kwok' ? `${component} version v1` : says
  await writeFile(join(folder, component), `#!/bin/sh\necho '${answer}'\n`)
  await chmod(join(folder, component), 0o755)
}

async function putInventory(bytes: Record<string, number>, version = 'v1.36.3'): Promise<void> {
  await writeFile(join(cache(), 'inventory.json'), JSON.stringify({ version, bytes }))
}

test('nothing is found on a machine that has nothing', async () => {
  expect(await findControlPlane({ env: env() })).toBeUndefined()
})

test('a folder that a variable names is used as it is, ours before that of envtest', async () => {
  const [ours, theirs] = [join(root, 'ours'), join(root, 'theirs')]
  for (const folder of [ours, theirs])
    for (const component of ['etcd', 'kube-apiserver'] as const)
      await putProgram(folder, component, 'v1.20.0')
  const components = ['kube-apiserver', 'etcd'] as const
  const both = { ...env(), KUBEWRIGHT_ASSETS: ours, KUBEBUILDER_ASSETS: theirs }
  const found = await findControlPlane({ env: both, components })
  expect(found?.folder).toBe(ours)
  expect(found?.binaries.etcd).toBe(join(ours, 'etcd'))
  expect((await findControlPlane({ env: { ...both, KUBEWRIGHT_ASSETS: '' }, components }))?.folder).toBe(
    theirs,
  )
})

test('a component missing in a folder that a variable names is an error, not a reason to mix versions', async () => {
  await putProgram(root, 'etcd')
  await writeFile(join(root, 'kube-apiserver'), 'not executable')
  await putProgram(cache(), 'kube-apiserver')
  await expect(
    findControlPlane({ env: { ...env(), KUBEBUILDER_ASSETS: root }, components: ['etcd', 'kube-apiserver'] }),
  ).rejects.toThrow(
    expect.objectContaining({
      code: 'KW_ASSETS_INCOMPLETE',
      variable: 'KUBEBUILDER_ASSETS',
      missing: ['kube-apiserver'],
    }),
  )
})

test('kwok, which no official archive has, may come from the cache', async () => {
  await putProgram(root, 'etcd')
  const options = { env: { ...env(), KUBEBUILDER_ASSETS: root }, components: ['etcd', 'kwok'] as const }
  expect(await findControlPlane(options)).toBeUndefined()
  await putProgram(cache(), 'kwok')
  const found = await findControlPlane(options)
  expect(found?.binaries).toMatchObject({ etcd: join(root, 'etcd'), kwok: join(cache(), 'kwok') })
})

test('a cached binary of another size than when it was installed is not used', async () => {
  await putProgram(cache(), 'kube-apiserver')
  await putInventory({ 'kube-apiserver': 105_398_434 })
  expect(await findControlPlane({ env: env(), components: ['kube-apiserver'] })).toBeUndefined()
})

test('a cached binary that nobody took note of is used if it says that it is of this version', async () => {
  await putProgram(cache(), 'kube-apiserver')
  expect(await findControlPlane({ env: env(), components: ['kube-apiserver'] })).toBeDefined()
  await putProgram(cache(), 'kube-apiserver', 'Kubernetes v1.36.30')
  expect(await findControlPlane({ env: env(), components: ['kube-apiserver'] })).toBeUndefined()
  await writeFile(join(cache(), 'kube-apiserver'), '\x7fELF cut short')
  expect(await findControlPlane({ env: env(), components: ['kube-apiserver'] })).toBeUndefined()
})

test('an inventory that cannot be read, or is of another version, counts as none', async () => {
  await putProgram(cache(), 'kube-apiserver')
  for (const text of [
    '{',
    '[]',
    '{"version":"v1.36.3"}',
    '{"version":"v1.0.0","bytes":{"kube-apiserver":1}}',
  ]) {
    await writeFile(join(cache(), 'inventory.json'), text)
    expect(await findControlPlane({ env: env(), components: ['kube-apiserver'] })).toBeDefined()
  }
})

test.each(['1.36', 'latest', '../../etc', 'v1.36.3/..', ''])('%j is not a version', async (version) => {
  await expect(findControlPlane({ version, env: env() })).rejects.toThrow(
    expect.objectContaining({ code: 'KW_KUBERNETES_VERSION_INVALID', version }),
  )
})

test('the cache is where each system keeps caches', () => {
  const at = (os: string, variables: Record<string, string>): string =>
    cacheFolder({ env: variables, platform: { os, arch: 'arm64' }, version: 'v1.36.3' })
  expect(at('linux', {})).toMatch(/\/\.cache\/kubewright\/control-plane\/v1\.36\.3-linux-arm64$/)
  expect(at('linux', { XDG_CACHE_HOME: 'relative' })).toMatch(/\/\.cache\/kubewright\//)
  expect(at('darwin', {})).toMatch(/\/Library\/Caches\/kubewright\//)
  expect(at('windows', { LOCALAPPDATA: '/local' })).toMatch(/^\/local\/kubewright\//)
})
