import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '../clock.js'
import { type AlternativeNames, generalNames } from './alternative-names.js'
import { type CertificateSubject, distinguishedName } from './distinguished-name.js'
import { InvalidCertificateRequestError } from './errors.js'
import { authorityExtensions, type CertificatePurpose, endExtensions } from './extensions.js'
import { loadAuthority } from './load-authority.js'
import { checkedValidity, keyIdentifier, type RandomBytes, signCertificate } from './signed-certificate.js'

/** A certificate and its private key, both PEM (the key is SEC 1). The key is a secret: never log it. */
export interface KeyedCertificate {
  readonly cert: string
  readonly key: string
}

/** Where time and randomness come from. Keys always come from the machine's own generator. */
export interface CertificateSources {
  readonly clock?: Clock
  readonly randomBytes?: RandomBytes
}

export interface CertificateAuthorityOptions extends CertificateSubject, CertificateSources {
  /** Default: ten years. */
  readonly validForMs?: number
}

export interface CertificateRequest extends CertificateSubject, AlternativeNames, CertificateSources {
  /** At least one. A server's certificate needs a DNS name or an address too. */
  readonly purposes: readonly CertificatePurpose[]
  /** Default: one year. Never beyond the end of the authority. */
  readonly validForMs?: number
}

const dayMs = 24 * 60 * 60 * 1000

// The clocks of two machines differ: a certificate made this moment must hold on one that is a little behind.
const skewMs = 5 * 60 * 1000

/** A self-signed authority (ECDSA P-256) that may sign end certificates, and no further authorities. */
export function createCertificateAuthority(options: CertificateAuthorityOptions): KeyedCertificate {
  const nowMs = (options.clock ?? systemClock).now()
  const subject = distinguishedName(options)
  const { publicKey, privateKey } = newKeyPair()
  const cert = signCertificate({
    subject,
    issuer: subject,
    publicKey,
    validity: checkedValidity({
      notBeforeMs: nowMs - skewMs,
      notAfterMs: nowMs + (options.validForMs ?? 3650 * dayMs),
    }),
    extensions: authorityExtensions(keyIdentifier(publicKey)),
    signingKey: privateKey,
    randomBytes: options.randomBytes ?? randomBytes,
  })
  return { cert, key: exportKey(privateKey) }
}

/**
 * A certificate with a new key (ECDSA P-256), signed by the authority. It is valid from five minutes ago, within the
 * authority's own time. Throws InvalidCertificateRequestError for a request that no certificate can answer, and
 * InvalidCertificateAuthorityError when the authority cannot sign now.
 */
export function issueCertificate(authority: KeyedCertificate, request: CertificateRequest): KeyedCertificate {
  const nowMs = (request.clock ?? systemClock).now()
  const names = generalNames(request)
  if (request.purposes.length === 0)
    throw new InvalidCertificateRequestError('purposes', 'it has no purpose.')
  // Clients have not looked at the common name for years.
  if (request.purposes.includes('server') && names === undefined)
    throw new InvalidCertificateRequestError('dnsNames', 'no client would accept a server without names.')
  const issuer = loadAuthority(authority, nowMs)
  const { publicKey, privateKey } = newKeyPair()
  const cert = signCertificate({
    subject: distinguishedName(request),
    issuer: issuer.subject,
    publicKey,
    validity: checkedValidity({
      notBeforeMs: Math.max(nowMs - skewMs, issuer.validity.notBeforeMs),
      notAfterMs: Math.min(nowMs + (request.validForMs ?? 365 * dayMs), issuer.validity.notAfterMs),
    }),
    extensions: endExtensions({
      keyId: keyIdentifier(publicKey),
      authorityKeyId: issuer.keyId,
      purposes: request.purposes,
      generalNames: names,
    }),
    signingKey: issuer.privateKey,
    randomBytes: request.randomBytes ?? randomBytes,
  })
  return { cert, key: exportKey(privateKey) }
}

function newKeyPair(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

function exportKey(key: KeyObject): string {
  // Not PKCS#8: fabric8's Java client takes every key that does not say what it is for one of RSA.
  return key.export({ type: 'sec1', format: 'pem' }).toString()
}
