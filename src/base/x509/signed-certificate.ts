import { createHash, type KeyObject, sign } from 'node:crypto'
import { bitString, explicit, objectIdentifier, sequence, time, unsignedInteger } from './der.js'
import { InvalidCertificateRequestError } from './errors.js'

/** Octets that nobody can guess. Production passes `randomBytes` of node:crypto. */
export type RandomBytes = (length: number) => Uint8Array

/** From when until when a certificate holds, in milliseconds since 1970. */
export interface Validity {
  readonly notBeforeMs: number
  readonly notAfterMs: number
}

export interface CertificateContent {
  readonly subject: Buffer
  readonly issuer: Buffer
  readonly publicKey: KeyObject
  readonly validity: Validity
  readonly extensions: readonly Buffer[]
  readonly signingKey: KeyObject
  readonly randomBytes: RandomBytes
}

const ecdsaWithSha256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))
const version3 = explicit(0, unsignedInteger(Buffer.from([2])))

/** An X.509 version 3 certificate as PEM, signed with ECDSA and SHA-256. */
export function signCertificate(content: CertificateContent): string {
  const toBeSigned = sequence(
    version3,
    serialNumber(content.randomBytes),
    ecdsaWithSha256,
    content.issuer,
    sequence(time(content.validity.notBeforeMs), time(content.validity.notAfterMs)),
    content.subject,
    content.publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...content.extensions)),
  )
  const signature = sign('sha256', toBeSigned, content.signingKey)
  return pem(sequence(toBeSigned, ecdsaWithSha256, bitString(signature)))
}

/** The identifier of a key: the SHA-1 of its bits, method 1 of RFC 5280, 4.2.1.2. A name, not a protection. */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return createHash('sha1').update(point).digest()
}

/** Whole seconds, ordered, and within what four digits of a year can say. */
export function checkedValidity(validity: Validity): Validity {
  const notBeforeMs = Math.floor(validity.notBeforeMs / 1000) * 1000
  const notAfterMs = Math.floor(validity.notAfterMs / 1000) * 1000
  const representable = notBeforeMs >= 0 && notAfterMs < 253_402_300_800_000
  if (!representable || !(notBeforeMs < notAfterMs))
    throw new InvalidCertificateRequestError(
      'validForMs',
      'it would never be valid, or end after the year 9999.',
    )
  return { notBeforeMs, notAfterMs }
}

// 127 bits: positive in 16 octets, and never zero.
function serialNumber(randomBytes: RandomBytes): Buffer {
  const octets = Buffer.from(randomBytes(16))
  octets[0] = ((octets[0] ?? 0) & 0x7f) | 0x40
  return unsignedInteger(octets)
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
