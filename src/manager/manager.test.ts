import { describe, expect, test } from 'vitest'
import { type Clock, systemClock, type Timer } from '../base/index.js'
import type { Logger } from '../observe/index.js'
import { LeadershipLostError } from './election/election-errors.js'
import { createManager, type Election, type ManagerOptions } from './manager.js'
import {
  GracePeriodExceededError,
  InvalidManagerOptionsError,
  ManagerAlreadyRunError,
  ManagerStoppedError,
  RunnableFailedError,
} from './manager-errors.js'
import { type Phase, phases, type Runnable } from './runnable.js'

/** Time that moves only when told to. */
function fakeClock() {
  let nowMs = 0
  const timers = new Set<{ atMs: number; callback: () => void }>()
  const clock: Clock = {
    now: () => nowMs,
    monotonic: () => nowMs,
    setTimer(delayMs, callback): Timer {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.add(timer)
      return { cancel: () => timers.delete(timer) }
    },
  }
  const advance = async (ms: number): Promise<void> => {
    nowMs += ms
    for (const timer of timers) if (timer.atMs <= nowMs && timers.delete(timer)) timer.callback()
    await settle()
  }
  return { clock, timers, advance }
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}

function deferred() {
  let resolve = (): void => {}
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve: () => resolve(), reject: (error: Error) => reject(error) }
}

/** A part whose life is written down. */
function part(
  diary: string[],
  phase: Phase,
  options: { readonly name?: string; readonly ready?: Promise<void>; readonly end?: Promise<void> } = {},
): Runnable {
  const { name = phase, ready, end } = options
  return {
    name,
    phase,
    async run(signal) {
      diary.push(`${name} starts`)
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () =>
          end === undefined ? resolve() : diary.push(`${name} is told to stop`),
        )
        end?.then(resolve, reject)
      })
      diary.push(`${name} ends`)
    },
    ...(ready !== undefined && { ready: () => ready }),
  }
}

/** An election that is decided by the test. */
function staged(diary: string[]) {
  const elected = deferred()
  const lost = deferred()
  const lead = new AbortController()
  const released = deferred()
  const election: Election = {
    async run(signal, whileLeading) {
      signal.addEventListener('abort', () => {
        elected.resolve()
        lead.abort(signal.reason)
      })
      await elected.promise
      if (lead.signal.aborted) return
      diary.push('elected')
      await Promise.race([whileLeading(lead.signal), lost.promise])
      await released.promise
      diary.push('lease released')
    },
    abandon: () => diary.push('lease abandoned'),
  }
  released.resolve()
  return {
    election,
    elect: async () => {
      elected.resolve()
      await settle()
    },
    lose: (error: Error) => {
      lead.abort(error)
      lost.reject(error)
    },
  }
}

function started(options: ManagerOptions = {}, parts: readonly Runnable[] = []) {
  const stop = new AbortController()
  const manager = createManager({ gracePeriodMs: 1_000, ...options })
  for (const one of parts) manager.add(one)
  const run: { outcome: 'running' | 'ended' | Error } = { outcome: 'running' }
  manager.run(stop.signal).then(
    () => {
      run.outcome = 'ended'
    },
    (error: Error) => {
      run.outcome = error
    },
  )
  return { manager, run, stop: () => stop.abort() }
}

