import { posix } from 'node:path'
import { WebhookCallError } from './webhook-answer.js'
import type { WebhookClientConfig } from './webhook-caller.js'

/**
 * The URL of a webhook in text, its path cleaned: `https://host//a/../b/` is `https://host/b`, and one without a path ends
 * in a slash. That of a service always has its port.
 */
export function webhookUrl({ url = '', service }: WebhookClientConfig): string {
  if (service !== undefined) {
    const origin = `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}`
    return `${origin}${cleanPath(service.path ?? '')}`
  }
  // From the text, because URL resolves ".." after an empty segment in another way.
  const [, origin, path] = /^([^:/?#]+:\/\/[^/?#]*)([^?#]*)$/.exec(url) ?? []
  return origin === undefined || path === undefined ? url : `${origin}${cleanPath(path)}`
}

/** Rejects what a webhook's url may not have, with {@link WebhookCallError}. */
export function parseWebhookUrl(text: string): URL {
  const url = parsed(text)
  if (url.search !== '') throw new WebhookCallError('query parameters are not permitted in the URL')
  if (url.hash !== '') throw new WebhookCallError('fragments are not permitted in the URL')
  return url
}

/** Where a redirect leads. It may have a query; whatever is not https throws a {@link WebhookCallError}. */
export function parseRedirect(location: string, from: URL): URL {
  const url = parsed(location, from)
  url.hash = ''
  return url
}

function parsed(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href))
    throw new WebhookCallError('the url is not valid; desired format: https://host[/path]')
  const url = new URL(text, base)
  if (url.protocol !== 'https:') throw new WebhookCallError("'https' is the only allowed URL scheme")
  if (url.username !== '' || url.password !== '')
    throw new WebhookCallError('user information is not permitted in the URL')
  return url
}

/** Decoded before it is cleaned: an escaped slash is one. */
function cleanPath(path: string): string {
  try {
    return encodePath(joined(decodeURIComponent(path)))
  } catch (error) {
    // Escaped bytes that are no text stay as they are.
    if (error instanceof URIError) return joined(path)
    throw error
  }
}

const joined = (path: string): string => posix.join('/', path).replace(/(?<=.)\/$/, '')

const encodePath = (path: string): string =>
  encodeURI(path).replace(/[?#!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
