/**
 * Certificates: an authority of one's own, and what it signs. A door of its own, because few programs need it.
 *
 * @module
 */
export type { AlternativeNames } from './alternative-names.js'
export {
  type CertificateAuthorityOptions,
  type CertificateRequest,
  type CertificateSources,
  createCertificateAuthority,
  issueCertificate,
  type KeyedCertificate,
} from './certificate-authority.js'
export type { CertificateSubject } from './distinguished-name.js'
export type { CertificatePurpose } from './extensions.js'
export type { RandomBytes } from './signed-certificate.js'
