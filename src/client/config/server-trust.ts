import { stat } from 'node:fs/promises'
import type { Clock } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import { certificatesProblem } from './pem.js'
import { ConfigFileError, readTextFile } from './text-file.js'

/** The file is read again at this age even if it looks the same: some file systems keep times and sizes. */
const rereadMs = 5 * 60_000
/** How often the file is looked at. */
const lookMs = 10_000

/**
 * The certificate authorities in a file that may be rotated under us. A change is seen at most ten seconds later; a file
 * that is unreadable, empty or half-written is logged once and ignored, and the last good bundle stays.
 *
 * Reads the file before it resolves, and fails with {@link ConfigFileError} if that first content is of no use.
 */
export async function createCaFile(options: {
  readonly file: string
  readonly clock: Clock
  readonly log: Logger
}): Promise<() => Promise<string | undefined>> {
  const { file, clock, log } = options
  let mark = await fingerprint(file)
  let pem = await readBundle(file)
  let readAtMs = clock.monotonic()
  let lookedAtMs = readAtMs
  let failing = false
  let look: Promise<void> | undefined

  const refresh = async (): Promise<void> => {
    // Taken before the content: a change in between is then seen by the next look.
    const seen = await fingerprint(file)
    if (seen === mark && !failing && clock.monotonic() - readAtMs < rereadMs) return
    try {
      pem = await readBundle(file)
      mark = seen
      readAtMs = clock.monotonic()
      failing = false
    } catch (error) {
      if (!failing)
        log.warn('Cannot reload the certificate authorities: the old ones stay in use.', { error })
      failing = true
    }
  }

  return async () => {
    if (clock.monotonic() - lookedAtMs >= lookMs) {
      lookedAtMs = clock.monotonic()
      look = refresh().finally(() => {
        look = undefined
      })
    }
    await look
    return pem
  }
}

async function readBundle(file: string): Promise<string> {
  const pem = await readTextFile(file)
  const detail = certificatesProblem(pem)
  if (detail !== undefined) throw new ConfigFileError({ file, reason: 'invalid', detail })
  return pem
}

/** Changes when the file is written, replaced, or the link to it is switched, as the kubelet does. */
async function fingerprint(file: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(file)
    return `${mtimeMs}/${size}/${ino}`
  } catch {
    return 'unreadable'
  }
}
