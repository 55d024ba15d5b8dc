import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Clock, isPlainObject, type Random, seededRandom, type Timer } from '../../base/index.js'
import { createClient } from '../../client/index.js'
import type { Lease } from '../../kinds/coordination.k8s.io/v1.js'
import type { Transport, TransportRequest, TransportResponse } from '../../objects/index.js'
import type { Logger } from '../../observe/index.js'
import {
  ElectorAlreadyRunError,
  IdentityInUseError,
  InvalidElectionOptionsError,
  LeadershipLostError,
} from './election-errors.js'
import type { ElectionEvent, LeaderElectorOptions } from './election-options.js'
import { fenceWrites } from './fence-writes.js'
import { createLeaderElector } from './leader-elector.js'

const startOfTime = Date.UTC(2026, 7, 20, 9, 30)
const stepMs = 50

/** The clocks of one machine. */
class MachineClock implements Clock {
  #monotonicMs = 1_000
  #wallMs = startOfTime
  readonly #timers = new Set<{ atMs: number; callback: () => void }>()
  /** How fast it runs, next to the world. */
  rate = 1
  /** The process is stopped (SIGSTOP), or its event loop blocked: time passes, timers do not fire. */
  isStopped = false
  /** The machine sleeps: only the wall clock will show it. */
  isAsleep = false

  now(): number {
    return this.#wallMs
  }
  monotonic(): number {
    return this.#monotonicMs
  }
  setTimer(delayMs: number, callback: () => void): Timer {
    const timer = { atMs: this.#monotonicMs + Math.max(0, delayMs), callback }
    this.#timers.add(timer)
    return { cancel: () => this.#timers.delete(timer) }
  }
  setWallClock(byMs: number): void {
    this.#wallMs += byMs
  }
  pass(worldMs: number): void {
    this.#wallMs += worldMs * this.rate
    if (this.isAsleep) return
    this.#monotonicMs += worldMs * this.rate
    if (this.isStopped) return
    for (const timer of [...this.#timers].sort((a, b) => a.atMs - b.atMs)) {
      if (timer.atMs <= this.#monotonicMs && this.#timers.delete(timer)) timer.callback()
    }
  }
  get timerCount(): number {
    return this.#timers.size
  }
}

type Fault = (request: TransportRequest, serve: () => TransportResponse) => Promise<TransportResponse>

/** The leases of an API server, with its optimistic concurrency. */
class LeaseServer {
  lease: Lease | undefined
  #version = 100
  readonly requests: string[] = []

  transport(fault?: () => Fault | undefined): Transport {
    return (request) => {
      const serve = (): TransportResponse => this.#serve(request)
      const active = fault?.()
      return active === undefined ? Promise.resolve().then(serve) : active(request, serve)
    }
  }

  /** Somebody changes the lease with kubectl. */
  edit(change: (lease: Lease) => void): void {
    const lease = structuredClone(this.lease)
    if (lease === undefined) throw new Error('There is no lease to edit.')
    change(lease)
    lease.metadata.resourceVersion = String(++this.#version)
    this.lease = lease
  }

  #serve({ method, path, body }: TransportRequest): TransportResponse {
    this.requests.push(method)
    const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
    if (method === 'POST') {
      if (path !== '/apis/coordination.k8s.io/v1/namespaces/ops/leases') return no(404, 'NotFound')
      return this.lease === undefined ? this.#store(sent) : no(409, 'AlreadyExists')
    }
    if (path !== '/apis/coordination.k8s.io/v1/namespaces/ops/leases/tiger' || this.lease === undefined)
      return no(404, 'NotFound')
    if (method === 'GET') return yes(this.lease)
    if (!isPlainObject(sent) || !isPlainObject(sent['metadata'])) return no(400, 'BadRequest')
    if (sent['metadata']['resourceVersion'] !== this.lease.metadata.resourceVersion)
      return no(409, 'Conflict')
    return this.#store(sent)
  }

  #store(sent: unknown): TransportResponse {
    // What the elector sends is judged by the tests, not here.
    const lease = structuredClone(sent) as Lease
    for (const time of [lease.spec?.acquireTime, lease.spec?.renewTime])
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(time ?? '')) return no(400, 'BadRequest')
    lease.metadata.resourceVersion = String(++this.#version)
    lease.metadata.uid ??= 'uid-1'
    this.lease = lease
    return yes(lease)
  }
}

function yes(body: unknown): TransportResponse {
  return answer(200, body)
}
function no(code: number, reason: string): TransportResponse {
  return answer(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code, message: reason })
}
function answer(status: number, body: unknown): TransportResponse {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield bytes
    })(),
  }
}

