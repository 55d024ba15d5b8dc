import { KubewrightError } from '../errors.js'

/** A certificate was asked for that cannot exist: a name, an address or a time that no certificate may hold. */
export class InvalidCertificateRequestError extends KubewrightError {
  /** Which part of the request is wrong: `dnsNames`, `commonName`... */
  readonly field: string

  constructor(field: string, problem: string) {
    super(`The certificate cannot be issued: ${problem} Correct \`${field}\`.`, {
      code: 'KW_CERTIFICATE_REQUEST_INVALID',
    })
    this.field = field
  }
}

/** The authority cannot sign: not a CA certificate, not its key, expired, or of a type we do not sign with. */
export class InvalidCertificateAuthorityError extends KubewrightError {
  constructor(problem: string, cause?: unknown) {
    super(
      `The certificate authority cannot be used: ${problem} Create a new one with createCertificateAuthority().`,
      { code: 'KW_CERTIFICATE_AUTHORITY_INVALID', cause },
    )
  }
}
