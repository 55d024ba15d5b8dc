import { toError } from '../base/index.js'

/** Facts that go with a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** One piece of work, as long as it lasts. */
export interface Span {
  set(attributes: SpanAttributes): void
}

/** Tells which work caused which, and how long it took. */
export interface Tracer {
  /**
   * Runs the work inside a span that ends with it, and passes on its outcome. An error marks the span. Spans begun
   * within are children of this one.
   */
  span<T>(name: string, attributes: SpanAttributes, work: (span: Span) => Promise<T>): Promise<T>
}

const noSpan: Span = { set: () => {} }

/** Traces nothing, and costs one call. */
export const silentTracer: Tracer = {
  span: (_name, _attributes, work) => work(noSpan),
}

/** The part of `@opentelemetry/api` that is used. The whole module fits. */
export interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string, version?: string): OpenTelemetryTracer
  }
}

export interface OpenTelemetryTracer {
  startActiveSpan<T>(
    name: string,
    options: { attributes?: Record<string, string | number | boolean> },
    work: (span: OpenTelemetrySpan) => T,
  ): T
}

export interface OpenTelemetrySpan {
  setAttributes(attributes: Record<string, string | number | boolean>): unknown
  recordException(error: Error): void
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
}

/** `SpanStatusCode.ERROR` of OpenTelemetry: part of its stable interface. */
const statusError = 2

/** A tracer over OpenTelemetry's API: spans go wherever the program's SDK sends them. */
export function createOpenTelemetryTracer(
  api: OpenTelemetryApi,
  scope: { readonly name: string; readonly version?: string } = { name: 'kubewright' },
): Tracer {
  const tracer = api.trace.getTracer(scope.name, scope.version)
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
        try {
          return await work({ set: (more) => void span.setAttributes({ ...more }) })
        } catch (thrown) {
          const error = toError(thrown)
          span.recordException(error)
          span.setStatus({ code: statusError, message: error.message })
          throw thrown
        } finally {
          span.end()
        }
      }),
  }
}

// A variable, so that neither the compiler nor a bundler looks for a package that most programs do not have.
const packageName: string = '@opentelemetry/api'

/** A tracer over `@opentelemetry/api` if the program has that package, otherwise {@link silentTracer}. */
export async function findTracer(load: () => Promise<unknown> = loadOpenTelemetry): Promise<Tracer> {
  let module: unknown
  try {
    module = await load()
  } catch {
    return silentTracer
  }
  return isOpenTelemetryApi(module) ? createOpenTelemetryTracer(module) : silentTracer
}

async function loadOpenTelemetry(): Promise<unknown> {
  const module: unknown = await import(packageName)
  return module
}

function isOpenTelemetryApi(module: unknown): module is OpenTelemetryApi {
  if (typeof module !== 'object' || module === null || !('trace' in module)) return false
  const { trace } = module
  return (
    typeof trace === 'object' &&
    trace !== null &&
    'getTracer' in trace &&
    typeof trace.getTracer === 'function'
  )
}
