import { methodNotAllowed } from '../failure.js'
import { partsResponse } from '../output/parts-response.js'
import type { PathHandler } from '../router.js'
import type { ServiceAccountTokens } from './service-account-tokens.js'

export interface OpenIdParts {
  readonly tokens: Pick<ServiceAccountTokens, 'publicKey' | 'issuer'>
  /** `host:port`, as clients know the server. */
  readonly address: () => string
}

/**
 * `/.well-known/openid-configuration` and `/openid/v1/jwks`: how others check the tokens of service accounts without
 * asking the server.
 */
export function createOpenIdPaths({ tokens, address }: OpenIdParts): Readonly<Record<string, PathHandler>> {
  const { id, key, algorithm } = tokens.publicKey
  const { kty, crv, ...numbers } = key.export({ format: 'jwk' })
  const keys = [{ use: 'sig', kty, kid: id, ...(crv !== undefined && { crv }), alg: algorithm, ...numbers }]
  return {
    '/openid/v1/jwks': documentPath('application/jwk-set+json', () => ({ keys })),
    '/.well-known/openid-configuration': documentPath('application/json', () => ({
      issuer: tokens.issuer,
      jwks_uri: `https://${address()}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithm],
    })),
  }
}

function documentPath(type: string, make: () => object): PathHandler {
  return async ({ path, request }) => {
    if (!/\/(?:jwks|openid-configuration)\/?$/.test(path)) return undefined
    if (request.method !== 'GET') throw methodNotAllowed()
    const headers = { 'cache-control': 'public, max-age=3600' }
    return partsResponse(200, type, [Buffer.from(JSON.stringify(make()))], headers)
  }
}
