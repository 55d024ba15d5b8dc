import { LruMap } from '../../base/index.js'
import { dns1123SubdomainErrors } from '../../objects/index.js'
import { quoteText } from '../../schema/index.js'
import { ApiFailure, badRequest } from '../failure.js'
import type { RequestInfo } from '../request/request-info.js'
import { mastersGroup, type User } from '../user.js'
import type { Authorizer } from './authorizer.js'
import { denied } from './denial.js'
import { extraKeyProblem } from './extra-key.js'
import { parseServiceAccountUsername, serviceAccountGroups } from './service-account-name.js'

/** The headers of a request. Names in lower case; several values of one name as a list. */
export type ImpersonationHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Whom a request says to be, before anything is added. */
interface Wanted {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: ReadonlyMap<string, readonly string[]>
}

const extraPrefix = 'impersonate-extra-'

/**
 * The user that a request acts as: the one that it came from, or the one that its `Impersonate-` headers name, if the
 * first may impersonate him. Throws ApiFailure: 400 for headers without a user, 403 for what is not allowed.
 */
export type Impersonation = (
  headers: ImpersonationHeaders,
  question: { readonly user: User; readonly info: RequestInfo },
) => User

/** Decides impersonations. Remembers, as the server does, by which way a user was last allowed: it is tried first. */
export function createImpersonation(authorizer: Authorizer): Impersonation {
  const lastModes = new LruMap<string, Mode>(10_000)
  return (headers, question) => {
    const wanted = readHeaders(headers)
    if (wanted === undefined) return question.user
    const last = lastModes.get(question.user.name)
    let firstRefusal: ApiFailure | undefined
    for (const mode of last === undefined ? modes : [last, ...modes.filter((each) => each !== last)]) {
      if (!mode.applies(wanted, question.user)) continue
      try {
        const user = actAs(wanted, mode, { ...question, authorizer })
        lastModes.set(question.user.name, mode)
        return user
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        firstRefusal ??= error
      }
    }
    throw firstRefusal ?? new ApiFailure({ code: 500, reason: '', message: 'all impersonation modes failed' })
  }
}

function valuesOf(headers: ImpersonationHeaders, name: string): readonly string[] {
  const value = headers[name]
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

function readHeaders(headers: ImpersonationHeaders): Wanted | undefined {
  const extra = new Map<string, readonly string[]>()
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(extraPrefix)) continue
    const values = valuesOf(headers, name)
    if (values.length > 0) {
      const key = unescapeKey(name.slice(extraPrefix.length))
      extra.set(key, [...(extra.get(key) ?? []), ...values])
    }
  }
  const wanted: Wanted = {
    name: valuesOf(headers, 'impersonate-user')[0] ?? '',
    uid: valuesOf(headers, 'impersonate-uid')[0] ?? '',
    groups: valuesOf(headers, 'impersonate-group'),
    extra,
  }
  if (wanted.name !== '') return wanted
  if (wanted.uid === '' && wanted.groups.length === 0 && extra.size === 0) return undefined
  throw badRequest(`requested ${describe(wanted)} without impersonating a user name`)
}

function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

