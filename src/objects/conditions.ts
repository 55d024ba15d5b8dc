import { KubewrightError } from '../base/index.js'
import { labelKeyErrors } from './names.js'
import { formatTime } from './time.js'

export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** One observation of an object's state, as in `status.conditions`. */
export interface Condition {
  type: string
  status: ConditionStatus
  /** One word in CamelCase, for programs. */
  reason: string
  /** A sentence, for people. */
  message: string
  /** When `status` last changed. */
  lastTransitionTime: string
  /** The `metadata.generation` that was observed. */
  observedGeneration?: number | undefined
}

/** A condition as one sets it: the time follows from the status. */
export interface ConditionInput {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason: string
  readonly message?: string
  readonly observedGeneration?: number | undefined
}

/** The API server would refuse the condition. */
export class InvalidConditionError extends KubewrightError {
  readonly type: string

  constructor(type: string, why: string) {
    super(`The condition ${JSON.stringify(type)} is not valid: ${why}.`, { code: 'KW_CONDITION_INVALID' })
    this.type = type
  }
}

/**
 * Sets the condition of that type in `conditions` (of a draft) and says whether anything changed: if not, there is no
 * status to write. `lastTransitionTime` becomes `nowMs` (of `clock.now()`) only when the status changes.
 * Throws {@link InvalidConditionError} for what the server would refuse.
 */
export function setCondition(conditions: Condition[], input: ConditionInput, nowMs: number): boolean {
  checkCondition(input)
  const { type, status, reason, message = '', observedGeneration } = input
  const existing = conditions.find((condition) => condition.type === type)
  if (existing === undefined) {
    conditions.push({
      type,
      status,
      reason,
      message,
      lastTransitionTime: formatTime(nowMs),
      ...(observedGeneration !== undefined && { observedGeneration }),
    })
    return true
  }
  const isSame =
    existing.status === status &&
    existing.reason === reason &&
    existing.message === message &&
    existing.observedGeneration === observedGeneration
  if (isSame) return false
  if (existing.status !== status) existing.lastTransitionTime = formatTime(nowMs)
  existing.status = status
  existing.reason = reason
  existing.message = message
  if (observedGeneration === undefined) delete existing.observedGeneration
  else existing.observedGeneration = observedGeneration
  return true
}

/** Takes the condition of that type out of `conditions` (of a draft) and says whether it was there. */
export function removeCondition(conditions: Condition[], type: string): boolean {
  const index = conditions.findIndex((condition) => condition.type === type)
  if (index === -1) return false
  conditions.splice(index, 1)
  return true
}

/** The condition of that type. */
export function findCondition<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** True when the condition of that type is there and its status is `True`: `Unknown` and missing are not. */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True'
}

const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const maxReasonBytes = 1024
const maxMessageBytes = 32 * 1024

function checkCondition({ type, reason, message = '', observedGeneration = 0 }: ConditionInput): void {
  for (const error of labelKeyErrors(type)) throw new InvalidConditionError(type, `its type ${error}`)
  if (!reasonPattern.test(reason) || reason.length > maxReasonBytes) {
    throw new InvalidConditionError(
      type,
      `its reason ${JSON.stringify(reason.slice(0, 100))} must be one word of letters, digits and "_,:" that starts with a letter; sentences belong into the message`,
    )
  }
  if (Buffer.byteLength(message) > maxMessageBytes)
    throw new InvalidConditionError(type, `its message is longer than ${maxMessageBytes} bytes: shorten it`)
  if (!Number.isSafeInteger(observedGeneration) || observedGeneration < 0)
    throw new InvalidConditionError(
      type,
      'its observedGeneration must be the metadata.generation of the object',
    )
}
