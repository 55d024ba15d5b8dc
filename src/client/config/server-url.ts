/** A checked base URL, or what is wrong with it. */
type ParsedServer =
  | { readonly kind: 'server'; readonly url: URL; readonly base: string }
  | { readonly kind: 'problem'; readonly message: string }

/**
 * The base URL of an API server, without query, fragment and trailing slash. `host:port` without a scheme means http, as
 * in client-go. Credentials in a URL end up in logs, so they are refused.
 */
export function parseServer(server: string): ParsedServer {
  const url = toUrl(server) ?? (server.includes('://') ? undefined : toUrl(`http://${server}`))
  if (url === undefined) return problem('it is not a URL: write it as https://host:port')
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return problem(`the scheme ${url.protocol} is not supported: write it as https://host:port`)
  if (url.username !== '' || url.password !== '')
    return problem('it holds a user name or password: move them to the user entry')
  return { kind: 'server', url, base: url.origin + url.pathname.replace(/\/+$/, '') }
}

function problem(message: string): ParsedServer {
  return { kind: 'problem', message }
}

/** A URL with a host; `localhost:8080` parses as the scheme `localhost:` and has none. */
function toUrl(text: string): URL | undefined {
  try {
    const url = new URL(text)
    return url.host === '' ? undefined : url
  } catch {
    return undefined
  }
}
