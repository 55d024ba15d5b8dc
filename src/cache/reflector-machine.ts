import { assertNever } from '../base/index.js'
import { compareResourceVersions } from '../objects/index.js'
import type {
  ListQuery,
  ReflectorEffect,
  ReflectorFailure,
  ReflectorInput,
  ReflectorRules,
  ReflectorState,
} from './reflector-state.js'

/** What follows from an input: the next state, and what to do. */
export type Step = readonly [state: ReflectorState, effects: readonly ReflectorEffect[]]

const nothing: readonly ReflectorEffect[] = []

/**
 * The rules by which a cache follows a resource, without any I/O: `step(state, input)` gives the next state and what
 * to do. The loop around it (reflector.ts) lists, watches and sleeps as it is told.
 *
 * What the rules promise:
 * - a watch that ends, for whatever reason, is resumed from the last version seen; nothing is listed again while the
 *   server still has that version;
 * - a snapshot is complete or it is not used: pages of two snapshots are never mixed;
 * - a list never goes back to data older than what was seen, unless the server has lost that version;
 * - a streaming list that never ends is given up for a plain one;
 * - a watch that says nothing for long is doubted: the server may have been restored to a time before its version;
 * - every failure is followed by a pause, except where the answer itself says what to do at once, and then only once.
 */
export function step(
  state: ReflectorState,
  input: ReflectorInput,
  nowMs: number,
  rules: ReflectorRules,
): Step {
  switch (input.type) {
    case 'start':
      return startList(state, nowMs, rules)
    case 'waited':
      return state.phase.kind === 'waiting' && state.phase.next === 'watch'
        ? startWatch(state)
        : startList(state, nowMs, rules)
    case 'page':
      return onPage(state, input, rules)
    case 'list-failed':
      return onListFailed(state, input.failure, nowMs, rules)
    case 'probed':
      return state.phase.kind === 'probing' ? startWatch(state) : [state, nothing]
    case 'object':
      return [onObject(state, input.resourceVersion), nothing]
    case 'bookmark':
      return onBookmark(state, input)
    case 'watch-ended':
      return onWatchEnded(state, input, nowMs, rules)
    case 'watch-failed':
      return onWatchFailed(state, input, nowMs, rules)
    default:
      return assertNever(input)
  }
}

function startList(state: ReflectorState, nowMs: number, rules: ReflectorRules): Step {
  if (rules.streamingList && nowMs >= state.streamingListNotBeforeMs) {
    const resourceVersion = state.versionLost ? '' : state.resourceVersion
    return [
      { ...state, phase: { kind: 'streaming-list' } },
      [{ type: 'discard' }, { type: 'stream-list', resourceVersion }],
    ]
  }
  return startPlainList(state, rules)
}

function startPlainList(state: ReflectorState, rules: ReflectorRules): Step {
  // "0" is served from the watch cache at whatever version it is; a version means "not older than that".
  const resourceVersion = state.versionLost ? '' : state.resourceVersion === '' ? '0' : state.resourceVersion
  // A limit would send a list at a given version past the watch cache, to etcd.
  const inPages = resourceVersion === '' || resourceVersion === '0' || state.paginated
  return list(state, { resourceVersion, limit: inPages ? rules.pageSize : 0 })
}

function list(state: ReflectorState, query: ListQuery): Step {
  return [
    { ...state, phase: { kind: 'listing', query, page: 1 } },
    [{ type: 'discard' }, { type: 'list', query }],
  ]
}

function onPage(
  state: ReflectorState,
  input: { readonly resourceVersion: string; readonly continueToken?: string },
  rules: ReflectorRules,
): Step {
  const { phase } = state
  if (phase.kind !== 'listing') return [state, nothing]
  if (input.continueToken === undefined) return commit(state, input.resourceVersion)
  // The server refuses a version beside a continue token, which holds its own.
  const query = { resourceVersion: '', limit: rules.pageSize, continueToken: input.continueToken }
  return [
    {
      ...state,
      paginated: state.paginated || phase.query.resourceVersion === '0',
      phase: { ...phase, page: phase.page + 1 },
    },
    [{ type: 'list', query }],
  ]
}

