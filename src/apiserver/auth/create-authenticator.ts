import { isPlainObject } from '../../base/index.js'
import type { User } from '../user.js'
import type { Authenticator } from './authenticator.js'
import { aggregate } from './rbac.js'
import type { ServiceAccountTokens } from './service-account-tokens.js'

/** Who nobody is: the user of a request without credentials, where those are let in. */
export const anonymousUser: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

/** What a token says, for reviews. `problem` is in the server's words. */
export type TokenReviewVerdict =
  | { readonly user: User; readonly audiences: readonly string[] }
  | { readonly problem: string }

export interface AuthenticatorOptions {
  /** Tokens that are simply known, and whose they are. */
  readonly staticTokens?: ReadonlyMap<string, User>
  readonly serviceAccountTokens?: ServiceAccountTokens
}

/** Knows users by their credentials. A certificate goes before a token. */
export interface Authentication {
  readonly authenticate: Authenticator
  /** Without audiences, those of the server are meant. */
  reviewToken(token: string, audiences: readonly string[]): TokenReviewVerdict
}

/** Authenticates by certificates that the listener has verified, by static tokens and by those of service accounts. */
export function createAuthentication(options: AuthenticatorOptions): Authentication {
  const { staticTokens, serviceAccountTokens } = options
  const ownAudiences = serviceAccountTokens?.audiences ?? []

  const reviewToken: Authentication['reviewToken'] = (token, audiences) => {
    const wanted = audiences.length === 0 ? ownAudiences : audiences
    const user = staticTokens?.get(token)
    if (user !== undefined) {
      const matching = ownAudiences.filter((audience) => wanted.includes(audience))
      // A known token is as good for every audience of the server, and for no other.
      if (matching.length > 0 || ownAudiences.length === 0)
        return { user: withAuthenticated(user), audiences: matching }
    }
    const verdict = serviceAccountTokens?.authenticate(token, wanted)
    if (verdict !== undefined && 'user' in verdict)
      return { user: withAuthenticated(verdict.user), audiences: verdict.audiences }
    return {
      problem: aggregate(['invalid bearer token', ...(verdict === undefined ? [] : [verdict.problem])]),
    }
  }

  const authenticate: Authenticator = ({ token, certificateUser }) => {
    if (certificateUser !== undefined) return withAuthenticated(certificateUser)
    if (token === undefined) return undefined
    const verdict = reviewToken(token, [])
    return 'user' in verdict ? verdict.user : undefined
  }
  return { authenticate, reviewToken }
}

function withAuthenticated(user: User): User {
  const { name, groups } = user
  if (name === anonymousUser.name || groups.includes('system:unauthenticated')) return user
  if (groups.includes('system:authenticated')) return user
  return { ...user, groups: [...groups, 'system:authenticated'] }
}

/** A user as reviews and admission show him. */
export function userInfoOf({ name, uid, groups, extra }: User): Record<string, unknown> {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(isPlainObject(extra) && Object.keys(extra).length > 0 && { extra: { ...extra } }),
  }
}
