import type { GroupResource } from '../api-object.js'
import type { ClusterState } from '../cluster-state.js'
import type { Store } from './store.js'

/** The stored objects, for those parts of the server that decide by them. */
export function clusterReads(store: Store): ClusterState {
  const versions = new Map<GroupResource, number>()
  store.subscribe({ after: store.revision }, ({ resource, revision }) => versions.set(resource, revision))
  return {
    versionOf: (resource) => versions.get(resource) ?? 0,
    get: (resource, namespace, name) =>
      store.get(resource, namespace === '' ? name : `${namespace}/${name}`)?.object,
    list: (resource, namespace) =>
      Array.from(
        store.scan(resource, namespace === undefined ? {} : { prefix: `${namespace}/` }),
        ({ object }) => object,
      ),
  }
}