/** The server shows its own data structure here. */
function describe({ name, uid, groups, extra }: Wanted): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quoteText).join(', ')}}`
  const entries = [...extra]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, values]) => `${quoteText(key)}:${list(values)}`)
  const map = entries.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups)
  return `&user.DefaultInfo{Name:${quoteText(name)}, UID:${quoteText(uid)}, Groups:${shownGroups}, Extra:${map}}`
}

/**
 * The ways to be allowed an impersonation, tried in this order. The constrained ones ask two questions: may the user
 * impersonate this one at all (`impersonate:<mode>`), and may he do this while he does (`impersonate-on:<mode>:<verb>`).
 */
interface Mode {
  /** Undefined for the original mode, which asks for `impersonate` only. */
  readonly name: string | undefined
  applies(wanted: Wanted, requestor: User): boolean
}

const nodePrefix = 'system:node:'

function nodeName(username: string): string | undefined {
  if (!username.startsWith(nodePrefix)) return undefined
  const name = username.slice(nodePrefix.length)
  return dns1123SubdomainErrors(name).length === 0 ? name : undefined
}

const hasNameOnly = ({ uid, groups, extra }: Wanted): boolean =>
  uid === '' && groups.length === 0 && extra.size === 0

const associatedNode = 'associated-node'
const nodeNameKey = 'authentication.kubernetes.io/node-name'

const modes: readonly Mode[] = [
  {
    name: associatedNode,
    applies(wanted, requestor) {
      const node = nodeName(wanted.name)
      const bound = requestor.extra?.[nodeNameKey] ?? []
      return (
        hasNameOnly(wanted) &&
        node !== undefined &&
        parseServiceAccountUsername(requestor.name) !== undefined &&
        bound.length === 1 &&
        bound[0] === node
      )
    },
  },
  {
    name: 'arbitrary-node',
    applies: (wanted) => hasNameOnly(wanted) && nodeName(wanted.name) !== undefined,
  },
  {
    name: 'serviceaccount',
    applies: (wanted) => hasNameOnly(wanted) && parseServiceAccountUsername(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    applies: (wanted) =>
      nodeName(wanted.name) === undefined && parseServiceAccountUsername(wanted.name) === undefined,
  },
  { name: undefined, applies: () => true },
]

interface Asker {
  readonly user: User
  readonly info: RequestInfo
  readonly authorizer: Authorizer
}

const authenticationGroup = 'authentication.k8s.io'
// From so many on, the server first asks whether all are allowed.
const many = 4

function actAs(wanted: Wanted, mode: Mode, asker: Asker): User {
  const isConstrained = mode.name !== undefined
  const isAssociated = mode.name === associatedNode
  const verb = isConstrained ? `impersonate:${mode.name}` : 'impersonate'
  const ask = (info: RequestInfo): void => {
    const { user, authorizer } = asker
    const verdict = authorizer({ user, info })
    if (!verdict.isAllowed) throw denied({ user, info }, verdict.reason)
  }
  const about = (resource: string, name: string, more: Partial<RequestInfo> = {}): RequestInfo => ({
    verb,
    path: '',
    isResource: true,
    group: authenticationGroup,
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
    ...more,
  })
  if (mode.name !== undefined) ask({ ...asker.info, verb: `impersonate-on:${mode.name}:${asker.info.verb}` })

  const peopleGroup = isConstrained ? authenticationGroup : ''
  const serviceAccount = parseServiceAccountUsername(wanted.name)
  const node = isConstrained ? nodeName(wanted.name) : undefined
  let groups = wanted.groups
  if (serviceAccount !== undefined) {
    if (groups.length === 0) groups = serviceAccountGroups(serviceAccount.namespace)
    ask(
      about('serviceaccounts', serviceAccount.name, {
        group: peopleGroup,
        namespace: serviceAccount.namespace,
      }),
    )
  } else if (node !== undefined) {
    groups = ['system:nodes']
    ask(about('nodes', isAssociated ? '*' : node, { group: peopleGroup }))
  } else {
    ask(about('users', wanted.name, { group: peopleGroup }))
  }
  if (wanted.uid !== '') ask(about('uids', wanted.uid))
  askGroups(wanted.groups, {
    isConstrained,
    ask,
    asker,
    about: (name) => about('groups', name, { group: peopleGroup }),
  })
  askExtra(wanted.extra, {
    isConstrained,
    ask,
    asker,
    about: (name, subresource) => about('userextras', name, { subresource }),
  })
  return {
    name: wanted.name,
    groups: withStandardGroup(wanted.name, groups),
    ...(wanted.uid !== '' && { uid: wanted.uid }),
    ...(wanted.extra.size > 0 && { extra: Object.fromEntries(wanted.extra) }),
  }
}

interface Questions<About> {
  readonly isConstrained: boolean
  readonly asker: Asker
  readonly about: About
  readonly ask: (info: RequestInfo) => void
}

const isAllowed = (ask: () => void): boolean => {
  try {
    ask()
    return true
  } catch (error) {
    if (error instanceof ApiFailure) return false
    throw error
  }
}

function askGroups(
  groups: readonly string[],
  { isConstrained, ask, asker, about }: Questions<(name: string) => RequestInfo>,
): void {
  if (groups.length === 0) return
  if (isConstrained) {
    const refuse = (name: string, why: string): ApiFailure =>
      denied({ user: asker.user, info: about(name) }, why)
    if (groups.includes('')) throw refuse('', 'impersonating the empty string group is not allowed')
    if (groups.includes(mastersGroup))
      throw refuse(mastersGroup, 'impersonating the system:masters group is not allowed')
    if (groups.length >= many && isAllowed(() => ask(about('*')))) return
  }
  for (const group of groups) ask(about(group))
}

function askExtra(
  extra: Wanted['extra'],
  { isConstrained, ask, asker, about }: Questions<(name: string, subresource: string) => RequestInfo>,
): void {
  if (extra.size === 0) return
  const count = [...extra.values()].reduce((sum, values) => sum + values.length, 0)
  if (isConstrained) {
    for (const [key, values] of extra) {
      const why = extraProblem(key, values)
      if (why !== undefined) throw denied({ user: asker.user, info: about('', '') }, why)
    }
    if ((extra.size >= many || count >= many) && isAllowed(() => ask(about('*', '*')))) return
  }
  for (const [key, values] of extra) for (const value of values) ask(about(value, key))
}

function extraProblem(key: string, values: readonly string[]): string | undefined {
  if (key === '') return 'impersonating the empty string key in extra is not allowed'
  const problem = extraKeyProblem(key)
  if (problem !== undefined) return `impersonating an invalid key in extra is not allowed: ${problem}`
  if (key !== key.toLowerCase())
    return `impersonating a non-lowercase key in extra is not allowed: ${quoteText(key)}`
  return values.includes('') ? 'impersonating the empty string value in extra is not allowed' : undefined
}

function withStandardGroup(name: string, groups: readonly string[]): readonly string[] {
  const add = (group: string): readonly string[] => (groups.includes(group) ? groups : [...groups, group])
  if (name === 'system:anonymous') return add('system:unauthenticated')
  return groups.includes('system:unauthenticated') ? groups : add('system:authenticated')
}
