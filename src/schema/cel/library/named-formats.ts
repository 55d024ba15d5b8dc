import type { FunctionDeclaration } from '../check/declaration.js'
import { matchCost, sizeOf } from '../plan/cost.js'
import { listOf } from '../value/list.js'
import { byteLength } from '../value/text.js'
import { parseTimestamp } from '../value/timestamp.js'
import { type CelType, listTypeOf, optionalTypeOf, stringType, structType } from '../value/type.js'
import {
  type CelOpaque,
  type CelValue,
  type CelVerdict,
  noSuchOverload,
  noValue,
  optionalOf,
} from '../value/value.js'
import { declare, member, overload } from './signature.js'
import { urlProblem } from './url-value.js'

const formatType: CelType = structType('kubernetes.NamedFormat')

/** The problems of a text; none if it has the format. */
type Validate = (text: string) => readonly string[]

class NamedFormat implements CelOpaque {
  readonly kind = 'opaque'
  readonly type = formatType
  readonly validate: Validate
  /** The length of the pattern, which the cost of a validation depends on. */
  readonly patternSize: number
  readonly #name: string

  constructor(name: string, patternSize: number, validate: Validate) {
    this.#name = name
    this.patternSize = patternSize
    this.validate = validate
  }

  get nativeText(): string {
    return `(cel.Format)${this.#name}`
  }

  equals(other: CelValue): CelVerdict {
    return other instanceof NamedFormat ? this.#name === other.#name : noSuchOverload()
  }
}

function patternError(message: string, pattern: string, ...examples: string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ')
  return `${message} (e.g. ${list}regex used for validation is '${pattern}')`
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
// The same languages as the patterns above, written so that no text makes them backtrack.
const isLabel = (text: string): boolean => /^[a-z0-9](?:[-a-z0-9]*)$/.test(text) && !text.endsWith('-')
const isLabel1035 = (text: string): boolean => isLabel(text) && /^[a-z]/.test(text)
const isSubdomain = (text: string): boolean => text.split('.').every(isLabel)
const isLabelKeyName = (text: string): boolean =>
  /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text)

const validateLabel: Validate = (text) => {
  const problems = byteLength(text) > 63 ? ['must be no more than 63 characters'] : []
  if (isLabel(text)) return problems
  if (isSubdomain(text)) return [...problems, 'must not contain dots']
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
  return [...problems, patternError(message, label, 'my-name', '123-abc')]
}

/** Lengths are told in characters or bytes, depending on which of the server's packages is asked. */
function subdomainProblems(text: string, unit: 'characters' | 'bytes'): readonly string[] {
  const problems = byteLength(text) > 253 ? [`must be no more than 253 ${unit}`] : []
  if (isSubdomain(text)) return problems
  const message =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
  return [...problems, patternError(message, subdomain, 'example.com')]
}

const validateSubdomain: Validate = (text) => subdomainProblems(text, 'characters')

const validateLabel1035: Validate = (text) => {
  const problems = byteLength(text) > 63 ? ['must be no more than 63 characters'] : []
  if (isLabel1035(text)) return problems
  const message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
  return [...problems, patternError(message, label1035, 'my-name', 'abc-123')]
}

const keyMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"

