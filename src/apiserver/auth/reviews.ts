import { isPlainObject, stringifyJson } from '../../base/index.js'
import type { FieldError } from '../../schema/index.js'
import type { ApiObject } from '../api-object.js'
import { badRequest, invalid } from '../failure.js'
import type { Answer, Call, Handler } from '../resource.js'
import type { User } from '../user.js'
import { accessReviewProblems, evaluationProblem, questionOf, showPath } from './access-review-spec.js'
import type { Authorizer } from './authorizer.js'
import { type Authentication, userInfoOf } from './create-authenticator.js'
import { type Fields, fieldsOf, textsOf } from './fields.js'
import { aggregate } from './rbac.js'
import type { RuleResolver } from './rule-resolver.js'

const authorizationGroup = 'authorization.k8s.io'

/**
 * What to do with a `create` of each kind that only answers, by its plural: subjectaccessreviews,
 * selfsubjectaccessreviews, localsubjectaccessreviews, selfsubjectrulesreviews, selfsubjectreviews, tokenreviews.
 * The managed fields of a body are kept, as the server keeps those that it has just written into it.
 */
export interface ReviewHandlers {
  readonly subjectaccessreviews: Handler
  readonly selfsubjectaccessreviews: Handler
  readonly localsubjectaccessreviews: Handler
  readonly selfsubjectrulesreviews: Handler
  readonly selfsubjectreviews: Handler
  readonly tokenreviews: Handler
}

export interface ReviewParts {
  readonly authorizer: Authorizer
  readonly resolver: RuleResolver
  readonly authentication: Authentication
}

/** Makes the handlers of the reviews. They refuse with ApiFailure what the server refuses. */
export function createReviewHandlers({ authorizer, resolver, authentication }: ReviewParts): ReviewHandlers {
  const answerAccess = (body: ApiObject, user: User): Answer => {
    const spec = fieldsOf(body['spec'])
    const { isAllowed, reason } = authorizer({ user, info: questionOf(spec) })
    const evaluationError = evaluationProblem(spec)
    const status = {
      allowed: isAllowed,
      ...(reason !== '' && { reason }),
      ...(evaluationError !== '' && { evaluationError }),
    }
    return { object: { ...body, status }, status: 201 }
  }
  return {
    async subjectaccessreviews(call) {
      const body = bodyOf(call)
      const spec = fieldsOf(body['spec'])
      refuseIf([...accessReviewProblems(spec, true), ...metadataProblems(body, [], 'must be empty')])
      return answerAccess(body, subjectOf(spec))
    },
    async selfsubjectaccessreviews(call) {
      const body = bodyOf(call)
      const spec = fieldsOf(body['spec'])
      refuseIf([...accessReviewProblems(spec, false), ...metadataProblems(body, [], 'must be empty')])
      return answerAccess(body, call.user)
    },
    async localsubjectaccessreviews(call) {
      const body = bodyOf(call)
      const { namespace } = call.info
      const localNamespace = body.metadata.namespace ?? namespace
      const local: ApiObject = { ...body, metadata: { ...body.metadata, namespace: localNamespace } }
      const spec = fieldsOf(local['spec'])
      refuseIf([
        ...accessReviewProblems(spec, true),
        ...metadataProblems(local, ['namespace'], 'must be empty except for namespace'),
        ...localProblems(spec, localNamespace),
      ])
      if (namespace !== localNamespace)
        throw badRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`)
      return answerAccess(local, subjectOf(spec))
    },
    async selfsubjectrulesreviews(call) {
      const namespace = fieldsOf(bodyOf(call)['spec'])['namespace']
      if (typeof namespace !== 'string' || namespace === '') throw badRequest('no namespace on request')
      return rulesAnswer(call.user, namespace, resolver)
    },
    async selfsubjectreviews({ user, nature }) {
      return {
        object: {
          kind: 'SelfSubjectReview',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: { creationTimestamp: nature.timestamp() },
          status: { userInfo: userInfoOf(user) },
        },
        status: 201,
      }
    },
    async tokenreviews(call) {
      const body = bodyOf(call)
      const spec = fieldsOf(body['spec'])
      const token = spec['token']
      if (typeof token !== 'string' || token === '')
        throw badRequest('token is required for TokenReview in authentication')
      const verdict = authentication.reviewToken(token, textsOf(spec['audiences']))
      const status =
        'user' in verdict
          ? {
              authenticated: true,
              user: userInfoOf(verdict.user),
              ...(verdict.audiences.length > 0 && { audiences: [...verdict.audiences] }),
            }
          : { user: {}, error: verdict.problem }
      return { object: { ...body, status }, status: 201 }
    },
  }
}

function bodyOf({ body, info }: Call): ApiObject {
  return body ?? { apiVersion: `${info.group}/${info.version}`, kind: '', metadata: {} }
}

/** The server has forgotten the kind by then: the message begins with a dot. */
function refuseIf(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: authorizationGroup, resource: '' }, '', errors)
}

function metadataProblems({ metadata }: ApiObject, allowed: readonly string[], why: string): FieldError[] {
  const ignored = new Set(['managedFields', ...allowed])
  if (Object.keys(metadata).every((key) => ignored.has(key))) return []
  return [
    {
      reason: 'FieldValueInvalid',
      field: 'metadata',
      message: `Invalid value: ${stringifyJson(metadata)}: ${why}`,
    },
  ]
}

function localProblems(spec: Fields, namespace: string): FieldError[] {
  const errors: FieldError[] = []
  const attributes = spec['resourceAttributes']
  const asked = fieldsOf(attributes)['namespace'] ?? ''
  if (isPlainObject(attributes) && asked !== namespace)
    errors.push({
      reason: 'FieldValueInvalid',
      field: 'spec.resourceAttributes.namespace',
      message: `Invalid value: ${stringifyJson(asked)}: must match metadata.namespace`,
    })
  if (isPlainObject(spec['nonResourceAttributes']))
    errors.push({
      reason: 'FieldValueInvalid',
      field: 'spec.nonResourceAttributes',
      message: `Invalid value: ${showPath(spec['nonResourceAttributes'])}: disallowed on this kind of request`,
    })
  return errors
}

function subjectOf(spec: Fields): User {
  const { user, uid } = spec
  const extra = Object.entries(fieldsOf(spec['extra'])).map(
    ([key, values]) => [key, textsOf(values)] as const,
  )
  return {
    name: typeof user === 'string' ? user : '',
    groups: textsOf(spec['groups']),
    ...(typeof uid === 'string' && { uid }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  }
}

function rulesAnswer(user: User, namespace: string, resolver: RuleResolver): Answer {
  const resourceRules: Record<string, readonly string[]>[] = []
  const nonResourceRules: Record<string, readonly string[]>[] = []
  const problems = resolver.visit(user, namespace, (rule) => {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
    if (resources.length > 0)
      resourceRules.push({
        verbs,
        ...(apiGroups.length > 0 && { apiGroups }),
        resources,
        ...(resourceNames.length > 0 && { resourceNames }),
      })
    if (nonResourceURLs.length > 0) nonResourceRules.push({ verbs, nonResourceURLs })
    return true
  })
  return {
    object: {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: {
        resourceRules,
        nonResourceRules,
        incomplete: false,
        ...(problems.length > 0 && { evaluationError: aggregate(problems) }),
      },
    },
    status: 201,
  }
}
