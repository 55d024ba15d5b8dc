import { inspect } from 'node:util'
import type { CredentialSource, Credentials } from '../config/cluster-config.js'

/** Credentials that show only what they consist of when they are printed or turned into JSON by mistake. */
export function createCredentials(fields: Credentials): Credentials {
  const summary = (): Record<string, string> => ({
    ...(fields.authorization !== undefined && { authorization: '[hidden]' }),
    ...(fields.clientCertificate !== undefined && { clientCertificate: '[hidden]' }),
  })
  return Object.defineProperties(
    { ...fields },
    { [inspect.custom]: { value: summary }, toJSON: { value: summary } },
  )
}

/** A token, as the Authorization header wants it. It must be a header token ({@link isHeaderToken}). */
export function bearerCredentials(token: string): Credentials {
  return createCredentials({ authorization: `Bearer ${token}` })
}

/** A user name and password, as the Authorization header wants them. */
export function basicCredentials(username: string, password: string): Credentials {
  const encoded = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
  return createCredentials({ authorization: `Basic ${encoded}` })
}

/** True for a token that fits into a header as it is. */
export function isHeaderToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}

/** True when both would look the same to the server. */
export function sameCredentials(left: Credentials, right: Credentials): boolean {
  return (
    left.authorization === right.authorization &&
    left.clientCertificate?.cert === right.clientCertificate?.cert &&
    left.clientCertificate?.key === right.clientCertificate?.key
  )
}

/** Credentials that never change: a token, a password, a certificate written into the kubeconfig; or none at all. */
export function createStaticCredentials(credentials: Credentials): CredentialSource {
  return {
    get: async () => credentials,
    refused: () => false,
  }
}
