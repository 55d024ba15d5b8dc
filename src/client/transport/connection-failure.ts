import { toError } from '../../base/index.js'
import { ConnectionError, type ConnectionFailure } from './connection-errors.js'

interface Explained {
  readonly reason: ConnectionFailure
  readonly explanation: string
}

/** Turns what Node says about a failed connection into what happened and what to do. */
export function explainConnectionFailure(server: string, thrown: unknown): ConnectionError {
  if (thrown instanceof ConnectionError) return thrown
  const cause = toError(thrown)
  return new ConnectionError({ server, cause, ...explain(cause) })
}

/** True for an error of the TLS layer. After a handshake it means that the server refused us, unread. */
export function isTlsFailure(error: Error): boolean {
  const code = codeOf(error)
  return (
    code.startsWith('ERR_SSL_') ||
    code.startsWith('ERR_TLS_') ||
    code.startsWith('ERR_OSSL_') ||
    code === 'EPROTO' ||
    code in certificateProblems
  )
}

/** The `code` of a Node error, or the empty string. */
export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

const untrusted =
  'its certificate is not signed by a trusted authority. Give the cluster its certificate-authority (or -data).'

const certificateProblems: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  CERT_HAS_EXPIRED:
    "its certificate has expired. Renew the API server's certificate, or correct this machine's clock.",
  CERT_NOT_YET_VALID: "its certificate is not valid yet. Compare this machine's clock with the server's.",
  CERT_REVOKED: 'its certificate has been revoked. Give the API server a new one.',
}

function explain(cause: Error): Explained {
  // An attempt on several addresses fails with all of their errors: the first one tells enough.
  const first = cause instanceof AggregateError ? toError(cause.errors[0] ?? cause) : cause
  const code = codeOf(first)
  const certificateProblem = certificateProblems[code]
  if (certificateProblem !== undefined) return { reason: 'tls', explanation: certificateProblem }
  switch (code) {
    case 'ECONNREFUSED':
      return {
        reason: 'refused',
        explanation: 'connection refused. Check that the API server runs and that the address is right.',
      }
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_NODATA':
      return {
        reason: 'dns',
        explanation: `its host name was not resolved (${code}). Check the name and this machine's DNS.`,
      }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
      return {
        reason: 'unreachable',
        explanation: `no route to it (${code}). Check the network, a VPN, or whether a proxy is needed.`,
      }
    case 'ETIMEDOUT':
      return {
        reason: 'timeout',
        explanation: 'the network gave no answer. Check the address, a firewall or a proxy.',
      }
    case 'ECONNRESET':
    case 'EPIPE':
      return {
        reason: 'closed',
        explanation:
          'the other side closed the connection before it was usable. Check the port, and whether a proxy or firewall interferes.',
      }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        reason: 'tls',
        explanation: `its certificate is for other names (${first.message.slice(0, 300)}). Use one of them, or set tls-server-name.`,
      }
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return {
        reason: 'tls',
        explanation: 'it does not speak TLS. Check the port, or use an http:// address.',
      }
    default:
      return isTlsFailure(first)
        ? {
            reason: 'tls',
            explanation: `the TLS handshake failed (${first.message.slice(0, 300)}). Check the certificates on both sides.`,
          }
        : {
            reason: 'other',
            explanation: `${first.message.slice(0, 300)}. Check the address and the network.`,
          }
  }
}
