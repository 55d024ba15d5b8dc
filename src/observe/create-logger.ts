import { type Clock, formatUtcTime, systemClock } from '../base/index.js'
import { logLevelOrder } from './log-level.js'
import {
  type BoundFields,
  createHumanFormat,
  createJsonFormat,
  noFields,
  type RecordFormat,
} from './log-record.js'
import { createLogSink } from './log-sink.js'
import type { LogFields, Logger, LogLevel } from './logger.js'

export interface LoggerOptions {
  /** `json` (the default) for machines, `human` for eyes. */
  readonly format?: 'json' | 'human'
  /** The quietest level to write; `info` unless said otherwise. */
  readonly level?: LogLevel
  /** Takes each line with its line feed. Default: standard output, buffered, never blocking (see `createLogSink`). */
  readonly write?: (line: string) => void
  readonly clock?: Clock
  /** Facts for every line. A field `logger` names the part of the program that speaks. */
  readonly fields?: LogFields
  /** Colours in the human format. Ask whether the output is a terminal. */
  readonly colors?: boolean
}

/** Container runtimes split longer lines, and half a record is not JSON. */
const longestLineBytes = 16_000

/**
 * A logger that writes one line for each record. Credentials are left out wherever they stand, control characters are
 * escaped, size is bounded; it never throws and never blocks.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { level = 'info', clock = systemClock, fields = {}, colors = false } = options
  const format = options.format === 'human' ? createHumanFormat(colors) : createJsonFormat()
  const stamp = createTimestamps(clock)
  const write = options.write ?? writeToStandardOutput(format, stamp, clock)
  const parts = { format, stamp, write, threshold: logLevelOrder[level], stacks: level === 'debug' }
  return bindLogger(parts, new Binding(undefined, fields))
}

interface LoggerParts {
  readonly format: RecordFormat
  readonly stamp: () => string
  readonly write: (line: string) => void
  readonly threshold: number
  readonly stacks: boolean
}

const silent = (): void => {}

function bindLogger(parts: LoggerParts, binding: Binding): Logger {
  const at = (level: LogLevel): Logger['info'] => {
    if (logLevelOrder[level] < parts.threshold) return silent
    return (message, fields) => {
      const line = lineOf(parts, binding, level, { message, fields: fields ?? undefined })
      try {
        parts.write(line)
      } catch {
        // What takes the lines is not ours. It must not stop the work that the line tells of.
      }
    }
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => bindLogger(parts, binding.extend(fields)),
  }
}

/** The facts of a logger, on top of those of the logger that it comes from. */
class Binding {
  readonly #parent: Binding | undefined
  readonly #fields: LogFields
  #written: BoundFields | undefined

  constructor(parent: Binding | undefined, fields: LogFields) {
    this.#parent = parent
    this.#fields = fields
  }

  /** A fact replaces the same fact further up: two of one name are not valid in one record. */
  extend(fields: LogFields): Binding {
    return this.overlaps(fields)
      ? new Binding(undefined, { ...this.#all(), ...fields })
      : new Binding(this, fields)
  }

  overlaps(fields: LogFields): boolean {
    for (const key in fields) if (this.#has(key)) return true
    return false
  }

  /** Written when the first line needs it: most loggers of a reconcile never speak. */
  written(format: RecordFormat, stacks: boolean): BoundFields {
    if (this.#written === undefined) {
      const above = this.#parent?.written(format, stacks) ?? noFields
      const room = Math.max(longestLineBytes / 2 - above.text.length, 0)
      const own = format.bind(this.#fields, { stacks, remaining: room })
      this.#written = { name: own.name === '' ? above.name : own.name, text: above.text + own.text }
    }
    return this.#written
  }

  #has(key: string): boolean {
    return Object.hasOwn(this.#fields, key) || (this.#parent !== undefined && this.#parent.#has(key))
  }

  #all(): LogFields {
    return this.#parent === undefined ? this.#fields : { ...this.#parent.#all(), ...this.#fields }
  }
}

function lineOf(
  parts: LoggerParts,
  binding: Binding,
  level: LogLevel,
  { message, fields }: { readonly message: string; readonly fields: LogFields | undefined },
): string {
  const { format, stacks } = parts
  const time = parts.stamp()
  try {
    const isMerged = fields !== undefined && binding.overlaps(fields)
    const bound = (isMerged ? binding.extend(fields) : binding).written(format, stacks)
    const record = { level, time, message: String(message), fields: isMerged ? undefined : fields }
    const line = format.line(record, bound, { stacks, remaining: longestLineBytes - bound.text.length - 500 })
    // A character has up to three bytes, and up to six when it is escaped.
    if (line.length * 3 <= longestLineBytes || Buffer.byteLength(line) <= longestLineBytes) return line
    const shorter = { level, time, message: record.message.slice(0, 1_000), fields: { '...': 'too long' } }
    return format.line(shorter, { name: bound.name, text: '' }, { stacks, remaining: 2_000 })
  } catch {
    const unreadable = { level, time, message: '[a record that cannot be read]', fields: undefined }
    return format.line(unreadable, noFields, { stacks, remaining: 1_000 })
  }
}

/** The time of each line; the calendar is asked once a second. */
function createTimestamps(clock: Clock): () => string {
  let second = Number.NaN
  let prefix = ''
  return () => {
    const now = Math.floor(clock.now())
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      prefix = (formatUtcTime(now, 0) ?? `${now}Z`).slice(0, -1)
    }
    const ms = now - current * 1000
    return `${prefix}.${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`
  }
}

function writeToStandardOutput(
  format: RecordFormat,
  stamp: () => string,
  clock: Clock,
): (line: string) => void {
  const message = 'Log lines were lost because the output did not take them in time.'
  return createLogSink({
    clock,
    describeLoss: (lines) =>
      format.line({ level: 'warn', time: stamp(), message, fields: { lines } }, noFields, {
        stacks: false,
        remaining: 1_000,
      }),
  }).write
}
