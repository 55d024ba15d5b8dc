import { KubewrightError, parseJson, raceAbort } from '../../base/index.js'
import { apiVersionOf, isApiError, isNotFound, parseApiVersion } from '../../objects/index.js'
import { type Logger, silentLogger } from '../../observe/index.js'
import { UnexpectedResponseError } from '../call-errors.js'
import type { Client } from '../client.js'
import { readText } from '../response-body.js'
import {
  type DiscoveredKind,
  type DiscoveredVersion,
  readAggregated,
  readGroupVersions,
  readResourceList,
} from './discovered-kind.js'

/** The server has no such kind, even after asking again. */
export class KindNotFoundError extends KubewrightError {
  /** What was looked for: `apps/v1 Deployment`, `deploy`. */
  readonly wanted: string
  /** Groups whose server does not answer just now: the kind may be there. */
  readonly unavailable: readonly string[]

  constructor(wanted: string, unavailable: readonly string[]) {
    const hint =
      unavailable.length === 0 ? '' : ` These groups do not answer just now: ${unavailable.join(', ')}.`
    super(`The server knows no ${wanted}. Check the name, or install its CRD and try again.${hint}`, {
      code: 'KW_KIND_NOT_FOUND',
    })
    this.wanted = wanted
    this.unavailable = unavailable
  }
}

/** What kinds the server has. Asks once and remembers; asks again when something is missing. */
export interface Discovery {
  /** All kinds, preferred versions first within a group. Groups whose server does not answer are left out. */
  kinds(signal?: AbortSignal): Promise<readonly DiscoveredKind[]>
  /** The kind that an object names. Throws {@link KindNotFoundError}. */
  kindFor(
    wanted: { readonly apiVersion: string; readonly kind: string },
    signal?: AbortSignal,
  ): Promise<DiscoveredKind>
  /**
   * The kind that a person names, as kubectl takes it: `deployments`, `deployment`, `deploy`, `Deployment`,
   * `deployments.apps`, `deployments.v1.apps`. Throws {@link KindNotFoundError}.
   */
  find(name: string, signal?: AbortSignal): Promise<DiscoveredKind>
  /** Forgets everything: the next question goes to the server. */
  invalidate(): void
}

/** Sends nothing by itself. */
export function createDiscovery(client: Client, options: { readonly log?: Logger } = {}): Discovery {
  const { log = silentLogger } = options
  let snapshot: Promise<readonly DiscoveredVersion[]> | undefined

  const load = (): Promise<readonly DiscoveredVersion[]> => {
    const loading = loadVersions(client, log)
    snapshot = loading
    // A failure is not remembered.
    loading.catch(() => {
      if (snapshot === loading) snapshot = undefined
    })
    return loading
  }

  const search = async (
    wanted: string,
    match: (kind: DiscoveredKind) => boolean,
  ): Promise<DiscoveredKind> => {
    const remembered = snapshot
    const versions = await (remembered ?? load())
    const found = kindsOf(versions).find(match)
    if (found !== undefined) return found
    // Kinds come and go with their CRDs, so what is remembered proves nothing. Whoever misses first asks for all.
    const isFresh = remembered === undefined
    const renewed = snapshot === remembered ? undefined : snapshot
    const fresh = isFresh ? versions : await (renewed ?? load())
    const kind = kindsOf(fresh).find(match)
    if (kind !== undefined) return kind
    throw new KindNotFoundError(wanted, unavailableIn(fresh))
  }

  return {
    kinds: async (signal) => kindsOf(await raceAbort(snapshot ?? load(), signal)),
    kindFor(wanted, signal) {
      const { group, version } = parseApiVersion(wanted.apiVersion)
      const found = search(
        `${wanted.apiVersion} ${wanted.kind}`,
        (kind) => kind.kind === wanted.kind && kind.version === version && kind.group === group,
      )
      return raceAbort(found, signal)
    },
    find: (name, signal) => raceAbort(search(name, nameMatcher(name)), signal),
    invalidate() {
      snapshot = undefined
    },
  }
}

function kindsOf(versions: readonly DiscoveredVersion[]): DiscoveredKind[] {
  return versions.flatMap((version) => version.kinds ?? [])
}

function unavailableIn(versions: readonly DiscoveredVersion[]): string[] {
  return versions.filter((version) => version.kinds === undefined).map(apiVersionOf)
}

function nameMatcher(text: string): (kind: DiscoveredKind) => boolean {
  const lower = text.toLowerCase()
  const dot = lower.indexOf('.')
  const name = dot === -1 ? lower : lower.slice(0, dot)
  const place = dot === -1 ? undefined : lower.slice(dot + 1)
  return (kind) => {
    const isNamed =
      kind.plural === name ||
      kind.singular === name ||
      kind.kind.toLowerCase() === name ||
      kind.shortNames.includes(name)
    return (
      isNamed && (place === undefined || place === kind.group || place === `${kind.version}.${kind.group}`)
    )
  }
}

const acceptAggregated = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',')

/** Two requests where the server aggregates its description; one more for each version where it does not. */
async function loadVersions(client: Client, log: Logger): Promise<readonly DiscoveredVersion[]> {
  const [core, groups] = await Promise.all([loadRoot(client, '/api'), loadRoot(client, '/apis')])
  const all = [...(await readRoot(client, core)), ...(await readRoot(client, groups))]
  const unavailable = unavailableIn(all)
  if (unavailable.length > 0)
    log.warn('Some groups of the API do not answer; their kinds are unknown.', { unavailable })
  return all
}

async function loadRoot(client: Client, path: string): Promise<unknown> {
  try {
    return await getJson(client, path, acceptAggregated)
  } catch (error) {
    // An aggregated API server has no core group.
    if (isNotFound(error)) return {}
    throw error
  }
}

function readRoot(client: Client, answer: unknown): Promise<readonly DiscoveredVersion[]> {
  const aggregated = readAggregated(answer)
  if (aggregated !== undefined) return Promise.resolve(aggregated)
  return Promise.all(
    readGroupVersions(answer).map(async ({ group, version }) => ({
      group,
      version,
      kinds: await loadKinds(client, group, version),
    })),
  )
}

async function loadKinds(
  client: Client,
  group: string,
  version: string,
): Promise<readonly DiscoveredKind[] | undefined> {
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  try {
    return readResourceList(group, version, await getJson(client, path, 'application/json'))
  } catch (error) {
    // One broken extension server must not hide all other kinds.
    if (isApiError(error)) return undefined
    throw error
  }
}

async function getJson(client: Client, path: string, accept: string): Promise<unknown> {
  const description = `discover ${path}`
  // A broken extension server answers 503 with Retry-After for as long as it is broken: few tries.
  const response = await client.request({
    method: 'GET',
    path,
    headers: { accept },
    maxTries: 3,
    description,
  })
  const text = await readText(response.body)
  try {
    return parseJson(text)
  } catch (error) {
    throw new UnexpectedResponseError(description, 'something that is not JSON', error)
  }
}
