import { isIp } from './ip.js'

const controlCharacter = new RegExp(String.raw`[\u0000-\u001f\u007f]`)
const badEscape = /%(?![0-9a-f]{2})/i
// The characters that Go leaves unescaped in a host; beyond ASCII everything may stand there.
const hostCharacters = /^[!"$&'()*+,\-.0-9:;<=>A-Z[\]_a-z~\u0080-\u{10ffff}]*$/u
const userinfoCharacters = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/

/** Format `uri`: an absolute URI or an absolute path, by the rules of Go's `url.ParseRequestURI`. */
export function isUri(text: string): boolean {
  if (text === '' || text.startsWith(':') || controlCharacter.test(text)) return false
  if (text === '*') return true
  const scheme = /^([a-z][a-z0-9+\-.]*):/i.exec(text)?.[1] ?? ''
  const beforeQuery = (scheme === '' ? text : text.slice(scheme.length + 1)).split('?', 1)[0] ?? ''
  // Without a slash it is opaque (`mailto:...`), which nobody looks into.
  if (!beforeQuery.startsWith('/')) return scheme !== ''
  if (scheme === '' || !beforeQuery.startsWith('//')) return !badEscape.test(beforeQuery)
  const end = beforeQuery.indexOf('/', 2)
  const authority = end === -1 ? beforeQuery.slice(2) : beforeQuery.slice(2, end)
  const path = end === -1 ? '' : beforeQuery.slice(end)
  return isAuthority(authority, scheme.toLowerCase()) && !badEscape.test(path)
}

function isAuthority(authority: string, scheme: string): boolean {
  const at = authority.lastIndexOf('@')
  if (!isHost(authority.slice(at + 1), scheme)) return false
  const userinfo = at === -1 ? '' : authority.slice(0, at)
  return userinfoCharacters.test(userinfo) && userinfo.split(/:(.*)/s).every((part) => !badEscape.test(part))
}

function isHost(host: string, scheme: string): boolean {
  const bracket = host.lastIndexOf('[')
  if (bracket > 0) return false
  if (bracket === 0) {
    const end = host.lastIndexOf(']')
    return end !== -1 && isPort(host.slice(end + 1)) && isIpLiteral(host.slice(1, end))
  }
  // Only the web's schemes are strict about a second colon: databases write lists of hosts there.
  const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':')
  if (colon !== -1 && !isPort(host.slice(colon))) return false
  // In a host only bytes beyond ASCII may be escaped, and the percent sign itself.
  return hostCharacters.test(host.replace(/%(?:[89a-f][0-9a-f]|25)/gi, ''))
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text)
}

function isIpLiteral(text: string): boolean {
  const zoneAt = text.indexOf('%25')
  const address = zoneAt === -1 ? text : text.slice(0, zoneAt)
  if (!isIp(address) || !/^[^.]*:/.test(address)) return false
  if (zoneAt === -1) return true
  const zone = text.slice(zoneAt + 3)
  return (
    zone !== '' &&
    !badEscape.test(zone) &&
    hostCharacters.test(zone.replace(/%[0-9a-f]{2}/gi, unescapeInZone))
  )
}

function unescapeInZone(escape: string): string {
  const code = Number.parseInt(escape.slice(1), 16)
  if (code === 0x25 || code === 0x20) return ''
  // A byte beyond ASCII may not be escaped here; `#` is no host character either.
  return code < 0x80 ? String.fromCharCode(code) : '#'
}
