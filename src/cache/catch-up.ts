import { type Clock, raceAbort, sleep, toError } from '../base/index.js'
import type { Client } from '../client/index.js'
import {
  type AnyKind,
  compareResourceVersions,
  formatKey,
  isForbidden,
  isNotFound,
  keyOf,
} from '../objects/index.js'
import type { Logger } from '../observe/index.js'
import type { ResourceScope } from './client-source.js'
import type { InformerHealth } from './informer.js'
import type { ObjectVersion } from './own-writes.js'

/** An informer as its progress is seen. */
export interface Follower {
  readonly health: InformerHealth
  versionOf(key: string): ObjectVersion | undefined
  nextChange(): Promise<void>
}

export interface CatchUpOptions {
  readonly client: Client
  readonly kind: AnyKind
  readonly scope: ResourceScope
  readonly clock: Clock
  readonly log: Logger
  readonly signal: AbortSignal
}

const retryMs = 1_000

/**
 * Resolves when the informer shows everything that had happened before the call. A resource that is not there, or may
 * not be read, is not waited for. Rejects with the reason of the signal.
 *
 * A quiet resource has no new version to wait for until a bookmark comes, up to a minute later. So the versions of its
 * objects are compared too: an informer that shows every one of them, and no others, is up to date.
 */
export async function catchUp(follower: Follower, options: CatchUpOptions): Promise<void> {
  const { kind, clock, log, signal } = options
  for (;;) {
    try {
      return await waitFor(follower, options)
    } catch (error) {
      signal.throwIfAborted()
      if (isNotFound(error)) return
      if (isForbidden(error)) {
        log.warn(`Whether the cache of ${kind.kind} is up to date cannot be found out.`, { error })
        return
      }
      log.info(`Asking again how far ${kind.kind} has got.`, { error: toError(error) })
      await sleep(clock, retryMs, signal)
    }
  }
}

async function waitFor(follower: Follower, { client, kind, scope, signal }: CatchUpOptions): Promise<void> {
  const selection = {
    namespace: scope.namespace,
    labelSelector: scope.labelSelector,
    fieldSelector: scope.fieldSelector,
    metadataOnly: true,
    signal,
  }
  const newest = await client.list(kind, { ...selection, limit: 1 })
  if (hasReached(follower, newest.metadata.resourceVersion)) return
  const { items, metadata } = await client.listAll(kind, selection)
  const shows = (): boolean =>
    follower.health.objects === items.length &&
    items.every((item) => {
      const shown = follower.versionOf(formatKey(keyOf(item)))
      return (
        shown?.uid === item.metadata.uid && isNotOlder(shown.resourceVersion, item.metadata.resourceVersion)
      )
    })
  while (!hasReached(follower, metadata.resourceVersion) && !shows()) {
    await raceAbort(follower.nextChange(), signal)
  }
}

function hasReached({ health }: Follower, resourceVersion: string | undefined): boolean {
  return health.synced && resourceVersion !== undefined && isNotOlder(health.resourceVersion, resourceVersion)
}

function isNotOlder(version: string, than: string): boolean {
  return (compareResourceVersions(version, than) ?? Number(version === than) - 1) >= 0
}