/** Resolves with nothing, ever, until its signal aborts. */
const hang: Fault = ({ signal }) =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error))
  })

interface LogLine {
  readonly level: string
  readonly message: string
}

function recordingLog(lines: LogLine[]): Logger {
  const at = (level: string) => (message: string) => void lines.push({ level, message })
  const log: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: () => log,
  }
  return log
}

/** One candidate on a machine of its own. */
class Candidate {
  readonly clock = new MachineClock()
  readonly events: ElectionEvent[] = []
  readonly log: LogLine[] = []
  readonly gauge: boolean[] = []
  slowPaths = 0
  fault: Fault | undefined
  readonly #stop = new AbortController()
  /** Lets the work end; until then it goes on after its signal. */
  endWork: () => void = () => {}
  failWork: (error: Error) => void = () => {}
  leadSignal: AbortSignal | undefined
  outcome: 'running' | 'ended' | Error = 'running'
  readonly elector

  constructor(
    server: LeaseServer,
    name: string,
    options: Partial<LeaderElectorOptions> = {},
    random: Random = () => 0,
  ) {
    const transport = server.transport(() => this.fault)
    this.elector = createLeaderElector({
      client: createClient({ transport, clock: this.clock, random }),
      lease: { namespace: 'ops', name: 'tiger' },
      identity: name,
      clock: this.clock,
      random,
      log: recordingLog(this.log),
      metrics: { leading: (is) => this.gauge.push(is), slowPath: () => this.slowPaths++ },
      onEvent: (event) => this.events.push(event),
      ...options,
    })
  }

  start(endsWithSignal = true): this {
    const work = (leadSignal: AbortSignal): Promise<void> => {
      this.leadSignal = leadSignal
      return new Promise((resolve, reject) => {
        this.endWork = resolve
        this.failWork = reject
        if (endsWithSignal) leadSignal.addEventListener('abort', () => resolve())
      })
    }
    this.elector.run(this.#stop.signal, work).then(
      () => {
        this.outcome = 'ended'
      },
      (error: Error) => {
        this.outcome = error
      },
    )
    return this
  }

  stop(): void {
    this.#stop.abort()
  }

  mayWrite(): boolean {
    try {
      this.elector.assertLeading()
      return true
    } catch (error) {
      if (error instanceof LeadershipLostError) return false
      throw error
    }
  }
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets time pass on all machines. At each step at most one candidate may write. */
async function pass(ms: number, ...candidates: Candidate[]): Promise<void> {
  await settle()
  for (let passed = 0; passed < ms; passed += stepMs) {
    for (const candidate of candidates) candidate.clock.pass(stepMs)
    // Turns are costly; most steps have nothing to settle.
    await settle()
    expect(candidates.filter((candidate) => candidate.elector.isLeader()).length).toBeLessThanOrEqual(1)
  }
}

async function leaderOf(server: LeaseServer, options?: Partial<LeaderElectorOptions>): Promise<Candidate> {
  const leader = new Candidate(server, 'a', options).start()
  await pass(100, leader)
  expect(leader.elector.isLeader()).toBe(true)
  return leader
}

describe('taking the lease', () => {
  test('the first candidate creates the lease and leads', async () => {
    const server = new LeaseServer()
    const leader = await leaderOf(server)
    expect(server.lease?.spec).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-08-20T09:30:00.000000Z',
      renewTime: '2026-08-20T09:30:00.000000Z',
      leaseTransitions: 0,
    })
    expect(leader.events.map(({ type, identity }) => `${identity} ${type}`)).toEqual([
      'a new-leader',
      'a became-leader',
    ])
    expect(leader.gauge).toEqual([false, true])
  })

  test('a lease duration that is no whole number of seconds is rounded up, so that nobody takes over early', async () => {
    const server = new LeaseServer()
    await leaderOf(server, { leaseDurationMs: 12_100 })
    expect(server.lease?.spec?.leaseDurationSeconds).toBe(13)
  })

