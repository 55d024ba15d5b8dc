import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, watch } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createSecureContext } from 'node:tls'
import { type Clock, KubewrightError, sleep, systemClock, toError } from '../../base/index.js'
import type { KeyedCertificate } from '../../base/x509/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { type Alarm, createAlarm } from '../alarm.js'
import type { ServingCertificate } from './serving-certificate.js'

/** What the reading of certificates counts. Must be quick and must not throw. */
export interface CertificateMetrics {
  read(): void
  failed(): void
}

export interface CertificateFilesOptions {
  /** PEM, the server's own certificate first. */
  readonly certFile: string
  /** PEM, not encrypted. */
  readonly keyFile: string
  readonly log?: Logger
  readonly clock?: Clock
  readonly metrics?: CertificateMetrics
}

/** No certificate to serve with. The message names the file; it never holds what is in it. */
export class ServingCertificateError extends KubewrightError {
  readonly file: string

  constructor(file: string, problem: string, cause?: unknown) {
    super(`The serving certificate ${file} cannot be used: ${problem}`, {
      code: 'KW_SERVING_CERTIFICATE',
      cause,
    })
    this.file = file
  }
}

/** Watching a file misses changes on some file systems, so it is read each so often as well. */
const pollMs = 10_000
/** Whoever writes the files may start together with us. */
const patienceMs = 10_000
const firstPollMs = 500

/**
 * A certificate in two files that somebody rotates: cert-manager through a mounted Secret, for example. A change is noticed
 * at once where the file system tells, and within ten seconds anyway. A pair that is missing, does not match (because
 * only one of the files has been written so far) or is out of date while the old one is not, is not used: the old pair stays.
 */
export function createCertificateFiles(options: CertificateFilesOptions): ServingCertificate {
  const { certFile, log = silentLogger, clock = systemClock } = options
  let current: KeyedCertificate | undefined

  const read = async (): Promise<KeyedCertificate> => {
    options.metrics?.read()
    try {
      return await readPair(options)
    } catch (error) {
      options.metrics?.failed()
      throw error
    }
  }
  /** A pair that should be served from now on. */
  const readNext = async (): Promise<KeyedCertificate | undefined> => {
    const next = await read()
    if (next.cert === current?.cert && next.key === current.key) return undefined
    if (isInTime(next, clock.now())) return next
    if (current !== undefined && isInTime(current, clock.now()))
      throw new ServingCertificateError(
        certFile,
        'it is out of date. Issue a new one; the old one stays in use.',
      )
    log.warn('The serving certificate is out of date: callers will refuse it. Issue a new one.', {
      file: certFile,
    })
    return next
  }

  return {
    async load(signal) {
      const deadlineMs = clock.monotonic() + patienceMs
      for (;;) {
        try {
          current = (await readNext()) ?? current
          if (current !== undefined) return current
        } catch (error) {
          if (clock.monotonic() >= deadlineMs) throw error
          await sleep(clock, firstPollMs, signal)
        }
      }
    },
    async follow(onChange, signal) {
      const change = createAlarm(clock)
      const folders = new Set([dirname(certFile), dirname(options.keyFile)])
      const watching = Promise.all([...folders].map((folder) => watchFolder(folder, change, signal, log)))
      let lastProblem = ''
      while (!signal.aborted) {
        try {
          await change.wait(pollMs, signal)
          const next = await readNext()
          lastProblem = ''
          if (next === undefined) continue
          onChange(next)
          current = next
          log.info('Serving with a new certificate.', { file: certFile })
        } catch (thrown) {
          const error = toError(thrown)
          if (signal.aborted || error.message === lastProblem) continue
          lastProblem = error.message
          log.warn('The new serving certificate is not used; the old one stays.', { error })
        }
      }
      await watching
    },
  }
}

async function readPair({ certFile, keyFile }: CertificateFilesOptions): Promise<KeyedCertificate> {
  const [cert, key] = await Promise.all([readPem(certFile), readPem(keyFile)])
  try {
    // The context checks all that OpenSSL can check: the whole chain, and that the key is the certificate's.
    createSecureContext({ cert, key })
    if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { cert, key }
  } catch (error) {
    throw new ServingCertificateError(
      certFile,
      `it is not valid PEM, or ${keyFile} is not its key. Write a matching pair.`,
      error,
    )
  }
  throw new ServingCertificateError(certFile, `${keyFile} is not its key. Write a matching pair.`)
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ServingCertificateError(file, 'it cannot be read. Check that it exists and may be read.', error)
  }
}

function isInTime({ cert }: KeyedCertificate, nowMs: number): boolean {
  const { validFrom, validTo } = new X509Certificate(cert)
  return epochMs(validFrom) <= nowMs && nowMs < epochMs(validTo)
}

// The text is fixed by OpenSSL ("Nov 15 21:28:00 2026 GMT"); parsing it does not read the clock.
// oxlint-disable-next-line no-restricted-globals
const epochMs = (text: string): number => Date.parse(text)

async function watchFolder(folder: string, change: Alarm, signal: AbortSignal, log: Logger): Promise<void> {
  try {
    for await (const _ of watch(folder, { signal })) change.ring()
  } catch (error) {
    if (!signal.aborted)
      log.debug('The folder of the certificate cannot be watched; its files are read each ten seconds.', {
        folder,
        error,
      })
  }
}
