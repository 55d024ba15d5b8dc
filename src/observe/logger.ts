export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** Facts that go with a log line. Values are plain data; an `error` is written with its code, message and causes. */
export type LogFields = Readonly<Record<string, unknown>>

/** Structured logging: a message in plain words, the facts beside it. Never blocks, never throws. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger that adds these facts to each of its lines. */
  with(fields: LogFields): Logger
}

/** Says nothing. */
export const silentLogger: Logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLogger,
}
