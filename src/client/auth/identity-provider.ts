import { type Clock, isPlainObject, parseJson, throwIfAborted, toError } from '../../base/index.js'
import { askProvider, type ProviderResponse } from './identity-provider-http.js'
import { OidcError } from './oidc-error.js'

/** Which provider, and who we are to it. */
interface IdentityProviderOptions {
  /** https, or http on the local machine. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly ca?: string
  /** The proxy for a URL of the provider. */
  readonly proxyFor: (url: URL) => string | undefined
  readonly clock: Clock
}

/** What a refresh brings. Secret. */
export interface ProviderTokens {
  readonly idToken: string
  /** Only if the provider replaced it; the old one is then void. */
  readonly refreshToken?: string
}

/** The part of an OpenID Connect provider that we need: a refresh token in, an ID token out. Fails with OidcError. */
export interface IdentityProvider {
  refresh(refreshToken: string, signal: AbortSignal): Promise<ProviderTokens>
}

/** How the client proves who it is: in the Authorization header or among the form fields. */
type ClientAuthentication = 'header' | 'form'

/** Asks nobody before the first refresh. The discovery document is read for each one: they are an hour apart. */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, ca, proxyFor, clock } = options
  let works: ClientAuthentication | undefined

  const ask = async (
    url: URL,
    signal: AbortSignal,
    post?: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  ): Promise<ProviderResponse> => {
    try {
      const proxyUrl = proxyFor(url)
      return await askProvider({
        url,
        method: post === undefined ? 'GET' : 'POST',
        headers: { accept: 'application/json', ...post?.headers },
        ...(post !== undefined && { body: post.body }),
        ...(ca !== undefined && { ca }),
        ...(proxyUrl !== undefined && { proxyUrl }),
        clock,
        signal,
      })
    } catch (error) {
      throwIfAborted(signal)
      throw new OidcError(issuer, `it cannot be reached: ${toError(error).message}`, error)
    }
  }

  const discover = async (signal: AbortSignal): Promise<Discovery> => {
    const url = parseProviderUrl(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (url === undefined) throw new OidcError(issuer, `it is not an https URL: correct idp-issuer-url.`)
    const { status, body } = await ask(url, signal)
    const document = status === 200 ? parseObject(body) : undefined
    if (document === undefined)
      throw new OidcError(issuer, `its discovery document is missing (HTTP ${status}): check idp-issuer-url.`)
    const endpoint = document['token_endpoint']
    const tokenUrl = typeof endpoint === 'string' ? parseProviderUrl(endpoint) : undefined
    if (tokenUrl === undefined)
      throw new OidcError(
        issuer,
        'its discovery document names no https token_endpoint: check idp-issuer-url.',
      )
    const methods = document['token_endpoint_auth_methods_supported']
    return { tokenUrl, methods: Array.isArray(methods) ? methods : ['client_secret_basic'] }
  }

  const request = (
    tokenUrl: URL,
    refreshToken: string,
    how: ClientAuthentication,
    signal: AbortSignal,
  ): Promise<ProviderResponse> => {
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken })
    const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
    if (how === 'header') {
      // Both parts are form-encoded first (RFC 6749, 2.3.1): a colon in either would move the border.
      const pair = [clientId, clientSecret ?? ''].map(formEncode).join(':')
      headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`
    } else {
      form.set('client_id', clientId)
      if (clientSecret !== undefined) form.set('client_secret', clientSecret)
    }
    return ask(tokenUrl, signal, { headers, body: form.toString() })
  }

  return {
    async refresh(refreshToken, signal) {
      const { tokenUrl, methods } = await discover(signal)
      // A client without a secret has nothing to put into a header. Providers are not all honest about what they
      // support, so the other way is tried as well, once.
      const first =
        works ?? (clientSecret !== undefined && methods.includes('client_secret_basic') ? 'header' : 'form')
      const ways: readonly ClientAuthentication[] =
        works !== undefined || clientSecret === undefined
          ? [first]
          : [first, first === 'header' ? 'form' : 'header']
      let answer: Answer | undefined
      for (const way of ways) {
        answer = parseAnswer(await request(tokenUrl, refreshToken, way, signal))
        if (answer.error === undefined) works = way
        // A token that is not accepted in one way is not accepted in the other.
        if (answer.error === undefined || answer.error === 'invalid_grant') break
      }
      if (answer?.error !== undefined)
        throw new OidcError(issuer, `it refused to refresh (${answer.error}): log in again.`)
      if (answer?.idToken === undefined)
        throw new OidcError(
          issuer,
          'its answer holds no id_token: log in again with the scope openid, or use a provider that renews ID tokens.',
        )
      const { idToken } = answer
      const rotated = answer.refreshToken
      return { idToken, ...(rotated !== undefined && rotated !== refreshToken && { refreshToken: rotated }) }
    },
  }
}

interface Discovery {
  readonly tokenUrl: URL
  readonly methods: readonly unknown[]
}

interface Answer {
  readonly error?: string
  readonly idToken?: string
  readonly refreshToken?: string
}

function parseAnswer({ status, body }: ProviderResponse): Answer {
  const fields = parseObject(body) ?? {}
  const text = (key: string): string | undefined => {
    const value = fields[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const error = text('error')
  if (status < 200 || status > 299 || error !== undefined) {
    // Error codes are words; anything else might repeat what was sent.
    return { error: error !== undefined && /^[a-z_]{1,60}$/.test(error) ? error : `HTTP ${status}` }
  }
  const [idToken, refreshToken] = [text('id_token'), text('refresh_token')]
  return { ...(idToken !== undefined && { idToken }), ...(refreshToken !== undefined && { refreshToken }) }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isPlainObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A URL that a refresh token may be sent to: encrypted, or not leaving this machine. */
function parseProviderUrl(text: string): URL | undefined {
  try {
    const url = new URL(text)
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal) ? url : undefined
  } catch {
    return undefined
  }
}

function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}
