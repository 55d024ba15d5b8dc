import { type AnyKind, isExpired, type KubeList, type KubeObject } from '../objects/index.js'
import type { PagesOptions } from './call-options.js'
import type { ClientContext } from './client-context.js'
import { listObjects } from './verbs.js'

const defaultPageSize = 500

/**
 * A collection page by page, all pages from one snapshot. When the snapshot expires on the server (after minutes) this
 * throws an error that `isExpired` recognises: pages that were handed out cannot be taken back, and mixing them with
 * another snapshot would show a state that never was.
 */
export async function* listPages<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  options: PagesOptions = {},
): AsyncGenerator<KubeList<T>, void, undefined> {
  let page = await listPage<T>(context, kind, options)
  for (;;) {
    yield page
    const next = page.metadata.continue
    if (next === undefined) return
    page = await listPage<T>(context, kind, options, next)
  }
}

/**
 * All objects of a collection, read in pages, as one snapshot. When it expires half-way, what was read is dropped and the
 * collection is read once more in one piece.
 */
export async function listAllPages<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  options: PagesOptions = {},
): Promise<KubeList<T>> {
  const all = await listPage<T>(context, kind, options)
  try {
    for (let next = all.metadata.continue; next !== undefined; next = all.metadata.continue) {
      const page = await listPage<T>(context, kind, options, next)
      for (const item of page.items) all.items.push(item)
      // The last page has the snapshot's version and no token.
      all.metadata = page.metadata
    }
    return all
  } catch (error) {
    if (!isExpired(error)) throw error
  }
  const { pageSize: _, ...list } = options
  return listObjects<T>(context, kind, list)
}

function listPage<T extends KubeObject>(
  context: ClientContext,
  kind: AnyKind,
  { pageSize = defaultPageSize, ...list }: PagesOptions,
  next?: string,
): Promise<KubeList<T>> {
  const page = { ...list, limit: pageSize }
  if (next === undefined) return listObjects<T>(context, kind, page)
  // The token carries the version; the server refuses both together.
  return listObjects<T>(context, kind, {
    ...page,
    continue: next,
    resourceVersion: undefined,
    resourceVersionMatch: undefined,
  })
}
