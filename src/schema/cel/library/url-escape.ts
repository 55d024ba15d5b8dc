import { quoteText } from '../value/text.js'

/** Thrown for a URL that is none; the message is the server's. */
export class UrlPartError extends Error {
  override readonly name = 'UrlPartError'
}

type UrlPart = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment'

const always = /[A-Za-z0-9\-_.~]/
const alsoIn: Readonly<Record<UrlPart, string>> = {
  path: '$&+,/:;=@',
  host: '!$&\'()*+,;=:[]<>"',
  zone: '!$&\'()*+,;=:[]<>"',
  user: '$&+,;=',
  query: '',
  fragment: '$&+,/:;=?@!()*',
}

function mayStand(character: string, part: UrlPart): boolean {
  return always.test(character) || alsoIn[part].includes(character)
}

/** Percent-encodes what may not stand in that part. */
export function escapeUrlPart(text: string, part: UrlPart): string {
  let escaped = ''
  for (const character of text) {
    if (mayStand(character, part)) escaped += character
    else if (character === ' ' && part === 'query') escaped += '+'
    else
      for (const byte of Buffer.from(character, 'utf8'))
        escaped += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return escaped
}

/** Decodes a part. Throws {@link UrlPartError} for a wrong escape, or a character that a host must not have. */
export function unescapeUrlPart(text: string, part: UrlPart): string {
  const pieces: Uint8Array[] = []
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === '%') {
      pieces.push(Uint8Array.of(escapedByte(text, index, part)))
      index += 2
    } else if (character === '+' && part === 'query') pieces.push(Uint8Array.of(0x20))
    else {
      const isHost = part === 'host' || part === 'zone'
      if (isHost && character < '\u0080' && !mayStand(character, part))
        throw new UrlPartError(`invalid character ${quoteText(character)} in host name`)
      const code = text.codePointAt(index) ?? 0
      pieces.push(Buffer.from(String.fromCodePoint(code), 'utf8'))
      if (code > 0xffff) index++
    }
  }
  return Buffer.concat(pieces).toString('utf8')
}

function escapedByte(text: string, at: number, part: UrlPart): number {
  // Three bytes, not characters.
  const escape = Buffer.from(text.slice(at, at + 3), 'utf8')
    .subarray(0, 3)
    .toString('utf8')
  const invalid = (): UrlPartError => new UrlPartError(`invalid URL escape ${quoteText(escape)}`)
  if (!/^%[0-9A-Fa-f]{2}$/.test(escape)) throw invalid()
  const byte = Number.parseInt(escape.slice(1), 16)
  // Only bytes of other alphabets are escaped in host names, apart from the percent sign of a zone.
  if (part === 'host' && byte < 0x80 && escape !== '%25') throw invalid()
  if (part === 'zone' && escape !== '%25' && byte !== 0x20 && !mayStand(String.fromCharCode(byte), 'host'))
    throw invalid()
  return byte
}

/** True for a path that may stay as it was written. */
export function isEncodedPath(path: string): boolean {
  for (const character of path) {
    if (!"!'()*[]%".includes(character) && !mayStand(character, 'path')) return false
  }
  return true
}