describe('start and stop', () => {
  test('phases start in their order, each when the one before is ready, whatever the order of adding', async () => {
    const diary: string[] = []
    const ready = deferred()
    const parts = phases.map((phase) => part(diary, phase, phase === 'cache' ? { ready: ready.promise } : {}))
    const { stop } = started({}, parts.toReversed())
    await settle()
    expect(diary).toEqual(['http starts', 'webhook starts', 'cache starts'])
    ready.resolve()
    await settle()
    expect(diary.slice(3)).toEqual(['other starts', 'warm-up starts', 'leader starts'])
    stop()
  })

  test('everything stops in reverse order, each phase when the one after it has ended', async () => {
    const diary: string[] = []
    const end = deferred()
    const parts = phases.map((phase) => part(diary, phase, phase === 'other' ? { end: end.promise } : {}))
    const { run, stop } = started({}, parts)
    await settle()
    diary.length = 0
    stop()
    await settle()
    expect(diary).toEqual(['leader ends', 'warm-up ends', 'other is told to stop'])
    end.resolve()
    await settle()
    expect(diary.slice(3)).toEqual(['other ends', 'cache ends', 'webhook ends', 'http ends'])
    expect(run.outcome).toBe('ended')
  })

  test('a stop during the start ends what has started and starts nothing more', async () => {
    const diary: string[] = []
    const never = new Promise<void>(() => {})
    const { run, stop } = started({}, [
      part(diary, 'http'),
      part(diary, 'cache', { ready: never }),
      part(diary, 'leader'),
    ])
    await settle()
    stop()
    await settle()
    expect(diary).toEqual(['http starts', 'cache starts', 'cache ends', 'http ends'])
    expect(run.outcome).toBe('ended')
  })

  test('a signal that has aborted before starts nothing', async () => {
    const diary: string[] = []
    const manager = createManager()
    manager.add(part(diary, 'http'))
    await manager.run(AbortSignal.abort())
    expect(diary).toEqual([])
  })

  test('a part that is done early is no failure, and its readiness is not waited for', async () => {
    const diary: string[] = []
    const oneShot: Runnable = {
      name: 'migration',
      phase: 'other',
      run: async () => void diary.push('migrated'),
      ready: () => new Promise(() => {}),
    }
    const { run, stop } = started({}, [oneShot, part(diary, 'leader')])
    await settle()
    expect([diary, run.outcome]).toEqual([['migrated', 'leader starts'], 'running'])
    stop()
  })

  test('a part added during the run starts at once when its phase has begun, else with its phase', async () => {
    const diary: string[] = []
    const ready = deferred()
    const { manager, run, stop } = started({}, [part(diary, 'cache', { ready: ready.promise })])
    await settle()
    manager.add(part(diary, 'http', { name: 'late server' }))
    manager.add(part(diary, 'leader', { name: 'late controller' }))
    await settle()
    expect(diary).toEqual(['cache starts', 'late server starts'])
    ready.resolve()
    await settle()
    expect(diary.at(-1)).toBe('late controller starts')
    stop()
    await settle()
    expect(diary.slice(-3)).toEqual(['late controller ends', 'cache ends', 'late server ends'])
    expect(run.outcome).toBe('ended')
  })

  test('a part added after the stop is refused', async () => {
    const { manager, stop } = started()
    stop()
    expect(() => manager.add(part([], 'other', { name: 'too late' }))).toThrow(ManagerStoppedError)
  })

  test('a manager runs once', async () => {
    const { manager, stop } = started()
    await expect(manager.run()).rejects.toThrow(ManagerAlreadyRunError)
    stop()
    await settle()
    await expect(manager.run()).rejects.toThrow(ManagerAlreadyRunError)
  })

  test('options and phases that do not exist are refused', () => {
    expect(() => createManager({ gracePeriodMs: Number.NaN })).toThrow(InvalidManagerOptionsError)
    expect(() => createManager({ gracePeriodMs: -1 })).toThrow(InvalidManagerOptionsError)
    const misspelt: object = { ...part([], 'other'), phase: 'others' }
    expect(() => createManager().add(misspelt as Runnable)).toThrow('There is no phase "others"')
  })
})

