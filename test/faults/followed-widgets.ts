import { expect } from 'vitest'
import type { CachedObject, HandlerRegistration, KindCache, KindCacheOptions } from '../../src/cache/index.js'
import type { PeerRequest } from './api-server/request.js'
import type { ApiServer } from './api-server.js'
import { until } from './event-loop.js'
import type { Rig, RunningCache } from './rig.js'
import { Widget } from './widgets.js'

/** A cache of the widgets, and everything that its handlers were told. */
export interface FollowedWidgets extends RunningCache {
  readonly widgets: KindCache<Widget>
  /** `initial a`, `add b`, `update b`, `echo b` (nothing changed), `delete a`, `lost a` (the deletion itself was missed). */
  readonly told: string[]
  readonly registration: HandlerRegistration
  readonly rig: Rig
}

export function followWidgets(
  rig: Rig,
  options: {
    readonly kind?: KindCacheOptions<Widget>
    readonly cache?: Parameters<Rig['startCache']>[0]
  } = {},
): FollowedWidgets {
  const running = rig.startCache(options.cache)
  const widgets = running.cache.of(Widget, options.kind)
  const told: string[] = []
  const registration = widgets.addHandler(recordInto(told))
  return { ...running, widgets, told, registration, rig }
}

/** A handler that writes down what it is told. */
export function recordInto(told: string[]): Parameters<KindCache<Widget>['addHandler']>[0] {
  const tell = (what: string, { name }: CachedObject<Widget>): void => void told.push(`${what} ${name}`)
  return {
    onAdd: (object, { initial }) => tell(initial ? 'initial' : 'add', object),
    onUpdate: (old, object) =>
      tell(old.resourceVersion === object.resourceVersion ? 'echo' : 'update', object),
    onDelete: (last, { finalStateUnknown }) => tell(finalStateUnknown ? 'lost' : 'delete', last),
  }
}

/** Invariant (i): the cache holds what the server holds, byte for byte, versions included. */
export function expectSame(widgets: KindCache<Widget>, server: ApiServer): void {
  expect(sorted(widgets)).toEqual(server.store.objects('widgets'))
}

export function isSame(widgets: KindCache<Widget>, server: ApiServer): boolean {
  return JSON.stringify(sorted(widgets)) === JSON.stringify(server.store.objects('widgets'))
}

function sorted(widgets: KindCache<Widget>): unknown[] {
  return Array.from(widgets.entries())
    .toSorted((left, right) => (left.key < right.key ? -1 : 1))
    .map(({ object }) => object)
}

/** What the server was asked, in short: `stream 100` (a watch with initial events), `watch 102`, `list 0`, `page`, `probe 102`. */
export function asked(server: ApiServer, plural = 'widgets'): string[] {
  return server.requests.filter((request) => request.plural === plural).map(describe)
}

function describe({ verb, query }: PeerRequest): string {
  const version = query['resourceVersion'] ?? ''
  if (verb === 'watch')
    return `${query['sendInitialEvents'] === 'true' ? 'stream' : 'watch'} ${version}`.trim()
  if (verb !== 'list') return verb
  if (query['continue'] !== undefined) return 'page'
  return `${query['limit'] === '1' ? 'probe' : 'list'} ${version}`.trim()
}

/**
 * Invariant (iv): the requests since a time are spaced by the back-off: the first may come at once, then at least 0.8,
 * 1.6, 3.2 ... seconds lie between them, up to 30. `perStep` requests may belong to one step (a streaming list that
 * is refused and the plain one after it).
 */
export function expectBackOff(server: ApiServer, sinceMs: number, perStep = 1): void {
  const times = server.requests
    .filter(({ atMs, verb }) => atMs >= sinceMs && (verb === 'list' || verb === 'watch'))
    .map(({ atMs }) => atMs)
  for (let at = perStep; at < times.length; at++) {
    const gapMs = (times[at] ?? 0) - (times[at - perStep] ?? 0)
    const step = Math.floor(at / perStep) - 1
    expect(gapMs, `request ${at} of ${times.join(', ')}`).toBeGreaterThanOrEqual(
      Math.min(800 * 2 ** step, 30_000),
    )
  }
}

/** Waits for the first complete state, and for the watch that follows it. */
export async function synced({ widgets, registration, rig }: FollowedWidgets): Promise<void> {
  await until(() => widgets.hasSynced && registration.hasSynced)
  await until(() => rig.server.watches.some(({ request }) => request.plural === 'widgets'))
  await rig.settle()
}
