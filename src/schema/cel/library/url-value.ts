import { quoteText } from '../value/text.js'
import { type CelType, structType } from '../value/type.js'
import { type CelOpaque, type CelValue, type CelVerdict, noSuchOverload } from '../value/value.js'
import { AddressError, parseAddress } from './ip-address.js'
import { escapeUrlPart, isEncodedPath, UrlPartError, unescapeUrlPart } from './url-escape.js'

/** The type of `url(...)`. */
export const urlType: CelType = structType('kubernetes.URL')

interface UrlParts {
  readonly scheme: string
  readonly opaque: string
  readonly user: string | undefined
  readonly host: string
  /** `file:/etc` has no authority at all, `file:///etc` an empty one. */
  readonly omitsHost: boolean
  readonly path: string
  readonly rawPath: string
  readonly query: string
  readonly forceQuery: boolean
  readonly fragment: string
}

/** A URL as the server's language understands one, which is not how browsers do. */
export class Url implements CelOpaque {
  readonly kind = 'opaque'
  readonly type: CelType = urlType
  readonly parts: UrlParts

  constructor(parts: UrlParts) {
    this.parts = parts
  }

  get nativeText(): string {
    return `(*url.URL)${this.text}`
  }

  get escapedPath(): string {
    const { path, rawPath } = this.parts
    if (rawPath !== '' && isEncodedPath(rawPath)) return rawPath
    return path === '*' ? '*' : escapeUrlPart(path, 'path')
  }

  /** Written out again: what two URLs are compared by. */
  get text(): string {
    const { scheme, opaque, user, host, omitsHost, query, forceQuery, fragment } = this.parts
    let text = scheme === '' ? '' : `${scheme}:`
    if (opaque !== '') text += opaque
    else {
      const path = this.escapedPath
      const authority = host !== '' || user !== undefined
      if (authority || (scheme !== '' && !omitsHost && path !== '')) text += '//'
      if (user !== undefined) text += `${user}@`
      text += escapeUrlPart(host, 'host')
      text += path
    }
    if (forceQuery || query !== '') text += `?${query}`
    return fragment === '' ? text : `${text}#${escapeUrlPart(fragment, 'fragment')}`
  }

  /** `host` without its port and brackets. */
  get hostname(): string {
    return splitPort(this.parts.host).hostname
  }

  get port(): string {
    return splitPort(this.parts.host).port
  }

  /** The values of every key of the query. What is not encoded properly is left out. */
  get queryValues(): Map<string, string[]> {
    const values = new Map<string, string[]>()
    for (const pair of this.parts.query.split('&')) {
      if (pair === '' || pair.includes(';')) continue
      const equals = pair.indexOf('=')
      try {
        const key = unescapeUrlPart(equals === -1 ? pair : pair.slice(0, equals), 'query')
        const value = unescapeUrlPart(equals === -1 ? '' : pair.slice(equals + 1), 'query')
        const known = values.get(key)
        if (known === undefined) values.set(key, [value])
        else known.push(value)
      } catch (error) {
        if (!(error instanceof UrlPartError)) throw error
      }
    }
    return values
  }

  equals(other: CelValue): CelVerdict {
    return other instanceof Url ? this.text === other.text : noSuchOverload()
  }
}

function splitPort(host: string): { hostname: string; port: string } {
  const match = /^([\s\S]*):([0-9]*)$/.exec(host)
  const hostname = match?.[1] ?? host
  const bracketed = /^\[([\s\S]*)\]$/.exec(hostname)?.[1]
  return { hostname: bracketed ?? hostname, port: match?.[2] ?? '' }
}

/** What is wrong with a text that should be an absolute URL or path, in the server's words; `undefined` if nothing. */
export function urlProblem(text: string): string | undefined {
  const parts = withProblem(text, () => parseParts(text, true))
  return typeof parts === 'string' ? parts : undefined
}

/** An absolute URL or path, or what is wrong with the text in the server's words. */
export function parseUrl(text: string): Url | string {
  // Read as a request line first, which knows no fragment, then as what it is.
  const problem = urlProblem(text)
  if (problem !== undefined) return problem
  return withProblem(text, () => {
    const hash = text.indexOf('#')
    const parts = parseParts(hash === -1 ? text : text.slice(0, hash), false)
    return new Url({
      ...parts,
      fragment: hash === -1 ? '' : unescapeUrlPart(text.slice(hash + 1), 'fragment'),
    })
  })
}

