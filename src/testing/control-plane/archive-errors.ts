import { KubewrightError } from '../../base/index.js'

const byHand = 'Or unpack one by hand and set KUBEBUILDER_ASSETS to its folder.'

/** What was downloaded is not what was pinned. It was deleted and nothing of it was used. */
export class ArchiveChecksumError extends KubewrightError {
  readonly url: string
  readonly expectedSha512: string
  readonly actualSha512: string

  constructor(facts: {
    readonly url: string
    readonly expectedSha512: string
    readonly actualSha512: string
  }) {
    super(
      `The archive ${facts.url} has the SHA-512 ${facts.actualSha512}, not ${facts.expectedSha512}. ` +
        `Nothing of it was used. Find out who changed it before you try again. ${byHand}`,
      { code: 'KW_ARCHIVE_CHECKSUM_MISMATCH' },
    )
    this.url = facts.url
    this.expectedSha512 = facts.expectedSha512
    this.actualSha512 = facts.actualSha512
  }
}

/** The archive could not be fetched. */
export class ArchiveDownloadError extends KubewrightError {
  readonly url: string

  constructor(url: string, problem: string, cause?: unknown) {
    super(
      `The archive ${url} could not be downloaded: ${problem}. Check the connection and try again. ${byHand}`,
      {
        code: 'KW_ARCHIVE_DOWNLOAD_FAILED',
        cause,
      },
    )
    this.url = url
  }
}

/** The archive is damaged, or holds what could write outside its folder: a link, a device, an absolute path, `..`. */
export class ArchiveUnsafeError extends KubewrightError {
  constructor(problem: string, cause?: unknown) {
    super(`The archive was refused: ${problem}. Nothing of it was used. ${byHand}`, {
      code: 'KW_ARCHIVE_UNSAFE',
      cause,
    })
  }
}
