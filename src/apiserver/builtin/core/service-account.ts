import type { ServiceAccount } from '../../../kinds/core/v1.js'
import type { ApiObject } from '../../api-object.js'
import { draftOf } from '../draft.js'
import type { KindRules } from '../kind-rules.js'

const enforceKey = 'kubernetes.io/enforce-mountable-secrets'

export const serviceAccountRules: KindRules = {
  prepareForCreate: keepOnlyNames,
  prepareForUpdate: keepOnlyNames,
  warnings: ({ metadata }, old) =>
    metadata.annotations?.[enforceKey] === undefined || old?.metadata.annotations?.[enforceKey] !== undefined
      ? []
      : [
          `metadata.annotations[${enforceKey}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
        ],
}

/** Secrets are of the same namespace: nothing but their names counts. */
function keepOnlyNames(draft: ApiObject): void {
  const account = draftOf<ServiceAccount>(draft)
  account.secrets = account.secrets?.map(({ name }) => (name === undefined ? {} : { name }))
  if (account.secrets === undefined) delete account.secrets
}
