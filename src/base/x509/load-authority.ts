import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type DerValue, readDer } from './der.js'
import { InvalidCertificateAuthorityError } from './errors.js'
import { subjectKeyIdentifierOid } from './extensions.js'
import { keyIdentifier, type Validity } from './signed-certificate.js'

/** An authority that has been read and may sign. */
export interface LoadedAuthority {
  readonly subject: Buffer
  readonly keyId: Buffer
  readonly validity: Validity
  readonly privateKey: KeyObject
}

/** Reads an authority from PEM and makes sure that what it signs will be believed. */
export function loadAuthority(
  authority: { readonly cert: string; readonly key: string },
  nowMs: number,
): LoadedAuthority {
  const { certificate, privateKey } = parse(authority)
  if (!certificate.ca)
    throw new InvalidCertificateAuthorityError('its certificate is not one of an authority.')
  if (privateKey.asymmetricKeyType !== 'ec' || privateKey.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new InvalidCertificateAuthorityError('its key is not an ECDSA key on the curve P-256.')
  if (!certificate.checkPrivateKey(privateKey))
    throw new InvalidCertificateAuthorityError('its key does not belong to its certificate.')
  const validity = { notBeforeMs: epochMs(certificate.validFrom), notAfterMs: epochMs(certificate.validTo) }
  if (nowMs < validity.notBeforeMs || nowMs >= validity.notAfterMs)
    throw new InvalidCertificateAuthorityError(
      `it is valid from ${certificate.validFrom} to ${certificate.validTo} only.`,
    )
  return { ...readNames(certificate), validity, privateKey }
}

function parse(authority: { readonly cert: string; readonly key: string }): {
  certificate: X509Certificate
  privateKey: KeyObject
} {
  try {
    return { certificate: new X509Certificate(authority.cert), privateKey: createPrivateKey(authority.key) }
  } catch (error) {
    // The cause names the parser's complaint and never the key.
    throw new InvalidCertificateAuthorityError('its certificate or its key is not PEM.', error)
  }
}

// The text is fixed by OpenSSL ("Nov 15 21:28:00 2026 GMT"); parsing it does not read the clock.
// oxlint-disable-next-line no-restricted-globals
const epochMs = (text: string): number => Date.parse(text)

/** The subject as it is encoded: an issuer must repeat it octet by octet, whatever string types it uses. */
function readNames(certificate: X509Certificate): { subject: Buffer; keyId: Buffer } {
  const [toBeSigned] = readDer(only(readDer(certificate.raw)).content)
  const fields = readDer(toBeSigned?.content ?? Buffer.alloc(0)).filter((field) => field.tag !== 0xa0)
  const [, , , , subject, , ...optional] = fields
  if (subject === undefined) throw new InvalidCertificateAuthorityError('its certificate has no subject.')
  const extensions = optional.find((field) => field.tag === 0xa3)
  return {
    subject: subject.whole,
    keyId: findKeyIdentifier(extensions) ?? keyIdentifier(certificate.publicKey),
  }
}

function findKeyIdentifier(extensions: DerValue | undefined): Buffer | undefined {
  if (extensions === undefined) return undefined
  for (const extension of readDer(only(readDer(extensions.content)).content)) {
    const [oid, ...rest] = readDer(extension.content)
    const value = rest.at(-1)
    if (value !== undefined && oid?.whole.equals(subjectKeyIdentifierOid) === true)
      return only(readDer(value.content)).content
  }
  return undefined
}

function only(values: readonly DerValue[]): DerValue {
  const [value] = values
  if (value === undefined) throw new InvalidCertificateAuthorityError('its certificate is cut short.')
  return value
}
