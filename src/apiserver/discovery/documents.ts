import { createHash } from 'node:crypto'
import { apiVersionOf } from '../../objects/index.js'
import type { Resource, ServedVersion, Subresource } from '../resource.js'

/** A group with the resources that are served in it. */
export interface Group {
  readonly name: string
  /** The preferred one first. */
  readonly versions: readonly string[]
  readonly resources: readonly Resource[]
}

/** Groups in the order of discovery: as the resources come. */
export function groupsOf(resources: Iterable<Resource>): Group[] {
  const groups = new Map<string, { versions: string[]; resources: Resource[] }>()
  for (const resource of resources) {
    // What is only stored, and served no more, is not there for anybody.
    if (resource.versions.length === 0) continue
    let group = groups.get(resource.group)
    if (group === undefined) groups.set(resource.group, (group = { versions: [], resources: [] }))
    group.resources.push(resource)
    for (const { name } of resource.versions) if (!group.versions.includes(name)) group.versions.push(name)
  }
  return Array.from(groups, ([name, { versions, resources: found }]) => ({
    name,
    versions: versions.sort(compareVersions),
    resources: found,
  }))
}

/** The most stable and the newest first: v2, v1, v2beta1, v1beta2, v1alpha1, then what is no such name, by letter. */
export function compareVersions(left: string, right: string): number {
  const a = parseVersion(left)
  const b = parseVersion(right)
  if (a === undefined || b === undefined) {
    if (a !== undefined) return -1
    if (b !== undefined) return 1
    return left < right ? -1 : Number(left > right)
  }
  return b.stability - a.stability || b.major - a.major || b.minor - a.minor
}

function parseVersion(text: string): { stability: number; major: number; minor: number } | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(text)
  if (match === null) return undefined
  const [, major, level, minor] = match
  const stability = level === undefined ? 2 : Number(level === 'beta')
  return { stability, major: Number(major), minor: Number(minor ?? 0) }
}

/** `/api`. */
export function apiVersionsDocument(serverAddress: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  }
}

/** `/apis`. */
export function groupListDocument(groups: readonly Group[]): object {
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.filter(({ name }) => name !== '').map(groupEntry),
  }
}

/** `/apis/<group>`. */
export function groupDocument(group: Group): object {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) }
}

function groupEntry({ name, versions }: Group): object {
  const entries = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: entries, preferredVersion: entries[0] }
}

/** `/api/v1` and `/apis/<group>/<version>`. */
export function resourceListDocument(group: Group, version: string): object {
  return {
    kind: 'APIResourceList',
    // The core group is older than the rule that every document says what it is.
    ...(group.name !== '' && { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group: group.name, version }),
    resources: servedIn(group, version).flatMap(([resource, served]) => [
      resourceEntry(resource, served),
      ...Array.from(served.subresources, ([name, subresource]) =>
        subresourceEntry(resource, name, subresource),
      ),
    ]),
  }
}

function servedIn(group: Group, version: string): [Resource, ServedVersion][] {
  return group.resources.flatMap((resource) => {
    const served = resource.versions.find(({ name }) => name === version)
    return served === undefined ? [] : [[resource, served] as [Resource, ServedVersion]]
  })
}

function resourceEntry(resource: Resource, served: ServedVersion): object {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.scope === 'Namespaced',
    kind: resource.kind,
    verbs: served.verbs,
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(resource.actions === undefined && { storageVersionHash: storageVersionHash(resource) }),
  }
}

/** Tells whether two servers store a resource alike: eight bytes of the hash of what it is stored as. */
function storageVersionHash({ group, storageVersion, kind }: Resource): string {
  return createHash('sha256')
    .update(`${group}/${storageVersion}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64')
}

function subresourceEntry(resource: Resource, name: string, subresource: Subresource): object {
  const { group, version, kind } = kindOf(resource, subresource)
  return {
    name: `${resource.plural}/${name}`,
    singularName: '',
    namespaced: resource.scope === 'Namespaced',
    ...(group !== '' && { group }),
    ...(version !== '' && { version }),
    kind,
    verbs: verbsOf(subresource),
  }
}

/** Group and version are empty where they are those of the resource. */
function kindOf(
  resource: Resource,
  subresource: Subresource,
): { group: string; version: string; kind: string } {
  switch (subresource.type) {
    case 'part':
      return { group: '', version: '', kind: resource.kind }
    case 'scale':
      return { group: 'autoscaling', version: 'v1', kind: 'Scale' }
    case 'action': {
      const { group, version, kind } = subresource
      return group === resource.group ? { group: '', version: '', kind } : { group, version, kind }
    }
  }
}

function verbsOf(subresource: Subresource): readonly string[] {
  if (subresource.type === 'action') return Object.keys(subresource.verbs).sort()
  return (subresource.type === 'part' ? subresource.verbs : undefined) ?? ['get', 'patch', 'update']
}

/** `/api` and `/apis` for those who ask for everything at once. */
export function aggregatedDocument(groups: readonly Group[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group.name === '' ? {} : { name: group.name },
      versions: group.versions.map((version) => ({
        version,
        resources: servedIn(group, version).map(([resource, served]) =>
          aggregatedResource(resource, served, version),
        ),
        freshness: 'Current',
      })),
    })),
  }
}

function aggregatedResource(resource: Resource, served: ServedVersion, version: string): object {
  // Built-in resources leave group and version empty in the answers of the real server, custom ones name them.
  const own = resource.isCustom ? { group: resource.group, version } : { group: '', version: '' }
  const subresources = Array.from(served.subresources, ([name, subresource]) => {
    const kind = kindOf(resource, subresource)
    return {
      subresource: name,
      responseKind: kind.version === '' ? { ...own, kind: kind.kind } : kind,
      verbs: verbsOf(subresource),
    }
  })
  return {
    resource: resource.plural,
    responseKind: { ...own, kind: resource.kind },
    scope: resource.scope,
    singularResource: resource.singular,
    verbs: served.verbs,
    ...(resource.shortNames.length > 0 && { shortNames: resource.shortNames }),
    ...(resource.categories.length > 0 && { categories: resource.categories }),
    ...(subresources.length > 0 && { subresources }),
  }
}
