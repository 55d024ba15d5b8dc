import { stringifyJson } from '../../base/index.js'
import type { CelInput } from '../../schema/index.js'
import type { StoredApiObject } from '../api-object.js'
import type { Authorizer } from '../auth/authorizer.js'
import { fieldsOf, textOf, textsOf } from '../auth/fields.js'
import { ApiFailure } from '../failure.js'
import type { ResourceCatalogue } from '../resource.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from './admission.js'
import { authorizerInputs, namespaceData, requestData } from './cel-variables.js'
import { inVersion, isExempt, type MatchedVersion, matchRequest, readMatchResources } from './matching.js'
import { collectParams, findParamSource, ParamProblem, type ParamSource } from './policy-params.js'
import { refused } from './refusal.js'
import {
  compilePolicy,
  evaluatePolicy,
  type PolicyResult,
  type ValidatingPolicy,
} from './validating-policy.js'
import type { LoadEngine } from './webhook-configuration.js'

const group = 'admissionregistration.k8s.io'
const longestAnnotation = 10 * 1024

export interface PolicyParts {
  readonly authorizer: Authorizer
  readonly catalogue: ResourceCatalogue
}

/** One reason to refuse a request. */
interface Denial {
  readonly policy: string
  /** Undefined when the policy itself is wrong. */
  readonly binding: string | undefined
  readonly message: string
  readonly reason: string
}

/** One request, while its policies are evaluated. */
interface Review {
  readonly request: AdmissionRequest
  readonly context: AdmissionContext
  readonly denials: Denial[]
}

/** Evaluates ValidatingAdmissionPolicies with their bindings. The first denial in the order of names counts. */
export function createValidatingPolicies(loadEngine: LoadEngine, parts: PolicyParts): AdmissionPlugin {
  const compiled = new WeakMap<StoredApiObject, ValidatingPolicy>()
  const policyOf = async (stored: StoredApiObject): Promise<ValidatingPolicy> => {
    let policy = compiled.get(stored)
    if (policy === undefined) {
      policy = compilePolicy(await loadEngine(), stored)
      compiled.set(stored, policy)
    }
    return policy
  }

  const reviewPolicy = async (
    policy: ValidatingPolicy,
    bindings: readonly StoredApiObject[],
    review: Review,
  ): Promise<void> => {
    const { request, context, denials } = review
    const deny = (message: string, binding?: string): void => {
      if (!policy.ignoresFailures) denials.push({ policy: policy.name, binding, message, reason: '' })
    }
    const matched = matchRequest(policy.criteria, request, context.cluster)
    if (matched === undefined) return
    let source: ParamSource | undefined
    try {
      source = findParamSource(policy.paramKind, parts.catalogue)
    } catch (error) {
      if (!(error instanceof ParamProblem)) throw error
      return deny(`failed to configure policy: ${error.message}`)
    }
    const notes = new Map<string, string[]>()
    for (const binding of bindings) {
      try {
        await reviewBinding(policy, binding, { ...review, matched, source, notes })
      } catch (error) {
        if (!(error instanceof ParamProblem)) throw error
        deny(`failed to configure binding: ${error.message}`, binding.metadata.name)
      }
    }
    for (const [key, values] of notes) request.annotate(`${policy.name}/${key}`, values.join(', '))
  }

  const reviewBinding = async (
    policy: ValidatingPolicy,
    binding: StoredApiObject,
    review: Review & {
      readonly matched: MatchedVersion
      readonly source: ParamSource | undefined
      readonly notes: Map<string, string[]>
    },
  ): Promise<void> => {
    const { request, context, matched } = review
    const spec = fieldsOf(binding['spec'])
    const criteria = readMatchResources(fieldsOf(spec['matchResources']))
    if (matchRequest(criteria, request, context.cluster) === undefined) return
    const { namespace } = request
    const params = await collectParams(review.source, spec['paramRef'], {
      namespace,
      cluster: context.cluster,
    })
    const inputs = await inputsOf(request, matched, context)
    for (const param of params) {
      const withParam: Readonly<Record<string, CelInput>> =
        policy.paramKind === undefined ? inputs : { ...inputs, params: { data: param } }
      const result = evaluatePolicy(policy, withParam, authorizerInputs(request, parts.authorizer))
      report(policy.name, binding, result, review)
    }
  }

  return {
    name: 'ValidatingAdmissionPolicy',
    handles: (request) => !isExempt(request),
    validate(request, context) {
      const policies = context.cluster.list(`validatingadmissionpolicies.${group}`)
      if (policies.length === 0) return undefined
      return (async () => {
        const bindings = context.cluster.list(`validatingadmissionpolicybindings.${group}`)
        const review: Review = { request, context, denials: [] }
        for (const stored of policies) {
          const own = bindings.filter(
            (binding) => textOf(fieldsOf(binding['spec'])['policyName']) === stored.metadata.name,
          )
          if (own.length > 0) await reviewPolicy(await policyOf(stored), own, review)
        }
        const [denial] = review.denials
        if (denial !== undefined) throw denialFailure(request, denial)
      })()
    },
  }
}

/** The values of the variables that all expressions may use. */
export async function inputsOf(
  request: AdmissionRequest,
  matched: MatchedVersion,
  { cluster }: AdmissionContext,
): Promise<Readonly<Record<string, CelInput>>> {
  const { object, oldObject } = await inVersion(request, matched)
  const isNamespace = request.kind.group === '' && request.kind.kind === 'Namespace'
  const namespace = isNamespace ? undefined : cluster.get('namespaces', '', request.namespace)
  return {
    object: { data: object },
    oldObject: { data: oldObject },
    request: { data: requestData(request, matched) },
    namespaceObject: { data: namespace === undefined ? null : namespaceData(namespace) },
  }
}

function report(
  policy: string,
  binding: StoredApiObject,
  result: PolicyResult,
  { request, denials, notes }: Review & { readonly notes: Map<string, string[]> },
): void {
  const name = binding.metadata.name ?? ''
  const actions = textsOf(fieldsOf(binding['spec'])['validationActions'])
  for (const { index, message, reason } of result.findings) {
    if (actions.includes('Deny')) denials.push({ policy, binding: name, message, reason })
    if (actions.includes('Audit'))
      request.annotate(
        'validation.policy.admission.k8s.io/validation_failure',
        stringifyJson([
          { message, policy, binding: name, expressionIndex: index, validationActions: actions },
        ]),
      )
    if (actions.includes('Warn'))
      request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${name}': ${message}`,
      )
  }
  for (const message of result.annotationProblems)
    denials.push({ policy, binding: name, message, reason: '' })
  for (const [key, value] of result.annotations) {
    const values = notes.get(key) ?? []
    const short = value.slice(0, longestAnnotation)
    if (!values.includes(short)) notes.set(key, [...values, short])
  }
}

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
}

function denialFailure(request: AdmissionRequest, { policy, binding, message, reason }: Denial): ApiFailure {
  const by = binding === undefined ? '' : ` with binding '${binding}'`
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message}`
  const { status } = refused(request, text, [{ message: text }])
  return new ApiFailure({
    code: codes[reason] ?? 422,
    reason: reason === '' ? 'Invalid' : reason,
    message: status.message ?? text,
    ...(status.details !== undefined && { details: status.details }),
  })
}
