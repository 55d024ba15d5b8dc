import type { Resource, ServedVersion, Subresource } from '../resource.js'

/** One operation on one path. */
export interface Operation {
  readonly path: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** `list`, `post`, `patch`...: as the real server names what is done. */
  readonly action: string
  readonly id: string
  readonly description: string
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string }
  /** Names of parameters in the query, and whether each is a number, a truth or a text. */
  readonly query: readonly (readonly [name: string, type: 'string' | 'integer' | 'boolean'])[]
  /** Names of parameters in the path. */
  readonly segments: readonly string[]
  readonly hasBody: boolean
  /** Whether the answer is the list of the kind. */
  readonly isList: boolean
  /** The type of the answer where that has nothing to do with the kind: `meta.WatchEvent`. */
  readonly answer?: string
}

type Query = Operation['query']

const pretty: Query = [['pretty', 'string']]
const writing: Query = [
  ['dryRun', 'string'],
  ['fieldManager', 'string'],
  ['fieldValidation', 'string'],
]
const listing: Query = [
  ['allowWatchBookmarks', 'boolean'],
  ['continue', 'string'],
  ['fieldSelector', 'string'],
  ['labelSelector', 'string'],
  ['limit', 'integer'],
  ['resourceVersion', 'string'],
  ['resourceVersionMatch', 'string'],
  ['sendInitialEvents', 'boolean'],
  ['timeoutSeconds', 'integer'],
  ['watch', 'boolean'],
]
const deleting: Query = [
  ['dryRun', 'string'],
  ['gracePeriodSeconds', 'integer'],
  ['ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'],
  ['orphanDependents', 'boolean'],
  ['propagationPolicy', 'string'],
]

/** Where the version of a group is found, and what the ids of its operations have in common. */
export function placeOf(group: string, version: string): { readonly root: string; readonly id: string } {
  return {
    root: group === '' ? `/api/${version}` : `/apis/${group}/${version}`,
    id: `${idPart(group === '' ? 'core' : (group.split('.')[0] ?? ''))}${idPart(version)}`,
  }
}

