import type { AuthorizationCheck, CelInput, CelVariableType } from '../../schema/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { Authorizer } from '../auth/authorizer.js'
import { userInfoOf } from '../auth/create-authenticator.js'
import { serviceAccountGroups, serviceAccountUsername } from '../auth/service-account-name.js'
import type { RequestInfo } from '../request/request-info.js'
import type { AdmissionRequest } from './admission.js'
import type { MatchedVersion } from './matching.js'

const text = 'string'
const texts = { list: 'string' } as const
const groupVersionKind = {
  name: 'kubernetes.GroupVersionKind',
  fields: { group: text, version: text, kind: text },
} as const
const groupVersionResource = {
  name: 'kubernetes.GroupVersionResource',
  fields: { group: text, version: text, resource: text },
} as const

const requestType: CelVariableType = {
  name: 'kubernetes.AdmissionRequest',
  fields: {
    kind: groupVersionKind,
    resource: groupVersionResource,
    subResource: text,
    requestKind: groupVersionKind,
    requestResource: groupVersionResource,
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: {
      name: 'kubernetes.UserInfo',
      fields: { username: text, uid: text, groups: texts, extra: { map: texts } },
    },
    dryRun: 'bool',
    options: 'dyn',
  },
}

const namespaceType: CelVariableType = {
  name: 'kubernetes.Namespace',
  fields: {
    metadata: {
      name: 'kubernetes.NamespaceMetadata',
      fields: {
        name: text,
        generateName: text,
        namespace: text,
        labels: { map: text },
        annotations: { map: text },
        UID: text,
        creationTimestamp: 'timestamp',
        deletionGracePeriodSeconds: 'int',
        deletionTimestamp: 'timestamp',
        generation: 'int',
        resourceVersion: text,
        finalizers: texts,
      },
    },
    spec: { name: 'kubernetes.NamespaceSpec', fields: { finalizers: texts } },
    status: {
      name: 'kubernetes.NamespaceStatus',
      fields: {
        conditions: {
          list: {
            name: 'kubernetes.NamespaceCondition',
            fields: {
              status: text,
              type: text,
              lastTransitionTime: 'timestamp',
              message: text,
              reason: text,
            },
          },
        },
        phase: text,
      },
    },
  },
}

/** The variables of every expression of admission. */
export const admissionVariables: Readonly<Record<string, CelVariableType>> = {
  object: 'dyn',
  oldObject: 'dyn',
  request: requestType,
  namespaceObject: namespaceType,
}

/** The variables of expressions that may ask what users may do. */
export const authorizerVariables: Readonly<Record<string, CelVariableType>> = {
  authorizer: 'authorizer',
  'authorizer.requestResource': 'resourceCheck',
}

/** What expressions see of the request itself. */
export function requestData(
  request: AdmissionRequest,
  { version, kind }: MatchedVersion,
): Record<string, unknown> {
  const { info, user, name, namespace } = request
  const { group, resource, subresource } = info
  return {
    kind,
    resource: { group, version, resource },
    ...(subresource !== '' && { subResource: subresource, requestSubResource: subresource }),
    requestKind: request.kind,
    requestResource: { group, version: info.version, resource },
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation: request.operation,
    userInfo: userInfoOf(user),
    dryRun: request.isDryRun,
    options: request.options,
  }
}

/** The fields of a namespace that policies may look at. */
export function namespaceData(namespace: StoredApiObject): Record<string, unknown> {
  const { managedFields: _fields, ownerReferences: _owners, ...metadata } = namespace.metadata
  return { metadata, spec: namespace['spec'] ?? {}, status: namespace['status'] ?? {} }
}

/** The inputs of the variables that ask what the user of the request may do. */
export function authorizerInputs(
  request: AdmissionRequest,
  authorizer: Authorizer,
): Readonly<Record<string, CelInput>> {
  const check: AuthorizationCheck = ({ serviceAccount, path, ...question }) => {
    const info: RequestInfo = { ...question, version: '*', isResource: path === undefined, path: path ?? '' }
    if (serviceAccount === undefined) return authorizer({ user: request.user, info })
    const { namespace, name } = serviceAccount
    const user = { name: serviceAccountUsername(namespace, name), groups: serviceAccountGroups(namespace) }
    return authorizer({ user, info })
  }
  const { group, resource, subresource } = request.info
  const { namespace, name } = request
  return {
    authorizer: { authorizer: check },
    'authorizer.requestResource': {
      check,
      requestResource: { group, resource, subresource, namespace, name },
    },
  }
}
