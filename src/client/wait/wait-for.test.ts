import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Clock } from '../../base/index.js'
import { Deployment } from '../../kinds/apps/v1.js'
import { Pod } from '../../kinds/core/v1.js'
import type { Transport } from '../../objects/index.js'
import { createClient } from '../create-client.js'
import { ConnectionLostError } from '../transport/connection-errors.js'
import {
  deleted,
  deploymentAvailable,
  hasCondition,
  jobComplete,
  podReady,
  type WaitCondition,
} from './wait-condition.js'
import { waitFor } from './wait-for.js'

const key = { namespace: 'default', name: 'a' }
const ready = (status: string, more: object = {}): object => ({
  metadata: { ...key, uid: 'u', resourceVersion: '5' },
  status: { conditions: [{ type: 'Ready', status, reason: 'Because', message: 'of this' }], ...more },
})

type Step =
  | { readonly list: readonly object[]; readonly version?: string }
  | { readonly watch: readonly (readonly [string, object])[]; readonly after?: 'end' | 'hang' | Error }
  | { readonly status: number; readonly body?: object }

interface Played {
  readonly transport: Transport
  readonly queries: Record<string, string>[]
}

/** A server that plays a script: one step for each request. A watch that hangs ends with its signal. */
function play(steps: readonly Step[]): Played {
  const queries: Record<string, string>[] = []
  const transport: Transport = (request) => {
    queries.push(Object.fromEntries(new URL(request.path, 'http://host').searchParams))
    const step = steps[queries.length - 1]
    if (step === undefined) throw new Error(`no step for request ${queries.length}: ${request.path}`)
    async function* body(): AsyncGenerator<Uint8Array> {
      if (step === undefined) return
      if ('list' in step) {
        const { version = '1', list } = step
        yield Buffer.from(JSON.stringify({ metadata: { resourceVersion: version }, items: list }))
      } else if ('status' in step) {
        yield Buffer.from(JSON.stringify(step.body ?? { kind: 'Status', code: step.status }))
      } else {
        for (const [type, object] of step.watch) yield Buffer.from(`${JSON.stringify({ type, object })}\n`)
        if (step.after instanceof Error) throw step.after
        if (step.after === 'hang')
          await new Promise((_, reject) => {
            request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error))
          })
      }
    }
    return Promise.resolve({ status: 'status' in step ? step.status : 200, headers: {}, body: body() })
  }
  return { transport, queries }
}

/** Short waits pass at once; the long one, the time-out, passes when it is told to. */
function clockOf(): { readonly clock: Clock; readonly waitsMs: number[]; readonly timeOut: () => void } {
  let nowMs = 0
  let timeOut = (): void => {}
  const waitsMs: number[] = []
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback) {
      if (delayMs >= 60_000) timeOut = callback
      else {
        waitsMs.push(delayMs)
        nowMs += delayMs
        queueMicrotask(callback)
      }
      return { cancel: () => {} }
    },
  }
  return { clock, waitsMs, timeOut: () => timeOut() }
}

function waitForPod(steps: readonly Step[], until: WaitCondition<Pod> | ((pod: Pod) => boolean) = podReady) {
  const { transport, queries } = play(steps)
  const time = clockOf()
  const outcome = waitFor(createClient({ transport }), Pod, key, {
    until,
    clock: time.clock,
    random: () => 0,
  })
  return { outcome, queries, ...time }
}

describe('waiting', () => {
  test('is over at once when the object is already right', async () => {
    const { outcome, queries } = waitForPod([{ list: [ready('True')] }])
    expect(await outcome).toMatchObject({ metadata: { name: 'a' }, kind: 'Pod' })
    expect(queries).toEqual([{ fieldSelector: 'metadata.name=a' }])
  })

  test('watches from the listed version until the object is right', async () => {
    const { outcome, queries } = waitForPod([
      { list: [], version: '41' },
      {
        watch: [
          ['ADDED', ready('False')],
          ['MODIFIED', ready('True')],
        ],
      },
    ])
    await outcome
    expect(queries[1]).toMatchObject({
      watch: 'true',
      resourceVersion: '41',
      fieldSelector: 'metadata.name=a',
    })
  })

  test('goes on from the last version when the server ends the watch', async () => {
    const { outcome, queries } = waitForPod([
      { list: [], version: '41' },
      {
        watch: [
          ['ADDED', ready('False')],
          ['BOOKMARK', { metadata: { resourceVersion: '99' } }],
        ],
      },
      { watch: [['MODIFIED', ready('True')]] },
    ])
    await outcome
    expect(queries.map((query) => query['resourceVersion'])).toEqual([undefined, '41', '99'])
  })

  test('lists again when the version has expired', async () => {
    const { outcome, queries } = waitForPod([
      { list: [] },
      { watch: [['ERROR', { kind: 'Status', code: 410, reason: 'Expired' }]] },
      { list: [ready('True')] },
    ])
    await outcome
    expect(queries).toHaveLength(3)
  })

  test('survives broken connections and a server in trouble, with growing pauses', async () => {
    const { outcome, waitsMs } = waitForPod([
      { list: [] },
      { watch: [], after: new ConnectionLostError('https://server', 'in the middle of the answer') },
      { status: 503 },
      { status: 500 },
      { list: [ready('True')] },
    ])
    await outcome
    expect(waitsMs).toEqual([200, 400, 800])
  })

  test('does not storm a server whose watches end at once', async () => {
    const { outcome, waitsMs } = waitForPod([
      { list: [] },
      { watch: [] },
      { list: [] },
      { watch: [] },
      { list: [ready('True')] },
    ])
    await outcome
    expect(waitsMs).toEqual([200, 400])
  })

  test('waits for a kind whose CRD is on its way', async () => {
    const { outcome } = waitForPod([{ status: 404 }, { list: [ready('True')] }])
    expect(await outcome).toMatchObject({ metadata: { name: 'a' } })
  })

  test('ends at a final no', async () => {
    const { outcome } = waitForPod([
      { status: 403, body: { kind: 'Status', code: 403, reason: 'Forbidden' } },
    ])
    await expect(outcome).rejects.toMatchObject({ reason: 'Forbidden' })
  })

  test('ends with its signal', async () => {
    const { transport } = play([{ list: [] }, { watch: [], after: 'hang' }])
    const controller = new AbortController()
    const outcome = waitFor(createClient({ transport }), Pod, key, {
      until: podReady,
      signal: controller.signal,
    })
    queueMicrotask(() => controller.abort(new Error('enough')))
    await expect(outcome).rejects.toThrow('enough')
  })
})

