import { type Clock, sleep, systemClock } from '../../base/index.js'
import { createCertificateAuthority, issueCertificate, type KeyedCertificate } from '../../base/x509/index.js'
import type { ServingCertificate } from './serving-certificate.js'

export interface SelfSignedCertificateOptions {
  /** Besides `localhost`: the names of the service, for example. */
  readonly dnsNames?: readonly string[]
  readonly validForMs?: number
  readonly clock?: Clock
}

const dayMs = 86_400_000

/**
 * A certificate of an authority that exists in memory alone: traffic is encrypted, and callers cannot check with whom they
 * speak. Issued anew after two thirds of its life.
 */
export function createSelfSignedCertificate(options: SelfSignedCertificateOptions = {}): ServingCertificate {
  const { dnsNames = [], validForMs = 365 * dayMs, clock = systemClock } = options
  const issue = (): KeyedCertificate => {
    const authority = createCertificateAuthority({ commonName: 'kubewright self-signed', validForMs, clock })
    return issueCertificate(authority, {
      commonName: 'localhost',
      dnsNames: ['localhost', ...dnsNames],
      ipAddresses: ['127.0.0.1', '::1'],
      purposes: ['server'],
      validForMs,
      clock,
    })
  }
  return {
    load: async () => issue(),
    async follow(onChange, signal) {
      while (!signal.aborted) {
        await sleep(clock, (validForMs * 2) / 3, signal).then(
          () => onChange(issue()),
          () => {},
        )
      }
    },
  }
}
