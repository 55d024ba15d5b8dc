import { deepEqual } from '../../../base/index.js'
import { quoteText } from '../../../schema/index.js'
import type { StoredApiObject } from '../../api-object.js'
import type { Authorizer } from '../../auth/authorizer.js'
import { fieldsOf, textOf } from '../../auth/fields.js'
import type { User } from '../../user.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { refused } from '../refusal.js'

const group = 'certificates.k8s.io'

/** Approving a request for a certificate takes the right to `approve` for its signer. */
export function createCertificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    handles: (request) => isUpdateOf(request, 'approval'),
    validate: (request) => checkSigner(request, 'approve', authorizer),
  }
}

/** Issuing a certificate, or saying that none will be, takes the right to `sign` for its signer. */
export function createCertificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    handles: (request) => isUpdateOf(request, 'status'),
    validate(request) {
      const status = fieldsOf(request.object?.['status'])
      const old = fieldsOf(request.oldObject?.['status'])
      const isSame =
        status['certificate'] === old['certificate'] &&
        deepEqual(status['conditions'] ?? [], old['conditions'] ?? [])
      if (!isSame) checkSigner(request, 'sign', authorizer)
    },
  }
}

function isUpdateOf({ info, operation }: AdmissionRequest, subresource: string): boolean {
  return (
    operation === 'UPDATE' &&
    info.group === group &&
    info.resource === 'certificatesigningrequests' &&
    info.subresource === subresource
  )
}

function checkSigner(request: AdmissionRequest, verb: 'approve' | 'sign', authorizer: Authorizer): void {
  const signer = signerOf(request.oldObject)
  if (maySign(request.user, { verb, signer, authorizer })) return
  throw refused(request, `user not permitted to ${verb} requests with signerName ${quoteText(signer)}`)
}

function signerOf(object: StoredApiObject | undefined): string {
  return textOf(fieldsOf(object?.['spec'])['signerName'])
}

/** Granted by the name of the signer or by its domain: `example.com/*`. */
function maySign(
  user: User,
  { verb, signer, authorizer }: { verb: string; signer: string; authorizer: Authorizer },
): boolean {
  const domain = signer.split('/')[0] ?? ''
  return [signer, `${domain}/*`].some(
    (name) =>
      authorizer({
        user,
        info: {
          verb,
          path: '',
          isResource: true,
          group,
          version: '*',
          resource: 'signers',
          subresource: '',
          namespace: '',
          name,
        },
      }).isAllowed,
  )
}
