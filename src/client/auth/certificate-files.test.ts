import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../../base/x509/index.js'
import { silentLogger } from '../../observe/index.js'
import { createCertificateFileCredentials } from './certificate-files.js'

const authority = createCertificateAuthority({ commonName: 'test' })
const issue = (commonName: string): KeyedCertificate =>
  issueCertificate(authority, { commonName, purposes: ['client'] })

async function setUp(pair: KeyedCertificate) {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-cert-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const certFile = join(directory, 'tls.crt')
  const keyFile = join(directory, 'tls.key')
  await writeFile(certFile, pair.cert)
  await writeFile(keyFile, pair.key)
  let nowMs = 0
  const clock: Clock = { ...systemClock, now: () => nowMs, monotonic: () => nowMs }
  const source = createCertificateFileCredentials({ certFile, keyFile, clock, log: silentLogger })
  const advance = (ms: number): void => {
    nowMs += ms
  }
  return { certFile, keyFile, source, advance }
}

test('a rotated pair is seen after five minutes', async () => {
  const [old, renewed] = [issue('old'), issue('new')]
  const { certFile, keyFile, source, advance } = await setUp(old)
  expect((await source.get()).clientCertificate).toEqual(old)
  await writeFile(certFile, renewed.cert)
  await writeFile(keyFile, renewed.key)
  advance(299_999)
  expect((await source.get()).clientCertificate).toEqual(old)
  advance(1)
  expect((await source.get()).clientCertificate).toEqual(renewed)
})

test('a refused pair is read again at once', async () => {
  const [old, renewed] = [issue('old'), issue('new')]
  const { certFile, keyFile, source } = await setUp(old)
  const refused = await source.get()
  await writeFile(certFile, renewed.cert)
  await writeFile(keyFile, renewed.key)
  expect(source.refused(refused)).toBe(true)
  expect((await source.get()).clientCertificate).toEqual(renewed)
})

test('a pair that does not match, mid-rotation, is not used: the old pair stays', async () => {
  const [old, renewed] = [issue('old'), issue('new')]
  const { certFile, keyFile, source, advance } = await setUp(old)
  await source.get()
  await writeFile(certFile, renewed.cert)
  advance(300_000)
  expect((await source.get()).clientCertificate).toEqual(old)
  await writeFile(keyFile, renewed.key)
  advance(1_000)
  expect((await source.get()).clientCertificate).toEqual(renewed)
})

test('a half-written certificate is not used: the old pair stays', async () => {
  const old = issue('old')
  const { certFile, source, advance } = await setUp(old)
  await source.get()
  await writeFile(certFile, old.cert.slice(0, 200))
  advance(300_000)
  expect((await source.get()).clientCertificate).toEqual(old)
})

test('files that did not change keep the same credentials object', async () => {
  const { source, advance } = await setUp(issue('same'))
  const first = await source.get()
  advance(300_000)
  expect(await source.get()).toBe(first)
})

test('a pair that does not match from the start is an error without the key in it', async () => {
  const [one, other] = [issue('one'), issue('other')]
  const { source, certFile } = await setUp({ cert: one.cert, key: other.key })
  await expect(source.get()).rejects.toMatchObject({
    code: 'KW_CONFIG_FILE',
    reason: 'invalid',
    file: certFile,
  })
  await expect(source.get()).rejects.toThrow('does not belong to the client certificate')
})
