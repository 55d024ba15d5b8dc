import { deepFreeze, stringifyJson } from '../../base/index.js'
import type { StoredApiObject } from '../api-object.js'
import { apiVersionOf, type Served } from '../output/answer-kind.js'
import type { Rendition } from '../output/rendition.js'
import type { StoredObject } from '../store/store.js'

/** A stored object in the version that somebody asked for. A {@link StoredObject} is one where nothing is to be done. */
export interface Versioned extends Rendition {
  readonly key: string
  readonly object: StoredApiObject
}

/** Stored objects in other versions than they are stored in: converted once for all who ask, as long as they live. */
export class Versions {
  readonly #known = new WeakMap<Served['version'], WeakMap<StoredObject, Versioned | Promise<Versioned>>>()

  /** Whether the object goes out as it is stored. */
  isPlain({ resource, version }: Served, { apiVersion, revision }: StoredObject): boolean {
    return (
      apiVersion === apiVersionOf({ resource, version }) &&
      (resource.reshapesBefore === undefined || revision >= resource.reshapesBefore)
    )
  }

  /** At once where nothing is to be converted; rejects when the conversion fails. */
  of(served: Served, stored: StoredObject): Versioned | Promise<Versioned> {
    if (this.isPlain(served, stored)) return stored
    const known = this.#of(served)
    const before = known.get(stored)
    if (before !== undefined) return before
    const converted = this.#convert(served, [stored]).then(([only]) => {
      const versioned = only ?? stored
      known.set(stored, versioned)
      return versioned
    })
    // A failure is told to those who ask now; the next one tries again.
    converted.catch(() => known.delete(stored))
    known.set(stored, converted)
    return converted
  }

  /** Many of them, in their order: in one call where a webhook converts. */
  async allOf(served: Served, stored: readonly StoredObject[]): Promise<readonly Versioned[]> {
    const strange = stored.filter((each) => !this.isPlain(served, each))
    if (strange.length === 0) return stored
    const known = this.#of(served)
    const missing = strange.filter((each) => !known.has(each))
    const converted = await this.#convert(served, missing)
    missing.forEach((each, index) => {
      const versioned = converted[index]
      if (versioned !== undefined) known.set(each, versioned)
    })
    return Promise.all(stored.map(async (each) => this.of(served, each)))
  }

  #of({ version }: Served): WeakMap<StoredObject, Versioned | Promise<Versioned>> {
    const known = this.#known.get(version)
    if (known !== undefined) return known
    const created = new WeakMap<StoredObject, Versioned | Promise<Versioned>>()
    this.#known.set(version, created)
    return created
  }

  async #convert(
    { resource, version }: Served,
    stored: readonly StoredObject[],
  ): Promise<readonly Versioned[]> {
    const objects = stored.map(({ object, revision }) =>
      revision < (resource.reshapesBefore ?? 0) ? (resource.reshape?.(object) ?? object) : object,
    )
    const converted =
      resource.convertAll === undefined
        ? await Promise.all(objects.map((object) => resource.convert(object, version.name)))
        : await resource.convertAll(objects, version.name)
    return converted.map((object, index) => versionedOf(stored[index]?.key ?? '', object))
  }
}

export function versionedOf(key: string, object: StoredApiObject): Versioned {
  let json: Buffer | undefined
  const frozen: StoredApiObject = deepFreeze(object)
  return {
    key,
    object: frozen,
    get json() {
      json ??= Buffer.from(stringifyJson(frozen))
      return json
    },
  }
}
