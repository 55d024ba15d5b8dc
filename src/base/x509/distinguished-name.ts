import { objectIdentifier, sequence, setOfOne, utf8String } from './der.js'
import { InvalidCertificateRequestError } from './errors.js'

/** Whom a certificate speaks of. Kubernetes reads the common name as the user and the organizations as its groups. */
export interface CertificateSubject {
  readonly commonName: string
  readonly organizations?: readonly string[]
}

const organizationOid = objectIdentifier('2.5.4.10')
const commonNameOid = objectIdentifier('2.5.4.3')

/** The subject as an RDNSequence. One attribute per set: readers see the organizations in the order given. */
export function distinguishedName(subject: CertificateSubject): Buffer {
  return sequence(
    ...(subject.organizations ?? []).map((name) => attribute(organizationOid, 'organizations', name)),
    attribute(commonNameOid, 'commonName', subject.commonName),
  )
}

function attribute(oid: Buffer, field: string, value: string): Buffer {
  if (value === '') throw new InvalidCertificateRequestError(field, 'a name in the subject is empty.')
  // A NUL would let two readers see two different names.
  if (value.includes('\0') || /\p{Surrogate}/u.test(value))
    throw new InvalidCertificateRequestError(field, `${JSON.stringify(value)} is not text.`)
  return setOfOne(sequence(oid, utf8String(value)))
}
