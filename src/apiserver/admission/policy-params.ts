import { matchesLabels, parseApiVersion, resourceNameOf } from '../../objects/index.js'
import type { StoredApiObject } from '../api-object.js'
import { fieldsOf, textOf } from '../auth/fields.js'
import type { ClusterState } from '../cluster-state.js'
import type { Resource, ResourceCatalogue } from '../resource.js'
import { readSelector } from './matching.js'

/** The parameters of a binding are not as it says. The message is in the server's words. */
export class ParamProblem extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ParamProblem'
  }
}

/** The resource of the objects that a policy takes as parameters. */
export interface ParamSource {
  readonly resource: Resource
  readonly version: string
}

/** The resource that a `paramKind` names; undefined for a policy without parameters. Throws {@link ParamProblem}. */
export function findParamSource(paramKind: unknown, catalogue: ResourceCatalogue): ParamSource | undefined {
  if (paramKind === undefined || paramKind === null) return undefined
  const { apiVersion, kind } = fieldsOf(paramKind)
  const { group, version } = parseApiVersion(textOf(apiVersion))
  for (const resource of catalogue.all()) {
    if (
      resource.group === group &&
      resource.kind === kind &&
      resource.versions.some(({ name }) => name === version)
    )
      return { resource, version }
  }
  throw new ParamProblem(
    `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${textOf(kind)}'`,
  )
}

/**
 * The parameters that a binding refers to: each is an evaluation of its own. One undefined parameter stands for a binding
 * that has none. Rejects with {@link ParamProblem}.
 */
export async function collectParams(
  source: ParamSource | undefined,
  paramRef: unknown,
  at: { readonly namespace: string; readonly cluster: ClusterState },
): Promise<readonly (StoredApiObject | undefined)[]> {
  if (source === undefined || paramRef === undefined || paramRef === null) return [undefined]
  const { resource, version } = source
  const reference = fieldsOf(paramRef)
  const wantedNamespace = textOf(reference['namespace'])
  const isNamespaced = resource.scope === 'Namespaced'
  const namespace = wantedNamespace === '' ? at.namespace : wantedNamespace
  if (isNamespaced && namespace === '')
    throw new ParamProblem(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    )
  if (!isNamespaced && wantedNamespace !== '')
    throw new ParamProblem('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  const plural = resourceNameOf(resource)
  const found = findObjects(reference, {
    plural,
    namespace: isNamespaced ? namespace : '',
    cluster: at.cluster,
  })
  if (found.length === 0 && reference['parameterNotFoundAction'] === 'Deny')
    throw new ParamProblem('no params found for policy binding with `Deny` parameterNotFoundAction')
  return await Promise.all(found.map((object) => resource.convert(object, version)))
}

function findObjects(
  { name, selector }: Readonly<Record<string, unknown>>,
  { plural, namespace, cluster }: { plural: string; namespace: string; cluster: ClusterState },
): readonly StoredApiObject[] {
  if (typeof name === 'string' && name !== '') {
    const object = cluster.get(plural, namespace, name)
    return object === undefined ? [] : [object]
  }
  const requirements = readSelector(selector)
  return cluster
    .list(plural, namespace === '' ? undefined : namespace)
    .filter((object) => matchesLabels(requirements, object.metadata.labels))
}