  test('a second candidate waits while the first renews, and knows who leads', async () => {
    const server = new LeaseServer()
    const [a, b] = [await leaderOf(server), new Candidate(server, 'b').start()]
    await pass(60_000, a, b)
    expect([a.elector.isLeader(), b.elector.isLeader(), b.elector.holder]).toEqual([true, false, 'a'])
    expect(b.events).toEqual([{ type: 'new-leader', identity: 'a' }])
  })

  test('after the leader died, another takes over when the lease has run out, not before', async () => {
    const server = new LeaseServer()
    const [a, b] = [await leaderOf(server), new Candidate(server, 'b').start()]
    await pass(4_000, a, b)
    a.clock.isStopped = true
    await pass(13_000, a, b)
    expect(b.elector.isLeader()).toBe(false)
    await pass(6_000, a, b)
    expect(b.elector.isLeader()).toBe(true)
    expect(server.lease?.spec).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 })
    expect(server.lease?.spec?.acquireTime).not.toBe('2026-08-20T09:30:00.000000Z')
  })

  test('a renewal keeps the time of acquisition and everything that others wrote into the lease', async () => {
    const server = new LeaseServer()
    const leader = await leaderOf(server)
    server.edit((lease) => {
      lease.metadata.labels = { team: 'ops' }
      Object.assign(lease.spec ?? {}, { futureField: { big: 1 }, strategy: 'OldestEmulationVersion' })
    })
    await pass(10_000, leader)
    expect(leader.elector.isLeader()).toBe(true)
    expect(server.lease?.metadata.labels).toEqual({ team: 'ops' })
    expect(server.lease?.spec).toMatchObject({
      acquireTime: '2026-08-20T09:30:00.000000Z',
      renewTime: '2026-08-20T09:30:10.000000Z',
      leaseTransitions: 0,
      futureField: { big: 1 },
      strategy: 'OldestEmulationVersion',
    })
  })

  test('a lease that somebody handed back is taken at the next look', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    a.stop()
    await pass(500, a)
    const b = new Candidate(server, 'b').start()
    await pass(100, b)
    expect(b.elector.isLeader()).toBe(true)
    expect(server.lease?.spec?.leaseTransitions).toBe(1)
  })

  test.each([
    ['no spec', (lease: Lease) => void Reflect.deleteProperty(lease, 'spec')],
    ['a null spec', (lease: Lease) => void Object.assign(lease, { spec: null })],
    ['a null holder', (lease: Lease) => void Object.assign(lease.spec ?? {}, { holderIdentity: null })],
  ])('a lease with %s is free', async (_, change) => {
    const server = new LeaseServer()
    const dead = await leaderOf(server)
    dead.clock.isStopped = true
    server.edit(change)
    const b = new Candidate(server, 'b').start()
    await pass(100, b)
    expect(b.elector.isLeader()).toBe(true)
  })

  test.each([0, null, -5, 'soon'])(
    'a held lease with the duration %j is waited for as long as our own',
    async (value) => {
      const server = new LeaseServer()
      const dead = await leaderOf(server)
      dead.clock.isStopped = true
      server.edit((lease) => Object.assign(lease.spec ?? {}, { leaseDurationSeconds: value }))
      const b = new Candidate(server, 'b').start()
      await pass(14_000, b)
      expect(b.elector.isLeader()).toBe(false)
      await pass(3_000, b)
      expect(b.elector.isLeader()).toBe(true)
    },
  )

  test('labels that somebody changes all the time do not keep a dead leader alive', async () => {
    const server = new LeaseServer()
    const dead = await leaderOf(server)
    dead.clock.isStopped = true
    const b = new Candidate(server, 'b').start()
    for (let seconds = 0; seconds < 18; seconds++) {
      server.edit((lease) => {
        lease.metadata.labels = { tick: String(seconds) }
      })
      await pass(1_000, dead, b)
    }
    expect(b.elector.isLeader()).toBe(true)
  })

  test('without permission a candidate says once what to permit, keeps trying, and leads when it is permitted', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a')
    a.fault = async () => no(403, 'Forbidden')
    a.start()
    await pass(20_000, a)
    const warnings = a.log.filter(({ level }) => level === 'warn')
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.message).toContain(
      'Permit get, create and update on leases.coordination.k8s.io in the namespace ops',
    )
    expect(a.elector.isLeader()).toBe(false)
    a.fault = undefined
    await pass(3_000, a)
    expect(a.elector.isLeader()).toBe(true)
  })

  test('a create whose answer was lost is recognised as our own, without waiting for it to expire', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a')
    let posts = 0
    a.fault = async (request, serve) => {
      const response = serve()
      return request.method === 'POST' && ++posts === 1 ? hang(request, serve) : response
    }
    a.start()
    await pass(8_000, a)
    expect(a.elector.isLeader()).toBe(true)
    expect(server.lease?.spec?.leaseTransitions).toBe(0)
  })

  test('writes whose answers were lost, one of them done and one not, are our own and no twin of ours', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a')
    let late: (() => void) | undefined
    a.fault = (request, serve) => {
      // The first write is done, the second when a third has been sent; none is answered.
      if (request.method === 'POST') serve()
      if (request.method === 'PUT') late ??= () => void serve()
      return request.method === 'GET' ? Promise.resolve(serve()) : hang(request, serve)
    }
    a.start()
    await pass(14_500, a)
    late?.()
    a.fault = undefined
    await pass(9_000, a)
    expect([a.outcome, a.elector.isLeader(), server.lease?.spec?.leaseTransitions]).toEqual([
      'running',
      true,
      0,
    ])
  })

  test('an answer that comes after the renew deadline does not make a leader', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a')
    a.fault = async (request, serve) => {
      const response = serve()
      // The loop is blocked between the request and its answer.
      if (request.method === 'POST') {
        a.clock.isStopped = true
        a.clock.pass(11_000)
        a.clock.isStopped = false
        a.fault = undefined
      }
      return response
    }
    a.start()
    await settle()
    expect([a.elector.isLeader(), a.leadSignal]).toEqual([false, undefined])
    await pass(3_000, a)
    expect(a.elector.isLeader()).toBe(true)
  })

  test('two processes with one identity: the second refuses instead of leading beside the first', async () => {
    const server = new LeaseServer()
    const [a, twin] = [await leaderOf(server), new Candidate(server, 'a').start()]
    await pass(6_000, a, twin)
    expect(twin.outcome).toBeInstanceOf(IdentityInUseError)
    expect(a.elector.isLeader()).toBe(true)
  })

  test('a process that starts again under its old identity waits for the old lease to run out', async () => {
    const server = new LeaseServer()
    const dead = await leaderOf(server)
    dead.clock.isStopped = true
    const again = new Candidate(server, 'a').start()
    await pass(14_000, dead, again)
    expect(again.elector.isLeader()).toBe(false)
    await pass(3_000, again)
    expect(again.elector.isLeader()).toBe(true)
  })
})

