import { isPlainObject } from '../../base/index.js'
import { formatTime, parseApiVersion } from '../../objects/index.js'
import { type FieldError, quoteText } from '../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ClusterState } from '../cluster-state.js'
import { badRequest, conflict, invalid, notFound } from '../failure.js'
import type { Handler } from '../resource.js'
import type { BoundReference } from './bound-objects.js'
import { fieldsOf, textOf, textsOf } from './fields.js'
import type { ServiceAccountTokens } from './service-account-tokens.js'

const kind = { group: 'authentication.k8s.io', resource: 'TokenRequest' }
// What the kubelet asks for: tokens of exactly this life are made to last a year, with a note after it.
const renewedSeconds = 3607
const extendedSeconds = 365 * 24 * 60 * 60

/** Completes a TokenRequest, in place. */
export function applyTokenRequestDefaults(request: ApiObject): void {
  request['spec'] = { expirationSeconds: 3600, ...fieldsOf(request['spec']) }
}

/** Answers `create` of `serviceaccounts/token`. */
export function createTokenRequestHandler(tokens: ServiceAccountTokens, cluster: ClusterState): Handler {
  return async ({ body, info, nature, ...call }) => {
    const given = body ?? { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: {} }
    const spec = fieldsOf(given['spec'])
    const account = findAccount(given, info, cluster)
    const audiences = textsOf(spec['audiences'])
    const wantedAudiences = audiences.length === 0 ? tokens.audiences : audiences
    const expirationSeconds = Number(spec['expirationSeconds'])
    const reference = isPlainObject(spec['boundObjectRef']) ? spec['boundObjectRef'] : undefined
    const now = nature.clock.now()
    const request: ApiObject = {
      ...given,
      metadata: {
        ...given.metadata,
        name: info.name,
        namespace: info.namespace,
        uid: account.metadata.uid ?? '',
        creationTimestamp: formatTime(now),
      },
      spec: { audiences: [...wantedAudiences], expirationSeconds, boundObjectRef: reference ?? null },
      status: { token: '', expirationTimestamp: null },
    }
    const problem = expirationProblem(expirationSeconds)
    if (problem !== undefined) throw invalid(kind, '', [problem])
    await call.validate(request)
    const bound = reference === undefined ? {} : findBound(reference, info, cluster)
    const isRenewed =
      bound.pod !== undefined &&
      expirationSeconds === renewedSeconds &&
      wantedAudiences.every((audience) => tokens.audiences.includes(audience))
    const token = tokens.issue({
      namespace: info.namespace,
      serviceAccount: { name: info.name, uid: account.metadata.uid ?? '' },
      ...bound,
      audiences: wantedAudiences,
      expirationSeconds: isRenewed ? extendedSeconds : expirationSeconds,
      ...(isRenewed && { warnAfterSeconds: expirationSeconds }),
    })
    const status = { token, expirationTimestamp: formatTime(now + expirationSeconds * 1000) }
    return { object: { ...request, status }, status: 201 }
  }
}

interface Place {
  readonly namespace: string
  readonly name: string
}

function findAccount(
  { metadata }: ApiObject,
  { namespace, name }: Place,
  cluster: ClusterState,
): StoredApiObject {
  if (metadata.name !== undefined && metadata.name !== '' && metadata.name !== name)
    throw invalid(kind, name, [
      {
        reason: 'FieldValueInvalid',
        field: 'metadata.name',
        message: `Invalid value: ${quoteText(metadata.name)}: must match the service account name if specified`,
      },
    ])
  const account = cluster.get('serviceaccounts', namespace, name)
  if (account === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name)
  const { uid } = metadata
  if (uid !== undefined && uid !== '' && uid !== account.metadata.uid)
    throw conflict(
      kind,
      name,
      `the UID in the token request (${uid}) does not match the UID of the service account (${account.metadata.uid ?? ''})`,
    )
  return account
}

function expirationProblem(seconds: number): FieldError | undefined {
  const because = (why: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field: 'spec.expirationSeconds',
    message: `Invalid value: ${seconds}: ${why}`,
  })
  if (!(seconds >= 600)) return because('may not specify a duration less than 10 minutes')
  return seconds > 2 ** 32 ? because('may not specify a duration larger than 2^32 seconds') : undefined
}

interface Bound {
  readonly pod?: BoundReference
  readonly node?: BoundReference
  readonly secret?: BoundReference
}

function findBound(
  reference: Readonly<Record<string, unknown>>,
  account: Place,
  cluster: ClusterState,
): Bound {
  const { group, version } = parseApiVersion(textOf(reference['apiVersion']))
  const kindName = textOf(reference['kind'])
  const name = textOf(reference['name'])
  const find = (plural: string, namespace: string): StoredApiObject => {
    const object = cluster.get(plural, namespace, name)
    if (object === undefined) throw notFound({ group: '', resource: plural }, name)
    return object
  }
  const checked = (object: StoredApiObject): BoundReference => {
    const uid = object.metadata.uid ?? ''
    const wanted = reference['uid']
    if (typeof wanted === 'string' && wanted !== '' && wanted !== uid)
      throw conflict(
        { group, resource: kindName },
        name,
        `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`,
      )
    return { name, uid }
  }
  if (group === '' && kindName === 'Pod') {
    const pod = find('pods', account.namespace)
    const spec = fieldsOf(pod['spec'])
    if (spec['serviceAccountName'] !== account.name)
      throw badRequest(
        `cannot bind token for serviceaccount ${quoteText(account.name)} to pod running with different serviceaccount name.`,
      )
    const nodeName = spec['nodeName']
    const bound = checked(pod)
    if (typeof nodeName !== 'string' || nodeName === '') return { pod: bound }
    const uid = cluster.get('nodes', '', nodeName)?.metadata.uid
    return { pod: bound, node: { name: nodeName, uid: uid ?? '' } }
  }
  if (group === '' && kindName === 'Node') return { node: checked(find('nodes', '')) }
  if (group === '' && kindName === 'Secret') return { secret: checked(find('secrets', account.namespace)) }
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kindName}`)
}
