import { isPlainObject, parseJson } from '../../base/index.js'

/**
 * When an ID token (a JWT) expires, in milliseconds since 1970; undefined when it is none, or does not say. The signature
 * is the API server's business.
 */
export function idTokenExpiryMs(idToken: string): number | undefined {
  const [, payload, signature, ...rest] = idToken.split('.')
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined
  try {
    const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'))
    const exp = isPlainObject(claims) ? claims['exp'] : undefined
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
