import type { Clock } from '../../src/base/index.js'
import type { LogFields, Logger, LogLevel } from '../../src/observe/index.js'

export interface LogLine {
  readonly atMs: number
  readonly level: LogLevel
  readonly message: string
  readonly fields: LogFields
}

/** A logger that keeps its lines. */
export interface RecordedLog extends Logger {
  readonly lines: LogLine[]
  /** Lines of this level or worse whose message holds the text. */
  find(level: 'warn' | 'error', text?: string): LogLine[]
}

export function createRecordedLog(clock: Clock): RecordedLog {
  const lines: LogLine[] = []
  const loggerWith = (outer: LogFields): Logger => {
    const write =
      (level: LogLevel) =>
      (message: string, fields: LogFields = {}): void => {
        lines.push({ atMs: clock.monotonic(), level, message, fields: { ...outer, ...fields } })
      }
    return {
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      with: (fields) => loggerWith({ ...outer, ...fields }),
    }
  }
  return {
    ...loggerWith({}),
    lines,
    find: (level, text = '') =>
      lines.filter((line) => (line.level === 'error' || line.level === level) && line.message.includes(text)),
  }
}
