import type { Clock } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { CredentialSource } from '../config/cluster-config.js'
import { ConfigFileError, readTextFile } from '../config/text-file.js'
import { bearerCredentials, isHeaderToken } from './credentials.js'
import { createRefreshingCredentials } from './refreshing-credentials.js'

/** A token counts for a minute and is renewed ten seconds before that: half of what the kubelet leaves us, as in client-go. */
const freshMs = 60_000 - 10_000

/**
 * A bearer token in a file that somebody rotates: the kubelet, for a service account. Read again each 50 seconds and at
 * once after a 401; the old token stays while the file cannot be read or is empty.
 */
export function createTokenFileCredentials(options: {
  readonly file: string
  /** Used until the file can be read for the first time. */
  readonly initialToken?: string
  readonly clock: Clock
  readonly log: Logger
}): CredentialSource {
  const { file, initialToken, clock, log } = options
  return createRefreshingCredentials({
    what: `token file ${file}`,
    onFailure: 'keep',
    ...(initialToken !== undefined && { initial: bearerCredentials(initialToken) }),
    clock,
    log,
    async load() {
      const readAtMs = clock.monotonic()
      const token = (await readTextFile(file)).trim()
      if (token === '') throw new ConfigFileError({ file, reason: 'empty' })
      if (!isHeaderToken(token))
        throw new ConfigFileError({
          file,
          reason: 'invalid',
          detail: 'it is not a token: write the token alone into it',
        })
      return { credentials: bearerCredentials(token), isFresh: () => clock.monotonic() - readAtMs < freshMs }
    },
  })
}
