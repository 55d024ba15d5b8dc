/** What stands in a log line where a secret stood. */
export const redacted = '[redacted]'

// Compared without case and separators: client-key-data, clientKeyData and CLIENT_KEY_DATA are one name.
const secretNames = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'bearertoken',
  'clientkey',
  'clientkeydata',
  'clientsecret',
  'cookie',
  'idtoken',
  'passphrase',
  'passwd',
  'password',
  'privatekey',
  'proxyauthorization',
  'refreshtoken',
  'secretkey',
  'setcookie',
  'tlskey',
  'token',
  'xapikey',
])

// Every name above has one of these in it, and hardly any other name does: the dear comparison is for few.
const secretNameHint = /token|auth|cookie|pass|key|secret/i

/** True for names whose value is a secret wherever it stands: headers, fields of a kubeconfig, parts of a request. */
export function isSecretName(name: string): boolean {
  return secretNameHint.test(name) && secretNames.has(name.toLowerCase().replace(/[-_. ]/g, ''))
}

/** What an object of this kind hides. Kinds that hide nothing have no entry. */
export const secretParts: ReadonlyMap<string, 'data' | 'items' | 'body'> = new Map([
  ['Secret', 'data'],
  ['SecretList', 'items'],
  ['TokenReview', 'body'],
  ['TokenRequest', 'body'],
  ['ExecCredential', 'body'],
])

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

// One cheap look decides for nearly every text. Nothing shorter than this can hold a credential and its mark.
const shortestSecret = 16
const suspicious = /[Bb]earer\s|uthorization|PRIVATE KEY|eyJ|kind\\*["']?\s*:|token=|:\/\/[^\s/@]*@/
const secretKinds = [...secretParts.keys()].join('|')

const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  [/(\bauthorization["']?\s*[:=]\s*["']?)(?:(?:basic|bearer)\s+)?[^\s"',;]+/gi, `$1${redacted}`],
  [/\b(bearer\s+)[A-Za-z0-9._~+/-]{12,}=*/gi, `$1${redacted}`],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g, redacted],
  [/([?&#;]\w*token=)[^&\s"'#;]+/gi, `$1${redacted}`],
  [/(:\/\/)[^\s/@]+@/g, `$1${redacted}@`],
]
const secretDocument = new RegExp(`\\bkind\\\\*["']?\\s*:\\s*\\\\*["']?(?:${secretKinds})\\b`)

/**
 * The text without credentials that can be told by their form: bearer tokens, JSON Web Tokens, private keys, passwords in
 * URLs. A text that is or holds a Secret in JSON or YAML is hidden whole.
 */
export function redactText(text: string): string {
  if (text.length < shortestSecret || !suspicious.test(text)) return text
  if (secretDocument.test(text)) return redacted
  let result = text
  for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement)
  return result
}
