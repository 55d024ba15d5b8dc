/** Who makes a request. */
export interface User {
  readonly name: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

/** The group that may do everything, whatever the roles say. */
export const mastersGroup = 'system:masters'
