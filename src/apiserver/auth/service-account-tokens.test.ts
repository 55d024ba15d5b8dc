import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../../base/index.js'
import { formatTime } from '../../objects/index.js'
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ClusterState, Nature } from '../cluster-state.js'
import { ApiFailure } from '../failure.js'
import type { Call } from '../resource.js'
import { createAuthentication } from './create-authenticator.js'
import { createServiceAccountTokens, type ServiceAccountTokens } from './service-account-tokens.js'
import { applyTokenRequestDefaults, createTokenRequestHandler } from './token-request.js'

const issuer = 'https://kubernetes.default.svc.cluster.local'
const rsa = createPrivateKey(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

let objects: Map<string, StoredApiObject>
let clock: FakeClock
let nature: Nature
let tokens: ServiceAccountTokens

const cluster: ClusterState = {
  get: (resource, namespace, name) => objects.get(`${resource} ${namespace} ${name}`),
  list: () => [],
}

function put(
  resource: string,
  namespace: string,
  object: Partial<ApiObject> & { metadata: ApiObject['metadata'] },
): void {
  objects.set(`${resource} ${namespace} ${object.metadata.name ?? ''}`, {
    apiVersion: 'v1',
    kind: '',
    ...object,
  })
}

beforeEach(() => {
  objects = new Map()
  clock = createFakeClock({ now: Date.UTC(2026, 10, 16) })
  let uids = 0
  nature = {
    clock,
    random: seededRandom(1),
    uid: () => `uid-${++uids}`,
    timestamp: () => formatTime(clock.now()),
  }
  tokens = createServiceAccountTokens({ key: rsa, issuer, nature, cluster })
  put('serviceaccounts', 'geng', { metadata: { name: 'imp', uid: 'sa-1' } })
  put('nodes', '', { metadata: { name: 'n1', uid: 'node-1' } })
  put('pods', 'geng', {
    metadata: { name: 'p', uid: 'pod-1' },
    spec: { serviceAccountName: 'imp', nodeName: 'n1' },
  })
  put('secrets', 'geng', { metadata: { name: 's', uid: 'secret-1' } })
})

async function request(
  spec: unknown,
  metadata: ApiObject['metadata'] = {},
  name = 'imp',
): Promise<ApiObject> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata, spec }
  applyTokenRequestDefaults(body)
  const call: Call = {
    info: {
      verb: 'create',
      path: '',
      isResource: true,
      group: '',
      version: 'v1',
      resource: 'serviceaccounts',
      subresource: 'token',
      namespace: 'geng',
      name,
    },
    user: { name: 'admin', groups: [] },
    query: new URLSearchParams(),
    body,
    isDryRun: false,
    nature,
    signal: undefined,
    warn: () => {},
    validate: async () => {},
  }
  const answer = await createTokenRequestHandler(tokens, cluster)(call)
  if ('raw' in answer) throw new Error('an object was expected')
  return answer.object as ApiObject
}

const tokenOf = (object: ApiObject): string => (object['status'] as { token: string }).token
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

describe('a token request', () => {
  test('is answered with a token for the server itself that lasts an hour', async () => {
    const answer = await request({})
    expect(answer).toMatchObject({
      kind: 'TokenRequest',
      metadata: { name: 'imp', namespace: 'geng', uid: 'sa-1', creationTimestamp: '2026-11-16T00:00:00Z' },
      spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
      status: { expirationTimestamp: '2026-11-16T01:00:00Z' },
    })
    expect(claimsOf(tokenOf(answer))).toEqual({
      aud: [issuer],
      exp: 1794790800,
      iat: 1794787200,
      iss: issuer,
      jti: 'uid-1',
      'kubernetes.io': { namespace: 'geng', serviceaccount: { name: 'imp', uid: 'sa-1' } },
      nbf: 1794787200,
      sub: 'system:serviceaccount:geng:imp',
    })
  })

  test('of the kubelet gets a year, with a note after the hour that was asked for', async () => {
    const ref = { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'pod-1' }
    const answer = await request({ boundObjectRef: ref, expirationSeconds: 3607 })
    expect(claimsOf(tokenOf(answer))).toMatchObject({
      exp: 1794787200 + 31_536_000,
      'kubernetes.io': {
        node: { name: 'n1', uid: 'node-1' },
        pod: { name: 'p', uid: 'pod-1' },
        warnafter: 1794787200 + 3607,
      },
    })
    expect(answer).toMatchObject({ status: { expirationTimestamp: '2026-11-16T01:00:07Z' } })
  })

  test.each([
    [
      { expirationSeconds: 5 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
    ],
    [
      { expirationSeconds: 5e9 },
      {},
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5000000000: may not specify a duration larger than 2^32 seconds',
    ],
    [{ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'nope' } }, {}, 404, 'pods "nope" not found'],
    [
      { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'nope' } },
      {},
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ],
    [
      { boundObjectRef: { kind: 'Foo', apiVersion: 'a/v1', name: 'nope' } },
      {},
      400,
      'cannot bind token to object of type a/v1, Kind=Foo',
    ],
    [
      { boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'n1', uid: 'bad' } },
      {},
      409,
      'Operation cannot be fulfilled on Node "n1": the UID in the bound object reference (bad) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      {},
      { name: 'foo' },
      422,
      'TokenRequest.authentication.k8s.io "imp" is invalid: metadata.name: Invalid value: "foo": must match the service account name if specified',
    ],
    [
      {},
      { uid: '1234' },
      409,
      'Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "imp": the UID in the token request (1234) does not match the UID of the service account (sa-1)',
    ],
  ])('%j with %j is refused: %i', async (spec, metadata, code, message) => {
    const failure = await request(spec, metadata).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiFailure)
    expect((failure as ApiFailure).status).toMatchObject({ code, message })
  })

  test('for a service account that is not there is refused', async () => {
    await expect(request({}, {}, 'none')).rejects.toThrow('serviceaccounts "none" not found')
  })
})

