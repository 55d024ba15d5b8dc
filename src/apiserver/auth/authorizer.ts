import type { RequestInfo } from '../request/request-info.js'
import type { User } from '../user.js'

/** One question: may this user do this? */
export interface AuthorizationQuestion {
  readonly user: User
  readonly info: RequestInfo
}

export interface AuthorizationVerdict {
  readonly isAllowed: boolean
  /** Why, for people: the role and the binding, or what is missing. May be empty. */
  readonly reason: string
}

/** Decides what users may do. Synchronous: everything it decides by is in the store. */
export type Authorizer = (question: AuthorizationQuestion) => AuthorizationVerdict

/** Everybody may do everything. */
export const allowAll: Authorizer = () => ({ isAllowed: true, reason: '' })
