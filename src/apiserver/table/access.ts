import { type DeepReadonly } from '../../base/index.js'
import type { CertificateSigningRequest } from '../../kinds/certificates.k8s.io/v1.js'
import type { ClusterRoleBinding, RoleBinding } from '../../kinds/rbac.authorization.k8s.io/v1.js'
import { ageOf, type Cells, nameOf } from './cell-text.js'
import { humanDuration } from './human-duration.js'

export const roleBindingCells: Cells<RoleBinding | ClusterRoleBinding> = (object, now) => {
  const subjects = object.subjects ?? []
  const namesOf = (kind: string): string =>
    subjects
      .filter((subject) => subject.kind === kind)
      .map(({ namespace, name }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name}` : name))
      .join(', ')
  return [
    nameOf(object),
    `${object.roleRef.kind}/${object.roleRef.name}`,
    ageOf(object, now),
    namesOf('User'),
    namesOf('Group'),
    namesOf('ServiceAccount'),
  ]
}

export const certificateSigningRequestCells: Cells<CertificateSigningRequest> = (object, now) => {
  const { spec } = object
  return [
    nameOf(object),
    ageOf(object, now),
    spec.signerName || '<none>',
    spec.username ?? '',
    spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
    certificateStatus(object),
  ]
}

function certificateStatus({ status }: DeepReadonly<CertificateSigningRequest>): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) ?? false
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`
}
