import { isPlainObject } from '../../src/base/index.js'
import { listAt, type Schema, schemaAt, schemasAt, textAt } from '../../src/cli/import/schema-view.js'
import { parseApiVersion, type Scope } from '../../src/objects/index.js'

/** One GET of the API server: an absolute path in, the parsed body out. */
export type FetchJson = (path: string) => Promise<unknown>

/** A resource, or a subresource with a kind of its own (`deployments/scale`), as discovery lists it. */
export interface ApiResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** `deployments`, `deployments/scale`. */
  readonly name: string
  readonly singular: string
  readonly scope: Scope
  readonly verbs: readonly string[]
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  /** Where it is listed: the scale of a Deployment is of another group than the Deployment. */
  readonly home: { readonly group: string; readonly version: string }
}

/** What an API server says about its built-in API. */
export interface ApiDescription {
  /** `v1.36.3`. */
  readonly version: string
  /** By their full names: `io.k8s.api.apps.v1.Deployment`. */
  readonly schemas: ReadonlyMap<string, Schema>
  readonly resources: readonly ApiResource[]
  /** The built-in API groups but the core one, in the order of discovery. */
  readonly groups: readonly string[]
}

/** Reads OpenAPI v3 and discovery of every group version, without those that CRDs or other servers brought in. */
export async function readApi(fetchJson: FetchJson): Promise<ApiDescription> {
  const get = async (path: string): Promise<Schema> => {
    const body = await fetchJson(path)
    if (!isPlainObject(body)) throw new Error(`${path} is no JSON object: is this a Kubernetes API server?`)
    return body
  }
  const version = textAt(await get('/version'), 'gitVersion')
  if (version === undefined) throw new Error('/version has no gitVersion: is this a Kubernetes API server?')
  const foreign = await readForeignGroups(get)
  const documents = Object.keys(schemaAt(await get('/openapi/v3'), 'paths') ?? {})
  const schemas = new Map<string, Schema>()
  const resources: ApiResource[] = []
  for (const path of documents.toSorted()) {
    // Beside the group versions there are documents for /version, /apis and the like.
    const match = /^(?:api|apis\/([^/]+))\/v[^/]+$/.exec(path)
    if (match === null || foreign.has(match[1] ?? '')) continue
    const components =
      schemaAt(schemaAt(await get(`/openapi/v3/${path}`), 'components') ?? {}, 'schemas') ?? {}
    for (const name of Object.keys(components)) schemas.set(name, schemaAt(components, name) ?? {})
    resources.push(...readResources(await get(`/${path}`)))
  }
  const groups = schemasAt(await get('/apis'), 'groups')
    .map((group) => textAt(group, 'name') ?? '')
    .filter((group) => !foreign.has(group))
  return { version, schemas, resources, groups }
}

async function readForeignGroups(get: (path: string) => Promise<Schema>): Promise<ReadonlySet<string>> {
  const crds = await get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions')
  const services = await get('/apis/apiregistration.k8s.io/v1/apiservices')
  const remote = schemasAt(services, 'items').filter((item) =>
    schemaAt(schemaAt(item, 'spec') ?? {}, 'service'),
  )
  const groups = [...schemasAt(crds, 'items'), ...remote].map((item) =>
    textAt(schemaAt(item, 'spec') ?? {}, 'group'),
  )
  return new Set(groups.filter((group) => group !== undefined))
}

function readResources(list: Schema): ApiResource[] {
  const home = parseApiVersion(textAt(list, 'groupVersion') ?? '')
  return listAt(list, 'resources')
    .filter(isPlainObject)
    .map((resource) => ({
      // A subresource of another group version says so; one of the own does not.
      group: textAt(resource, 'group') ?? (textAt(resource, 'version') === undefined ? home.group : ''),
      version: textAt(resource, 'version') ?? home.version,
      kind: textAt(resource, 'kind') ?? '',
      name: textAt(resource, 'name') ?? '',
      singular: textAt(resource, 'singularName') ?? '',
      scope: resource['namespaced'] === true ? 'Namespaced' : 'Cluster',
      verbs: textsAt(resource, 'verbs'),
      shortNames: textsAt(resource, 'shortNames'),
      categories: textsAt(resource, 'categories'),
      home,
    }))
}

function textsAt(schema: Schema, key: string): string[] {
  return listAt(schema, key).filter((item) => typeof item === 'string')
}