describe('keeping and losing the lease', () => {
  test('when the server hangs, leadership ends at the renew deadline, counted from the last renewal that was sent', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    await pass(3_950, a)
    a.fault = hang
    // The last renewal was sent 50 ms ago.
    await pass(9_900, a)
    expect([a.elector.isLeader(), a.leadSignal?.aborted, a.outcome]).toEqual([true, false, 'running'])
    await pass(100, a)
    expect([a.elector.isLeader(), a.leadSignal?.aborted]).toEqual([false, true])
    expect(a.leadSignal?.reason).toBeInstanceOf(LeadershipLostError)
    expect(a.outcome).toMatchObject({ code: 'KW_LEADERSHIP_LOST', reason: 'expired' })
    expect(() => a.elector.assertLeading()).toThrow(LeadershipLostError)
    expect(a.gauge).toEqual([false, true, false])
  })

  test('the run rejects at the loss although the work goes on, and what the work does later harms nobody', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a').start(false)
    await pass(100, a)
    a.fault = hang
    await pass(11_000, a)
    expect(a.outcome).toBeInstanceOf(LeadershipLostError)
    a.failWork(new Error('late'))
    await settle()
  })

  test('one request that hangs does not cost the lease', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    let hung = 0
    a.fault = (request, serve) =>
      request.method === 'PUT' && hung++ === 0 ? hang(request, serve) : Promise.resolve(serve())
    await pass(30_000, a)
    expect(hung).toBeGreaterThan(5)
    expect(a.elector.isLeader()).toBe(true)
  })

  test('errors of the server are waited out within the renew deadline', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    a.fault = async () => no(503, 'ServiceUnavailable')
    await pass(7_000, a)
    a.fault = undefined
    await pass(20_000, a)
    expect(a.elector.isLeader()).toBe(true)
  })

  test('a conflict leads to a look at the lease, and leadership goes on when it is still ours', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    server.edit((lease) => {
      lease.metadata.annotations = { seen: 'yes' }
    })
    await pass(4_000, a)
    expect([a.elector.isLeader(), a.slowPaths]).toEqual([true, 1])
    expect(server.lease?.metadata.annotations).toEqual({ seen: 'yes' })
  })

  test('a lease that was deleted is created again', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    server.lease = undefined
    await pass(4_000, a)
    expect(a.elector.isLeader()).toBe(true)
    expect(server.lease).toMatchObject({ spec: { holderIdentity: 'a' } })
  })

  test.each(['b', ''])('when the lease names %j, leadership ends at the next renewal', async (holder) => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    server.edit((lease) => Object.assign(lease.spec ?? {}, { holderIdentity: holder }))
    await pass(2_100, a)
    expect(a.outcome).toMatchObject({ code: 'KW_LEADERSHIP_LOST', reason: 'taken', holder })
    expect(server.lease?.spec?.holderIdentity).toBe(holder)
  })

  test('after a blocked event loop the first thing that asks is refused, before any timer has fired', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    a.clock.isStopped = true
    a.clock.pass(20_000)
    expect(a.mayWrite()).toBe(false)
    expect(a.leadSignal?.reason).toMatchObject({ reason: 'expired' })
    a.clock.isStopped = false
    await pass(100, a)
    expect(a.outcome).toBeInstanceOf(LeadershipLostError)
  })

  test('a stopped process wakes up after another has taken over: it writes nothing and does not lead again', async () => {
    const server = new LeaseServer()
    const [a, b] = [await leaderOf(server), new Candidate(server, 'b').start()]
    await pass(3_000, a, b)
    a.clock.isStopped = true
    await pass(30_000, a, b)
    expect([a.mayWrite(), b.mayWrite()]).toEqual([false, true])
    a.clock.isStopped = false
    await pass(30_000, a, b)
    expect([a.mayWrite(), b.mayWrite()]).toEqual([false, true])
    expect(a.outcome).toBeInstanceOf(LeadershipLostError)
  })

  test('a machine that slept, unseen by the monotonic clock, writes nothing until a renewal proves the lease', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    a.clock.isAsleep = true
    a.clock.pass(3_600_000)
    a.clock.isAsleep = false
    expect([a.mayWrite(), a.elector.isLeader(), a.outcome]).toEqual([false, false, 'running'])
    await settle()
    // Nobody else was there, and the renewal proved it.
    expect(a.mayWrite()).toBe(true)
  })

  test('a machine that slept while another took over has lost', async () => {
    const server = new LeaseServer()
    const [a, b] = [await leaderOf(server), new Candidate(server, 'b').start()]
    await pass(3_000, a, b)
    a.clock.isAsleep = true
    for (let passed = 0; passed < 30_000; passed += stepMs) {
      a.clock.pass(stepMs)
      b.clock.pass(stepMs)
      await settle()
    }
    expect(b.mayWrite()).toBe(true)
    a.clock.isAsleep = false
    expect(a.mayWrite()).toBe(false)
    await pass(3_000, a, b)
    expect(a.outcome).toMatchObject({ reason: 'taken', holder: 'b' })
  })

  test.each([3_600_000, -3_600_000])(
    'a wall clock that is set by %i ms changes nothing after the next renewal',
    async (byMs) => {
      const server = new LeaseServer()
      const [a, b] = [await leaderOf(server), new Candidate(server, 'b').start()]
      await pass(3_000, a, b)
      a.clock.setWallClock(byMs)
      b.clock.setWallClock(byMs / 2)
      await pass(2_100, a, b)
      expect(a.mayWrite()).toBe(true)
      await pass(30_000, a, b)
      expect([a.mayWrite(), b.mayWrite()]).toEqual([true, false])
    },
  )

  test('clocks that run at different speeds are tolerated up to lease by renew deadline', async () => {
    const server = new LeaseServer()
    const [a, b] = [await leaderOf(server), new Candidate(server, 'b')]
    b.clock.rate = 1.45
    b.start()
    await pass(20_000, a, b)
    a.fault = hang
    await pass(20_000, a, b)
    expect([a.elector.isLeader(), b.elector.isLeader()]).toEqual([false, true])
  })

  test('an elector runs once', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    await expect(a.elector.run(new AbortController().signal, async () => {})).rejects.toThrow(
      ElectorAlreadyRunError,
    )
    a.elector.abandon()
    await settle()
    await expect(a.elector.run(new AbortController().signal, async () => {})).rejects.toThrow(
      ElectorAlreadyRunError,
    )
  })

  test('a listener that throws does not disturb the election', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a', {
      onEvent: () => {
        throw new Error('listener')
      },
    }).start()
    await pass(5_000, a)
    expect(a.elector.isLeader()).toBe(true)
  })
})

