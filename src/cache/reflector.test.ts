import { describe, expect, test } from 'vitest'
import { AbortedError, KubewrightError, seededRandom } from '../base/index.js'
import { ApiError, type Status } from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import { createFakeClock, type FakeClock } from '../testing/fake-clock.js'
import { type ReflectorSink, runReflector } from './reflector.js'
import { defaultReflectorRules, type ListQuery, type ReflectorRules } from './reflector-state.js'
import type { ResourceSource, WatchQuery } from './resource-source.js'

/** One answer of the server to a watch: lines and silences, then an end or a failure. Silence without an end lasts. */
type Script = (query: WatchQuery, clock: FakeClock) => AsyncGenerator<string, void, undefined>

interface Told {
  /** `stream `, `watch 10`, `list 0/500`. */
  readonly asked: string[]
  /** `put a`, `remove a`, `replace a,b at 10`, `failed stalled`... */
  readonly told: string[]
  readonly logged: string[]
}

const line = (type: string, object: unknown): string => JSON.stringify({ type, object })
const thing = (name: string, resourceVersion: string): object => ({
  kind: 'Thing',
  metadata: { name, uid: name, resourceVersion },
})
const bookmark = (resourceVersion: string, end?: string): string =>
  line('BOOKMARK', {
    metadata: {
      resourceVersion,
      ...(end !== undefined && { annotations: { 'k8s.io/initial-events-end': end } }),
    },
  })
const listOf = (resourceVersion: string, ...names: string[]): string =>
  JSON.stringify({ metadata: { resourceVersion }, items: names.map((name) => thing(name, '1')) })
