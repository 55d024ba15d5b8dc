import { describe, expect, test } from 'vitest'
import { step } from './reflector-machine.js'
import {
  defaultReflectorRules,
  initialReflectorState,
  type ReflectorEffect,
  type ReflectorFailure,
  type ReflectorInput,
  type ReflectorRules,
  type ReflectorState,
} from './reflector-state.js'

const paged: ReflectorRules = { ...defaultReflectorRules, streamingList: false }

/** Feeds inputs one after the other; returns the last state and the effects of the last input. */
function run(
  inputs: readonly ReflectorInput[],
  { rules = paged, from = initialReflectorState, nowMs = 0 } = {},
): { state: ReflectorState; effects: readonly ReflectorEffect[] } {
  let state = from
  let effects: readonly ReflectorEffect[] = []
  for (const input of inputs) [state, effects] = step(state, input, nowMs, rules)
  return { state, effects }
}

const start: ReflectorInput = { type: 'start' }
const waited: ReflectorInput = { type: 'waited' }
const page = (resourceVersion: string, continueToken?: string): ReflectorInput =>
  continueToken === undefined
    ? { type: 'page', resourceVersion }
    : { type: 'page', resourceVersion, continueToken }
const listFailed = (failure: ReflectorFailure): ReflectorInput => ({ type: 'list-failed', failure })
const watchFailed = (failure: ReflectorFailure, events = 1): ReflectorInput => ({
  type: 'watch-failed',
  failure,
  events,
})
const watchEnded = (lastedMs: number, events: number): ReflectorInput => ({
  type: 'watch-ended',
  lastedMs,
  events,
})
const object = (resourceVersion: string): ReflectorInput => ({ type: 'object', resourceVersion })
const bookmark = (resourceVersion: string, initialEventsEnd = false): ReflectorInput => ({
  type: 'bookmark',
  resourceVersion,
  initialEventsEnd,
})

const watchingAt = (resourceVersion: string): ReflectorState => run([start, page(resourceVersion)]).state

describe('a plain list', () => {
  test('begins with whatever the watch cache has, in pages of 500', () => {
    expect(run([start]).effects).toContainEqual({ type: 'list', query: { resourceVersion: '0', limit: 500 } })
  })

  test('follows continue tokens without a version beside them', () => {
    expect(run([start, page('10', 'next')]).effects).toEqual([
      { type: 'list', query: { resourceVersion: '', limit: 500, continueToken: 'next' } },
    ])
  })

  test('becomes the store after its last page and is followed by a watch from its version', () => {
    const { state, effects } = run([start, page('10', 'next'), page('10')])
    expect(effects).toEqual([
      { type: 'commit', resourceVersion: '10' },
      { type: 'watch', resourceVersion: '10', expectBookmarks: true },
    ])
    expect(state.resourceVersion).toBe('10')
  })

  test('whose continue token expires is thrown away and fetched again in one piece', () => {
    expect(run([start, page('10', 'next'), listFailed('expired')]).effects).toEqual([
      { type: 'discard' },
      { type: 'list', query: { resourceVersion: '0', limit: 0 } },
    ])
  })

  test('that finds its version expired or not yet reached asks at once for the newest data', () => {
    for (const failure of ['expired', 'too-large'] as const) {
      const { effects } = run([watchFailed('expired'), listFailed(failure)], { from: watchingAt('10') })
      expect(effects).toContainEqual({ type: 'list', query: { resourceVersion: '', limit: 500 } })
    }
  })

  test('that fails even for the newest data waits', () => {
    const { effects } = run([watchFailed('expired'), listFailed('expired'), listFailed('expired')], {
      from: watchingAt('10'),
    })
    expect(effects).toContainEqual({ type: 'wait', failure: 'expired' })
  })

  test('that fails for another reason drops what it has, waits and starts over', () => {
    const failed = run([start, page('10', 'next'), listFailed('rejected')])
    expect(failed.effects).toEqual([{ type: 'discard' }, { type: 'wait', failure: 'rejected' }])
    expect(run([waited], { from: failed.state }).effects).toContainEqual({
      type: 'list',
      query: { resourceVersion: '0', limit: 500 },
    })
  })

  test('after a version was seen asks for data not older than it, without a limit', () => {
    expect(run([watchFailed('expired')], { from: watchingAt('10') }).effects).toContainEqual({
      type: 'list',
      query: { resourceVersion: '10', limit: 0 },
    })
  })

  test('keeps asking for pages where the server sent pages of cached data before', () => {
    const { state } = run([start, page('10', 'next'), page('10')])
    expect(run([watchFailed('expired')], { from: state }).effects).toContainEqual({
      type: 'list',
      query: { resourceVersion: '10', limit: 500 },
    })
  })

  test('older than what was seen tells that the history went back, before the store changes', () => {
    const { effects } = run([watchFailed('expired'), listFailed('too-large'), page('7')], {
      from: watchingAt('10'),
    })
    expect(effects.map((effect) => effect.type)).toEqual(['history-went-back', 'commit', 'watch'])
  })
})

