import { createHmac, randomBytes } from 'node:crypto'
import {
  type Clock,
  createBackoff,
  isKubewrightError,
  type Random,
  raceAbort,
  sleep,
  systemClock,
} from '../../base/index.js'
import { type CallOptions, type Client, ResponseTimeoutError } from '../../client/index.js'
import { TokenReview, type UserInfo } from '../../kinds/authentication.k8s.io/v1.js'
import { SubjectAccessReview, type SubjectAccessReviewSpec } from '../../kinds/authorization.k8s.io/v1.js'
import { isApiError } from '../../objects/index.js'
import { createExpiringCache } from './expiring-cache.js'

/** May this request be answered? */
export type AccessVerdict = 'allowed' | 'unknown-caller' | 'forbidden'

export interface AccessQuestion {
  /** The Authorization header. */
  readonly authorization: string | undefined
  readonly path: string
  /** The method in lower case: `get`. */
  readonly verb: string
}

/** Decides who may read a page of ours. */
export interface RequestAccess {
  /** Rejects when it cannot be found out; then nobody may read. */
  judge(question: AccessQuestion, signal: AbortSignal): Promise<AccessVerdict>
}

export interface RequestAccessOptions {
  /** Needs `create` on tokenreviews.authentication.k8s.io and subjectaccessreviews.authorization.k8s.io. */
  readonly client: Client
  readonly clock?: Clock
  readonly random?: Random
}

const identityTtlMs = 60_000
const allowedTtlMs = 300_000
const deniedTtlMs = 30_000
/** For one question to the API server, repetitions included. */
const timeoutMs = 10_000
const maxTries = 5
const maxEntries = 1_024
/** Longer than any token that an API server issues; longer ones are not worth a question. */
const maxTokenLength = 16_384

/**
 * Access as the cluster defines it: a bearer token says who is calling (TokenReview), and RBAC on `nonResourceURLs` says
 * whether they may (SubjectAccessReview). Answers hold for a minute (who), five minutes (may) and thirty seconds (may not).
 * Callers without a token are refused.
 */
export function createRequestAccess(options: RequestAccessOptions): RequestAccess {
  const { client, clock = systemClock, random = Math.random } = options
  // Whoever reads our memory should not find tokens there.
  const hashKey = randomBytes(32)
  const users = createExpiringCache<UserInfo | undefined>({ clock, maxEntries, ttlMs: () => identityTtlMs })
  const permissions = createExpiringCache<boolean>({
    clock,
    maxEntries,
    ttlMs: (isAllowed) => (isAllowed ? allowedTtlMs : deniedTtlMs),
  })

  /** Repeats what failed for no fault of the question, within the time limit. */
  const ask = async <T>(send: (call: CallOptions) => Promise<T>): Promise<T> => {
    const overdue = new AbortController()
    const timer = clock.setTimer(timeoutMs, () =>
      overdue.abort(new ResponseTimeoutError('The API server', timeoutMs)),
    )
    const backoff = createBackoff({ initialMs: 500, maxMs: timeoutMs, factor: 1.5, jitter: 0.2, random })
    const { signal } = overdue
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await raceAbort(send({ signal, timeoutMs, maxTries: 1 }), signal)
        } catch (error) {
          if (tries === maxTries || signal.aborted || !isTransient(error)) throw error
          await sleep(clock, backoff.next(clock.monotonic()), signal)
        }
      }
    } finally {
      timer.cancel()
    }
  }
  const whoHas = (token: string): Promise<UserInfo | undefined> =>
    users.get(createHmac('sha256', hashKey).update(token).digest('base64'), async () => {
      const review = await ask((call) => client.create(TokenReview, { metadata: {}, spec: { token } }, call))
      return review.status?.authenticated === true ? review.status.user : undefined
    })
  const mayDo = (spec: SubjectAccessReviewSpec): Promise<boolean> =>
    permissions.get(JSON.stringify(spec), async () => {
      const review = await ask((call) => client.create(SubjectAccessReview, { metadata: {}, spec }, call))
      return review.status?.allowed === true
    })

  return {
    async judge({ authorization, path, verb }, signal) {
      const [, token] = /^Bearer +([^\s,]+)$/i.exec(authorization ?? '') ?? []
      if (token === undefined || token.length > maxTokenLength) return 'unknown-caller'
      const user = await raceAbort(whoHas(token), signal)
      if (user?.username === undefined || user.username === '') return 'unknown-caller'
      const { username, uid, groups, extra } = user
      const isAllowed = await raceAbort(
        mayDo({
          user: username,
          nonResourceAttributes: { path, verb },
          ...(uid !== undefined && { uid }),
          ...(groups !== undefined && { groups }),
          ...(extra !== undefined && { extra }),
        }),
        signal,
      )
      return isAllowed ? 'allowed' : 'forbidden'
    },
  }
}

function isTransient(error: unknown): boolean {
  if (isApiError(error)) return error.httpStatus === 429 || error.httpStatus >= 500
  return (
    isKubewrightError(error, 'KW_CONNECTION') ||
    // A review changes nothing, so asking again is safe although it is a POST.
    isKubewrightError(error, 'KW_UNKNOWN_OUTCOME')
  )
}