function withProblem<T>(text: string, parse: () => T): T | string {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof UrlPartError)) throw error
    return `parse ${quoteText(text)}: ${error.message}`
  }
}

function parseParts(text: string, viaRequest: boolean): UrlParts {
  if (containsControl(text)) throw new UrlPartError('net/url: invalid control character in URL')
  if (text === '' && viaRequest) throw new UrlPartError('empty url')
  const empty = {
    scheme: '',
    opaque: '',
    user: undefined,
    host: '',
    omitsHost: false,
    rawPath: '',
    query: '',
    forceQuery: false,
    fragment: '',
  }
  if (text === '*') return { ...empty, path: '*' }
  const { scheme, rest: afterScheme } = takeScheme(text)
  const mark = afterScheme.indexOf('?')
  const forceQuery = mark !== -1 && mark === afterScheme.length - 1
  let rest = mark === -1 ? afterScheme : afterScheme.slice(0, mark)
  const head = { ...empty, scheme, forceQuery, query: mark === -1 ? '' : afterScheme.slice(mark + 1) }
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...head, opaque: rest, path: '' }
    if (viaRequest) throw new UrlPartError('invalid URI for request')
    if (/^[^/]*:/.test(rest)) throw new UrlPartError('first path segment in URL cannot contain colon')
  }
  let authority: Pick<UrlParts, 'user' | 'host' | 'omitsHost'> = {
    user: undefined,
    host: '',
    omitsHost: scheme !== '' && rest.startsWith('/'),
  }
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2)
    const text = slash === -1 ? rest.slice(2) : rest.slice(2, slash)
    authority = { ...parseAuthority(scheme, text), omitsHost: false }
    rest = slash === -1 ? '' : rest.slice(slash)
  }
  const path = unescapeUrlPart(rest, 'path')
  return { ...head, ...authority, path, rawPath: escapeUrlPart(path, 'path') === rest ? '' : rest }
}

function containsControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

function takeScheme(text: string): { scheme: string; rest: string } {
  if (text.startsWith(':')) throw new UrlPartError('missing protocol scheme')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]
  if (scheme === undefined) return { scheme: '', rest: text }
  return { scheme: scheme.toLowerCase(), rest: text.slice(scheme.length + 1) }
}

function parseAuthority(scheme: string, authority: string): Pick<UrlParts, 'user' | 'host'> {
  const sign = authority.lastIndexOf('@')
  const host = parseHost(scheme, authority.slice(sign + 1))
  if (sign === -1) return { user: undefined, host }
  const userinfo = authority.slice(0, sign)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new UrlPartError('net/url: invalid userinfo')
  const colon = userinfo.indexOf(':')
  const name = unescapeUrlPart(colon === -1 ? userinfo : userinfo.slice(0, colon), 'user')
  const escaped = escapeUrlPart(name, 'user')
  if (colon === -1) return { user: escaped, host }
  return {
    user: `${escaped}:${escapeUrlPart(unescapeUrlPart(userinfo.slice(colon + 1), 'user'), 'user')}`,
    host,
  }
}

function checkPort(port: string): void {
  if (!/^(?::[0-9]*)?$/.test(port)) throw new UrlPartError(`invalid port ${quoteText(port)} after host`)
}

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[')
  if (open > 0) throw new UrlPartError('invalid IP-literal')
  if (open === 0) return parseBracketed(host)
  const first = host.indexOf(':')
  if (first !== -1)
    checkPort(host.slice(scheme === 'http' || scheme === 'https' ? first : host.lastIndexOf(':')))
  return unescapeUrlPart(host, 'host')
}

function parseBracketed(host: string): string {
  const close = host.lastIndexOf(']')
  if (close === -1) throw new UrlPartError("missing ']' in host")
  const port = host.slice(close + 1)
  checkPort(port)
  const name = host.slice(1, close)
  const zone = name.indexOf('%25')
  const plain =
    zone === -1
      ? unescapeUrlPart(name, 'host')
      : unescapeUrlPart(name.slice(0, zone), 'host') + unescapeUrlPart(name.slice(zone), 'zone')
  try {
    if (parseAddress(plain).bytes.length === 4) throw new UrlPartError('invalid IP-literal')
  } catch (error) {
    if (error instanceof AddressError)
      throw new UrlPartError(`invalid host: ${error.message}`, { cause: error })
    throw error
  }
  return `[${plain}]${port}`
}
