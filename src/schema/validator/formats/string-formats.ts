import { isCreditCard, isIsbn10, isIsbn13 } from './check-digits.js'
import { isEmail } from './email.js'
import { isCidr, isIpv4, isIpv6, isMac } from './ip.js'
import { isDate, isDateTime, isDuration } from './time.js'
import { isUri } from './uri.js'

/** Says whether a string has the format. */
export type FormatCheck = (text: string) => boolean

const octet = String.raw`(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])`
const space = String.raw`[\t\n\f\r ]*`
const rgb = new RegExp(
  `^rgb\\(${space}${octet}${space},${space}${octet}${space},${space}${octet}${space}\\)$`,
)

const shortName = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?'
const oneShortName = new RegExp(`^${shortName}$`)
const longName = new RegExp(`^${shortName}(?:\\.${shortName})*$`)

// A function: its tables of characters take two milliseconds to read, and hardly any schema asks.
const hostname = (): RegExp =>
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u

function isHostname(text: string): boolean {
  return (
    Buffer.byteLength(text) <= 255 &&
    text.split('.').every((label) => Buffer.byteLength(label) <= 63) &&
    // Only after its length, so that no input makes it slow.
    hostname().test(text)
  )
}

function matching(pattern: RegExp): FormatCheck {
  return (text) => pattern.test(text)
}

/**
 * The formats of strings that kube-apiserver 1.36 checks, by name without hyphens. Of any other format it says nothing:
 * the keyword is ignored.
 */
const checks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matching(/^[0-9a-f]{24}$/i)],
  ['uri', isUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ['hexcolor', matching(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i)],
  ['rgbcolor', matching(rgb)],
  ['byte', matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && oneShortName.test(text)],
  ['k8slongname', (text) => text.length <= 253 && longName.test(text)],
])

/** The check of a string format by any spelling (`date-time` or `datetime`); undefined when the server has none. */
export function stringFormatCheck(format: string): FormatCheck | undefined {
  return checks.get(format.replaceAll('-', ''))
}