describe('stopping', () => {
  test('the lease is renewed until the work has ended, then the fence closes and the lease is free at once', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a').start(false)
    await pass(100, a)
    a.stop()
    await pass(25_000, a)
    expect([a.leadSignal?.aborted, a.mayWrite(), a.outcome]).toEqual([true, true, 'running'])
    a.endWork()
    await pass(100, a)
    expect([a.outcome, a.mayWrite()]).toEqual(['ended', false])
    expect(server.lease?.spec).toMatchObject({
      holderIdentity: '',
      leaseDurationSeconds: 1,
      leaseTransitions: 0,
    })
    expect(a.events.map(({ type }) => type)).toEqual(['new-leader', 'became-leader', 'stopped-leading'])
    expect(a.gauge).toEqual([false, true, false])
    expect(a.clock.timerCount).toBe(0)
  })

  test('work that fails gives the lease back and its error to the run', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a').start(false)
    await pass(100, a)
    const error = new Error('broken')
    a.failWork(error)
    await pass(100, a)
    expect(a.outcome).toBe(error)
    expect(server.lease?.spec?.holderIdentity).toBe('')
  })

  test('work that throws before it returns a promise is treated alike', async () => {
    const server = new LeaseServer()
    const { elector } = new Candidate(server, 'a')
    const run = elector.run(new AbortController().signal, () => {
      throw new Error('at once')
    })
    await expect(run).rejects.toThrow('at once')
    expect(server.lease?.spec?.holderIdentity).toBe('')
  })

  test('a lease that is lost while the work winds down rejects the run', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a').start(false)
    await pass(100, a)
    a.stop()
    a.fault = hang
    await pass(11_000, a)
    expect(a.outcome).toBeInstanceOf(LeadershipLostError)
  })

  test('with releaseOnCancel off the lease is left to run out', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server, { releaseOnCancel: false })
    a.stop()
    await pass(500, a)
    expect(a.outcome).toBe('ended')
    expect(server.lease?.spec?.holderIdentity).toBe('a')
  })

  test('a release that meets conflicts is repeated', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    let conflicts = 0
    a.fault = async (request, serve) =>
      request.method === 'PUT' && ++conflicts <= 3 ? no(409, 'Conflict') : serve()
    a.stop()
    await pass(1_000, a)
    expect([a.outcome, conflicts, server.lease?.spec?.holderIdentity]).toEqual(['ended', 4, ''])
  })

  test('a release that cannot be done ends with the renew deadline, and the run ends well', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    a.fault = hang
    a.stop()
    await pass(9_000, a)
    expect(a.outcome).toBe('running')
    await pass(1_200, a)
    expect(a.outcome).toBe('ended')
    expect(a.log.at(-1)?.message).toContain('expires by itself')
  })

  test("a release leaves a lease alone that is somebody else's or gone", async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    server.edit((lease) => Object.assign(lease.spec ?? {}, { holderIdentity: 'b' }))
    a.stop()
    await pass(500, a)
    expect(server.lease?.spec?.holderIdentity).toBe('b')
    const c = await leaderOf(new LeaseServer())
    c.stop()
    await pass(500, c)
    expect(c.outcome).toBe('ended')
  })

  test('a renewal under way when the work ends does not bring the lease back', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a').start(false)
    await pass(1_950, a)
    let late: (() => void) | undefined
    a.fault = (request, serve) => {
      if (request.method !== 'PUT' || late !== undefined) return Promise.resolve(serve())
      late = () => void serve()
      return hang(request, serve)
    }
    await pass(200, a)
    expect(late).toBeDefined()
    a.endWork()
    await settle()
    // It reaches the server after the release.
    late?.()
    await pass(500, a)
    expect([a.outcome, server.lease?.spec?.holderIdentity]).toEqual(['ended', ''])
  })

  test('a stop while the lease is being taken gives it back, although the answer never came', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a')
    a.fault = (request, serve) => {
      const response = serve()
      return request.method === 'POST' ? hang(request, serve) : Promise.resolve(response)
    }
    a.start()
    await pass(500, a)
    expect(server.lease?.spec?.holderIdentity).toBe('a')
    a.stop()
    await pass(500, a)
    expect([a.outcome, a.leadSignal, server.lease?.spec?.holderIdentity]).toEqual(['ended', undefined, ''])
  })

  test('a candidate that only waited leaves without a trace', async () => {
    const server = new LeaseServer()
    const [a, b] = [await leaderOf(server), new Candidate(server, 'b').start()]
    await pass(5_000, a, b)
    const before = server.requests.length
    b.stop()
    await settle()
    expect([b.outcome, server.requests.length - before, b.clock.timerCount]).toEqual(['ended', 0, 0])
  })

  test('an abandoned lease is neither renewed nor free: nobody takes over before it runs out', async () => {
    const server = new LeaseServer()
    const [a, b] = [await leaderOf(server), new Candidate(server, 'b').start()]
    await pass(3_000, a, b)
    a.elector.abandon()
    expect(a.mayWrite()).toBe(false)
    await pass(13_000, a, b)
    expect(b.elector.isLeader()).toBe(false)
    await pass(5_000, a, b)
    expect(b.elector.isLeader()).toBe(true)
    expect(a.outcome).toMatchObject({ reason: 'abandoned' })
  })
})

