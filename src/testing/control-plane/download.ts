import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { isKubewrightError, throwIfAborted, toError } from '../../base/index.js'
import { ArchiveChecksumError, ArchiveDownloadError } from './archive-errors.js'

export interface VerifiedDownload {
  readonly url: string
  /** Lower-case hexadecimal. */
  readonly sha512: string
  /** Where to put it. The file is there afterwards only if its checksum is right. */
  readonly file: string
  /** PEM of authorities to trust instead of the system's. */
  readonly ca?: string
  readonly signal?: AbortSignal
  readonly onBytes?: (received: number, total: number | undefined) => void
}

const maxRedirects = 5
const maxBytes = 2 ** 31
const silenceMs = 60_000

/** Downloads over https only, redirects included, and keeps the file only if it is the pinned one. */
export async function downloadVerified(download: VerifiedDownload): Promise<void> {
  const hash = createHash('sha512')
  try {
    const response = await open(download, download.url, maxRedirects)
    const total = Number(response.headers['content-length'])
    let received = 0
    await pipeline(
      response,
      async function* measure(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          received += chunk.length
          if (received > maxBytes) throw new ArchiveDownloadError(download.url, 'it is larger than 2 GiB')
          hash.update(chunk)
          download.onBytes?.(received, Number.isFinite(total) ? total : undefined)
          yield chunk
        }
      },
      createWriteStream(download.file, { mode: 0o600 }),
      { signal: download.signal },
    )
    const actualSha512 = hash.digest('hex')
    if (actualSha512 !== download.sha512)
      throw new ArchiveChecksumError({ url: download.url, expectedSha512: download.sha512, actualSha512 })
  } catch (error) {
    await rm(download.file, { force: true })
    throwIfAborted(download.signal)
    if (isKubewrightError(error)) throw error
    throw new ArchiveDownloadError(download.url, toError(error).message, error)
  }
}

async function open(download: VerifiedDownload, url: string, redirects: number): Promise<IncomingMessage> {
  const response = await request(download, url)
  const status = response.statusCode ?? 0
  if (status === 200) return response
  response.resume()
  const { location } = response.headers
  if (status < 300 || status >= 400 || location === undefined)
    throw new ArchiveDownloadError(download.url, `the server answered ${status}`)
  if (redirects === 0)
    throw new ArchiveDownloadError(download.url, `it was redirected ${maxRedirects + 1} times`)
  return open(download, new URL(location, url).href, redirects - 1)
}

function request(download: VerifiedDownload, url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (new URL(url).protocol !== 'https:')
      return reject(new ArchiveDownloadError(download.url, `${url} is not an https address`))
    const outgoing = get(url, {
      ...(download.ca === undefined ? {} : { ca: download.ca }),
      ...(download.signal === undefined ? {} : { signal: download.signal }),
      headers: { 'user-agent': 'kubewright' },
      timeout: silenceMs,
    })
    outgoing.once('response', resolve).once('error', reject)
    outgoing.once('timeout', () => {
      outgoing.destroy(new ArchiveDownloadError(download.url, `nothing came for ${silenceMs / 1000} s`))
    })
  })
}
