import { isPlainObject } from '../../base/index.js'
import type { Kind, KubeObject, ObjectMetaInput } from '../../objects/index.js'

/** An object of a kind that is known only at run time. */
export interface DynamicObject extends KubeObject {
  [field: string]: unknown
}

/** An object of such a kind as one sends it. */
export interface DynamicInput {
  apiVersion?: string
  kind?: string
  metadata: ObjectMetaInput
  [field: string]: unknown
}

/** A kind as the server describes it. */
export interface DiscoveredKind extends Kind<DynamicObject, DynamicInput> {
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  /** What the server can do with it: `get`, `list`, `watch`... */
  readonly verbs: readonly string[]
}

/** One version of one group. */
export interface DiscoveredVersion {
  readonly group: string
  readonly version: string
  /** Undefined: the server behind this group does not answer. */
  readonly kinds: readonly DiscoveredKind[] | undefined
}

/** Reads an `APIGroupDiscoveryList`; undefined when it is something else. Versions come in the order of preference. */
export function readAggregated(answer: unknown): DiscoveredVersion[] | undefined {
  if (!isPlainObject(answer) || answer['kind'] !== 'APIGroupDiscoveryList') return undefined
  return objectsIn(answer['items']).flatMap((item) => {
    const group = isPlainObject(item['metadata']) ? textOf(item['metadata']['name']) : ''
    return objectsIn(item['versions']).map((entry) => {
      const version = textOf(entry['version'])
      const kinds =
        entry['freshness'] === 'Stale'
          ? undefined
          : objectsIn(entry['resources']).flatMap((resource) => readAggregatedKind(group, version, resource))
      return { group, version, kinds }
    })
  })
}

function readAggregatedKind(
  group: string,
  version: string,
  resource: Record<string, unknown>,
): DiscoveredKind[] {
  const kind = isPlainObject(resource['responseKind']) ? textOf(resource['responseKind']['kind']) : ''
  // A resource without a kind only carries subresources.
  if (kind === '') return []
  return [
    {
      group,
      version,
      kind,
      plural: textOf(resource['resource']),
      singular: textOf(resource['singularResource']) || kind.toLowerCase(),
      listKind: `${kind}List`,
      scope: resource['scope'] === 'Namespaced' ? 'Namespaced' : 'Cluster',
      subresources: objectsIn(resource['subresources'])
        .map((entry) => textOf(entry['subresource']))
        .toSorted(),
      shortNames: textsIn(resource['shortNames']),
      categories: textsIn(resource['categories']),
      verbs: textsIn(resource['verbs']),
    },
  ]
}

/** The versions that the older endpoints name: `APIVersions` of `/api`, `APIGroupList` of `/apis`. Preferred ones first. */
export function readGroupVersions(answer: unknown): { group: string; version: string }[] {
  if (!isPlainObject(answer)) return []
  if (answer['kind'] === 'APIVersions')
    return textsIn(answer['versions']).map((version) => ({ group: '', version }))
  return objectsIn(answer['groups']).flatMap((entry) => {
    const group = textOf(entry['name'])
    const preferred = isPlainObject(entry['preferredVersion'])
      ? textOf(entry['preferredVersion']['version'])
      : undefined
    const versions = objectsIn(entry['versions']).map((item) => textOf(item['version']))
    return [
      ...versions.filter((version) => version === preferred),
      ...versions.filter((version) => version !== preferred),
    ].map((version) => ({ group, version }))
  })
}

/** Reads an `APIResourceList`, in which subresources stand beside their resource as `pods/log`. */
export function readResourceList(group: string, version: string, answer: unknown): DiscoveredKind[] {
  const resources = isPlainObject(answer) ? objectsIn(answer['resources']) : []
  const names = resources.map((resource) => textOf(resource['name']))
  return resources.flatMap((resource) => {
    const plural = textOf(resource['name'])
    const kind = textOf(resource['kind'])
    if (plural.includes('/') || kind === '') return []
    return [
      {
        group,
        version,
        kind,
        plural,
        singular: textOf(resource['singularName']) || kind.toLowerCase(),
        listKind: `${kind}List`,
        scope: resource['namespaced'] === true ? 'Namespaced' : 'Cluster',
        subresources: names
          .filter((name) => name.startsWith(`${plural}/`))
          .map((name) => name.slice(plural.length + 1))
          .toSorted(),
        shortNames: textsIn(resource['shortNames']),
        categories: textsIn(resource['categories']),
        verbs: textsIn(resource['verbs']),
      },
    ]
  })
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
