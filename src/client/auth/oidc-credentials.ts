import type { Clock } from '../../base/index.js'
import type { Logger } from '../../observe/index.js'
import type { CredentialSource } from '../config/cluster-config.js'
import { bearerCredentials, isHeaderToken } from './credentials.js'
import { idTokenExpiryMs } from './id-token.js'
import type { IdentityProvider, ProviderTokens } from './identity-provider.js'
import { OidcError } from './oidc-error.js'
import { createRefreshingCredentials, type LoadedCredentials } from './refreshing-credentials.js'

/** A token this close to its end is renewed: clocks differ, and requests take time. */
const leewayMs = 10_000

/** The tokens to start with, and where new ones come from. */
export interface OidcCredentialsOptions {
  readonly issuer: string
  readonly provider: IdentityProvider
  readonly idToken?: string
  readonly refreshToken?: string
  /**
   * Keeps new tokens for the next process. Called with the refresh token that they replace; a failure is logged and
   * does no harm to this process. Absent: they are kept in memory only.
   */
  readonly save?: (tokens: ProviderTokens, replaced: string) => Promise<void>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * ID tokens of an OpenID Connect provider, renewed with a refresh token when they are about to expire or were refused.
 * Fails with OidcError.
 */
export function createOidcCredentials(options: OidcCredentialsOptions): CredentialSource {
  const { issuer, provider, clock, log, save } = options
  let { idToken, refreshToken } = options

  const isValid = (token: string): boolean => {
    const expiryMs = idTokenExpiryMs(token)
    return expiryMs !== undefined && clock.now() + leewayMs < expiryMs && isHeaderToken(token)
  }

  const keep = async (tokens: ProviderTokens, replaced: string): Promise<void> => {
    if (save === undefined) {
      if (tokens.refreshToken !== undefined)
        log.warn(
          'The identity provider replaced the refresh token, and the kubeconfig still holds the old one: ' +
            'set oidc.writeBack, or log in again after this process ends.',
          { issuer },
        )
      return
    }
    try {
      await save(tokens, replaced)
    } catch (error) {
      log.warn('Cannot write the new tokens back to the kubeconfig: they are kept in memory.', {
        issuer,
        error,
      })
    }
  }

  const source = createRefreshingCredentials({
    what: `ID token of ${issuer}`,
    onFailure: 'throw',
    repeatPauseMs: 10_000,
    clock,
    log,
    async load(signal): Promise<LoadedCredentials> {
      const current = idToken
      // Only the token of the kubeconfig is used as it is, and only once: the next load means stale or refused.
      idToken = undefined
      if (current !== undefined && isValid(current))
        return { credentials: bearerCredentials(current), isFresh: () => isValid(current) }

      if (refreshToken === undefined)
        throw new OidcError(issuer, 'there is no valid ID token and no refresh token: log in again.')
      const used = refreshToken
      const tokens = await provider.refresh(used, signal)
      // Before anything else: the provider may already have voided the old one.
      refreshToken = tokens.refreshToken ?? used
      await keep(tokens, used)
      const renewed = tokens.idToken
      if (idTokenExpiryMs(renewed) === undefined || !isHeaderToken(renewed))
        throw new OidcError(issuer, 'its answer holds no valid id_token: check the provider.')
      const loadedAtMs = clock.monotonic()
      // With a wrong clock a new token looks expired at once; asking for another each time would not help.
      return {
        credentials: bearerCredentials(renewed),
        isFresh: () => isValid(renewed) || clock.monotonic() - loadedAtMs < leewayMs,
      }
    },
  })

  return {
    get: (signal) => source.get(signal),
    // Without a refresh token the next load could only fail, and hide the server's answer behind another error.
    refused: (credentials) => refreshToken !== undefined && source.refused(credentials),
  }
}
