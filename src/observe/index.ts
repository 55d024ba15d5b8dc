/**
 * What an operator tells about itself: logs, metrics and traces.
 *
 * @module
 */
export { createLogger, type LoggerOptions } from './create-logger.js'
export { logLevelForVerbosity } from './log-level.js'
export { createLogSink, type LogSink, type LogSinkIo, type LogSinkOptions } from './log-sink.js'
export { type LogFields, type Logger, type LogLevel, silentLogger } from './logger.js'
export {
  type Counter,
  type CounterSeries,
  createMetrics,
  type Gauge,
  type GaugeOptions,
  type GaugeSeries,
  type Histogram,
  type HistogramOptions,
  type HistogramSeries,
  type LabelArgs,
  type LabelValues,
  MetricError,
  type MetricOptions,
  type Metrics,
  type MetricsOptions,
  metricsContentType,
} from './metrics.js'
export {
  createOpenTelemetryTracer,
  findTracer,
  type OpenTelemetryApi,
  type OpenTelemetrySpan,
  type OpenTelemetryTracer,
  type Span,
  type SpanAttributes,
  silentTracer,
  type Tracer,
} from './tracer.js'
