import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../../base/x509/index.js'
import { createCertificateFiles, ServingCertificateError } from './certificate-files.js'
import { createSelfSignedCertificate } from './self-signed-certificate.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubewright-certificates-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

/** Real files on a busy machine. */
const patience = { timeout: 4_000 }
const dayMs = 86_400_000

function issue(clock: Clock = systemClock, validForMs = dayMs): KeyedCertificate {
  const authority = createCertificateAuthority({ commonName: 'test', clock })
  return issueCertificate(authority, {
    commonName: 'x',
    dnsNames: ['x'],
    purposes: ['server'],
    clock,
    validForMs,
  })
}

async function write({ cert, key }: KeyedCertificate, into = folder): Promise<void> {
  await writeFile(join(into, 'tls.crt'), cert)
  await writeFile(join(into, 'tls.key'), key)
}

/** A clock whose waits are over as soon as everything else has had its turn. */
function hastyClock(): Clock {
  let ms = 0
  return {
    now: () => systemClock.now(),
    monotonic: () => ms,
    setTimer(delayMs, callback) {
      const immediate = setImmediate(() => {
        ms += delayMs
        callback()
      })
      return { cancel: () => clearImmediate(immediate) }
    },
  }
}

/** A clock whose timers never fire, so that only the file system can tell. */
const standingClock: Clock = { ...systemClock, setTimer: () => ({ cancel: () => {} }) }

function files(clock: Clock) {
  const counts = { read: 0, failed: 0 }
  const certificate = createCertificateFiles({
    certFile: join(folder, 'tls.crt'),
    keyFile: join(folder, 'tls.key'),
    clock,
    metrics: { read: () => counts.read++, failed: () => counts.failed++ },
  })
  const served: KeyedCertificate[] = []
  const abort = new AbortController()
  const follow = (): Promise<void> => certificate.follow((pair) => served.push(pair), abort.signal)
  return { certificate, served, follow, stop: () => abort.abort(), signal: abort.signal, counts }
}

describe('the first pair', () => {
  test('is read from the files', async () => {
    const pair = issue()
    await write(pair)
    const { certificate, signal, counts } = files(systemClock)
    expect(await certificate.load(signal)).toEqual(pair)
    expect(counts).toEqual({ read: 1, failed: 0 })
  })

  test('may come a moment after us', async () => {
    const pair = issue()
    const { certificate, signal, counts } = files(systemClock)
    const loading = certificate.load(signal)
    await expect.poll(() => counts.failed, patience).toBeGreaterThan(0)
    await write(pair)
    expect(await loading).toEqual(pair)
  })

  test('that does not come within ten seconds fails the start and names the file', async () => {
    const { certificate, signal } = files(hastyClock())
    const error: unknown = await certificate.load(signal).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ServingCertificateError)
    expect(error).toMatchObject({ code: 'KW_SERVING_CERTIFICATE', file: join(folder, 'tls.crt') })
  })

  test('whose key belongs to another certificate fails the start, and the message holds no key', async () => {
    await write({ cert: issue().cert, key: issue().key })
    const { certificate, signal } = files(hastyClock())
    const error: unknown = await certificate.load(signal).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('Write a matching pair')
    expect(String(error)).not.toContain('PRIVATE')
  })

  test('that is out of date is used all the same: the clock may be wrong', async () => {
    const old = issue({ ...systemClock, now: () => systemClock.now() - 30 * dayMs })
    await write(old)
    const { certificate, signal } = files(systemClock)
    expect(await certificate.load(signal)).toEqual(old)
  })
})

describe('a rotation', () => {
  test('is noticed at once where the file system tells of it', async () => {
    await write(issue())
    const { certificate, served, follow, stop, signal } = files(standingClock)
    await certificate.load(signal)
    const following = follow()
    const next = issue()
    // Until the watch stands, a change may go unnoticed.
    await expect
      .poll(async () => {
        await write(next)
        return served.at(-1)
      }, patience)
      .toEqual(next)
    stop()
    await following
    expect(served).toEqual([next])
  })

  test('is noticed by reading the files again where it does not', async () => {
    await write(issue())
    const { certificate, served, follow, stop, signal } = files(hastyClock())
    await certificate.load(signal)
    const following = follow()
    const next = issue()
    await write(next)
    await expect.poll(() => served.at(-1), patience).toEqual(next)
    stop()
    await following
  })

  test('of a mounted Secret, by a link that is swapped, is noticed', async () => {
    const [one, two] = [join(folder, '..one'), join(folder, '..two')]
    const next = issue()
    await mkdir(one)
    await mkdir(two)
    await write(issue(), one)
    await write(next, two)
    await symlink('..one', join(folder, '..data'))
    await symlink('..data/tls.crt', join(folder, 'tls.crt'))
    await symlink('..data/tls.key', join(folder, 'tls.key'))
    const { certificate, served, follow, stop, signal } = files(standingClock)
    await certificate.load(signal)
    const following = follow()
    await expect
      .poll(async () => {
        await symlink('..two', join(folder, '..tmp'))
        await rename(join(folder, '..tmp'), join(folder, '..data'))
        return served.at(-1)
      }, patience)
      .toEqual(next)
    stop()
    await following
  })

  test('that is half-done, broken or gone leaves the old pair in use, until it is complete', async () => {
    await write(issue())
    const { certificate, served, follow, stop, signal, counts } = files(hastyClock())
    await certificate.load(signal)
    const following = follow()
    const next = issue()
    const failAgain = async (): Promise<void> => {
      const before = counts.failed
      await expect.poll(() => counts.failed, patience).toBeGreaterThan(before)
    }
    await writeFile(join(folder, 'tls.crt'), next.cert)
    await failAgain()
    await writeFile(join(folder, 'tls.crt'), next.cert.slice(0, 100))
    await failAgain()
    await rm(join(folder, 'tls.key'))
    await failAgain()
    expect(served).toEqual([])
    await write(next)
    await expect.poll(() => served, patience).toEqual([next])
    stop()
    await following
  })

  test('to a pair that is out of date is ignored while the old one is not', async () => {
    await write(issue())
    const { certificate, served, follow, stop, signal, counts } = files(hastyClock())
    await certificate.load(signal)
    const following = follow()
    await write(issue({ ...systemClock, now: () => systemClock.now() - 30 * dayMs }))
    const before = counts.read
    await expect.poll(() => counts.read, patience).toBeGreaterThan(before + 3)
    expect(served).toEqual([])
    stop()
    await following
  })
})

test('a self-signed certificate is issued anew after two thirds of its life', async () => {
  const delays: number[] = []
  let fire = (): void => {}
  const clock: Clock = {
    ...systemClock,
    setTimer(delayMs, callback) {
      delays.push(delayMs)
      fire = callback
      return { cancel: () => {} }
    },
  }
  const certificate = createSelfSignedCertificate({ clock, validForMs: 30 * dayMs })
  const abort = new AbortController()
  const first = await certificate.load(abort.signal)
  const served: KeyedCertificate[] = []
  const following = certificate.follow((pair) => served.push(pair), abort.signal)
  expect(delays).toEqual([20 * dayMs])
  fire()
  await expect.poll(() => served, patience).toHaveLength(1)
  expect(served[0]?.cert).not.toBe(first.cert)
  abort.abort()
  await following
})
