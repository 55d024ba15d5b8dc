import { assertNever } from '../base/index.js'
import { compareResourceVersions } from '../objects/index.js'

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
 * - every failure is followed by a pause, except where the answer itself says what to do at once.
 */
export interface ReflectorState {
  readonly phase: ReflectorPhase
  /** How far the store is: the version of the last list, event or bookmark. Empty before the first list. */
  readonly resourceVersion: string
  /** The server does not have that version (any more, or yet): the next list asks for the newest data there is. */
  readonly versionLost: boolean
  /** A list of cached data came in pages before, so the server has no watch cache: keep asking for pages. */
  readonly paginated: boolean
  /** Streaming lists are not tried before this (monotonic) time: one of them failed. */
  readonly streamingListNotBeforeMs: number
  /** Whether this server sends bookmarks: silence is suspicious only where they are expected. */
  readonly bookmarks: 'unknown' | 'seen' | 'absent'
  /** Consecutive lists that found no such resource. */
  readonly missingLists: number
  /** Consecutive broken streams at the same version: the second one is answered by a list. */
  readonly brokenStreams: number
  /** Start of the current run of internal server errors, or undefined. */
  readonly internalErrorsSinceMs: number | undefined
}

export type ReflectorPhase =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'listing'; readonly query: ListQuery; readonly page: number }
  | { readonly kind: 'streaming-list' }
  | { readonly kind: 'watching' }
  | { readonly kind: 'waiting'; readonly next: 'list' | 'watch' }

export interface ListQuery {
  readonly resourceVersion: string
  /** Zero: everything at once. */
  readonly limit: number
  readonly continueToken?: string
}

/** Why a list or a watch failed, as far as the rules care. */
export type ReflectorFailure =
  | 'expired' // 410: the version is too old
  | 'too-large' // the server has not reached the version yet, or never will
  | 'throttled' // 429
  | 'unreachable' // no answer: refused, reset, timed out
  | 'missing' // 404: no such resource, as when its CRD is gone
  | 'internal' // 500 as an event of a running watch
  | 'store-read' // 500 because an object cannot be read from storage
  | 'undecodable' // the stream is not what a watch sends
  | 'stalled' // nothing came for longer than it should
  | 'rejected' // any other answer: 400, 401, 403, 422, 5xx

export type ReflectorInput =
  | { readonly type: 'start' }
  | { readonly type: 'waited' }
  | { readonly type: 'page'; readonly resourceVersion: string; readonly continueToken?: string }
  | { readonly type: 'list-failed'; readonly failure: ReflectorFailure }
  | { readonly type: 'object'; readonly resourceVersion: string }
  | { readonly type: 'bookmark'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'watch-ended'; readonly lastedMs: number; readonly events: number }
  | { readonly type: 'watch-failed'; readonly failure: ReflectorFailure }

export type ReflectorEffect =
  /** Fetch a page; its objects join the snapshot. */
  | { readonly type: 'list'; readonly query: ListQuery }
  /** Open a stream of initial events; its objects join the snapshot until it is committed. */
  | { readonly type: 'stream-list'; readonly resourceVersion: string }
  /** Open a watch; its events go to the store. */
  | { readonly type: 'watch'; readonly resourceVersion: string; readonly expectBookmarks: boolean }
  | { readonly type: 'wait'; readonly failure: ReflectorFailure | 'short-watch' }
  /** The snapshot is complete: the store becomes it. */
  | { readonly type: 'commit'; readonly resourceVersion: string }
  /** The snapshot is incomplete: forget it. */
  | { readonly type: 'discard' }
  /** The resource does not exist: the store becomes empty. */
  | { readonly type: 'clear' }
  /** The server's history went back (restored from a backup): what was remembered by version is void. */
  | { readonly type: 'history-went-back'; readonly from: string; readonly to: string }

export interface ReflectorRules {
  readonly streamingList: boolean
  readonly pageSize: number
  /** How long plain lists are used after a streaming list failed. */
  readonly streamingListPauseMs: number
  /** A watch shorter than this without an event is a failure in disguise. */
  readonly shortWatchMs: number
  /** How long internal errors of a watch are answered by watching again before listing again. */
  readonly internalErrorWindowMs: number
}

export const defaultReflectorRules: ReflectorRules = {
  streamingList: true,
  pageSize: 500,
  streamingListPauseMs: 3_600_000,
  shortWatchMs: 1_000,
  internalErrorWindowMs: 30_000,
}

export const initialReflectorState: ReflectorState = {
  phase: { kind: 'stopped' },
  resourceVersion: '',
  versionLost: false,
  paginated: false,
  streamingListNotBeforeMs: Number.NEGATIVE_INFINITY,
  bookmarks: 'unknown',
  missingLists: 0,
  brokenStreams: 0,
  internalErrorsSinceMs: undefined,
}

