import type { Clock } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { CredentialSource } from '../config/cluster-config.js'
import { keyPairProblem } from '../config/pem.js'
import { ConfigFileError, readTextFile } from '../config/text-file.js'
import { createCredentials } from './credentials.js'
import { createRefreshingCredentials } from './refreshing-credentials.js'

const freshMs = 5 * 60_000

/**
 * A client certificate and its key in two files that somebody rotates. Read again each five minutes and at once after a
 * 401. A pair that does not match, because only one of the files has been written so far, is not used: the old pair stays.
 */
export function createCertificateFileCredentials(options: {
  readonly certFile: string
  readonly keyFile: string
  readonly clock: Clock
  readonly log: Logger
}): CredentialSource {
  const { certFile, keyFile, clock, log } = options
  return createRefreshingCredentials({
    what: `client certificate ${certFile}`,
    onFailure: 'keep',
    clock,
    log,
    async load() {
      const readAtMs = clock.monotonic()
      const [cert, key] = await Promise.all([readTextFile(certFile), readTextFile(keyFile)])
      const detail = keyPairProblem(cert, key)
      if (detail !== undefined) throw new ConfigFileError({ file: certFile, reason: 'invalid', detail })
      return {
        credentials: createCredentials({ clientCertificate: { cert, key } }),
        isFresh: () => clock.monotonic() - readAtMs < freshMs,
      }
    },
  })
}