describe('health', () => {
  test('is well before, while leading and after a clean stop', async () => {
    const server = new LeaseServer()
    const a = new Candidate(server, 'a')
    expect(() => a.elector.checkHealth()).not.toThrow()
    a.start()
    await pass(30_000, a)
    expect(() => a.elector.checkHealth()).not.toThrow()
    a.stop()
    await pass(100_000, a)
    expect(() => a.elector.checkHealth()).not.toThrow()
  })

  test('fails when the process is still there so long after its lease ran out', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    a.fault = hang
    await pass(34_000, a)
    a.elector.checkHealth()
    await pass(2_000, a)
    expect(() => a.elector.checkHealth()).toThrow(LeadershipLostError)
    expect(() => a.elector.checkHealth(60_000)).not.toThrow()
  })
})

describe('the fence around a client', () => {
  const configMap = {
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    singular: 'configmap',
    listKind: 'ConfigMapList',
    scope: 'Namespaced',
    subresources: [],
  } as const

  test('a write that waits for its next try when the lease is lost is never sent', async () => {
    const server = new LeaseServer()
    const a = await leaderOf(server)
    const sent: string[] = []
    const transport: Transport = async ({ method }) => {
      sent.push(method)
      return {
        ...no(429, 'TooManyRequests'),
        headers: { 'retry-after': '12', 'content-type': 'application/json' },
      }
    }
    const client = createClient({
      transport: fenceWrites(transport, () => a.elector.assertLeading()),
      clock: a.clock,
    })
    const write = client.create(configMap, { metadata: { namespace: 'ops', name: 'x' } }).then(
      () => 'written',
      (error: unknown) => error,
    )
    await settle()
    expect(sent).toEqual(['POST'])
    a.clock.isStopped = true
    await pass(30_000, a)
    a.clock.isStopped = false
    a.clock.pass(stepMs)
    expect(await write).toBeInstanceOf(LeadershipLostError)
    expect(sent).toEqual(['POST'])
  })

  test('reads pass without the lease, writes do not', async () => {
    const { elector } = new Candidate(new LeaseServer(), 'a')
    const transport: Transport = async () =>
      yes({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } })
    const client = createClient({ transport: fenceWrites(transport, () => elector.assertLeading()) })
    const key = { namespace: 'ops', name: 'x' }
    await client.get(configMap, key)
    await expect(client.delete(configMap, key)).rejects.toMatchObject({ reason: 'not-leading' })
  })
})