describe('failures', () => {
  test('the failure of one part stops all in order, and the run rejects with its name and error', async () => {
    const diary: string[] = []
    const end = deferred()
    const { run } = started({}, [
      part(diary, 'http'),
      part(diary, 'other', { end: end.promise }),
      part(diary, 'leader'),
    ])
    await settle()
    const cause = new Error('no disk')
    end.reject(cause)
    await settle()
    expect(run.outcome).toBeInstanceOf(RunnableFailedError)
    expect(run.outcome).toMatchObject({ runnable: 'other', cause, code: 'KW_RUNNABLE_FAILED' })
    expect(diary.filter((line) => line.endsWith(' ends'))).toEqual(['leader ends', 'http ends'])
  })

  test('a part that throws before it returns a promise fails alike', async () => {
    const broken: Runnable = {
      name: 'broken',
      phase: 'http',
      run: () => {
        throw new Error('at once')
      },
    }
    const { run } = started({}, [broken])
    await settle()
    expect(run.outcome).toMatchObject({ runnable: 'broken' })
  })

  test('a cache that does not become ready fails the start with its own error, and later phases never begin', async () => {
    const diary: string[] = []
    const cause = new Error('foos.example.com is not filled after 120000 ms')
    const ready = deferred()
    const { run } = started({}, [part(diary, 'cache', { ready: ready.promise }), part(diary, 'leader')])
    await settle()
    ready.reject(cause)
    await settle()
    expect(run.outcome).toMatchObject({ runnable: 'cache', cause })
    expect(diary).toEqual(['cache starts', 'cache ends'])
  })

  test('the first failure is reported; one that follows while all stops is logged', async () => {
    const errors: string[] = []
    const log: Logger = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (message) => errors.push(message),
      with: () => log,
    }
    const first = deferred()
    const second: Runnable = {
      name: 'second',
      phase: 'http',
      run: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('could not flush')))
        }),
    }
    const { run } = started({ log }, [part([], 'leader', { name: 'first', end: first.promise }), second])
    await settle()
    first.reject(new Error('one'))
    await settle()
    expect(run.outcome).toMatchObject({ runnable: 'first' })
    expect(errors).toEqual(['A part failed while it was stopping.'])
  })

  test("a part that rejects with the signal's reason has stopped well", async () => {
    const errors: string[] = []
    const log: Logger = {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (message) => errors.push(message),
      with: () => log,
    }
    const polite: Runnable = {
      name: 'polite',
      phase: 'other',
      run: (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    }
    const { run, stop } = started({ log }, [polite])
    await settle()
    stop()
    await settle()
    expect([run.outcome, errors]).toEqual(['ended', []])
  })
})

describe('the grace period', () => {
  test('when it is over, the run rejects with the names of those that would not stop, and all others are told', async () => {
    const diary: string[] = []
    const { clock, advance } = fakeClock()
    const never = new Promise<void>(() => {})
    const { run, stop } = started({ clock, gracePeriodMs: 30_000 }, [
      part(diary, 'http'),
      part(diary, 'other', { name: 'stubborn', end: never }),
      part(diary, 'leader', { name: 'deaf', end: never }),
    ])
    await settle()
    stop()
    await settle()
    await advance(29_999)
    expect(run.outcome).toBe('running')
    await advance(1)
    expect(run.outcome).toBeInstanceOf(GracePeriodExceededError)
    expect(run.outcome).toMatchObject({ runnables: ['deaf'] })
    expect(diary.slice(3).toSorted()).toEqual([
      'deaf is told to stop',
      'http ends',
      'stubborn is told to stop',
    ])
  })

  test('a failure is more important to report than those that did not stop after it', async () => {
    const { clock, advance } = fakeClock()
    const failing = deferred()
    const { run } = started({ clock }, [
      part([], 'http', { end: new Promise(() => {}) }),
      part([], 'other', { name: 'failing', end: failing.promise }),
    ])
    await settle()
    failing.reject(new Error('broken'))
    await settle()
    await advance(1_000)
    expect(run.outcome).toMatchObject({ runnable: 'failing' })
  })

  test('no timer is left after a stop in time', async () => {
    const { clock, timers } = fakeClock()
    const { run, stop } = started({ clock }, [part([], 'other')])
    await settle()
    stop()
    await settle()
    expect([run.outcome, timers.size]).toEqual(['ended', 0])
  })

  test('zero waits for nobody', async () => {
    const { run, stop } = started({ clock: systemClock, gracePeriodMs: 0 }, [
      part([], 'other', { end: new Promise(() => {}) }),
    ])
    await settle()
    stop()
    await expect.poll(() => run.outcome).toBeInstanceOf(GracePeriodExceededError)
  })
})

