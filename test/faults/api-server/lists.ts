import { type Answer, expired, json, statusBody, tooLarge } from './answers.js'
import type { ObjectStore } from './object-store.js'
import type { PeerRequest } from './request.js'

/** How this front end lists. */
export interface ListSwitches {
  /** It has fallen behind: what it has in memory ends at this revision. Reads of the newest data still go to the store. */
  frozenAt: number | undefined
  /** Continue tokens have expired although the history has not. */
  tokensExpired: boolean
}

/** A list, or a page of one, by the server's rules for versions. */
export function answerList(store: ObjectStore, switches: ListSwitches, request: PeerRequest): Answer {
  const { query } = request
  const limit = Number(query['limit'] ?? 0)
  const token = query['continue']
  const version = query['resourceVersion'] ?? ''
  const inMemory = switches.frozenAt ?? store.revision
  if (token !== undefined) {
    if (version !== '') return json(400, statusBody(400, 'BadRequest'))
    const [revision = 0, offset = 0] = token.split('.').map(Number)
    if (switches.tokensExpired || revision < store.compactedRevision) {
      // The token in this answer would give pages of another snapshot.
      return json(410, { ...expired, metadata: { continue: `${store.revision}.${offset}` } })
    }
    return page(store, request, { revision, offset, limit })
  }
  const asked = version === '' || version === '0' ? undefined : store.revisionOf(version)
  if (asked !== undefined && asked > inMemory) return json(504, tooLarge, { 'retry-after': '1' })
  // A version beside a limit means exactly that version, unless it is said otherwise.
  if (asked !== undefined && limit > 0 && query['resourceVersionMatch'] === undefined) {
    if (asked < store.compactedRevision) return json(410, expired)
    return page(store, request, { revision: asked, offset: 0, limit })
  }
  const revision = version === '' ? store.revision : inMemory
  return page(store, request, { revision, offset: 0, limit })
}

function page(
  store: ObjectStore,
  { plural, namespace, query }: PeerRequest,
  { revision, offset, limit }: { revision: number; offset: number; limit: number },
): Answer {
  const type = store.typeOf(plural)
  const all = store
    .objects(plural, revision)
    .filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace)
    .filter(({ metadata }) => hasLabel(metadata.labels, query['labelSelector']))
  const items = limit === 0 ? all.slice(offset) : all.slice(offset, offset + limit)
  const next = offset + items.length
  return json(200, {
    kind: `${type?.kind}List`,
    apiVersion: type?.apiVersion,
    metadata: {
      resourceVersion: store.versionAt(revision),
      ...(next < all.length && { continue: `${revision}.${next}`, remainingItemCount: all.length - next }),
    },
    items,
  })
}

/** Knows one form of selector: `app=web`. */
export function hasLabel(labels: Record<string, string> | undefined, selector: string | undefined): boolean {
  if (selector === undefined || selector === '') return true
  const [key = '', value] = selector.split('=')
  return labels?.[key] === value
}