test.each([
  [{ leaseDurationMs: 10_000, renewDeadlineMs: 10_000 }, 'greater than renewDeadlineMs'],
  [{ renewDeadlineMs: 2_400 }, '1.2 times retryPeriodMs'],
  [{ retryPeriodMs: 0 }, 'retryPeriodMs is 0'],
  [{ leaseDurationMs: Number.NaN }, 'leaseDurationMs is NaN'],
  [{ renewDeadlineMs: Number.POSITIVE_INFINITY }, 'renewDeadlineMs is Infinity'],
  [{ identity: '' }, 'identity is empty'],
  [{ lease: { namespace: '', name: 'tiger' } }, 'needs a namespace and a name'],
])('options that cannot work are refused: %j', (options, problem) => {
  const create = (): unknown => new Candidate(new LeaseServer(), 'a', options)
  expect(create).toThrow(InvalidElectionOptionsError)
  expect(create).toThrow(problem)
})

test('without an identity each elector has its own', () => {
  const client = createClient({ transport: new LeaseServer().transport() })
  const lease = { namespace: 'ops', name: 'tiger' }
  const [one, other] = [createLeaderElector({ client, lease }), createLeaderElector({ client, lease })]
  expect(one.identity).toMatch(/^.+_[0-9a-f-]{36}$/)
  expect(one.identity).not.toBe(other.identity)
})

