import { isPlainObject } from '../base/index.js'
import { buildRequest } from '../objects/index.js'
import { UnexpectedResponseError } from './call-errors.js'
import type { CallOptions } from './call-options.js'
import { type ClientContext, namespaceFor } from './client-context.js'
import type { AnyKey } from './object-access.js'

/** What a token of a service account is for. */
export interface TokenOptions extends CallOptions {
  /** Who shall accept it; absent: the API server. */
  readonly audiences?: readonly string[] | undefined
  /** At least 600; the server may shorten or extend it. */
  readonly expirationSeconds?: number | undefined
  /** The token dies with this pod, secret or node. */
  readonly boundObjectRef?:
    | { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid?: string }
    | undefined
}

/** A token of a service account. A secret: never log it. */
export interface ServiceAccountToken {
  readonly token: string
  readonly expirationTimestamp: string
}

/** A new token of a service account. */
export async function createServiceAccountToken(
  context: ClientContext,
  key: AnyKey,
  options: TokenOptions = {},
): Promise<ServiceAccountToken> {
  const { audiences, expirationSeconds, boundObjectRef } = options
  const kind = { group: '', version: 'v1', plural: 'serviceaccounts', scope: 'Namespaced' } as const
  const target = { kind, namespace: namespaceFor(context, kind, key.namespace), name: key.name }
  const request = buildRequest(
    'create',
    { ...target, subresource: 'token' },
    {
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { audiences: audiences ?? [], expirationSeconds, boundObjectRef },
      },
    },
  )
  const answer = await context.caller.json(request, options)
  const status = isPlainObject(answer) ? answer['status'] : undefined
  const { token, expirationTimestamp } = isPlainObject(status) ? status : {}
  if (typeof token !== 'string' || typeof expirationTimestamp !== 'string')
    throw new UnexpectedResponseError(request.description, 'something that is not a token')
  return { token, expirationTimestamp }
}
