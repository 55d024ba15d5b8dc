import { deepCopy, deepEqual } from '../../base/index.js'
import type { AdmissionChain } from '../admission/admission.js'
import type { ObjectWriter } from '../builtin/kind-rules.js'
import { ApiFailure, notFound } from '../failure.js'
import { RevisionMismatchError } from '../store/store.js'
import { createSystemClient, type SystemClientParts } from '../system-client.js'
import type { User } from '../user.js'

/**
 * How binding and eviction write: past admission, which has seen what was asked for, and past validation. The catalogue is
 * looked at when something is written: it may be made with this.
 */
export function createObjectWriter(parts: SystemClientParts, server: User): ObjectWriter {
  const { store } = parts
  return {
    async change({ resource, namespace, name, isDryRun }, change) {
      const key = namespace === '' ? name : `${namespace}/${name}`
      for (;;) {
        const current = store.get(resource, key)
        if (current === undefined) throw notFound(subjectOf(resource), name)
        const draft = deepCopy(current.object)
        change(draft)
        if (isDryRun) return draft
        if (deepEqual(draft, current.object)) return current.object
        try {
          const state = store.put(resource, key, draft, current.revision)
          await store.settled(state.revision)
          return state.object
        } catch (error) {
          if (!(error instanceof RevisionMismatchError)) throw error
        }
      }
    },

    async changeStatus({ resource, namespace, name, isDryRun }, change) {
      const client = createSystemClient(parts, server, { manager: 'kube-apiserver' })
      for (;;) {
        const current = client.get(resource, namespace, name)
        if (current === undefined) throw notFound(subjectOf(resource), name)
        const draft = deepCopy(current)
        change(draft)
        if (isDryRun) return draft
        try {
          return await client.update(resource, draft, 'status')
        } catch (error) {
          if (!(error instanceof ApiFailure) || error.status.reason !== 'Conflict') throw error
        }
      }
    },

    async delete({ resource, namespace, name, user, isDryRun }, options) {
      const unasked = { ...parts, admission: noAdmission }
      await createSystemClient(unasked, user, { isDryRun }).delete(resource, namespace, name, options)
    },
  }
}

const noAdmission: AdmissionChain = { mutate: async () => {}, validate: async () => {} }

function subjectOf(resource: string): { readonly group: string; readonly resource: string } {
  const dot = resource.indexOf('.')
  return dot < 0
    ? { group: '', resource }
    : { group: resource.slice(dot + 1), resource: resource.slice(0, dot) }
}
