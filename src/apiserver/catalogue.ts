import type { CustomResources } from './crd/index.js'
import type { Resource, ResourceCatalogue, ServedVersion } from './resource.js'

interface Found {
  readonly resource: Resource
  readonly version: ServedVersion
}

/** Everything that is served: what is built in, and what CRDs define. */
export class Catalogue implements ResourceCatalogue {
  readonly #custom: CustomResources
  readonly #builtin: Resource[] = []
  readonly #byPath = new Map<string, Found>()

  constructor(custom: CustomResources) {
    this.#custom = custom
  }

  /** Serves built-in resources. After the construction, because they are made with parts that look things up here. */
  serve(resources: Iterable<Resource>): void {
    for (const resource of resources) {
      this.#builtin.push(resource)
      for (const version of resource.versions)
        this.#byPath.set(`${resource.group}/${version.name}/${resource.plural}`, { resource, version })
    }
  }

  find(group: string, version: string, plural: string): Found | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`) ?? this.#custom.find(group, version, plural)
  }

  *all(): Iterable<Resource> {
    yield* this.#builtin
    yield* this.#custom.all()
  }
}
