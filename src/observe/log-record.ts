import { quote, type ValueOptions, writeMember, writeString } from './log-value.js'
import type { LogFields, LogLevel } from './logger.js'

/** Makes one line, with its line feed, of one record. */
export interface RecordFormat {
  /** The part that is the same for all lines of a logger: written once, used often. */
  bind(fields: LogFields, options: ValueOptions): BoundFields
  line(record: LogRecord, bound: BoundFields, options: ValueOptions): string
}

export interface LogRecord {
  readonly level: LogLevel
  /** RFC 3339, in UTC. */
  readonly time: string
  readonly message: string
  readonly fields: LogFields | undefined
}

export interface BoundFields {
  /** From the field `logger`: which part of the program speaks. */
  readonly name: string
  readonly text: string
}

export const noFields: BoundFields = { name: '', text: '' }

// Our own words come first and must not come twice.
const reserved = new Set(['level', 'ts', 'logger', 'msg'])
const longestKey = 256

/** Messages and names of fields are mostly constants of a program: what they look like is found out once. */
const mostRemembered = 500

function remember<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    let value = made.get(text)
    if (value === undefined) {
      value = make(text)
      if (made.size < mostRemembered && text.length <= longestKey) made.set(text, value)
    }
    return value
  }
}

function shownKey(key: string): string {
  return reserved.has(key) ? `field.${key}` : key.slice(0, longestKey)
}

/** `{"level":"info","ts":"...","logger":"...","msg":"...","key":"value"}`: the names that zap and controller-runtime use. */
export function createJsonFormat(): RecordFormat {
  const keyText = remember((key) => `,${quote(shownKey(key))}:`)
  const messageText = remember(wholeMessage)
  const asIs = (json: string): string => json
  return {
    bind(fields, options) {
      const name = nameIn(fields)
      return {
        name: name === undefined ? '' : `"logger":${writeString(name, options)},`,
        text: writeFields(fields, options, keyText, asIs),
      }
    },
    line({ level, time, message, fields }, bound, options) {
      const text = messageText(message)
      options.remaining -= text.length
      const own = fields === undefined ? '' : writeFields(fields, options, keyText, asIs)
      return `{"level":"${level}","ts":"${time}",${bound.name}"msg":${text}${bound.text}${own}}\n`
    },
  }
}

/** `2026-08-20T09:30:00.123Z INFO  controller Message  key=value`: for eyes. */
export function createHumanFormat(colors: boolean): RecordFormat {
  const paint = (code: number, text: string): string => (colors ? `\u001b[${code}m${text}\u001b[0m` : text)
  const labels: Readonly<Record<LogLevel, string>> = {
    debug: paint(35, 'DEBUG'),
    info: `${paint(32, 'INFO')} `,
    warn: `${paint(33, 'WARN')} `,
    error: paint(31, 'ERROR'),
  }
  const keyText = remember((key) => ` ${paint(2, `${bare(quote(shownKey(key)))}=`)}`)
  // Within quotes JSON escapes what could move the cursor; the quotes themselves are only in the way here.
  const messageText = remember((message) => wholeMessage(message).slice(1, -1).replaceAll('\\"', '"'))
  return {
    bind(fields, options) {
      const name = nameIn(fields)
      return {
        name: name === undefined ? '' : `${bare(writeString(name, options))} `,
        text: writeFields(fields, options, keyText, bare),
      }
    },
    line({ level, time, message, fields }, bound, options) {
      const text = messageText(message)
      options.remaining -= text.length
      const all = bound.text + (fields === undefined ? '' : writeFields(fields, options, keyText, bare))
      return `${paint(2, time)} ${labels[level]} ${bound.name}${text}${all === '' ? '' : ` ${all}`}\n`
    },
  }
}

function wholeMessage(message: string): string {
  return writeString(message, { stacks: false, remaining: Number.POSITIVE_INFINITY })
}

/** A JSON string without its quotes, where it stays one word. */
function bare(json: string): string {
  return /^"[\w./:@+-]+"$/.test(json) ? json.slice(1, -1) : json
}

function nameIn(fields: LogFields): string | undefined {
  const name = Object.hasOwn(fields, 'logger') ? readField(fields, 'logger') : undefined
  return typeof name === 'string' ? name : undefined
}

function writeFields(
  fields: LogFields,
  options: ValueOptions,
  keyText: (key: string) => string,
  valueText: (json: string) => string,
): string {
  let text = ''
  for (const key of Object.keys(fields)) {
    if (options.remaining <= 0) return text + keyText('...') + valueText('"too long"')
    const value = readField(fields, key)
    if (value === undefined || (key === 'logger' && typeof value === 'string')) continue
    const shown = keyText(key)
    options.remaining -= shown.length
    text += shown + valueText(writeMember(fields, key, value, options))
  }
  return text
}

function readField(fields: LogFields, key: string): unknown {
  try {
    return fields[key]
  } catch {
    return '[unreadable]'
  }
}