/** Everything that can be done to a resource in one version. */
export function operationsOf(resource: Resource, version: ServedVersion): Operation[] {
  const { group, plural, kind } = resource
  const isNamespaced = resource.scope === 'Namespaced'
  const { root, id: name } = placeOf(group, version.name)
  const collection = isNamespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`
  const gvk = { group, version: version.name, kind }
  const scoped = `${name}${isNamespaced ? 'Namespaced' : ''}${kind}`
  const found: Operation[] = []
  const add = (
    verb: string,
    operation: Pick<Operation, 'method' | 'action' | 'description'> &
      Partial<Omit<Operation, 'method' | 'action' | 'description'>> & { readonly prefix: string },
  ): void => {
    if (!version.verbs.includes(verb)) return
    const { prefix, ...rest } = operation
    const path = rest.path ?? collection
    found.push({
      path,
      id: `${prefix}${scoped}`,
      gvk,
      query: pretty,
      segments: Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? ''),
      hasBody: false,
      isList: false,
      ...rest,
    })
  }
  /** The old paths; those of custom resources have always been the parameter. */
  const addWatches = (): void => {
    const watching = {
      prefix: 'watch',
      method: 'get',
      query: [...pretty, ...listing],
      answer: 'meta.WatchEvent',
    } as const
    const insteadOf = "deprecated: use the 'watch' parameter with a list operation instead"
    const watched = isNamespaced
      ? `${root}/watch/namespaces/{namespace}/${plural}`
      : `${root}/watch/${plural}`
    add('watch', {
      ...watching,
      path: watched,
      id: `watch${scoped}List`,
      action: 'watchlist',
      description: `watch individual changes to a list of ${kind}. ${insteadOf}.`,
    })
    add('watch', {
      ...watching,
      path: `${watched}/{name}`,
      action: 'watch',
      description: `watch changes to an object of kind ${kind}. ${insteadOf}, filtered to a single item with the 'fieldSelector' parameter.`,
    })
    if (isNamespaced)
      add('watch', {
        ...watching,
        path: `${root}/watch/${plural}`,
        id: `watch${name}${kind}ListForAllNamespaces`,
        action: 'watchlist',
        description: `watch individual changes to a list of ${kind}. ${insteadOf}.`,
      })
  }
  const one = `${collection}/{name}`
  add('list', {
    prefix: 'list',
    method: 'get',
    action: 'list',
    description: `list objects of kind ${kind}`,
    query: [...pretty, ...listing],
    isList: true,
  })
  add('create', {
    prefix: 'create',
    method: 'post',
    action: 'post',
    description: `create a ${kind}`,
    query: [...pretty, ...writing],
    hasBody: true,
  })
  add('deletecollection', {
    prefix: 'deleteCollection',
    method: 'delete',
    action: 'deletecollection',
    description: `delete a collection of ${kind}`,
    query: [...pretty, ...listing, ...deleting],
  })
  add('get', {
    prefix: 'read',
    path: one,
    method: 'get',
    action: 'get',
    description: `read the specified ${kind}`,
  })
  add('update', {
    prefix: 'replace',
    path: one,
    method: 'put',
    action: 'put',
    description: `replace the specified ${kind}`,
    query: [...pretty, ...writing],
    hasBody: true,
  })
  add('patch', {
    prefix: 'patch',
    path: one,
    method: 'patch',
    action: 'patch',
    description: `partially update the specified ${kind}`,
    query: [...pretty, ...writing, ['force', 'boolean']],
    hasBody: true,
  })
  add('delete', {
    prefix: 'delete',
    path: one,
    method: 'delete',
    action: 'delete',
    description: `delete a ${kind}`,
    query: [...pretty, ...deleting],
  })
  if (isNamespaced)
    add('list', {
      prefix: 'list',
      path: `${root}/${plural}`,
      id: `list${name}${kind}ForAllNamespaces`,
      method: 'get',
      action: 'list',
      description: `list objects of kind ${kind}`,
      query: [...pretty, ...listing],
      isList: true,
    })
  if (!resource.isCustom) addWatches()
  for (const [sub, subresource] of version.subresources)
    found.push(
      ...subresourceOperations(
        { path: `${one}/${sub}`, id: `${scoped}${idPart(sub)}`, own: gvk },
        sub,
        subresource,
      ),
    )
  return found
}

function subresourceOperations(
  place: { readonly path: string; readonly id: string; readonly own: Operation['gvk'] },
  name: string,
  subresource: Subresource,
): Operation[] {
  const { path, id, own } = place
  const segments = Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? '')
  if (subresource.type === 'action') {
    const { group, version, kind } = subresource
    const gvk = { group, version, kind }
    const common = { path, gvk, query: pretty, segments, isList: false }
    return Object.keys(subresource.verbs).flatMap((verb): Operation[] => {
      if (verb === 'get')
        return [
          {
            ...common,
            method: 'get',
            action: 'connect',
            id: `read${id}`,
            description: `read ${name} of the specified ${own.kind}`,
            hasBody: false,
          },
        ]
      if (verb === 'create')
        return [
          {
            ...common,
            method: 'post',
            action: 'post',
            id: `create${id}`,
            description: `create ${name} of a ${own.kind}`,
            hasBody: true,
          },
        ]
      return []
    })
  }
  const gvk = subresource.type === 'scale' ? { group: 'autoscaling', version: 'v1', kind: 'Scale' } : own
  const common = { path, gvk, segments, isList: false }
  const query: Query = [...pretty, ...writing]
  return [
    {
      ...common,
      query: pretty,
      method: 'get',
      action: 'get',
      id: `read${id}`,
      description: `read ${name} of the specified ${own.kind}`,
      hasBody: false,
    },
    {
      ...common,
      query,
      method: 'put',
      action: 'put',
      id: `replace${id}`,
      description: `replace ${name} of the specified ${own.kind}`,
      hasBody: true,
    },
    {
      ...common,
      query: [...query, ['force', 'boolean']],
      method: 'patch',
      action: 'patch',
      id: `patch${id}`,
      description: `partially update ${name} of the specified ${own.kind}`,
      hasBody: true,
    },
  ]
}

function idPart(text: string): string {
  return text.replace(/(^|[^a-zA-Z0-9])([a-zA-Z0-9])/g, (_match, _separator, first: string) =>
    first.toUpperCase(),
  )
}