describe('time that runs out', () => {
  test('is told with what was seen last', async () => {
    const { outcome, timeOut, queries } = waitForPod([
      { list: [] },
      { watch: [['ADDED', ready('False')]], after: 'hang' },
    ])
    const failure = outcome.catch((error: unknown) => error)
    while (queries.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    timeOut()
    expect(await failure).toMatchObject({
      code: 'KW_WAIT_TIMEOUT',
      lastSeen: 'Ready=False (Because: of this)',
      message:
        'Waited 60000 ms for pods default/a to be ready; last seen: Ready=False (Because: of this). Look at the object and its events.',
    })
  })
})

describe('conditions', () => {
  test('a predicate of one own', async () => {
    const { outcome } = waitForPod(
      [{ list: [ready('False')] }, { watch: [['MODIFIED', ready('True', { phase: 'Running' })]] }],
      (pod) => pod.status?.phase === 'Running',
    )
    expect((await outcome).status?.phase).toBe('Running')
  })

  test('deleted: gone, or replaced by another of the same name', async () => {
    const { transport } = play([{ list: [ready('True')] }, { watch: [['DELETED', ready('True')]] }])
    expect(await waitFor(createClient({ transport }), Pod, key, { until: deleted() })).toBeUndefined()
    const replaced = play([{ list: [ready('True')] }])
    const until = deleted({ uid: 'older' })
    expect(
      await waitFor(createClient({ transport: replaced.transport }), Pod, key, { until }),
    ).toBeUndefined()
  })

  test('ready is hopeless for a pod that has ended', async () => {
    const { outcome } = waitForPod([{ list: [ready('False', { phase: 'Failed' })] }])
    await expect(outcome).rejects.toMatchObject({
      code: 'KW_WAIT_HOPELESS',
      message: expect.stringContaining('Failed'),
    })
  })

  test('complete is hopeless for a job that has failed', () => {
    const job = (type: string) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
      status: { conditions: [{ type, status: 'True', reason: 'BackoffLimitExceeded' }] },
    })
    expect(jobComplete.judge(job('Complete'))).toEqual({ state: 'met' })
    expect(jobComplete.judge(job('Failed'))).toMatchObject({ state: 'hopeless' })
    expect(jobComplete.judge(job('Suspended'))).toMatchObject({ state: 'pending' })
  })

  test('an old status says nothing about a new spec', () => {
    const deployment = (observedGeneration: number) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '', generation: 2 },
      status: { observedGeneration, conditions: [{ type: 'Available', status: 'True' }] },
    })
    expect(deploymentAvailable.judge(deployment(1))).toMatchObject({ state: 'pending' })
    expect(deploymentAvailable.judge(deployment(2))).toEqual({ state: 'met' })
  })

  test('an object without conditions is waited for', () => {
    const bare = {
      apiVersion: 'v1',
      kind: 'X',
      metadata: { name: 'a', uid: '', resourceVersion: '', creationTimestamp: '' },
    }
    expect(hasCondition('Ready').judge(bare)).toEqual({ state: 'pending', seen: 'no condition Ready' })
  })

  test('decide the type of the result', () => {
    const { transport } = play([])
    const client = createClient({ transport })
    const use = () => [
      waitFor(client, Deployment, key, { until: deploymentAvailable }),
      waitFor(client, Deployment, key, { until: deleted() }),
    ]
    expectTypeOf(use).returns.toEqualTypeOf<(Promise<Deployment> | Promise<undefined>)[]>()
  })
})