const refusal = (code: number, more: Partial<Status> & { retryAfterMs?: number } = {}): ApiError => {
  const { retryAfterMs, ...status } = more
  return new ApiError({
    request: 'list things',
    status: { kind: 'Status', code, reason: 'Because', ...status },
    httpStatus: code,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** Follows a server that answers by script; the last watch is silent for ever. */
async function follow(
  script: { readonly watches: readonly Script[]; readonly list?: (query: ListQuery) => string },
  during: (clock: FakeClock) => Promise<void>,
  rules: Partial<ReflectorRules> = {},
): Promise<Told> {
  const clock = createFakeClock()
  const asked: string[] = []
  const told: string[] = []
  const logged: string[] = []
  const watches = [...script.watches]
  const source: ResourceSource = {
    description: 'things',
    typeMeta: { apiVersion: 'v1', kind: 'Thing' },
    async list(query) {
      asked.push(`list ${query.resourceVersion}/${query.limit}`)
      return Buffer.from(script.list?.(query) ?? listOf('10'))
    },
    async *watch(query, signal) {
      asked.push(`${query.initialEvents ? 'stream' : 'watch'} ${query.resourceVersion}`)
      yield []
      for await (const text of watches.shift()?.(query, clock) ?? []) {
        if (signal.aborted) throw signal.reason
        yield [Buffer.from(text)]
      }
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    },
  }
  const sink: ReflectorSink = {
    async replace(snapshot, version) {
      told.push(`replace ${[...snapshot.keys()].join()} at ${version}`)
    },
    async missing() {
      told.push('missing')
    },
    put: ({ key }) => told.push(`put ${key}`),
    remove: ({ key }) => told.push(`remove ${key}`),
    reached: () => {},
    historyWentBack: () => told.push('history went back'),
    active: () => {},
    failed: (failure) => told.push(`failed ${failure}`),
  }
  const keep = (message: string, fields = {}): void =>
    void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log: Logger = { debug: keep, info: keep, warn: keep, error: keep, with: () => log }
  const stop = new AbortController()
  const running = runReflector(
    {
      source,
      sink,
      clock,
      random: seededRandom(1),
      log,
      rules: { ...defaultReflectorRules, ...rules },
      stripManagedFields: false,
    },
    stop.signal,
  )
  await clock.advance(0)
  await during(clock)
  stop.abort(new AbortedError())
  await running
  expect(clock.pendingTimers).toBe(0)
  return { asked, told, logged }
}

const plain = { streamingList: false }

describe('a streaming list', () => {
  test('that is silent is given up for a plain one after half a minute', async () => {
    const { asked, told } = await follow({ watches: [] }, async (clock) => {
      await clock.advance(29_000)
      await clock.advance(2_000)
    })
    expect(asked).toEqual(['stream ', 'list 0/500', 'watch 10'])
    expect(told).toContain('failed stalled')
  })

  test('that says everything but its end is given up after a minute', async () => {
    const endless: Script = async function* (_, clock) {
      yield line('ADDED', thing('a', '5'))
      for (;;) {
        yield bookmark('6', 'false')
        yield line('MODIFIED', thing('a', '7'))
        await new Promise<void>((resolve) => clock.setTimer(10_000, resolve))
      }
    }
    const { asked } = await follow({ watches: [endless] }, async (clock) => {
      await clock.advance(59_000)
      await clock.advance(2_000)
    })
    expect(asked.slice(0, 2)).toEqual(['stream ', 'list 0/500'])
  })

  test('that has reached its end may be quiet as long as any watch', async () => {
    const short: Script = async function* () {
      yield line('ADDED', thing('a', '5'))
      yield bookmark('9', 'true')
    }
    const { asked, told } = await follow({ watches: [short] }, async (clock) => clock.advance(65_000))
    expect(asked).toEqual(['stream '])
    expect(told).toEqual(['replace a at 9'])
  })
})

describe('a watch', () => {
  const fail = (error: Error): Script =>
    async function* () {
      yield* []
      throw error
    }

  test('that the server wants later waits as long as it asks, and longer than its own pause', async () => {
    const { asked } = await follow(
      { watches: [fail(refusal(429, { retryAfterMs: 45_000 }))] },
      async (clock) => {
        await clock.advance(44_000)
        await clock.advance(2_000)
      },
      plain,
    )
    expect(asked).toEqual(['list 0/500', 'watch 10', 'watch 10'])
  })

  test('that fails without a pause behind it is told and logged all the same', async () => {
    const { told, logged } = await follow(
      { watches: [fail(refusal(410, { reason: 'Expired' }))] },
      async (clock) => clock.advance(0),
      plain,
    )
    expect(told).toContain('failed expired')
    expect(logged.filter((text) => text.includes('"failure":"expired"'))).toHaveLength(1)
  })

  test('that nobody answered is not taken for a silent one', async () => {
    const { told, asked } = await follow(
      { watches: [fail(new KubewrightError('nothing', { code: 'KW_RESPONSE_TIMEOUT' }))] },
      async (clock) => clock.advance(2_000),
      plain,
    )
    expect(told).toContain('failed unanswered')
    expect(asked.at(-1)).toBe('watch 10')
  })

  test('that was silent to its end is followed by a question for one object, not by a list', async () => {
    const silent = fail(new KubewrightError('silence', { code: 'KW_IDLE_TIMEOUT' }))
    const { asked, told } = await follow({ watches: [silent] }, async (clock) => clock.advance(0), plain)
    expect(asked).toEqual(['list 0/500', 'watch 10', 'list 10/1', 'watch 10'])
    expect(told.filter((text) => text.startsWith('replace'))).toHaveLength(1)
  })

  test('passes over what it does not know, and stops at what it should', async () => {
    const odd: Script = async function* () {
      yield '{"type":"PING"}'
      yield line('SURPRISE', thing('x', '11'))
      yield line('ADDED', { kind: 'Stranger', metadata: { name: 'x', resourceVersion: '12' } })
      yield line('ADDED', thing('a', '13'))
      yield '{"type":"DELETED"}'
      yield line('ADDED', thing('b', '14'))
    }
    const { told, logged } = await follow({ watches: [odd] }, async (clock) => clock.advance(0), plain)
    expect(told).toEqual(['replace  at 10', 'put a', 'failed undecodable'])
    expect(logged.filter((text) => text.includes('skipped'))).toHaveLength(3)
  })
})

test('an answer that is no list is a failure, not an empty list', async () => {
  const { told } = await follow(
    { watches: [], list: () => '{"kind":"Table","metadata":{"resourceVersion":"9"},"rows":[]}' },
    async (clock) => clock.advance(0),
    plain,
  )
  expect(told).toEqual(['failed undecodable'])
})
