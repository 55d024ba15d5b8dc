import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../objects/index.js'
import type { FunctionDeclaration } from '../check/declaration.js'
import { boolType, type CelType, stringType, structType } from '../value/type.js'
import { type CelOpaque, type CelValue, type CelVerdict, failure, noSuchOverload } from '../value/value.js'
import { declare, member } from './signature.js'

/** Whether somebody may do something. `serviceAccount` is about that account instead of the user who asks. */
export type AuthorizationCheck = (question: AuthorizationCheckQuestion) => {
  readonly isAllowed: boolean
  readonly reason: string
}

/** What programs ask an authorizer: about a path, or about a resource. */
export interface AuthorizationCheckQuestion {
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
  readonly verb: string
  /** Undefined for a question about a resource. */
  readonly path?: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

const typePrefix = 'kubernetes.authorization.'
/** The type of `authorizer`. */
export const authorizerType: CelType = structType(`${typePrefix}Authorizer`)
/** The type of `authorizer.requestResource`. */
export const resourceCheckType: CelType = structType(`${typePrefix}ResourceCheck`)
const pathCheckType = structType(`${typePrefix}PathCheck`)
const groupCheckType = structType(`${typePrefix}GroupCheck`)
const decisionType = structType(`${typePrefix}Decision`)

/** A question under way: every call of a builder adds a part. */
class Question implements CelOpaque {
  readonly kind = 'opaque'
  readonly type: CelType
  readonly check: AuthorizationCheck
  readonly parts: Partial<AuthorizationCheckQuestion>

  constructor(type: CelType, check: AuthorizationCheck, parts: Partial<AuthorizationCheckQuestion>) {
    this.type = type
    this.check = check
    this.parts = parts
  }

  get nativeText(): string {
    return `(library.${this.type.name})`
  }

  equals(other: CelValue): CelVerdict {
    return other instanceof Question ? other === this : noSuchOverload()
  }

  with(type: CelType, parts: Partial<AuthorizationCheckQuestion>): Question {
    return new Question(type, this.check, { ...this.parts, ...parts })
  }
}

class Decision implements CelOpaque {
  readonly kind = 'opaque'
  readonly type: CelType = decisionType
  readonly isAllowed: boolean
  readonly reason: string

  constructor({ isAllowed, reason }: ReturnType<AuthorizationCheck>) {
    this.isAllowed = isAllowed
    this.reason = reason
  }

  get nativeText(): string {
    return '(library.decisionVal)'
  }

  equals(other: CelValue): CelVerdict {
    return other instanceof Decision ? other === this : noSuchOverload()
  }
}

/** The value of `authorizer`. */
export function authorizerValue(check: AuthorizationCheck): CelValue {
  return new Question(authorizerType, check, {})
}

/** The value of `authorizer.requestResource`: the question about the resource of the request. */
export function resourceCheckValue(
  check: AuthorizationCheck,
  parts: Pick<AuthorizationCheckQuestion, 'group' | 'resource' | 'subresource' | 'namespace' | 'name'>,
): CelValue {
  return new Question(resourceCheckType, check, parts)
}

function builder(
  name: string,
  id: string,
  types: readonly [from: CelType, to: CelType],
  build: (text: string) => Partial<AuthorizationCheckQuestion> | string,
): FunctionDeclaration {
  const [from, to] = types
  return declare(name, [
    member(id, [from, stringType], to, ([question, text]) => {
      if (!(question instanceof Question) || typeof text !== 'string') return noSuchOverload()
      const parts = build(text)
      return typeof parts === 'string' ? failure(parts) : question.with(to, parts)
    }),
  ])
}

function checkOverload(id: string, type: CelType): ReturnType<typeof member> {
  return member(id, [type, stringType], decisionType, {
    // So that no more than two fit into one expression.
    cost: () => 350_000,
    run: ([question, verb]) => {
      if (!(question instanceof Question) || typeof verb !== 'string') return noSuchOverload()
      const nothing = { group: '', resource: '', subresource: '', namespace: '', name: '' }
      return new Decision(question.check({ ...nothing, ...question.parts, verb }))
    },
  })
}

function getter(name: string, result: CelType, get: (decision: Decision) => CelValue): FunctionDeclaration {
  return declare(name, [
    member(`decision_${name}`, [decisionType], result, ([decision]) =>
      decision instanceof Decision ? get(decision) : noSuchOverload(),
    ),
  ])
}

const resourceCheck = [resourceCheckType, resourceCheckType] as const

/** Questions to the authorizer: `authorizer.group('apps').resource('deployments').check('create').allowed()`. */
export const authorization: readonly FunctionDeclaration[] = [
  builder('path', 'authorizer_path', [authorizerType, pathCheckType], (path) =>
    path.trim() === '' ? 'path must not be empty' : { path },
  ),
  builder('group', 'authorizer_group', [authorizerType, groupCheckType], (group) => ({ group })),
  builder('resource', 'groupcheck_resource', [groupCheckType, resourceCheckType], (resource) =>
    resource.trim() === '' ? 'resource must not be empty' : { resource },
  ),
  builder('subresource', 'resourcecheck_subresource', resourceCheck, (subresource) => ({ subresource })),
  builder('namespace', 'resourcecheck_namespace', resourceCheck, (namespace) => ({ namespace })),
  builder('name', 'resourcecheck_name', resourceCheck, (name) => ({ name })),
  // Roles know no selectors: they narrow a question that is answered as if they were not there.
  builder('fieldSelector', 'resourcecheck_fieldselector', resourceCheck, () => ({})),
  builder('labelSelector', 'resourcecheck_labelselector', resourceCheck, () => ({})),
  declare('serviceAccount', [
    member(
      'authorizer_serviceaccount',
      [authorizerType, stringType, stringType],
      authorizerType,
      ([question, namespace, name]) => {
        if (!(question instanceof Question) || typeof namespace !== 'string' || typeof name !== 'string')
          return noSuchOverload()
        if (dns1123SubdomainErrors(name).length > 0) return failure('Invalid service account name')
        if (dns1123LabelErrors(namespace).length > 0) return failure('Invalid service account namespace')
        return question.with(authorizerType, { serviceAccount: { namespace, name } })
      },
    ),
  ]),
  declare('check', [
    checkOverload('pathcheck_check', pathCheckType),
    checkOverload('resourcecheck_check', resourceCheckType),
  ]),
  getter('errored', boolType, () => false),
  getter('error', stringType, () => ''),
  getter('allowed', boolType, ({ isAllowed }) => isAllowed),
  getter('reason', stringType, ({ reason }) => reason),
]
