import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { silentLogger } from '../../observe/index.js'
import { createTokenFileCredentials } from './token-file.js'

async function setUp(content?: string, initialToken?: string) {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-token-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'token')
  if (content !== undefined) await writeFile(file, content)
  let nowMs = 0
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs }
  const source = createTokenFileCredentials({
    file,
    clock,
    log: silentLogger,
    ...(initialToken !== undefined && { initialToken }),
  })
  const advance = (ms: number): void => {
    nowMs += ms
  }
  return { file, source, advance, authorization: async () => (await source.get()).authorization }
}

test('the token is trimmed and sent as a bearer token', async () => {
  const { authorization } = await setUp('  abc\n')
  expect(await authorization()).toBe('Bearer abc')
})

test('a rotated token is seen after fifty seconds, not before', async () => {
  const { file, authorization, advance } = await setUp('old')
  await authorization()
  await writeFile(file, 'new')
  advance(49_999)
  expect(await authorization()).toBe('Bearer old')
  advance(1)
  expect(await authorization()).toBe('Bearer new')
})

test('a refused token is read again at once', async () => {
  const { file, source, authorization } = await setUp('old')
  const refused = await source.get()
  await writeFile(file, 'new')
  expect(source.refused(refused)).toBe(true)
  expect(await authorization()).toBe('Bearer new')
})

test('a token that is refused before it was rotated is read again at each further refusal', async () => {
  const { file, source, authorization } = await setUp('old')
  source.refused(await source.get())
  const same = await source.get()
  expect(same.authorization).toBe('Bearer old')
  await writeFile(file, 'new')
  expect(source.refused(same)).toBe(true)
  expect(await authorization()).toBe('Bearer new')
})

test('the old token stays while the file is gone or empty', async () => {
  const { file, authorization, advance } = await setUp('old')
  await authorization()
  await rm(file)
  advance(60_000)
  expect(await authorization()).toBe('Bearer old')
  await writeFile(file, '\n')
  advance(60_000)
  expect(await authorization()).toBe('Bearer old')
  await writeFile(file, 'new')
  advance(1_000)
  expect(await authorization()).toBe('Bearer new')
})

test('without any token so far, a missing or unusable file is an error that names it', async () => {
  const missing = await setUp()
  await expect(missing.source.get()).rejects.toMatchObject({
    code: 'KW_CONFIG_FILE',
    reason: 'ENOENT',
    file: missing.file,
  })
  const empty = await setUp('')
  await expect(empty.source.get()).rejects.toMatchObject({ reason: 'empty' })
  const prose = await setUp('not a token')
  await expect(prose.source.get()).rejects.toMatchObject({ reason: 'invalid' })
  await expect(prose.source.get()).rejects.not.toThrow('not a token\n')
})

test('a token from the kubeconfig serves until the file can be read', async () => {
  const { file, authorization, advance } = await setUp(undefined, 'initial')
  expect(await authorization()).toBe('Bearer initial')
  await writeFile(file, 'from-file')
  advance(1_000)
  expect(await authorization()).toBe('Bearer from-file')
})
