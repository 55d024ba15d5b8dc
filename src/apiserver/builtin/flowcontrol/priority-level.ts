import type {
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../../../kinds/flowcontrol.apiserver.k8s.io/v1.js'
import { draftOf, type View, viewOf } from '../draft.js'
import { duplicate, type FieldError, forbidden, invalid, required } from '../field-errors.js'
import type { KindRules } from '../kind-rules.js'
import { isAbsent, validateWord } from '../value-rules.js'

export const priorityLevelRules: KindRules = {
  hasGeneration: true,
  allowsUnconditionalUpdate: false,
  defaults(draft) {
    const { limited, exempt } = draftOf<PriorityLevelConfiguration>(draft).spec ?? {}
    if (!isAbsent(exempt)) {
      exempt.nominalConcurrencyShares ??= 0
      exempt.lendablePercent ??= 0
    }
    if (isAbsent(limited)) return
    limited.nominalConcurrencyShares ??= 30
    limited.lendablePercent ??= 0
    const queuing = limited.limitResponse?.queuing
    if (isAbsent(queuing)) return
    queuing.handSize ||= 8
    queuing.queues ||= 64
    queuing.queueLengthLimit ||= 50
  },
  validateCreate: (object) => [
    ...validateSpec(viewOf<PriorityLevelConfiguration>(object).spec ?? {}, object.metadata.name ?? ''),
    ...validateConditionTypes(viewOf<PriorityLevelConfiguration>(object).status?.conditions),
  ],
  validateStatusUpdate: (object) =>
    validateConditionTypes(viewOf<PriorityLevelConfiguration>(object).status?.conditions),
}

/** Conditions of flow control need no more than a type, each its own. */
export function validateConditionTypes(
  conditions: readonly { readonly type?: string | undefined }[] | undefined,
): FieldError[] {
  const types = (conditions ?? []).map(({ type = '' }) => type)
  return types.flatMap((type, index) => {
    const path = `status.conditions[${index}].type`
    return [
      ...(types.indexOf(type) < index ? [duplicate(path, type)] : []),
      ...(type === '' ? [required(path)] : []),
    ]
  })
}

function validateSpec(spec: View<PriorityLevelConfigurationSpec>, name: string): FieldError[] {
  const { type = '', limited, exempt } = spec
  const isExempt = type === 'Exempt'
  const errors =
    (name === 'exempt') === isExempt
      ? []
      : [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")]
  if (isExempt)
    return [
      ...errors,
      ...(isAbsent(limited) ? [] : [forbidden('spec.limited', 'must be nil if the type is not Limited')]),
      ...(isAbsent(exempt) ? [] : validateShares(exempt, 'spec.exempt')),
    ]
  if (type !== 'Limited') return [...errors, ...validateWord(type, ['Exempt', 'Limited'], 'spec.type', '')]
  return [
    ...errors,
    ...(isAbsent(exempt) ? [] : [forbidden('spec.exempt', 'must be nil if the type is Limited')]),
    ...(isAbsent(limited)
      ? [required('spec.limited', 'must not be empty when type is Limited')]
      : validateLimited(limited, 'spec.limited')),
  ]
}

interface Shares {
  readonly nominalConcurrencyShares?: number | null | undefined
  readonly lendablePercent?: number | null | undefined
}

function validateShares(shares: Shares, path: string): FieldError[] {
  return [...validateConcurrency(shares, path), ...validateLendable(shares, path)]
}

function validateConcurrency({ nominalConcurrencyShares: shares }: Shares, path: string): FieldError[] {
  return !isAbsent(shares) && shares < 0
    ? [invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
    : []
}

function validateLendable({ lendablePercent: lendable }: Shares, path: string): FieldError[] {
  return !isAbsent(lendable) && (lendable < 0 || lendable > 100)
    ? [invalid(`${path}.lendablePercent`, lendable, 'must be between 0 and 100, inclusive')]
    : []
}

function validateLimited(limited: View<LimitedPriorityLevelConfiguration>, path: string): FieldError[] {
  const { borrowingLimitPercent: borrowing } = limited
  return [
    ...validateConcurrency(limited, path),
    ...validateResponse(limited.limitResponse ?? {}, `${path}.limitResponse`),
    ...validateLendable(limited, path),
    ...(!isAbsent(borrowing) && borrowing < 0
      ? [invalid(`${path}.borrowingLimitPercent`, borrowing, 'if specified, must be a non-negative integer')]
      : []),
  ]
}

function validateResponse({ type, queuing }: View<LimitResponse>, path: string): FieldError[] {
  const queuingPath = `${path}.queuing`
  if (type === 'Reject')
    return isAbsent(queuing)
      ? []
      : [forbidden(queuingPath, 'must be nil if limited.limitResponse.type is not Limited')]
  if (type !== 'Queue') return validateWord(type, ['Queue', 'Reject'], `${path}.type`, '')
  return isAbsent(queuing)
    ? [required(queuingPath, 'must not be empty if limited.limitResponse.type is Limited')]
    : validateQueuing(queuing, queuingPath)
}

const mostQueues = 10_000_000
const hashBits = 60

function validateQueuing(queuing: View<QueuingConfiguration>, path: string): FieldError[] {
  const { queueLengthLimit = 0, queues = 0, handSize = 0 } = queuing
  const errors: FieldError[] = []
  const wrong = (field: string, value: number, why: string): void => {
    errors.push(invalid(`${path}.${field}`, value, why))
  }
  if (queueLengthLimit <= 0) wrong('queueLengthLimit', queueLengthLimit, 'must be positive')
  if (queues <= 0) wrong('queues', queues, 'must be positive')
  else if (queues > mostQueues) wrong('queues', queues, `must not be greater than ${mostQueues}`)
  if (handSize <= 0) wrong('handSize', handSize, 'must be positive')
  else if (handSize > queues) wrong('handSize', handSize, `should not be greater than queues (${queues})`)
  else if (entropyBits(queues, handSize) > hashBits)
    wrong(
      'handSize',
      handSize,
      `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`,
    )
  return errors
}

/** What it takes to deal a hand of cards from a deck. */
function entropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize)
}
