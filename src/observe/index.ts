/**
 * What an operator tells about itself: logs now; metrics and traces come with the runtime.
 *
 * @module
 */
export { type LogFields, type Logger, type LogLevel, silentLogger } from './logger.js'
