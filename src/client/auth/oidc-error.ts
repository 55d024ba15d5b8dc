import { KubewrightError } from '../../base/index.js'
import { printable } from '../config/printable.js'

/** The identity provider gave no new ID token. Tokens and the text of its answers are left out: they may be secret. */
export class OidcError extends KubewrightError {
  readonly issuer: string

  constructor(issuer: string, detail: string, cause?: unknown) {
    super(`Identity provider ${printable(issuer)}: ${detail}`, { code: 'KW_OIDC', cause })
    this.issuer = issuer
  }
}