/** The snapshot becomes the store, and (after a plain list) the watch begins where it ended. */
function commit(state: ReflectorState, resourceVersion: string): Step {
  const wentBack = compareResourceVersions(resourceVersion, state.resourceVersion) === -1
  const committed: ReflectorState = {
    ...state,
    resourceVersion,
    versionLost: false,
    missingLists: 0,
    brokenStreams: 0,
    unfinishedStreams: 0,
    internalErrorsSinceMs: undefined,
    phase: { kind: 'watching', from: resourceVersion },
  }
  const effects: ReflectorEffect[] = []
  if (wentBack) effects.push({ type: 'history-went-back', from: state.resourceVersion, to: resourceVersion })
  effects.push({ type: 'commit', resourceVersion })
  // A streaming list goes on as the watch.
  if (state.phase.kind !== 'streaming-list') effects.push(watchFrom(committed))
  return [committed, effects]
}

function startWatch(state: ReflectorState): Step {
  return [{ ...state, phase: { kind: 'watching', from: state.resourceVersion } }, [watchFrom(state)]]
}

/** A watch that said nothing: is there still somebody who knows our version? Then it was just quiet. */
function startProbe(state: ReflectorState): Step {
  if (state.resourceVersion === '') return startWatch(state)
  return [
    { ...state, phase: { kind: 'probing' } },
    [{ type: 'probe', resourceVersion: state.resourceVersion }],
  ]
}

function watchFrom(state: ReflectorState): ReflectorEffect {
  return {
    type: 'watch',
    resourceVersion: state.resourceVersion,
    expectBookmarks: state.bookmarks !== 'absent',
  }
}

function wait(
  state: ReflectorState,
  next: 'list' | 'watch',
  failure: ReflectorFailure | 'short-watch',
): Step {
  const effects: ReflectorEffect[] = next === 'list' ? [{ type: 'discard' }] : []
  effects.push({ type: 'wait', failure })
  return [{ ...state, phase: { kind: 'waiting', next } }, effects]
}

function onListFailed(
  state: ReflectorState,
  failure: ReflectorFailure,
  nowMs: number,
  rules: ReflectorRules,
): Step {
  const { phase } = state
  if (phase.kind === 'probing') return onProbeFailed(state, failure, nowMs, rules)
  if (phase.kind !== 'listing') return [state, nothing]
  if (failure === 'expired' && phase.page > 1) {
    // The continue token died between pages. Its replacement in the answer would give a torn snapshot: start over, whole.
    return list(state, { resourceVersion: phase.query.resourceVersion, limit: 0 })
  }
  if ((failure === 'expired' || failure === 'too-large') && !state.versionLost) {
    return startPlainList({ ...state, versionLost: true }, rules)
  }
  if (failure === 'missing') {
    const missingLists = state.missingLists + 1
    const missing = { ...state, missingLists }
    const [waiting, effects] = wait(missing, 'list', failure)
    // Once may be a server that has just started and does not know its CRDs yet. Twice is a CRD that is not there.
    return missingLists === 2
      ? [{ ...waiting, resourceVersion: '', versionLost: false }, [{ type: 'clear' }, ...effects]]
      : [waiting, effects]
  }
  return wait(state, 'list', failure)
}

function onProbeFailed(
  state: ReflectorState,
  failure: ReflectorFailure,
  nowMs: number,
  rules: ReflectorRules,
): Step {
  switch (failure) {
    case 'expired':
    case 'too-large':
      return startList({ ...state, versionLost: true }, nowMs, rules)
    case 'missing':
      return startPlainList(state, rules)
    default:
      return wait(state, 'watch', failure)
  }
}

function onObject(state: ReflectorState, resourceVersion: string): ReflectorState {
  // Versions of initial events come in no order; the bookmark at their end has the version of the snapshot.
  if (state.phase.kind !== 'watching' || resourceVersion === '' || resourceVersion === state.resourceVersion)
    return state
  return {
    ...state,
    resourceVersion,
    brokenStreams: 0,
    listedInVain: false,
    internalErrorsSinceMs: undefined,
  }
}

function onBookmark(
  state: ReflectorState,
  input: { readonly resourceVersion: string; readonly initialEventsEnd: boolean },
): Step {
  // The end mark is owed to whoever asks for it, and promises no bookmarks later on.
  if (input.initialEventsEnd) {
    return state.phase.kind === 'streaming-list' ? commit(state, input.resourceVersion) : [state, nothing]
  }
  const seen: ReflectorState = state.bookmarks === 'seen' ? state : { ...state, bookmarks: 'seen' }
  if (state.phase.kind === 'streaming-list') return [seen, nothing]
  // A bookmark only ever moves forward: an older one is a late or confused server's.
  if (
    input.resourceVersion === '' ||
    compareResourceVersions(input.resourceVersion, state.resourceVersion) === -1
  ) {
    return [seen, nothing]
  }
  return [onObject(seen, input.resourceVersion), nothing]
}

