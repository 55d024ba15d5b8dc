import type { LogLevel } from './logger.js'

/** Quiet to loud is high to low: a logger writes its own level and everything above it. */
export const logLevelOrder: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

/**
 * The level for `-v`, as people know it from klog: up to 3 is for everybody who runs the operator, from 4 on it is for
 * finding a fault.
 */
export function logLevelForVerbosity(verbosity: number): LogLevel {
  return verbosity >= 4 ? 'debug' : 'info'
}
