import { isExpired, type KubeList, type KubeObject } from '../objects/index.js'
import type { PagesOptions } from './call-options.js'
import type { ClientContext } from './client-context.js'
import type { AnyKind } from './object-access.js'
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
  const { pageSize = defaultPageSize, ...list } = options
  let page = await listObjects<T>(context, kind, { ...list, limit: pageSize })
  for (;;) {
    yield page
    const next = page.metadata.continue
    if (next === undefined) return
    page = await listObjects<T>(context, kind, {
      ...list,
      // The token carries the version; the server refuses both together.
      resourceVersion: undefined,
      resourceVersionMatch: undefined,
      limit: pageSize,
      continue: next,
    })
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
  let all: KubeList<T> | undefined
  try {
    for await (const page of listPages<T>(context, kind, options)) {
      if (all === undefined) {
        all = page
      } else {
        for (const item of page.items) all.items.push(item)
        // The last page has the snapshot's version and no token.
        all.metadata = page.metadata
      }
    }
  } catch (error) {
    if (all === undefined || !isExpired(error)) throw error
    const { pageSize: _, ...list } = options
    return listObjects<T>(context, kind, list)
  }
  return all ?? listObjects<T>(context, kind, options)
}
