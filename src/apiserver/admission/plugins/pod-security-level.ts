import { type FieldError, quoteText } from '../../../schema/index.js'

/** How much pods of a namespace may do, by the standards of which version. */
export interface SecurityLevel {
  readonly level: 'privileged' | 'baseline' | 'restricted'
  /** As the label has it: `latest`, `v1.25`. */
  readonly version: string
}

/** What happens to pods that do more: they are refused, noted, or warned of. */
export interface SecurityLevels {
  readonly enforce: SecurityLevel
  readonly audit: SecurityLevel
  readonly warn: SecurityLevel
}

const order = ['privileged', 'baseline', 'restricted'] as const
const prefix = 'pod-security.kubernetes.io/'

/** Negative when `left` allows more than `right`. */
export function compareLevels(left: SecurityLevel, right: SecurityLevel): number {
  return order.indexOf(left.level) - order.indexOf(right.level)
}

/** `restricted:latest`. */
export function describeLevel({ level, version }: SecurityLevel): string {
  return `${level}:${version}`
}

/** The minor version of the standards; infinite for the latest. */
export function minorOf({ version }: SecurityLevel): number {
  return version === 'latest' ? Number.POSITIVE_INFINITY : Number(version.slice('v1.'.length))
}

/**
 * The levels that the labels of a namespace say, and what is wrong with them. What cannot be read is taken for the
 * strictest when it is enforced, and for nothing when it is only told.
 */
export function readLevels(labels: Readonly<Record<string, string>> = {}): {
  readonly levels: SecurityLevels
  readonly errors: readonly FieldError[]
} {
  const errors: FieldError[] = []
  const refuse = (label: string, value: string, why: string): void => {
    errors.push({
      reason: 'FieldValueInvalid',
      field: `metadata.labels[${label}]`,
      message: `Invalid value: ${quoteText(value)}: ${why}`,
    })
  }
  const labelOf = (name: string): string | undefined =>
    Object.hasOwn(labels, `${prefix}${name}`) ? labels[`${prefix}${name}`] : undefined
  const readLevel = (mode: string, otherwise: SecurityLevel['level']): SecurityLevel['level'] => {
    const text = labelOf(mode)
    if (text === undefined) return 'privileged'
    const level = order.find((each) => each === text)
    if (level === undefined) refuse(`${prefix}${mode}`, text, `must be one of ${order.join(', ')}`)
    return level ?? otherwise
  }
  const readVersion = (mode: string): string => {
    const text = labelOf(`${mode}-version`) ?? 'latest'
    if (text === 'latest' || /^v1\.(\d|[1-9]\d*)$/.test(text)) return text
    refuse(`${prefix}${mode}-version`, text, 'must be "latest" or "v1.x"')
    return 'latest'
  }
  const enforce = { level: readLevel('enforce', 'restricted'), version: readVersion('enforce') }
  const audit = { level: readLevel('audit', 'privileged'), version: readVersion('audit') }
  let warn: SecurityLevel = { level: readLevel('warn', 'privileged'), version: readVersion('warn') }
  const isEnforced = order.some((level) => level === labelOf('enforce'))
  if (labelOf('warn') === undefined && isEnforced && compareLevels(enforce, warn) > 0)
    warn = {
      level: enforce.level,
      version: labelOf('warn-version') === undefined ? enforce.version : warn.version,
    }
  return { levels: { enforce, audit, warn }, errors }
}
