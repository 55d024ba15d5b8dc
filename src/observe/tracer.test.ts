import { describe, expect, test } from 'vitest'
import { createOpenTelemetryTracer, findTracer, type OpenTelemetryApi, silentTracer } from './tracer.js'

interface RecordedSpan {
  readonly name: string
  readonly attributes: Record<string, unknown>
  readonly errors: Error[]
  status?: { code: number; message?: string }
  isEnded: boolean
}

/** Stands in for the package, which is not a dependency. */
function recordingApi(): { api: OpenTelemetryApi; spans: RecordedSpan[]; scopes: unknown[] } {
  const spans: RecordedSpan[] = []
  const scopes: unknown[] = []
  const api: OpenTelemetryApi = {
    trace: {
      getTracer: (...scope) => {
        scopes.push(scope)
        return {
          startActiveSpan: (name, options, work) => {
            const span: RecordedSpan = {
              name,
              attributes: { ...options.attributes },
              errors: [],
              isEnded: false,
            }
            spans.push(span)
            return work({
              setAttributes: (attributes) => Object.assign(span.attributes, attributes),
              recordException: (error) => void span.errors.push(error),
              setStatus: (status) => {
                span.status = status
              },
              end: () => {
                span.isEnded = true
              },
            })
          },
        }
      },
    },
  }
  return { api, spans, scopes }
}

describe('silentTracer', () => {
  test('runs the work and passes on its outcome', async () => {
    await expect(
      silentTracer.span('reconcile', {}, async (span) => {
        span.set({ a: 1 })
        return 7
      }),
    ).resolves.toBe(7)
    await expect(silentTracer.span('reconcile', {}, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    )
  })
})

describe('createOpenTelemetryTracer', () => {
  test('a span lasts as long as its work and carries its facts', async () => {
    const { api, spans, scopes } = recordingApi()
    const tracer = createOpenTelemetryTracer(api, { name: 'foo-operator', version: '1.2.3' })
    const result = await tracer.span('reconcile', { controller: 'foo' }, async (span) => {
      expect(spans[0]?.isEnded).toBe(false)
      span.set({ outcome: 'settled' })
      return 'done'
    })
    expect(result).toBe('done')
    expect(scopes).toEqual([['foo-operator', '1.2.3']])
    expect(spans).toEqual([
      { name: 'reconcile', attributes: { controller: 'foo', outcome: 'settled' }, errors: [], isEnded: true },
    ])
  })

  test('an error marks the span and is passed on as it was', async () => {
    const { api, spans } = recordingApi()
    const thrown = new Error('no')
    await expect(
      createOpenTelemetryTracer(api).span('reconcile', {}, () => Promise.reject(thrown)),
    ).rejects.toBe(thrown)
    expect(spans[0]).toMatchObject({ errors: [thrown], status: { code: 2, message: 'no' }, isEnded: true })
  })
})

describe('findTracer', () => {
  test('uses the package where the program has it', async () => {
    const { api, spans } = recordingApi()
    const tracer = await findTracer(() => Promise.resolve(api))
    await tracer.span('reconcile', {}, () => Promise.resolve())
    expect(spans).toHaveLength(1)
  })

  test('is silent where the package is missing or is something else', async () => {
    expect(await findTracer(() => Promise.reject(new Error('Cannot find package')))).toBe(silentTracer)
    expect(await findTracer(() => Promise.resolve({ trace: {} }))).toBe(silentTracer)
    expect(await findTracer(() => Promise.resolve(undefined))).toBe(silentTracer)
    expect(await findTracer()).toBe(silentTracer)
  })
})