function onWatchEnded(
  state: ReflectorState,
  input: { readonly lastedMs: number; readonly events: number },
  nowMs: number,
  rules: ReflectorRules,
): Step {
  const { phase } = state
  if (phase.kind === 'streaming-list') return onUnfinishedStream(state, 'short-watch', nowMs, rules)
  // Events that only repeat what is known are no progress either.
  const isFruitless = phase.kind === 'watching' && phase.from === state.resourceVersion
  if (isFruitless && input.lastedMs < rules.shortWatchMs) return wait(state, 'watch', 'short-watch')
  if (input.events === 0 && input.lastedMs >= rules.silentWatchMs) return startProbe(state)
  return startWatch(state)
}

function onWatchFailed(
  state: ReflectorState,
  input: { readonly failure: ReflectorFailure; readonly events: number },
  nowMs: number,
  rules: ReflectorRules,
): Step {
  return state.phase.kind === 'streaming-list'
    ? onStreamingListFailed(state, input, nowMs, rules)
    : onRunningWatchFailed(state, input, nowMs, rules)
}

/** Once may be a server that restarts. Twice is something that does not let long streams through. */
function onUnfinishedStream(
  state: ReflectorState,
  failure: ReflectorFailure | 'short-watch',
  nowMs: number,
  rules: ReflectorRules,
): Step {
  if (state.unfinishedStreams > 0) return giveUpStreaming(state, nowMs, rules)
  return wait({ ...state, unfinishedStreams: 1 }, 'list', failure)
}

function giveUpStreaming(state: ReflectorState, nowMs: number, rules: ReflectorRules): Step {
  const streamingListNotBeforeMs = nowMs + rules.streamingListPauseMs
  return startPlainList({ ...state, unfinishedStreams: 0, streamingListNotBeforeMs }, rules)
}

function onStreamingListFailed(
  state: ReflectorState,
  { failure, events }: { readonly failure: ReflectorFailure; readonly events: number },
  nowMs: number,
  rules: ReflectorRules,
): Step {
  switch (failure) {
    case 'throttled':
      return wait(state, 'list', failure)
    case 'unreachable':
      return events === 0 ? wait(state, 'list', failure) : onUnfinishedStream(state, failure, nowMs, rules)
    case 'expired':
    case 'too-large':
      if (!state.versionLost) return startList({ ...state, versionLost: true }, nowMs, rules)
      return wait(state, 'list', failure)
    default:
      // The server does not know streaming lists, or something between us and it does not let them through.
      return giveUpStreaming(state, nowMs, rules)
  }
}

function onRunningWatchFailed(
  state: ReflectorState,
  { failure, events }: { readonly failure: ReflectorFailure; readonly events: number },
  nowMs: number,
  rules: ReflectorRules,
): Step {
  switch (failure) {
    case 'expired':
    case 'too-large':
    case 'store-read':
    case 'missing':
      // At once, but not again and again: a server may have lists and no watches.
      if (state.listedInVain) return wait(state, 'list', failure)
      return failure === 'missing'
        ? startPlainList({ ...state, listedInVain: true }, rules)
        : startList({ ...state, listedInVain: true }, nowMs, rules)
    case 'internal': {
      const since = state.internalErrorsSinceMs ?? nowMs
      if (nowMs - since > rules.internalErrorWindowMs) {
        return startList({ ...state, internalErrorsSinceMs: undefined }, nowMs, rules)
      }
      return wait({ ...state, internalErrorsSinceMs: since }, 'watch', failure)
    }
    case 'undecodable':
      if (state.brokenStreams > 0) return wait({ ...state, brokenStreams: 0 }, 'list', failure)
      return wait({ ...state, brokenStreams: 1 }, 'watch', failure)
    case 'stalled': {
      // The connection is dead, or the server sends no bookmarks. One that never sent any gets the benefit of the doubt,
      // but not at once: then dead connections would be found late.
      const bookmarks =
        state.bookmarks === 'unknown' ? 'doubted' : state.bookmarks === 'doubted' ? 'absent' : state.bookmarks
      const doubted: ReflectorState = { ...state, bookmarks }
      return events === 0 ? startProbe(doubted) : startWatch(doubted)
    }
    case 'throttled':
    case 'unreachable':
    case 'unanswered':
    case 'rejected':
      return wait(state, 'watch', failure)
    default:
      return assertNever(failure)
  }
}
