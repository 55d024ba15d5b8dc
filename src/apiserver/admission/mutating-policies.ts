import { deepCopy, deepEqual, isPlainObject } from '../../base/index.js'
import { type CelInput, quoteText } from '../../schema/index.js'
import type { ApiObject, StoredApiObject } from '../api-object.js'
import type { ApiSchema } from '../api-schema.js'
import { fieldsOf, textOf } from '../auth/fields.js'
import { ApiFailure, internalError } from '../failure.js'
import { unknownFields } from '../request/unknown-fields.js'
import type { AdmissionContext, AdmissionPlugin, AdmissionRequest } from './admission.js'
import { authorizerInputs } from './cel-variables.js'
import { evaluateConditions } from './match-conditions.js'
import { inVersion, isExempt, type MatchedVersion, matchRequest, readMatchResources } from './matching.js'
import { compileMutatingPolicy, evaluateMutation, type MutatingPolicy } from './mutating-policy.js'
import { collectParams, findParamSource, ParamProblem } from './policy-params.js'
import { PatchProblem } from './policy-patch.js'
import { variableValues } from './policy-variables.js'
import { refused } from './refusal.js'
import { storeMutation } from './store-mutation.js'
import { inputsOf, type PolicyParts } from './validating-policies.js'
import type { LoadEngine } from './webhook-configuration.js'

const group = 'admissionregistration.k8s.io'

/** A policy with one of its bindings and one of the binding's parameters. */
interface Invocation {
  readonly policy: MutatingPolicy
  readonly binding: string
  readonly param: StoredApiObject | undefined
  readonly matched: MatchedVersion
}

/** Why a policy could not do its work. */
interface Problem {
  readonly policy: MutatingPolicy
  /** Undefined when the policy itself is wrong. */
  readonly binding: string | undefined
  readonly message: string
  readonly reason: 'Forbidden' | 'Invalid'
}

/** What is remembered of a request between its two rounds. */
interface Rounds {
  round: number
  hasChanged: boolean
  /** Done already, and to be done again if something changes. */
  readonly done: Set<string>
  /** To be done in the second round. */
  readonly again: Set<string>
  output: unknown
}