export type Step = readonly [state: ReflectorState, effects: readonly ReflectorEffect[]]

const nothing: readonly ReflectorEffect[] = []

/** What follows from an input. Pure: the time is part of the input. */
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
      return onListFailed(state, input.failure, rules)
    case 'object':
      return [onObject(state, input.resourceVersion), nothing]
    case 'bookmark':
      return onBookmark(state, input)
    case 'watch-ended':
      return onWatchEnded(state, input, rules)
    case 'watch-failed':
      return onWatchFailed(state, input.failure, nowMs, rules)
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
    internalErrorsSinceMs: undefined,
    phase: { kind: 'watching' },
  }
  const effects: ReflectorEffect[] = []
  if (wentBack) effects.push({ type: 'history-went-back', from: state.resourceVersion, to: resourceVersion })
  effects.push({ type: 'commit', resourceVersion })
  // A streaming list goes on as the watch.
  if (state.phase.kind !== 'streaming-list') effects.push(watchFrom(committed))
  return [committed, effects]
}

function startWatch(state: ReflectorState): Step {
  return [{ ...state, phase: { kind: 'watching' } }, [watchFrom(state)]]
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

function onListFailed(state: ReflectorState, failure: ReflectorFailure, rules: ReflectorRules): Step {
  const { phase } = state
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
    // Once may be a server that has just started and does not know its CRDs yet. Twice is a CRD that is gone.
    return missingLists === 2
      ? [{ ...waiting, resourceVersion: '', versionLost: false }, [{ type: 'clear' }, ...effects]]
      : [waiting, effects]
  }
  return wait(state, 'list', failure)
}

function onObject(state: ReflectorState, resourceVersion: string): ReflectorState {
  // Versions of initial events come in no order; the bookmark at their end has the version of the snapshot.
  if (state.phase.kind !== 'watching' || resourceVersion === '' || resourceVersion === state.resourceVersion)
    return state
  return { ...state, resourceVersion, brokenStreams: 0, internalErrorsSinceMs: undefined }
}

function onBookmark(
  state: ReflectorState,
  input: { readonly resourceVersion: string; readonly initialEventsEnd: boolean },
): Step {
  const seen: ReflectorState = state.bookmarks === 'seen' ? state : { ...state, bookmarks: 'seen' }
  if (state.phase.kind === 'streaming-list') {
    return input.initialEventsEnd ? commit(seen, input.resourceVersion) : [seen, nothing]
  }
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
  rules: ReflectorRules,
): Step {
  if (state.phase.kind === 'streaming-list') return wait(state, 'list', 'short-watch')
  if (input.events === 0 && input.lastedMs < rules.shortWatchMs) return wait(state, 'watch', 'short-watch')
  return startWatch(state)
}

function onWatchFailed(
  state: ReflectorState,
  failure: ReflectorFailure,
  nowMs: number,
  rules: ReflectorRules,
): Step {
  return state.phase.kind === 'streaming-list'
    ? onStreamingListFailed(state, failure, nowMs, rules)
    : onRunningWatchFailed(state, failure, nowMs, rules)
}

function onStreamingListFailed(
  state: ReflectorState,
  failure: ReflectorFailure,
  nowMs: number,
  rules: ReflectorRules,
): Step {
  switch (failure) {
    case 'throttled':
    case 'unreachable':
      return wait(state, 'list', failure)
    case 'expired':
    case 'too-large':
      if (!state.versionLost) return startList({ ...state, versionLost: true }, nowMs, rules)
      return wait(state, 'list', failure)
    default:
      // The server does not know streaming lists, or something between us and it does not let them through.
      return startPlainList({ ...state, streamingListNotBeforeMs: nowMs + rules.streamingListPauseMs }, rules)
  }
}

function onRunningWatchFailed(
  state: ReflectorState,
  failure: ReflectorFailure,
  nowMs: number,
  rules: ReflectorRules,
): Step {
  switch (failure) {
    case 'expired':
    case 'too-large':
    case 'store-read':
      return startList(state, nowMs, rules)
    case 'missing':
      return startPlainList(state, rules)
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
    case 'stalled':
      // The connection is dead or the server sends no bookmarks. One that never sent any gets the benefit of the doubt.
      return startWatch(state.bookmarks === 'unknown' ? { ...state, bookmarks: 'absent' } : state)
    case 'throttled':
    case 'unreachable':
    case 'rejected':
      return wait(state, 'watch', failure)
    default:
      return assertNever(failure)
  }
}