describe('leader election', () => {
  test('leader parts wait for the election; all others do not', async () => {
    const diary: string[] = []
    const { election, elect } = staged(diary)
    const { stop } = started({ leaderElection: election }, [part(diary, 'warm-up'), part(diary, 'leader')])
    await settle()
    expect(diary).toEqual(['warm-up starts'])
    await elect()
    expect(diary.slice(1)).toEqual(['elected', 'leader starts'])
    stop()
  })

  test('the lease is released when everything else has ended', async () => {
    const diary: string[] = []
    const { election, elect } = staged(diary)
    const { run, stop } = started({ leaderElection: election }, [part(diary, 'http'), part(diary, 'leader')])
    await settle()
    await elect()
    stop()
    await settle()
    expect(diary.slice(-3)).toEqual(['leader ends', 'http ends', 'lease released'])
    expect(run.outcome).toBe('ended')
  })

  test('a manager that stops before it is elected never starts its leader parts', async () => {
    const diary: string[] = []
    const { election } = staged(diary)
    const { run, stop } = started({ leaderElection: election }, [part(diary, 'http'), part(diary, 'leader')])
    await settle()
    stop()
    await settle()
    expect([diary, run.outcome]).toEqual([['http starts', 'http ends'], 'ended'])
  })

  test('when the lease is lost, all are told at once, nobody is waited for, and the run rejects with the loss', async () => {
    const diary: string[] = []
    const { election, elect, lose } = staged(diary)
    const never = new Promise<void>(() => {})
    const { run } = started({ leaderElection: election }, [
      part(diary, 'http', { end: never }),
      part(diary, 'leader', { end: never }),
    ])
    await settle()
    await elect()
    diary.length = 0
    const error = new LeadershipLostError('ops/tiger', 'expired')
    lose(error)
    expect(diary).toEqual(['leader is told to stop'])
    await settle()
    expect(run.outcome).toBe(error)
    expect(diary).toEqual(['leader is told to stop', 'http is told to stop', 'lease abandoned'])
  })

  test('a lease that is lost during a graceful stop ends the waiting', async () => {
    const diary: string[] = []
    const { election, elect, lose } = staged(diary)
    const { run, stop } = started({ leaderElection: election }, [
      part(diary, 'leader', { end: new Promise(() => {}) }),
    ])
    await settle()
    await elect()
    stop()
    await settle()
    expect(run.outcome).toBe('running')
    const error = new LeadershipLostError('ops/tiger', 'expired')
    lose(error)
    await settle()
    expect(run.outcome).toBe(error)
  })

  test('work that does not end in time keeps the lease from being released', async () => {
    const diary: string[] = []
    const { clock, advance } = fakeClock()
    const { election, elect } = staged(diary)
    const { run, stop } = started({ leaderElection: election, clock }, [
      part(diary, 'leader', { end: new Promise(() => {}) }),
    ])
    await settle()
    await elect()
    stop()
    await settle()
    await advance(1_000)
    expect(run.outcome).toBeInstanceOf(GracePeriodExceededError)
    expect(diary.slice(-2)).toEqual(['leader is told to stop', 'lease abandoned'])
  })

  test('an election that cannot go on stops everything in order', async () => {
    const diary: string[] = []
    const cause = new Error('identity in use')
    const election: Election = { run: () => Promise.reject(cause), abandon: () => {} }
    const { run } = started({ leaderElection: election }, [part(diary, 'http')])
    await settle()
    expect([run.outcome, diary]).toEqual([cause, ['http starts', 'http ends']])
  })

  test('what must happen before leading happens after the election and before the first leader part', async () => {
    const diary: string[] = []
    const { election, elect } = staged(diary)
    const caughtUp = deferred()
    const beforeLeading = async (): Promise<void> => {
      diary.push('catching up')
      await caughtUp.promise
    }
    const { stop } = started({ leaderElection: election, beforeLeading }, [part(diary, 'leader')])
    await settle()
    await elect()
    expect(diary).toEqual(['elected', 'catching up'])
    caughtUp.resolve()
    await settle()
    expect(diary.at(-1)).toBe('leader starts')
    stop()
  })

  test('when that fails, everything stops and the lease is released', async () => {
    const diary: string[] = []
    const { election, elect } = staged(diary)
    const beforeLeading = (): Promise<void> => Promise.reject(new Error('cannot catch up'))
    const { run } = started({ leaderElection: election, beforeLeading }, [
      part(diary, 'http'),
      part(diary, 'leader'),
    ])
    await settle()
    await elect()
    await settle()
    expect(run.outcome).toMatchObject({ runnable: 'beforeLeading' })
    expect(diary).toEqual(['http starts', 'elected', 'http ends', 'lease released'])
  })
})