describe('a resource that does not exist', () => {
  test('keeps the store at the first refusal, because a server that starts may not know its CRDs yet', () => {
    const { effects } = run([watchFailed('missing'), listFailed('missing')], { from: watchingAt('10') })
    expect(effects).toEqual([{ type: 'discard' }, { type: 'wait', failure: 'missing' }])
  })

  test('empties the store at the second refusal, once, and goes on asking', () => {
    const gone = run([watchFailed('missing'), listFailed('missing'), waited, listFailed('missing')], {
      from: watchingAt('10'),
    })
    expect(gone.effects).toContainEqual({ type: 'clear' })
    const still = run([waited, listFailed('missing')], { from: gone.state })
    expect(still.effects).toEqual([{ type: 'discard' }, { type: 'wait', failure: 'missing' }])
  })

  test('is followed again, from the newest data, when it comes back', () => {
    const gone = run([start, listFailed('missing'), waited, listFailed('missing'), waited])
    expect(gone.effects).toContainEqual({ type: 'list', query: { resourceVersion: '0', limit: 500 } })
    expect(run([page('3')], { from: gone.state }).state.resourceVersion).toBe('3')
  })
})

describe('a watch', () => {
  test('that ends is resumed at once from the last event', () => {
    const { effects } = run([object('12'), watchEnded(5_000, 1)], {
      from: watchingAt('10'),
    })
    expect(effects).toEqual([{ type: 'watch', resourceVersion: '12', expectBookmarks: true }])
  })

  test('that ends at once without an event is resumed after a pause', () => {
    const ended = run([watchEnded(20, 0)], { from: watchingAt('10') })
    expect(ended.effects).toEqual([{ type: 'wait', failure: 'short-watch' }])
    expect(run([waited], { from: ended.state }).effects).toEqual([
      { type: 'watch', resourceVersion: '10', expectBookmarks: true },
    ])
  })

  test('that is short but brought events is resumed at once', () => {
    const { effects } = run([object('11'), watchEnded(20, 1)], {
      from: watchingAt('10'),
    })
    expect(effects[0]?.type).toBe('watch')
  })

  test('that is short and brought only what was known is resumed after a pause', () => {
    const { effects } = run([bookmark('10'), object('10'), watchEnded(20, 2)], { from: watchingAt('10') })
    expect(effects).toEqual([{ type: 'wait', failure: 'short-watch' }])
  })

  test('that is throttled, unreachable, unanswered or forbidden is resumed after a pause, never listed again', () => {
    for (const failure of ['throttled', 'unreachable', 'unanswered', 'rejected'] as const) {
      const failed = run([watchFailed(failure)], { from: watchingAt('10') })
      expect(failed.effects).toEqual([{ type: 'wait', failure }])
      expect(run([waited], { from: failed.state }).effects[0]?.type).toBe('watch')
    }
  })

  test('that stalls is resumed at once', () => {
    const { effects } = run([bookmark('11'), watchFailed('stalled')], { from: watchingAt('10') })
    expect(effects).toEqual([{ type: 'watch', resourceVersion: '11', expectBookmarks: true }])
  })

  test('that was silent to its end is followed by the question whether the server has our version', () => {
    for (const silent of [watchFailed('stalled', 0), watchEnded(300_000, 0)]) {
      const { state, effects } = run([bookmark('11'), silent], { from: watchingAt('10') })
      expect(effects).toEqual([{ type: 'probe', resourceVersion: '11' }])
      expect(run([{ type: 'probed' }], { from: state }).effects).toEqual([
        { type: 'watch', resourceVersion: '11', expectBookmarks: true },
      ])
      // It does not: it was restored to a time before it.
      expect(run([listFailed('too-large')], { from: state }).effects.at(-1)).toEqual({
        type: 'list',
        query: { resourceVersion: '', limit: 500 },
      })
      expect(run([listFailed('missing')], { from: state }).effects.at(-1)?.type).toBe('list')
      const unsure = run([listFailed('unreachable')], { from: state })
      expect(unsure.effects).toEqual([{ type: 'wait', failure: 'unreachable' }])
      expect(run([waited], { from: unsure.state }).effects[0]?.type).toBe('watch')
    }
  })

  test('that was silent for a few seconds, or of no version, is just resumed', () => {
    expect(run([watchEnded(5_000, 0)], { from: watchingAt('10') }).effects[0]?.type).toBe('watch')
    expect(run([watchEnded(300_000, 0)], { from: watchingAt('') }).effects[0]?.type).toBe('watch')
  })

  test('whose version is always gone is listed again at once, but after that only with pauses', () => {
    for (const failure of ['expired', 'too-large', 'store-read', 'missing'] as const) {
      const first = run([watchFailed(failure, 0)], { from: watchingAt('10') })
      expect(first.effects.at(-1)?.type).toBe('list')
      const second = run([page('11'), watchFailed(failure, 0)], { from: first.state })
      expect(second.effects).toEqual([{ type: 'discard' }, { type: 'wait', failure }])
      const progressed = run([page('11'), object('12'), watchFailed(failure)], { from: first.state })
      expect(progressed.effects.at(-1)?.type).toBe('list')
    }
  })

  test('that stalls again and again although no bookmark ever came stops expecting bookmarks', () => {
    const once = run([watchFailed('stalled')], { from: watchingAt('10') })
    expect(once.effects).toEqual([{ type: 'watch', resourceVersion: '10', expectBookmarks: true }])
    const twice = run([watchFailed('stalled')], { from: once.state })
    expect(twice.effects).toEqual([{ type: 'watch', resourceVersion: '10', expectBookmarks: false }])
    const seen = run([bookmark('11'), watchFailed('stalled')], { from: twice.state })
    expect(seen.effects).toEqual([{ type: 'watch', resourceVersion: '11', expectBookmarks: true }])
  })

  test('with an internal error is resumed within the window and listed again beyond it', () => {
    const first = run([watchFailed('internal')], { from: watchingAt('10'), nowMs: 1_000 })
    expect(first.effects).toEqual([{ type: 'wait', failure: 'internal' }])
    const later = run([waited, watchFailed('internal')], { from: first.state, nowMs: 40_000 })
    expect(later.effects.map((effect) => effect.type)).toContain('list')
  })

  test('whose storage holds an unreadable object is listed again', () => {
    expect(run([watchFailed('store-read')], { from: watchingAt('10') }).effects.at(-1)?.type).toBe('list')
  })

  test('that cannot be decoded is resumed, and listed again if that fails too', () => {
    const once = run([watchFailed('undecodable'), waited], { from: watchingAt('10') })
    expect(once.effects[0]?.type).toBe('watch')
    const twice = run([watchFailed('undecodable'), waited], { from: once.state })
    expect(twice.effects.at(-1)?.type).toBe('list')
  })
})

