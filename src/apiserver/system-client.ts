import { deepCopy } from '../base/index.js'
import { resourceNameOf } from '../objects/index.js'
import type { ApiObject, GroupResource, StoredApiObject } from './api-object.js'
import type { SystemClient } from './cluster-state.js'
import { ApiFailure } from './failure.js'
import { checkDeleteOptions } from './request/delete-options.js'
import { readPatchOptions, readWriteOptions } from './request/write-options.js'
import type { Resource, ResourceCatalogue, ServedVersion, Strategy } from './resource.js'
import type { User } from './user.js'
import { act } from './write/action.js'
import { createObject } from './write/create.js'
import { expectedBody, shapeDraft } from './write/decode-draft.js'
import { deleteObject } from './write/delete.js'
import { patchPlan } from './write/patch.js'
import { replacementPlan } from './write/replace-body.js'
import { updateObject } from './write/update.js'
import type { WriteCall, WriteParts } from './write/write-call.js'

export interface SystemClientParts extends WriteParts {
  readonly catalogue: ResourceCatalogue
}

export interface SystemClientOptions {
  /** Who owns the fields that it writes. */
  readonly manager?: string
  /** Whether everything happens but the writing. */
  readonly isDryRun?: boolean
}

const noParameters = new URLSearchParams()

/**
 * A client for the controllers inside the server. What it does goes through admission and validation as everything does,
 * but is not authorized: they are parts of the server.
 */
export function createSystemClient(
  parts: SystemClientParts,
  user: User,
  { manager = 'kube-controller-manager', isDryRun = false }: SystemClientOptions = {},
): SystemClient {
  const { cluster, store, catalogue } = parts

  const find = (name: GroupResource): { readonly resource: Resource; readonly version: ServedVersion } => {
    for (const resource of catalogue.all()) {
      if (resourceNameOf(resource) !== name) continue
      const found = catalogue.find(resource.group, resource.storageVersion, resource.plural)
      if (found !== undefined) return found
      const [version] = resource.versions
      if (version !== undefined) return { resource, version }
    }
    throw new ApiFailure({
      code: 404,
      reason: 'NotFound',
      message: `the server could not find the requested resource ${name}`,
      details: {},
    })
  }

  const callFor = (name: GroupResource, verb: string, place: Place): WriteCall => {
    const { resource, version } = find(name)
    return {
      info: {
        verb,
        path: '',
        isResource: true,
        group: resource.group,
        version: version.name,
        resource: resource.plural,
        subresource: place.subresource ?? '',
        namespace: place.namespace,
        name: place.name,
      },
      user,
      resource,
      version,
      strategy: strategyOf(version, place.subresource ?? ''),
      manager,
      isDryRun,
      bodyBytes: 0,
      warn: () => {},
      annotate: () => {},
      isAbandoned: () => false,
    }
  }

  return {
    get: (resource, namespace, name) => cluster.get(resource, namespace, name),
    list: (resource, namespace) => cluster.list(resource, namespace),

    async create(resource, object) {
      const { namespace = '', name = '' } = object.metadata
      const call = callFor(resource, 'create', { namespace, name })
      const draft = draftOf(call, object)
      const { object: options } = readWriteOptions(noParameters, 'CreateOptions')
      return frozen(await createObject(parts, call, draft, options))
    },

    // oxlint-disable-next-line max-params -- the contract's
    async act(resource, namespace, name, subresource, body) {
      const call = callFor(resource, 'create', { namespace, name, subresource })
      await act(parts, call, {
        subresource: call.version.subresources.get(subresource),
        body: deepCopy(body),
        options: undefined,
        query: noParameters,
        signal: undefined,
      })
    },

    async update(resource, object, subresource) {
      const { namespace = '', name = '' } = object.metadata
      const call = callFor(resource, 'update', { namespace, name, subresource })
      const options = readWriteOptions(noParameters, 'UpdateOptions')
      return frozen(
        await updateObject(parts, call, replacementPlan(parts, call, draftOf(call, object), options)),
      )
    },

    // oxlint-disable-next-line max-params -- the contract's
    async patch(resource, namespace, name, patch, subresource) {
      const call = callFor(resource, 'patch', { namespace, name, subresource })
      const plan = patchPlan(parts, call, {
        type: 'application/merge-patch+json',
        body: { bytes: JSON.stringify(patch), contentType: 'application/merge-patch+json' },
        options: readPatchOptions(noParameters, false),
        expected: expectedBody(call),
      })
      return frozen(await updateObject(parts, call, plan))
    },

    async apply(resource, object) {
      const { namespace = '', name = '' } = object.metadata
      const call = callFor(resource, 'patch', { namespace, name })
      const type = 'application/apply-patch+yaml'
      const query = new URLSearchParams({ fieldManager: manager, force: 'true' })
      const plan = patchPlan(parts, call, {
        type,
        body: { bytes: JSON.stringify(object), contentType: type },
        options: readPatchOptions(query, true),
        expected: expectedBody(call),
      })
      return frozen(await updateObject(parts, call, plan))
    },

    async delete(resource, namespace, name, options = {}) {
      const call = callFor(resource, 'delete', { namespace, name })
      const { uid, resourceVersion, ...others } = options
      const preconditions = {
        ...(uid !== undefined && { uid }),
        ...(resourceVersion !== undefined && { resourceVersion }),
      }
      await deleteObject(parts, call, name, checkDeleteOptions({ ...others, preconditions }))
    },

    onChange: (listener) => store.subscribe({ after: store.revision }, listener),

    *resources() {
      for (const resource of catalogue.all()) {
        // What is kept under another name is met there.
        if (resource.actions !== undefined || resource.storedAs !== undefined) continue
        yield {
          resource: resourceNameOf(resource),
          isNamespaced: resource.scope === 'Namespaced',
          kind: resource.kind,
          group: resource.group,
          versions: resource.versions.map(({ name }) => name),
        }
      }
    },
  }
}

interface Place {
  readonly namespace: string
  readonly name: string
  readonly subresource?: string | undefined
}

function strategyOf(version: ServedVersion, name: string): Strategy {
  const subresource = version.subresources.get(name)
  return subresource?.type === 'part' ? subresource.strategy : version.strategy
}

/** Controllers may give what they read: it stays theirs. */
function draftOf({ strategy }: WriteCall, object: ApiObject | StoredApiObject): ApiObject {
  const draft = deepCopy(object)
  shapeDraft(strategy, draft)
  return draft
}

function frozen({
  object,
}: {
  readonly object: { readonly object: ApiObject | StoredApiObject }
}): StoredApiObject {
  return object.object
}
