import { fieldsOf } from '../../auth/fields.js'
import { forbidden, notFound } from '../../failure.js'
import type { AdmissionPlugin } from '../admission.js'
import { refused } from '../refusal.js'

const immortal = new Set(['default', 'kube-system', 'kube-public'])
const accessReviews = new Set(['localsubjectaccessreviews'])

/**
 * Nothing is written into a namespace that is not there, nothing new into one that is being deleted, and the namespaces
 * that the system lives in are not deleted.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  // CONNECT is none of its business; deletions are always allowed, but for those namespaces.
  handles: ({ operation }) => operation !== 'CONNECT',
  mutate(request, { cluster }) {
    const { operation, kind, info, name, namespace } = request
    const isNamespace = kind.group === '' && kind.kind === 'Namespace'
    if (operation === 'DELETE' && isNamespace && immortal.has(name))
      throw forbidden(
        { group: info.group, resource: info.resource },
        name,
        'this namespace may not be deleted',
      )
    if (isNamespace || namespace === '' || operation === 'DELETE') return
    if (info.group === 'authorization.k8s.io' && accessReviews.has(info.resource)) return
    const stored = cluster.get('namespaces', '', namespace)
    if (stored === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
    if (operation !== 'CREATE' || fieldsOf(stored['status'])['phase'] !== 'Terminating') return
    throw refused(
      request,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    )
  },
}
