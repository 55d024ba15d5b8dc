import { chmod, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { writeTokensBack } from './oidc-write-back.js'

const kubeconfig = `# my clusters
apiVersion: v1
kind: Config
users:
# the work account
- name: jane
  user:
    auth-provider:
      name: oidc
      config:
        client-id: kubernetes # as registered
        id-token: old-id
        refresh-token: r1
- name: joe
  user: {token: "joes-token"}

clusters: []
`

async function setUp(content = kubeconfig) {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-writeback-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'config')
  await writeFile(file, content, { mode: 0o600 })
  return { directory, file, read: () => readFile(file, 'utf8') }
}

const longToken = `new-id-${'x'.repeat(2_000)}`
const tokens = { idToken: longToken, refreshToken: 'r2' }

test('only the two tokens change; comments, order and all else stay', async () => {
  const { file, read } = await setUp()
  await writeTokensBack(file, { user: 'jane', tokens, replaced: 'r1' })
  expect(await read()).toBe(kubeconfig.replace('old-id', `"${longToken}"`).replace('r1', '"r2"'))
})

test('a refresh token that was not replaced stays', async () => {
  const { file, read } = await setUp()
  await writeTokensBack(file, { user: 'jane', tokens: { idToken: 'new-id' }, replaced: 'r1' })
  expect(parse(await read())).toMatchObject({
    users: [{ user: { 'auth-provider': { config: { 'id-token': 'new-id', 'refresh-token': 'r1' } } } }, {}],
  })
})

test('an ID token is added where there was none', async () => {
  const { file, read } = await setUp(kubeconfig.replace(/ +id-token: old-id\n/, ''))
  await writeTokensBack(file, { user: 'jane', tokens, replaced: 'r1' })
  expect(parse(await read())).toMatchObject({
    users: [{ user: { 'auth-provider': { config: { 'id-token': longToken, 'refresh-token': 'r2' } } } }, {}],
  })
})

test.each([
  ['with an ID token', kubeconfig],
  ['without an ID token', kubeconfig.replace(/ +id-token: old-id\n/, '')],
])('a kubeconfig in JSON %s stays JSON', async (_what, before) => {
  const { file, read } = await setUp(JSON.stringify(parse(before)))
  await writeTokensBack(file, { user: 'jane', tokens, replaced: 'r1' })
  expect(JSON.parse(await read())).toEqual(parse(kubeconfig.replace('old-id', longToken).replace('r1', 'r2')))
})

test('a kubeconfig whose YAML cannot be edited safely is left alone', async () => {
  const shared = kubeconfig.replace('old-id', '&shared old-id').replace('"joes-token"', '*shared')
  const { file, read } = await setUp(shared)
  await expect(writeTokensBack(file, { user: 'jane', tokens, replaced: 'r1' })).rejects.toMatchObject({
    code: 'KW_TOKEN_WRITE_BACK',
    message: expect.stringContaining('unusual'),
  })
  expect(await read()).toBe(shared)
})

test('tokens of somebody who logged in meanwhile are left alone', async () => {
  const { file, read } = await setUp()
  await writeTokensBack(file, { user: 'jane', tokens, replaced: 'another' })
  expect(await read()).toBe(kubeconfig)
})

test('a user that is no longer there is not added', async () => {
  const { file, read } = await setUp()
  await writeTokensBack(file, { user: 'jim', tokens, replaced: 'r1' })
  await writeTokensBack(file, { user: 'joe', tokens, replaced: 'r1' })
  expect(await read()).toBe(kubeconfig)
})

test('the file keeps its rights, a link stays a link, and nothing is left behind', async () => {
  const { directory, file, read } = await setUp()
  await chmod(file, 0o640)
  const link = join(directory, 'link')
  await symlink(file, link)
  await writeTokensBack(link, { user: 'jane', tokens, replaced: 'r1' })
  expect((await stat(file)).mode & 0o777).toBe(0o640)
  expect(await readlink(link)).toBe(file)
  expect(await read()).toContain('refresh-token: "r2"')
  expect(await readdir(directory)).toEqual(['config', 'link'])
})

test('the lock of kubectl is respected', async () => {
  const { file, read } = await setUp()
  await writeFile(`${file}.lock`, '')
  await expect(writeTokensBack(file, { user: 'jane', tokens, replaced: 'r1' })).rejects.toMatchObject({
    code: 'KW_TOKEN_WRITE_BACK',
    message: expect.stringContaining('another process is changing the kubeconfig'),
  })
  expect(await read()).toBe(kubeconfig)
  expect(await readFile(`${file}.lock`, 'utf8')).toBe('')
})

test('a file that is gone is an error, not a new file', async () => {
  const { directory, file } = await setUp()
  await rm(file)
  await expect(writeTokensBack(file, { user: 'jane', tokens, replaced: 'r1' })).rejects.toMatchObject({
    code: 'KW_TOKEN_WRITE_BACK',
  })
  expect(await readdir(directory)).toEqual([])
})
