/**
 * The rules that Kubernetes has for names, in the server's words. Each returns what is wrong, nothing when the name is
 * right. All expressions are linear: names come from users.
 */

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelValue = `(${labelKey})?`

const labelPattern = new RegExp(`^${label}$`)
const subdomainPattern = new RegExp(`^${subdomain}$`)
const label1035Pattern = new RegExp(`^${label1035}$`)
const labelKeyPattern = new RegExp(`^${labelKey}$`)
const labelValuePattern = new RegExp(`^${labelValue}$`)

function mismatch(rule: string, pattern: string, examples: readonly string[]): string {
  // The comma before "or" is the server's.
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`
}

// The server counts bytes in all names, and calls them characters in the older ones of its rules.
function tooLong(text: string, max: number, unit: 'bytes' | 'characters'): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : []
}

/** The name of a namespace. */
export function dnsLabelProblems(text: string): string[] {
  const problems = tooLong(text, 63, 'characters')
  if (labelPattern.test(text)) return problems
  if (subdomainPattern.test(text)) return [...problems, 'must not contain dots']
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
  return [...problems, mismatch(rule, label, ['my-name', '123-abc'])]
}

/** The name of most objects, and of an API group. */
export function dnsSubdomainProblems(text: string): string[] {
  return subdomainProblems(text, 'characters')
}

function subdomainProblems(text: string, unit: 'bytes' | 'characters'): string[] {
  const problems = tooLong(text, 253, unit)
  if (subdomainPattern.test(text)) return problems
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
  return [...problems, mismatch(rule, subdomain, ['example.com'])]
}

/** The name of a version, of a resource, and (in lower case) of a kind. */
export function dns1035LabelProblems(text: string): string[] {
  const problems = tooLong(text, 63, 'characters')
  if (label1035Pattern.test(text)) return problems
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
  return [...problems, mismatch(rule, label1035, ['my-name', 'abc-123'])]
}

/** The key of a label or an annotation, the name of a finalizer: a name with an optional domain before it. */
export function labelKeyProblems(text: string): string[] {
  const rule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  const parts = text.split('/')
  const wrong = (): string => mismatch(rule, labelKey, ['MyName', 'my.name', '123-abc'])
  if (parts.length > 2) {
    return [
      `a valid label key ${wrong()} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const [prefix, name = ''] = parts.length === 2 ? parts : [undefined, text]
  const problems: string[] = []
  if (prefix === '') problems.push('prefix part must be non-empty')
  else if (prefix !== undefined) {
    problems.push(...subdomainProblems(prefix, 'bytes').map((problem) => `prefix part ${problem}`))
  }
  if (name === '') problems.push('name part must be non-empty')
  else problems.push(...tooLong(name, 63, 'bytes').map((problem) => `name part ${problem}`))
  if (!labelKeyPattern.test(name)) problems.push(`name part ${wrong()}`)
  return problems
}

/** The value of a label. */
export function labelValueProblems(text: string): string[] {
  const problems = tooLong(text, 63, 'bytes')
  if (labelValuePattern.test(text)) return problems
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  return [...problems, mismatch(rule, labelValue, ['MyValue', 'my_value', '12345'])]
}

/** What may not stand in a segment of a URL's path. With `prefix`, something will still be appended. */
export function pathSegmentProblems(text: string, options: { prefix: boolean }): string[] {
  if (!options.prefix && (text === '.' || text === '..')) return [`may not be '${text}'`]
  return ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`)
}
