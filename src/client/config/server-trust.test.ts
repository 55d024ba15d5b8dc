import { mkdir, mkdtemp, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { createCertificateAuthority } from '../../base/x509/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { createCaFile } from './server-trust.js'

const [first, second] = ['first', 'second'].map(
  (commonName) => createCertificateAuthority({ commonName }).cert,
)
if (first === undefined || second === undefined) throw new Error('no certificates')

async function setUp(content: string = first ?? '') {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-ca-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'ca.crt')
  await writeFile(file, content)
  let nowMs = 0
  const warnings: string[] = []
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs }
  const log: Logger = { ...silentLogger, warn: (message) => warnings.push(message) }
  return {
    directory,
    file,
    warnings,
    open: (path = file) => createCaFile({ file: path, clock, log }),
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

test('a changed bundle is seen after ten seconds', async () => {
  const { file, open, advance } = await setUp()
  const ca = await open()
  await writeFile(file, `${first}${second}`)
  advance(9_999)
  expect(await ca()).toBe(first)
  advance(1)
  expect(await ca()).toBe(`${first}${second}`)
})

test('a bundle that is switched by a link, as the kubelet does, is seen', async () => {
  const { directory, open, advance } = await setUp()
  for (const [name, pem] of [
    ['v1', first],
    ['v2', second],
  ] as const) {
    await mkdir(join(directory, name))
    await writeFile(join(directory, name, 'ca.crt'), pem)
  }
  await symlink('v1', join(directory, 'data'))
  const ca = await open(join(directory, 'data', 'ca.crt'))
  await symlink('v2', join(directory, 'next'))
  await rename(join(directory, 'next'), join(directory, 'data'))
  advance(10_000)
  expect(await ca()).toBe(second)
})

test.each([
  ['half-written', (first ?? '').slice(0, 200)],
  ['empty', ''],
])('a bundle that is %s is ignored and logged once, until it is whole', async (_what, content) => {
  const { file, open, advance, warnings } = await setUp()
  const ca = await open()
  await writeFile(file, content)
  for (let n = 0; n < 3; n += 1) {
    advance(10_000)
    expect(await ca()).toBe(first)
  }
  expect(warnings).toHaveLength(1)
  await writeFile(file, second)
  advance(10_000)
  expect(await ca()).toBe(second)
})

test('a change that leaves time and size as they were is seen after five minutes', async () => {
  const { file, open, advance } = await setUp(`${first}${second}`)
  const { atime, mtime } = await stat(file)
  await utimes(file, atime, mtime)
  const ca = await open()
  await writeFile(file, `${second}${first}`)
  await utimes(file, atime, mtime)
  advance(299_999)
  expect(await ca()).toBe(`${first}${second}`)
  advance(10_000)
  expect(await ca()).toBe(`${second}${first}`)
})

test('a bundle that disappears stays in use', async () => {
  const { file, open, advance } = await setUp()
  const ca = await open()
  await rm(file)
  advance(600_000)
  expect(await ca()).toBe(first)
})

test('a file that is of no use from the start is an error that names it', async () => {
  const { file, open } = await setUp('no certificate')
  await expect(open()).rejects.toMatchObject({ code: 'KW_CONFIG_FILE', file, reason: 'invalid' })
  await expect(open('/nowhere/ca.crt')).rejects.toMatchObject({ reason: 'ENOENT' })
})
