import {
  derTrue,
  implicit,
  namedBits,
  objectIdentifier,
  octetString,
  sequence,
  unsignedInteger,
} from './der.js'

/** What the key of an end certificate may do in TLS. */
export type CertificatePurpose = 'server' | 'client'

const purposeOid: Readonly<Record<CertificatePurpose, Buffer>> = {
  server: objectIdentifier('1.3.6.1.5.5.7.3.1'),
  client: objectIdentifier('1.3.6.1.5.5.7.3.2'),
}

// Bits of KeyUsage in RFC 5280, 4.2.1.3.
const digitalSignature = 0
const keyCertSign = 5
const cRLSign = 6

/** The identifier of the extension that names a certificate's own key. */
export const subjectKeyIdentifierOid: Buffer = objectIdentifier('2.5.29.14')

function extension(oid: Buffer, value: Uint8Array, critical: boolean): Buffer {
  return sequence(oid, ...(critical ? [derTrue] : []), octetString(value))
}

const subjectKeyIdentifier = (keyId: Buffer): Buffer =>
  extension(subjectKeyIdentifierOid, octetString(keyId), false)

/** The extensions of an authority that signs end certificates only: no authority may stand below it. */
export function authorityExtensions(keyId: Buffer): Buffer[] {
  return [
    extension(objectIdentifier('2.5.29.19'), sequence(derTrue, unsignedInteger(Buffer.from([0]))), true),
    extension(objectIdentifier('2.5.29.15'), namedBits(digitalSignature, keyCertSign, cRLSign), true),
    subjectKeyIdentifier(keyId),
  ]
}

export interface EndExtensions {
  readonly keyId: Buffer
  readonly authorityKeyId: Buffer
  readonly purposes: readonly CertificatePurpose[]
  readonly generalNames: Buffer | undefined
}

/** The extensions of a certificate that is used and signs nothing. */
export function endExtensions(options: EndExtensions): Buffer[] {
  const { generalNames } = options
  return [
    extension(objectIdentifier('2.5.29.19'), sequence(), true),
    // An ECDSA key signs the handshake; encipherment would be a claim about RSA.
    extension(objectIdentifier('2.5.29.15'), namedBits(digitalSignature), true),
    extension(
      objectIdentifier('2.5.29.37'),
      sequence(...options.purposes.map((purpose) => purposeOid[purpose])),
      false,
    ),
    subjectKeyIdentifier(options.keyId),
    extension(objectIdentifier('2.5.29.35'), sequence(implicit(0, options.authorityKeyId)), false),
    ...(generalNames === undefined ? [] : [extension(objectIdentifier('2.5.29.17'), generalNames, false)]),
  ]
}
