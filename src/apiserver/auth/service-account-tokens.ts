import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { isPlainObject, LruMap } from '../../base/index.js'
import { quoteText } from '../../schema/index.js'
import type { ClusterState, Nature } from '../cluster-state.js'
import type { User } from '../user.js'
import { type BoundReference, bindingProblem } from './bound-objects.js'
import { textOf, textsOf } from './fields.js'
import { quoteList } from './policy-rule.js'
import { serviceAccountGroups, serviceAccountUsername } from './service-account-name.js'

export interface ServiceAccountTokenOptions {
  /** The private key, RSA or EC. With RSA the same claims give the same token; EC signatures are never the same twice. */
  readonly key: KeyObject
  /** `https://kubernetes.default.svc.cluster.local`. */
  readonly issuer: string
  /** What tokens for this server are made for. The issuer, unless told. */
  readonly audiences?: readonly string[]
  readonly nature: Nature
  readonly cluster: ClusterState
}

/** What a token is made of. */
export interface TokenSubject {
  readonly namespace: string
  readonly serviceAccount: BoundReference
  readonly pod?: BoundReference
  readonly node?: BoundReference
  readonly secret?: BoundReference
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
  /** Tokens that the kubelet renews live longer than asked for; from here on their use is worth a note. */
  readonly warnAfterSeconds?: number
}

/** Whose token it is and for whom, or what is wrong with it. */
export type TokenVerdict =
  | { readonly user: User; readonly audiences: readonly string[] }
  | { readonly problem: string }

/** Signs and reads the tokens of service accounts. */
export interface ServiceAccountTokens {
  readonly audiences: readonly string[]
  /** The public half of the key with its id, for `/openid/v1/jwks`. */
  readonly publicKey: { readonly id: string; readonly key: KeyObject; readonly algorithm: string }
  readonly issuer: string
  issue(subject: TokenSubject): string
  /** Undefined for a text that is no token of this issuer. */
  authenticate(token: string, audiences: readonly string[]): TokenVerdict | undefined
}

interface Claims {
  readonly audiences: readonly string[]
  readonly expires: number
  readonly issuedAt: number
  readonly notBefore: number
  readonly id: string
  readonly subject: TokenReferences
}

/** Whom and what a token names. */
interface TokenReferences {
  readonly namespace: string
  readonly serviceAccount: BoundReference
  readonly pod: BoundReference | undefined
  readonly node: BoundReference | undefined
  readonly secret: BoundReference | undefined
}

// How far clocks may differ.
const leewaySeconds = 60
const curves: Readonly<Record<string, readonly [algorithm: string, hash: string]>> = {
  prime256v1: ['ES256', 'sha256'],
  secp384r1: ['ES384', 'sha384'],
  secp521r1: ['ES512', 'sha512'],
}

