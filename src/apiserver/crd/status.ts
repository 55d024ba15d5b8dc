import { deepEqual } from '../../base/index.js'
import { goQuote } from '../../schema/internal.js'
import { approvalOf, isProtectedGroup } from './approval.js'
import { bundleProblem } from './conversion-validation.js'
import {
  type Crd,
  type CrdCondition,
  type CrdNames,
  type CrdStatus,
  conditionOf,
  isConditionTrue,
} from './definition.js'

/** A condition without the time of its last change. */
export interface ConditionUpdate {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

/** The status with this condition. Its time changes with its status only. */
export function withCondition(status: CrdStatus, update: ConditionUpdate, now: string): CrdStatus {
  const before = status.conditions ?? []
  const known = before.find((condition) => condition.type === update.type)
  if (known === undefined)
    return { ...status, conditions: [...before, { ...update, lastTransitionTime: now }] }
  const lastTransitionTime = known.status === update.status ? (known.lastTransitionTime ?? now) : now
  const changed: CrdCondition = { ...known, ...update, lastTransitionTime }
  return {
    ...status,
    conditions: before.map((condition) => (condition === known ? changed : condition)),
  }
}

/**
 * The names of a CRD that no other in its group has, and what the conditions say about it. `others` are all CRDs of the
 * server. Undefined when there is nothing to change.
 */
export function acceptedNamesStatus(crd: Crd, others: Iterable<Crd>, now: string): CrdStatus | undefined {
  const { spec, status } = crd
  if (deepEqual(spec.names, status.acceptedNames)) return undefined
  const { acceptedNames, condition } = acceptNames(crd, namesInUse(spec.group, others))
  const known = conditionOf(crd, 'NamesAccepted')
  const isSaid =
    known?.status === condition.status &&
    known.reason === condition.reason &&
    known.message === condition.message
  if (isSaid && deepEqual(status.acceptedNames, acceptedNames)) return undefined
  const accepted = withCondition({ ...status, acceptedNames }, condition, now)
  const established = conditionOf(crd, 'Established')
  if (condition.status === 'True' && established?.status !== 'True')
    return withCondition(accepted, installing, now)
  return established === undefined ? withCondition(accepted, notAccepted, now) : accepted
}

const installing: ConditionUpdate = {
  type: 'Established',
  status: 'False',
  reason: 'Installing',
  message: 'the initial names have been accepted',
}

const notAccepted: ConditionUpdate = {
  type: 'Established',
  status: 'False',
  reason: 'NotAccepted',
  message: 'not all names are accepted',
}

interface NamesInUse {
  readonly resources: ReadonlySet<string>
  readonly kinds: ReadonlySet<string>
}

function namesInUse(group: string, crds: Iterable<Crd>): NamesInUse {
  const resources = new Set<string>()
  const kinds = new Set<string>()
  for (const { spec, status } of crds) {
    if (spec.group !== group) continue
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames
    for (const name of [plural, singular, ...shortNames]) resources.add(name)
    for (const name of [kind, listKind]) kinds.add(name)
  }
  return { resources, kinds }
}

function acceptNames(
  { spec, status }: Crd,
  { resources, kinds }: NamesInUse,
): { readonly acceptedNames: CrdNames; readonly condition: ConditionUpdate } {
  const requested = spec.names
  const before = status.acceptedNames
  const accepted: { -readonly [Key in keyof CrdNames]: CrdNames[Key] } = { ...before }
  let condition = noConflicts
  const refuse = (reason: string, message: string): void => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message }
  }
  const isFree = (name: string, own: string, used: ReadonlySet<string>): boolean =>
    name === own || !used.has(name)
  const inUse = (name: string): string => `${goQuote(name)} is already in use`
  const accept = (field: 'plural' | 'singular' | 'kind' | 'listKind', reason: string): void => {
    const name = requested[field] ?? ''
    const used = field === 'kind' || field === 'listKind' ? kinds : resources
    if (isFree(name, before[field] ?? '', used)) accepted[field] = name
    else refuse(reason, inUse(name))
  }
  accept('plural', 'PluralConflict')
  accept('singular', 'SingularConflict')
  const shortNames = requested.shortNames ?? []
  const own = new Set(before.shortNames)
  const taken = shortNames.filter((name) => !own.has(name) && !isFree(name, '', resources))
  if (taken.length > 0) {
    const messages = [...new Set(taken.map(inUse))]
    refuse('ShortNamesConflict', messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`)
  } else replace(accepted, 'shortNames', requested.shortNames)
  accept('kind', 'KindConflict')
  accept('listKind', 'ListKindConflict')
  replace(accepted, 'categories', requested.categories)
  return { acceptedNames: accepted, condition }
}

function replace(
  names: { -readonly [Key in keyof CrdNames]: CrdNames[Key] },
  field: 'shortNames' | 'categories',
  value: readonly string[] | undefined,
): void {
  if (value === undefined) delete names[field]
  else names[field] = value
}

const noConflicts: ConditionUpdate = {
  type: 'NamesAccepted',
  status: 'True',
  reason: 'NoConflicts',
  message: 'no conflicts found',
}

/** The status of a CRD whose names are accepted and which can be served from now on. Undefined: nothing to change. */
export function establishedStatus(crd: Crd, now: string): CrdStatus | undefined {
  if (!isConditionTrue(crd, 'NamesAccepted') || isConditionTrue(crd, 'Established')) return undefined
  const caBundle = crd.spec.conversion?.webhook?.clientConfig?.caBundle ?? ''
  const condition = caBundle !== '' && bundleProblem(caBundle) !== undefined ? invalidBundle : established
  const known = conditionOf(crd, 'Established')
  if (known?.reason === condition.reason && known.status === condition.status) return undefined
  return withCondition(crd.status, condition, now)
}

const established: ConditionUpdate = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
}

const invalidBundle: ConditionUpdate = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
}

const approvalConditions = {
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
} as const

/** What the status of a CRD in a protected group says about its approval. Undefined: nothing to change. */
export function approvalStatus(crd: Crd, now: string): CrdStatus | undefined {
  if (!isProtectedGroup(crd.spec.group)) return undefined
  const { state, reason: message } = approvalOf(crd)
  const condition = { type: 'KubernetesAPIApprovalPolicyConformant', message, ...approvalConditions[state] }
  const known = conditionOf(crd, condition.type)
  const isSaid =
    known?.status === condition.status && known.reason === condition.reason && known.message === message
  return isSaid ? undefined : withCondition(crd.status, condition, now)
}
