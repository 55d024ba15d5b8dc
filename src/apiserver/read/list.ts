import type { ListMeta } from '../../objects/index.js'
import { badRequest, expired } from '../failure.js'
import { storageNameOf } from '../resource.js'
import { CompactedError, type StoredObject } from '../store/store.js'
import { decodeContinue, encodeContinue, encodeInconsistentContinue } from './continue-token.js'
import type { ListOptions } from './list-options.js'
import type { ReaderParts, ReadRequest } from './read-request.js'
import { readRevision, waitForRevision } from './revision.js'
import { type Selection, selectionOf } from './selection.js'
import type { Versioned, Versions } from './versioned.js'

/** A page of a list, in the version of the request. */
export interface Page {
  readonly items: readonly Versioned[]
  readonly metadata: ListMeta
}

interface PagePlan {
  /** The revision to show; undefined for now. */
  readonly revision: number | undefined
  /** Relative to the selection's prefix; undefined from the beginning. */
  readonly start: string | undefined
  readonly limit: number
}

/** As many as are converted at once while a selector looks for matches. */
const conversionBatch = 500

/** Reads a page as the parameters say. Rejects with ApiFailure. */
export async function readPage(
  parts: ReaderParts,
  versions: Versions,
  request: ReadRequest,
  options: ListOptions,
): Promise<Page> {
  const selection = selectionOf(request, request.info.namespace, options)
  const plan = await planOf(parts, options, request.signal)
  const revision = plan.revision ?? parts.store.revision
  const candidates = candidatesOf(parts, request, selection, plan)
  const { chosen, rest } = await choose(candidates, { versions, request, selection, limit: plan.limit })
  const last = chosen.at(-1)
  const metadata: ListMeta = { resourceVersion: String(revision) }
  if (rest === 0 || last === undefined) return { items: chosen, metadata }
  const lastKey = last.key.slice(prefixOf(request).length)
  return {
    items: chosen,
    metadata: {
      ...metadata,
      continue: encodeContinue(lastKey, revision),
      // How many of the rest a selector would choose, nobody knows.
      ...(selection.isEverything && { remainingItemCount: rest }),
    },
  }
}

async function planOf(
  { store, nature }: ReaderParts,
  options: ListOptions,
  signal: AbortSignal | undefined,
): Promise<PagePlan> {
  const { continueToken, resourceVersion, resourceVersionMatch, limit } = options
  // Where any version will do, a list is never cut into pages.
  const pageSize = resourceVersion === '0' ? 0 : limit
  const wait = (revision: bigint): Promise<void> =>
    waitForRevision({ store, clock: nature.clock }, revision, signal)
  if (continueToken !== '') {
    const { revision, start } = decodeContinue(continueToken)
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw badRequest('specifying resource version is not allowed when using continue')
    if (revision !== undefined) await wait(BigInt(revision))
    return { revision, start, limit: pageSize }
  }
  const revision = readRevision(resourceVersion, (problem) =>
    badRequest(`invalid resource version: ${problem}`),
  )
  await wait(revision)
  const isExact =
    resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && limit > 0 && revision > 0n)
  return {
    revision: isExact ? Number(revision) : undefined,
    start: undefined,
    limit: pageSize,
  }
}

/** Everything that may be on the page, of one moment. The store may change as soon as this returns. */
function candidatesOf(
  { store }: ReaderParts,
  request: ReadRequest,
  selection: Selection,
  { revision, start }: PagePlan,
): StoredObject[] {
  const resource = storageNameOf(request.resource)
  if (selection.key !== undefined && revision === undefined && start === undefined) {
    const only = store.get(resource, selection.key)
    return only === undefined ? [] : [only]
  }
  const from = start === undefined ? undefined : `${prefixOf(request)}${start}`
  try {
    const objects = [
      ...store.scan(resource, {
        prefix: selection.prefix,
        ...(from?.endsWith('\0') === true && { after: from.slice(0, -1) }),
        ...(revision !== undefined && { revision }),
      }),
    ]
    if (from === undefined || from.endsWith('\0')) return objects
    // Our own tokens point behind a key; one that points at a key is somebody else's.
    return objects.filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(from)) >= 0)
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    if (start === undefined) throw expired('The resourceVersion for the provided list is too old.')
    throw expired(inconsistentContinue, encodeInconsistentContinue(start))
  }
}

const inconsistentContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.'

interface Choice {
  readonly versions: Versions
  readonly request: ReadRequest
  readonly selection: Selection
  readonly limit: number
}

/** The first that match, up to the limit, and how many candidates are left. */
async function choose(
  candidates: readonly StoredObject[],
  { versions, request, selection, limit }: Choice,
): Promise<{ readonly chosen: readonly Versioned[]; readonly rest: number }> {
  const isFull = (count: number): boolean => limit > 0 && count >= limit
  if (selection.isEverything) {
    const page = limit > 0 ? candidates.slice(0, limit) : candidates
    return { chosen: await versions.allOf(request, page), rest: candidates.length - page.length }
  }
  const chosen: Versioned[] = []
  for (let from = 0; from < candidates.length; from += conversionBatch) {
    const batch = candidates.slice(from, from + conversionBatch)
    const isPlain = batch.every((stored) => versions.isPlain(request, stored))
    const objects = isPlain ? batch : await versions.allOf(request, batch)
    for (const [index, object] of objects.entries()) {
      const stored = batch[index]
      if (isPlain && stored !== undefined && !selection.mayMatch(stored)) continue
      if (!selection.matches(object)) continue
      chosen.push(object)
      if (isFull(chosen.length)) return { chosen, rest: candidates.length - from - index - 1 }
    }
  }
  return { chosen, rest: 0 }
}

function prefixOf({ resource, info }: ReadRequest): string {
  return resource.scope === 'Namespaced' && info.namespace !== '' ? `${info.namespace}/` : ''
}
