import type { KeyedCertificate } from '../../base/x509/index.js'

/** Where a server's certificate comes from. */
export interface ServingCertificate {
  /** The pair to begin with. Rejects when there is none that could be used. */
  load(signal: AbortSignal): Promise<KeyedCertificate>
  /** Tells of each later pair, until the signal aborts. Never rejects: while there is no better pair, the old one stays. */
  follow(onChange: (pair: KeyedCertificate) => void, signal: AbortSignal): Promise<void>
}
