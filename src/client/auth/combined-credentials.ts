import type { CredentialSource, Credentials } from '../config/cluster-config.js'
import { createCredentials } from './credentials.js'

/**
 * A header from one source and a client certificate from another: a kubeconfig user may have both, and each rotates at
 * its own pace. The combination stays the same object as long as its parts do.
 */
export function combineCredentials(
  header: CredentialSource,
  certificate: CredentialSource,
): CredentialSource {
  const parts = new WeakMap<
    Credentials,
    { readonly header: Credentials; readonly certificate: Credentials }
  >()
  let last: Credentials | undefined
  return {
    async get(signal) {
      const [fromHeader, fromCertificate] = await Promise.all([header.get(signal), certificate.get(signal)])
      const known = last && parts.get(last)
      if (last !== undefined && known?.header === fromHeader && known.certificate === fromCertificate)
        return last
      last = createCredentials({ ...fromCertificate, ...fromHeader })
      parts.set(last, { header: fromHeader, certificate: fromCertificate })
      return last
    },
    refused(credentials) {
      const known = parts.get(credentials)
      if (known === undefined) return false
      // The server does not say which of the two it disliked: both are asked, and neither may be skipped.
      const headerMayChange = header.refused(known.header)
      const certificateMayChange = certificate.refused(known.certificate)
      return headerMayChange || certificateMayChange
    },
  }
}
