import type { Random } from '../base/index.js'

// The texts below are the API server's own, letter by letter: users search for them, and the embedded server must say
// the same. That is also why the limit counts "characters" for names and "bytes" for labels.
const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const dns1123Subdomain = `${dns1123Label}(\\.${dns1123Label})*`
const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?'
const labelName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'

const dns1123LabelPattern = wholly(dns1123Label)
const dns1123SubdomainPattern = wholly(dns1123Subdomain)
const dns1035LabelPattern = wholly(dns1035Label)
const labelNamePattern = wholly(labelName)
const labelValuePattern = wholly(`(${labelName})?`)

const subdomainRule = ruleText(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  dns1123Subdomain,
  ['example.com'],
)
const labelNameRule = ruleText(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelName,
  ['MyName', 'my.name', '123-abc'],
)

/** What the API server says against a namespace's name, or that of another kind named by a DNS label. Empty: nothing. */
export function dns1123LabelErrors(value: string): string[] {
  const errors = tooLong(value, 63, 'characters')
  if (dns1123LabelPattern.test(value)) return errors
  if (dns1123SubdomainPattern.test(value)) return [...errors, 'must not contain dots']
  return [
    ...errors,
    ruleText(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      dns1123Label,
      ['my-name', '123-abc'],
    ),
  ]
}

/** What the API server says against the name of most objects, custom ones included. Empty: nothing. */
export function dns1123SubdomainErrors(value: string): string[] {
  const errors = tooLong(value, 253, 'characters')
  return dns1123SubdomainPattern.test(value) ? errors : [...errors, subdomainRule]
}

/** What the API server says against the name of a Service. Empty: nothing. */
export function dns1035LabelErrors(value: string): string[] {
  const errors = tooLong(value, 63, 'characters')
  if (dns1035LabelPattern.test(value)) return errors
  return [
    ...errors,
    ruleText(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      dns1035Label,
      ['my-name', 'abc-123'],
    ),
  ]
}

/** What the API server says against the key of a label, a finalizer or the type of a condition. Empty: nothing. */
export function labelKeyErrors(value: string): string[] {
  const parts = value.split('/')
  if (parts.length > 2) {
    return [
      `a valid label key ${labelNameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? parts[0] : undefined
  return [
    ...(prefix === undefined ? [] : labelPrefixErrors(prefix)),
    ...(name === '' ? ['must be non-empty'] : tooLong(name, 63, 'bytes')).map((text) => `name part ${text}`),
    ...(labelNamePattern.test(name) ? [] : [`name part ${labelNameRule}`]),
  ]
}

function labelPrefixErrors(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  const errors = tooLong(prefix, 253, 'bytes')
  if (!dns1123SubdomainPattern.test(prefix)) errors.push(subdomainRule)
  return errors.map((text) => `prefix part ${text}`)
}

/** What the API server says against the value of a label. Empty: nothing. */
export function labelValueErrors(value: string): string[] {
  const errors = tooLong(value, 63, 'bytes')
  if (labelValuePattern.test(value)) return errors
  return [
    ...errors,
    ruleText(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      `(${labelName})?`,
      ['MyValue', 'my_value', '12345'],
    ),
  ]
}

// Without vowels and look-alikes, as the API server has it: no bad words, no 0 for o.
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const suffixLength = 5
const longestGeneratedName = 63

/** A name as the API server makes it from `generateName`: the prefix, cut to fit 63 characters, and five random ones. */
export function generateName(prefix: string, random: Random): string {
  let name = prefix.slice(0, longestGeneratedName - suffixLength)
  for (let count = 0; count < suffixLength; count++)
    name += suffixAlphabet[Math.floor(random() * suffixAlphabet.length)] ?? ''
  return name
}

function wholly(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`)
}

function tooLong(value: string, max: number, unit: 'characters' | 'bytes'): string[] {
  return Buffer.byteLength(value) > max ? [`must be no more than ${max} ${unit}`] : []
}

function ruleText(rule: string, pattern: string, examples: readonly string[]): string {
  return `${rule} (e.g. ${examples.map((text) => `'${text}', `).join(' or ')}regex used for validation is '${pattern}')`
}