/** Makes tokens with a key of the server's own. */
export function createServiceAccountTokens(options: ServiceAccountTokenOptions): ServiceAccountTokens {
  const { key, issuer, nature, cluster, audiences = [issuer] } = options
  const publicKey = createPublicKey(key)
  const id = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url')
  const [algorithm, hash] = curves[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? ['RS256', 'sha256']
  const header = encode({ alg: algorithm, kid: id })
  // A signature stays good or bad for ever: only what the claims refer to is looked at with every request.
  const known = new LruMap<string, Claims | { readonly problem: string }>(10_000)

  const issue = (subject: TokenSubject): string => {
    const now = Math.floor(nature.clock.now() / 1000)
    const { warnAfterSeconds, namespace, serviceAccount, pod, node, secret } = subject
    const payload = encode({
      aud: subject.audiences,
      exp: now + subject.expirationSeconds,
      iat: now,
      iss: issuer,
      jti: nature.uid(),
      'kubernetes.io': {
        namespace,
        ...(node !== undefined && { node }),
        ...(pod !== undefined && { pod }),
        ...(secret !== undefined && { secret }),
        serviceaccount: serviceAccount,
        ...(warnAfterSeconds !== undefined && { warnafter: now + warnAfterSeconds }),
      },
      nbf: now,
      sub: serviceAccountUsername(namespace, serviceAccount.name),
    })
    const data = Buffer.from(`${header}.${payload}`)
    const signature = sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
    return `${header}.${payload}.${signature.toString('base64url')}`
  }

  const readClaims = (token: string): Claims | { readonly problem: string } | undefined => {
    const parts = token.split('.')
    const [head = '', payload = '', signature = ''] = parts
    const claims = decode(payload)
    if (parts.length !== 3 || claims?.['iss'] !== issuer) return undefined
    const headers = decode(head)
    if (headers === undefined) return undefined
    if (headers['kid'] !== undefined && headers['kid'] !== id)
      return { problem: 'invalid signature, no keys found' }
    const isGenuine =
      headers['alg'] === algorithm &&
      verify(
        hash,
        Buffer.from(`${head}.${payload}`),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
    return isGenuine ? parseClaims(claims) : { problem: 'go-jose/go-jose: error in cryptographic primitive' }
  }

  const authenticate = (token: string, wanted: readonly string[]): TokenVerdict | undefined => {
    let claims = known.get(token)
    if (claims === undefined) {
      claims = readClaims(token)
      if (claims === undefined) return undefined
      known.set(token, claims)
    }
    if ('problem' in claims) return claims
    const matching = claims.audiences.filter((audience) => wanted.includes(audience))
    if (matching.length === 0)
      return {
        problem: `token audiences ${quoteList(claims.audiences)} is invalid for the target audiences ${quoteList(wanted)}`,
      }
    const now = nature.clock.now() / 1000
    const problem = timeProblem(claims, now) ?? bindingProblem(cluster, claims.subject, now - leewaySeconds)
    return problem === undefined ? { user: userOf(claims), audiences: matching } : { problem }
  }
  return { audiences, publicKey: { id, key: publicKey, algorithm }, issuer, issue, authenticate }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return isPlainObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function timeProblem({ expires, issuedAt, notBefore }: Claims, now: number): string | undefined {
  if (now + leewaySeconds < notBefore) return 'service account token is not valid yet'
  if (now - leewaySeconds > expires) return 'service account token has expired'
  return now + leewaySeconds < issuedAt ? 'service account token is issued in the future' : undefined
}

function userOf({ subject, id }: Claims): User {
  const { namespace, serviceAccount, pod, node } = subject
  const prefix = 'authentication.kubernetes.io/'
  return {
    name: serviceAccountUsername(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    groups: serviceAccountGroups(namespace),
    extra: {
      [`${prefix}credential-id`]: [`JTI=${id}`],
      ...(node !== undefined && { [`${prefix}node-name`]: [node.name] }),
      ...(node !== undefined && node.uid !== '' && { [`${prefix}node-uid`]: [node.uid] }),
      ...(pod !== undefined && { [`${prefix}pod-name`]: [pod.name], [`${prefix}pod-uid`]: [pod.uid] }),
    },
  }
}

/** The claims are ours, so a shape that we never write needs no words of its own. */
function parseClaims(claims: Readonly<Record<string, unknown>>): Claims | { readonly problem: string } {
  const own = claims['kubernetes.io']
  const numbers = [claims['exp'], claims['iat'], claims['nbf']]
  const audiences = claims['aud']
  const [expires, issuedAt, notBefore] = numbers.map(Number)
  if (!isPlainObject(own) || !Array.isArray(audiences) || expires === undefined || Number.isNaN(expires))
    return { problem: `token issuer ${quoteText(textOf(claims['iss']))} is invalid` }
  return {
    audiences: textsOf(audiences),
    expires,
    issuedAt: issuedAt ?? 0,
    notBefore: notBefore ?? 0,
    id: textOf(claims['jti']),
    subject: {
      namespace: textOf(own['namespace']),
      serviceAccount: readReference(own['serviceaccount']) ?? { name: '', uid: '' },
      pod: readReference(own['pod']),
      node: readReference(own['node']),
      secret: readReference(own['secret']),
    },
  }
}

function readReference(value: unknown): BoundReference | undefined {
  if (!isPlainObject(value)) return undefined
  return { name: textOf(value['name']), uid: textOf(value['uid']) }
}