const validateLabelKey: Validate = (text) => {
  const parts = text.split('/')
  const wrongName = patternError(keyMessage, labelKey, 'MyName', 'my.name', '123-abc')
  if (parts.length > 2) {
    return [
      `a valid label key ${wrongName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const problems: string[] = []
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined
  if (prefix === '') problems.push('prefix part must be non-empty')
  else if (prefix !== undefined)
    problems.push(...subdomainProblems(prefix, 'bytes').map((problem) => `prefix part ${problem}`))
  if (name === '') problems.push('name part must be non-empty')
  else if (byteLength(name) > 63) problems.push('name part must be no more than 63 bytes')
  if (!isLabelKeyName(name)) problems.push(`name part ${wrongName}`)
  return problems
}

const validateLabelValue: Validate = (text) => {
  const problems = byteLength(text) > 63 ? ['must be no more than 63 bytes'] : []
  if (text === '' || isLabelKeyName(text)) return problems
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  return [...problems, patternError(message, `(${labelKey})?`, 'MyValue', 'my_value', '12345')]
}

/** A prefix may end in a dash: the server puts a letter in the place of its last two characters. */
function asPrefix(validate: Validate): Validate {
  return (text) => validate(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text)
}

function matching(test: (text: string) => boolean, problem: string): Validate {
  return (text) => (test(text) ? [] : [problem])
}

const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text)
const isBase64 = (text: string): boolean =>
  text !== '' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text)
const isDate = (text: string): boolean => typeof parseTimestamp(text, 'date') === 'object'

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t')
  if (text.length < 4 || time === undefined || !isDate(date)) return false
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/.exec(time)
  const [, hour = '99', minute = '99', second = '99'] = match ?? []
  return hour <= '23' && minute <= '59' && second <= '59'
}

const dateTimePatternSize = 76

const formats: ReadonlyMap<string, NamedFormat> = new Map([
  ['dns1123Label', new NamedFormat('DNS1123Label', 30, validateLabel)],
  ['dns1123Subdomain', new NamedFormat('DNS1123Subdomain', 60, validateSubdomain)],
  ['dns1035Label', new NamedFormat('DNS1035Label', 30, validateLabel1035)],
  ['qualifiedName', new NamedFormat('QualifiedName', 60, validateLabelKey)],
  ['dns1123LabelPrefix', new NamedFormat('DNS1123LabelPrefix', 30, asPrefix(validateLabel))],
  ['dns1123SubdomainPrefix', new NamedFormat('DNS1123SubdomainPrefix', 60, asPrefix(validateSubdomain))],
  ['dns1035LabelPrefix', new NamedFormat('DNS1035LabelPrefix', 30, asPrefix(validateLabel1035))],
  ['labelValue', new NamedFormat('LabelValue', 40, validateLabelValue)],
  [
    'uri',
    new NamedFormat('URI', 1103, (text) => {
      const problem = urlProblem(text)
      return problem === undefined ? [] : [problem]
    }),
  ],
  ['uuid', new NamedFormat('uuid', 86, matching(isUuid, 'does not match the UUID format'))],
  ['byte', new NamedFormat('byte', 84, matching(isBase64, 'invalid base64'))],
  ['date', new NamedFormat('date', dateTimePatternSize, matching(isDate, 'invalid date'))],
  ['datetime', new NamedFormat('datetime', dateTimePatternSize, matching(isDateTime, 'invalid datetime'))],
])

/** Formats by name: `!format.dns1123Label().validate(self.name).hasValue()`. */
export const namedFormats: readonly FunctionDeclaration[] = [
  declare(
    'validate',
    [
      member(
        'format-validate',
        [formatType, stringType],
        optionalTypeOf(listTypeOf(stringType)),
        ([format, text]) => {
          if (!(format instanceof NamedFormat) || typeof text !== 'string') return noSuchOverload()
          const problems = format.validate(text)
          return problems.length === 0 ? noValue : optionalOf(listOf(problems))
        },
      ),
    ],
    {
      cost: ([format, text]) =>
        format instanceof NamedFormat ? matchCost(sizeOf(text), format.patternSize) : 1,
    },
  ),
  declare('format.named', [
    overload('format-named', [stringType], optionalTypeOf(formatType), ([name]) => {
      if (typeof name !== 'string') return noSuchOverload()
      const format = formats.get(name)
      return format === undefined ? noValue : optionalOf(format)
    }),
  ]),
  ...Array.from(formats, ([name, format]) =>
    declare(`format.${name}`, [overload(`format.${name}`, [], formatType, () => format)]),
  ),
]