describe('a bookmark', () => {
  test('moves the version forward', () => {
    expect(run([bookmark('15')], { from: watchingAt('10') }).state.resourceVersion).toBe('15')
  })

  test('never moves it back, whatever its length', () => {
    expect(run([bookmark('9')], { from: watchingAt('10') }).state.resourceVersion).toBe('10')
    expect(
      run([bookmark('99999999999999999999')], { from: watchingAt('100000000000000000000') }).state
        .resourceVersion,
    ).toBe('100000000000000000000')
  })

  test('without a version changes nothing', () => {
    expect(run([bookmark('')], { from: watchingAt('10') }).state.resourceVersion).toBe('10')
  })
})

describe('a streaming list', () => {
  const rules = defaultReflectorRules

  test('is asked for first, and its end mark makes it the store without a second stream', () => {
    const started = run([start], { rules })
    expect(started.effects).toContainEqual({ type: 'stream-list', resourceVersion: '' })
    const done = run([object('7'), bookmark('12', true)], { rules, from: started.state })
    expect(done.effects).toEqual([{ type: 'commit', resourceVersion: '12' }])
    expect(done.state.phase.kind).toBe('watching')
  })

  test('whose end mark came says nothing about later bookmarks', () => {
    expect(run([start, bookmark('12', true)], { rules }).state.bookmarks).toBe('unknown')
  })

  test('does not take the versions of its objects, which come in no order', () => {
    expect(run([start, object('900')], { rules }).state.resourceVersion).toBe('')
  })

  test('goes on through a bookmark that is not its end', () => {
    expect(run([start, bookmark('5', false)], { rules }).state.phase.kind).toBe('streaming-list')
  })

  test('that is refused, stalls or cannot be decoded gives way to plain lists for an hour', () => {
    for (const failure of ['rejected', 'stalled', 'unanswered', 'undecodable', 'internal'] as const) {
      const refused = run([start, watchFailed(failure)], { rules })
      expect(refused.effects.at(-1)).toEqual({ type: 'list', query: { resourceVersion: '0', limit: 500 } })
      const again = run([page('10'), watchFailed('expired')], {
        rules,
        from: refused.state,
        nowMs: 3_599_999,
      })
      expect(again.effects.at(-1)?.type).toBe('list')
      const later = run([page('10'), watchFailed('expired')], {
        rules,
        from: refused.state,
        nowMs: 3_600_000,
      })
      expect(later.effects.at(-1)?.type).toBe('stream-list')
    }
  })

  test('that is cut off before its end starts over from nothing after a pause', () => {
    const cut = run([start, object('7'), watchEnded(9_000, 1)], { rules })
    expect(cut.effects).toEqual([{ type: 'discard' }, { type: 'wait', failure: 'short-watch' }])
    expect(run([waited], { rules, from: cut.state }).effects).toEqual([
      { type: 'discard' },
      { type: 'stream-list', resourceVersion: '' },
    ])
  })

  test('that is cut off twice in a row gives way to plain lists, however it was cut off', () => {
    for (const cut of [watchEnded(9_000, 1), watchFailed('unreachable', 1)]) {
      const { effects } = run([start, cut, waited, cut], { rules })
      expect(effects.at(-1)).toEqual({ type: 'list', query: { resourceVersion: '0', limit: 500 } })
    }
    const refused = run([start, watchFailed('unreachable', 0), waited, watchFailed('unreachable', 0)], {
      rules,
    })
    expect(run([waited], { rules, from: refused.state }).effects.at(-1)?.type).toBe('stream-list')
  })

  test('at a version that the server has lost asks at once for the newest data', () => {
    const from = run([start, bookmark('12', true)], { rules }).state
    const lost = run([watchFailed('expired'), watchFailed('too-large')], { rules, from })
    expect(lost.effects).toContainEqual({ type: 'stream-list', resourceVersion: '' })
  })

  test('that is throttled waits and tries again', () => {
    const throttled = run([start, watchFailed('throttled')], { rules })
    expect(throttled.effects).toContainEqual({ type: 'wait', failure: 'throttled' })
    expect(run([waited], { rules, from: throttled.state }).effects.at(-1)?.type).toBe('stream-list')
  })
})
