import type { User } from '../user.js'

/** What a request brings to show who sent it. */
export interface Credentials {
  /** Of the `authorization: Bearer` header. */
  readonly token?: string
  /** Of a client certificate that the listener has verified. */
  readonly certificateUser?: User
}

/** Undefined: these credentials are nobody's. Anonymous requests are decided by the caller, not here. */
export type Authenticator = (credentials: Credentials) => User | undefined