test('whatever happens to two machines and the line between them, never may both write', async () => {
  const mishap = fc.record({
    who: fc.constantFrom(0, 1),
    what: fc.constantFrom(
      'hang',
      'refuse',
      'lose answers',
      'slow',
      'heal',
      'stop',
      'go on',
      'sleep',
      'set clock',
      'edit',
    ),
    thenMs: fc.integer({ min: 50, max: 12_000 }),
  })
  // The wall clock is never set back here: set back right before a sleep, it hides the sleep from everybody.
  await fc.assert(
    fc.asyncProperty(fc.array(mishap, { maxLength: 10 }), fc.integer(), async (mishaps, seed) => {
      const server = new LeaseServer()
      const random = seededRandom(seed)
      const candidates = ['a', 'b'].map((name) => new Candidate(server, name, {}, random).start())
      const faults: Record<string, Fault> = {
        hang,
        refuse: async () => no(500, 'InternalError'),
        'lose answers': (request, serve) => {
          serve()
          return hang(request, serve)
        },
        slow: (_, serve) => {
          const response = serve()
          const { clock } = candidates[0] ?? new Candidate(server, 'nobody')
          return new Promise((resolve) => clock.setTimer(4_000, () => resolve(response)))
        },
      }
      const waitAndWatch = async (ms: number): Promise<void> => {
        for (let passed = 0; passed < ms; passed += 250) {
          for (const { clock } of candidates) clock.pass(250)
          await settle()
          expect(candidates.filter((candidate) => candidate.mayWrite()).length).toBeLessThanOrEqual(1)
        }
      }
      for (const { who, what, thenMs } of mishaps) {
        const one = candidates[who]
        if (one === undefined) continue
        const { clock } = one
        if (what === 'heal') one.fault = undefined
        else if (what === 'stop') clock.isStopped = true
        else if (what === 'sleep') clock.isAsleep = true
        else if (what === 'go on') clock.isStopped = clock.isAsleep = false
        else if (what === 'set clock') clock.setWallClock(3_600_000 * random())
        else if (what === 'edit') {
          if (server.lease !== undefined)
            server.edit((lease) => {
              lease.metadata.labels = { edited: String(random()) }
            })
        } else one.fault = faults[what]
        await waitAndWatch(thenMs)
      }
      for (const candidate of candidates) {
        candidate.fault = undefined
        candidate.clock.isStopped = candidate.clock.isAsleep = false
      }
      await waitAndWatch(20_000)
    }),
    { numRuns: 30 },
  )
}, 60_000)
