import { deepEqual } from '../../base/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { Resource, ResourceCatalogue, ServedVersion } from '../resource.js'
import { customResource, type ResourceOptions } from './custom-resource.js'
import { type Crd, crdOf, isConditionTrue } from './definition.js'

/** A resource that came, went, or changed so that watches of it must begin anew. */
export interface CatalogueChange {
  readonly before: Resource | undefined
  readonly after: Resource | undefined
}

interface Entry {
  readonly crd: Crd
  readonly resource: Resource
  /** Aborted when the resource goes, or becomes another: its watches end. */
  readonly end: AbortController
}

/** The resources that CRDs define, as far as they are served. */
export class CustomResources implements ResourceCatalogue {
  readonly #options: Omit<ResourceOptions, 'engines' | 'reshapesBefore'>
  /** By `plural.group`, which is the name of the CRD. */
  readonly #entries = new Map<string, Entry>()
  readonly #listeners = new Set<(change: CatalogueChange) => void>()

  constructor(options: Omit<ResourceOptions, 'engines' | 'reshapesBefore'>) {
    this.#options = options
  }

  find(
    group: string,
    version: string,
    plural: string,
  ): { readonly resource: Resource; readonly version: ServedVersion } | undefined {
    const resource = this.#entries.get(`${plural}.${group}`)?.resource
    const served = resource?.versions.find(({ name }) => name === version)
    return resource === undefined || served === undefined ? undefined : { resource, version: served }
  }

  /** By group and name. */
  all(): Iterable<Resource> {
    return [...this.#entries.values()]
      .map(({ resource }) => resource)
      .sort((left, right) => compareText(left.group, right.group) || compareText(left.plural, right.plural))
  }

  /** Calls back, synchronously, for each change. Returns the function that ends it. */
  onChange(listener: (change: CatalogueChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Serves what a CRD defines from now on, if its names are accepted. Nothing happens when nothing changed that
   * matters. `revision` is that of the CRD, from which on objects are stored under its schema.
   */
  put(stored: StoredApiObject, revision: number, engines: ResourceOptions['engines']): void {
    const crd = crdOf(stored)
    const name = crd.metadata.name ?? ''
    if (!isConditionTrue(crd, 'NamesAccepted') && !isConditionTrue(crd, 'Established'))
      return this.remove(name)
    const before = this.#entries.get(name)
    if (before !== undefined && isSameDefinition(before.crd, crd)) return
    // Every object of a new CRD is stored under its schema, and so are those behind a change that left it alone.
    const isReshaped = before === undefined ? revision > 0 : !deepEqual(schemasOf(before.crd), schemasOf(crd))
    const reshapesBefore = isReshaped ? revision : (before?.resource.reshapesBefore ?? 0)
    const end = new AbortController()
    const resource: Resource = {
      ...customResource(crd, { ...this.#options, engines, reshapesBefore }),
      watchesFrom: revision,
      retired: end.signal,
    }
    this.#entries.set(name, { crd, resource, end })
    before?.end.abort()
    this.#tell({ before: before?.resource, after: resource })
  }

  /** Serves it no longer. */
  remove(name: string): void {
    const before = this.#entries.get(name)
    if (before === undefined) return
    this.#entries.delete(name)
    before.end.abort()
    this.#tell({ before: before.resource, after: undefined })
  }

  #tell(change: CatalogueChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}

function isSameDefinition(left: Crd, right: Crd): boolean {
  return (
    left.metadata.uid === right.metadata.uid &&
    deepEqual(left.spec, right.spec) &&
    deepEqual(left.status.acceptedNames, right.status.acceptedNames)
  )
}

function schemasOf({ spec }: Crd): readonly unknown[] {
  return spec.versions.map(({ name, schema }) => [name, schema])
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}