describe('a token of a service account', () => {
  const review = (token: string, audiences: readonly string[] = []): unknown =>
    createAuthentication({ serviceAccountTokens: tokens }).reviewToken(token, audiences)

  test('is that of its user, with what it is bound to', async () => {
    const token = tokenOf(await request({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } }))
    expect(review(token)).toEqual({
      user: {
        name: 'system:serviceaccount:geng:imp',
        uid: 'sa-1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:geng', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': ['JTI=uid-1'],
          'authentication.kubernetes.io/node-name': ['n1'],
          'authentication.kubernetes.io/node-uid': ['node-1'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['pod-1'],
        },
      },
      audiences: [issuer],
    })
  })

  test('is good for its audiences only', async () => {
    const token = tokenOf(await request({ audiences: ['a', 'b'] }))
    expect(review(token, ['b', 'c'])).toMatchObject({ audiences: ['b'] })
    expect(review(token)).toEqual({
      problem: `[invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences ["${issuer}"]]`,
    })
  })

  test('is worth nothing when a letter of it was changed', async () => {
    const token = tokenOf(await request({}))
    expect(review(`${token.slice(0, -6)}AAAAAA`)).toEqual({
      problem: '[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]',
    })
    expect(review('abc')).toEqual({ problem: 'invalid bearer token' })
  })

  test('of another key is none of ours', async () => {
    const other = createServiceAccountTokens({ key: ec, issuer, nature, cluster })
    const serviceAccount = { name: 'imp', uid: 'sa-1' }
    const token = other.issue({
      namespace: 'geng',
      serviceAccount,
      audiences: [issuer],
      expirationSeconds: 600,
    })
    expect(review(token)).toEqual({ problem: '[invalid bearer token, invalid signature, no keys found]' })
    expect(other.authenticate(token, [issuer])).toMatchObject({ user: { uid: 'sa-1' } })
  })

  test('ends a minute after its time, for clocks that differ', async () => {
    const token = tokenOf(await request({ expirationSeconds: 600 }))
    await clock.advance(660_000)
    expect(review(token)).toHaveProperty('user')
    await clock.advance(1000)
    expect(review(token)).toEqual({ problem: '[invalid bearer token, service account token has expired]' })
  })

  test.each([
    ['Pod', 'p', 'pods', 'geng', 'pod UID (other) does not match service account pod ref claim (pod-1)'],
    [
      'Secret',
      's',
      'secrets',
      'geng',
      'secret UID (other) does not match service account secret ref claim (secret-1)',
    ],
    ['Node', 'n1', 'nodes', '', 'node UID (other) does not match service account node ref claim (node-1)'],
  ])('bound to a %s lives no longer than that', async (...[kind, name, resource, namespace, message]) => {
    const token = tokenOf(await request({ boundObjectRef: { kind, apiVersion: 'v1', name } }))
    put(resource, namespace, { metadata: { name, uid: 'other' } })
    expect(review(token)).toEqual({ problem: `[invalid bearer token, ${message}]` })
    objects.delete(`${resource} ${namespace} ${name}`)
    expect(review(token)).toEqual({
      problem: '[invalid bearer token, service account token has been invalidated]',
    })
  })

  test('dies with its service account', async () => {
    const token = tokenOf(await request({}))
    put('serviceaccounts', 'geng', { metadata: { name: 'imp', uid: 'sa-2' } })
    expect(review(token)).toEqual({
      problem: '[invalid bearer token, service account UID (sa-2) does not match claim (sa-1)]',
    })
  })

  test('signed with RSA is the same for the same claims', () => {
    const subject = {
      namespace: 'geng',
      serviceAccount: { name: 'imp', uid: 'sa-1' },
      audiences: [issuer],
      expirationSeconds: 600,
    }
    const again = createServiceAccountTokens({
      key: rsa,
      issuer,
      nature: { ...nature, uid: () => 'x' },
      cluster,
    })
    expect(again.issue(subject)).toBe(again.issue(subject))
  })
})

describe('authentication', () => {
  const alice = { name: 'alice', groups: ['g'] }

  test('takes a certificate before a token, and knows static tokens', () => {
    const { authenticate } = createAuthentication({ staticTokens: new Map([['t', alice]]) })
    const bob = { name: 'bob', groups: ['system:masters'] }
    expect(authenticate({ token: 't' })).toEqual({ name: 'alice', groups: ['g', 'system:authenticated'] })
    expect(authenticate({ token: 't', certificateUser: bob })?.name).toBe('bob')
    expect(authenticate({ token: 'x' })).toBeUndefined()
    expect(authenticate({})).toBeUndefined()
  })
})