/** Evaluates MutatingAdmissionPolicies with their bindings, each over what those before it made of the object. */
export function createMutatingPolicies(loadEngine: LoadEngine, parts: PolicyParts): AdmissionPlugin {
  const compiled = new WeakMap<StoredApiObject, MutatingPolicy>()
  const rounds = new WeakMap<AdmissionRequest, Rounds>()
  const policyOf = async (stored: StoredApiObject): Promise<MutatingPolicy> => {
    let policy = compiled.get(stored)
    if (policy === undefined) {
      policy = compileMutatingPolicy(await loadEngine(), stored)
      compiled.set(stored, policy)
    }
    return policy
  }

  const invocationsOf = async (
    policy: MutatingPolicy,
    bindings: readonly StoredApiObject[],
    { request, context, problems }: Review,
  ): Promise<Invocation[]> => {
    const matched = matchRequest(policy.criteria, request, context.cluster)
    if (matched === undefined) return []
    const invocations: Invocation[] = []
    let name: string | undefined
    try {
      const source = findParamSource(policy.paramKind, parts.catalogue)
      for (const binding of bindings) {
        name = binding.metadata.name ?? ''
        const spec = fieldsOf(binding['spec'])
        const criteria = readMatchResources(fieldsOf(spec['matchResources']))
        if (matchRequest(criteria, request, context.cluster) === undefined) continue
        const at = { namespace: request.namespace, cluster: context.cluster }
        for (const param of await collectParams(source, spec['paramRef'], at))
          invocations.push({ policy, binding: name, param, matched })
      }
    } catch (error) {
      if (!(error instanceof ParamProblem)) throw error
      const message = `failed to configure ${name === undefined ? 'policy' : 'binding'}: ${error.message}`
      problems.push({ policy, binding: name, message, reason: 'Forbidden' })
    }
    return invocations
  }

  const inputsFor = async (
    { policy, param, matched }: Invocation,
    { request, context }: Review,
  ): Promise<Readonly<Record<string, CelInput>>> => ({
    ...(await inputsOf(request, matched, context)),
    ...(policy.paramKind !== undefined && policy.paramKind !== null && { params: { data: param } }),
    ...authorizerInputs(request, parts.authorizer),
  })

  const invoke = async (invocation: Invocation, review: Review, state: Rounds): Promise<void> => {
    const { policy, binding, param, matched } = invocation
    const { request, problems } = review
    const fail = (message: string): void =>
      void problems.push({ policy, binding, message, reason: 'Invalid' })
    if (policy.conditions.length > 0) {
      const inputs = await inputsFor(invocation, review)
      const { input } = variableValues(policy.variables, inputs)
      const verdict = evaluateConditions(policy.conditions, { ...inputs, variables: input })
      if (verdict.kind === 'failed') fail(verdict.message)
      if (verdict.kind !== 'met') return
    }
    const id = [policy.name, binding, param?.metadata.namespace ?? '', param?.metadata.name ?? ''].join('/')
    if (state.round > 0 && !state.again.has(id)) return
    const before = deepCopy(request.object)
    for (const mutation of policy.mutations) {
      const { object } = await inVersion(request, matched)
      if (object === undefined) continue
      try {
        const inputs = await inputsFor(invocation, review)
        const schema = schemaOf(request, matched)
        const made = evaluateMutation(mutation, { object, schema, inputs, variables: policy.variables })
        if (mutation.type === 'JSONPatch') checkStrictly(made, request, schema)
        if (made !== object) await storeMutation(request, asObject(deepCopy(made)), matched.version)
      } catch (error) {
        if (!(error instanceof PatchProblem)) throw error
        fail(error.message)
      }
    }
    if (!deepEqual(before, request.object)) {
      repeat(state)
      state.hasChanged = true
    }
    if (policy.isReinvoked) state.done.add(id)
  }

  return {
    name: 'MutatingAdmissionPolicy',
    handles: (request) => request.operation !== 'DELETE' && !isExempt(request),
    mutate(request, context) {
      const policies = context.cluster.list(`mutatingadmissionpolicies.${group}`)
      if (policies.length === 0) return undefined
      return (async () => {
        const bindings = context.cluster.list(`mutatingadmissionpolicybindings.${group}`)
        const review: Review = { request, context, problems: [] }
        const invocations: Invocation[] = []
        for (const stored of policies) {
          const own = bindings.filter(
            (binding) => textOf(fieldsOf(binding['spec'])['policyName']) === stored.metadata.name,
          )
          if (own.length > 0) invocations.push(...(await invocationsOf(await policyOf(stored), own, review)))
        }
        const state = rounds.get(request) ?? newRounds()
        rounds.set(request, state)
        if (state.round > 0 && !deepEqual(state.output, request.object)) repeat(state)
        for (const invocation of invocations) await invoke(invocation, review, state)
        state.output = state.done.size > 0 ? deepCopy(request.object) : undefined
        state.round++
        const problems = review.problems.filter(({ policy }) => !policy.ignoresFailures)
        if (problems.length > 0) throw denialFailure(request, problems)
      })()
    },
    wantsAnotherRound: (request) => rounds.get(request)?.hasChanged === true,
  }
}

/** One request, while its policies are evaluated. */
interface Review {
  readonly request: AdmissionRequest
  readonly context: AdmissionContext
  readonly problems: Problem[]
}

function newRounds(): Rounds {
  return { round: 0, hasChanged: false, done: new Set(), again: new Set(), output: undefined }
}

function repeat({ done, again }: Rounds): void {
  for (const id of done) again.add(id)
  done.clear()
}

function schemaOf({ resource, kind }: AdmissionRequest, { version }: MatchedVersion): ApiSchema | undefined {
  if (kind.kind !== resource.kind) return undefined
  return resource.versions.find(({ name }) => name === version)?.schema
}

/** What operations have added must be known to the kind. */
function checkStrictly(made: unknown, { resource }: AdmissionRequest, schema: ApiSchema | undefined): void {
  if (schema === undefined || resource.isCustom) return
  const unknown = unknownFields(made, schema).map((field) => `unknown field ${quoteText(field)}`)
  if (unknown.length > 0) throw internalError(`strict decoding error: ${unknown.join(', ')}`)
}

function asObject(made: unknown): ApiObject {
  // Of an object that was merged or patched, everything but its metadata may have changed its type: decoding tells.
  if (isPlainObject(made) && isPlainObject(made['metadata'])) return made as ApiObject
  throw new PatchProblem('JSON Patch: the patched object has no metadata')
}

function denialFailure(request: AdmissionRequest, problems: readonly Problem[]): ApiFailure {
  const texts = problems.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy "${policy.name}" denied request: ${message}`
      : `policy '${policy.name}' with binding '${binding}' denied request: ${message}`,
  )
  const { status } = refused(
    request,
    '',
    texts.map((message) => ({ message })),
  )
  return new ApiFailure({
    code: 403,
    reason: problems[0]?.reason ?? 'Forbidden',
    message: texts[0] ?? '',
    ...(status.details !== undefined && { details: status.details }),
  })
}
