import type { LimitRangeItem } from '../../../kinds/core/v1.js'
import { compareQuantities, formatQuantity, parseQuantity } from '../../../objects/index.js'
import type { View } from '../../builtin/draft.js'

/** Amounts by resource: `{ cpu: '500m' }`. */
export type ResourceAmounts = Readonly<Record<string, string | number | undefined>>

/** What is asked for and what is the most that may be used. */
export interface Amounts {
  readonly requests: ResourceAmounts
  readonly limits: ResourceAmounts
}

/** A bound of a LimitRange: the resource and how much of it. */
type Bound = readonly [resource: string, amount: string | number | undefined]

const show = (amount: string | number | undefined): string => formatQuantity(parseQuantity(amount ?? 0))
const own = (amounts: ResourceAmounts, name: string): string | number | undefined =>
  Object.hasOwn(amounts, name) ? amounts[name] : undefined

function compare(left: string | number | undefined, right: string | number | undefined): number {
  return compareQuantities(left ?? 0, right ?? 0)
}

/** Why less is asked for or allowed than the bound. */
export function minProblem(type: string, [name, bound]: Bound, amounts: Amounts): string | undefined {
  const request = own(amounts.requests, name)
  const limit = own(amounts.limits, name)
  const text = `minimum ${name} usage per ${type} is ${show(bound)}`
  if (request === undefined) return `${text}.  No request is specified`
  if (compare(request, bound) < 0) return `${text}, but request is ${show(request)}`
  return limit !== undefined && compare(limit, bound) < 0 ? `${text}, but limit is ${show(limit)}` : undefined
}

/** Why more is asked for than the bound, of what has no limits. */
export function maxRequestProblem(type: string, [name, bound]: Bound, amounts: Amounts): string | undefined {
  const request = own(amounts.requests, name)
  const text = `maximum ${name} usage per ${type} is ${show(bound)}`
  if (request === undefined) return `${text}.  No request is specified`
  return compare(request, bound) > 0 ? `${text}, but request is ${show(request)}` : undefined
}

function maxProblem(type: string, [name, bound]: Bound, amounts: Amounts): string | undefined {
  const request = own(amounts.requests, name)
  const limit = own(amounts.limits, name)
  const text = `maximum ${name} usage per ${type} is ${show(bound)}`
  if (limit === undefined) return `${text}.  No limit is specified`
  if (compare(limit, bound) > 0) return `${text}, but limit is ${show(limit)}`
  return request !== undefined && compare(request, bound) > 0
    ? `${text}, but request is ${show(request)}`
    : undefined
}

function ratioProblem(type: string, [name, bound]: Bound, amounts: Amounts): string | undefined {
  const request = own(amounts.requests, name)
  const limit = own(amounts.limits, name)
  const text = `${name} max limit to request ratio per ${type} is ${show(bound)}`
  if (request === undefined || compare(request, 0) === 0)
    return `${text}, but no request is specified or request is 0`
  if (limit === undefined || compare(limit, 0) === 0)
    return `${text}, but no limit is specified or limit is 0`
  const ratio = Number(parseQuantity(limit).nanos) / Number(parseQuantity(request).nanos)
  const most = Number(parseQuantity(bound ?? 0).nanos) / 1e9
  return ratio > most ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined
}

/** What the bounds for containers or pods have against these amounts. */
export function limitProblems(item: View<LimitRangeItem>, amounts: Amounts): readonly string[] {
  const type = item.type ?? ''
  return [
    ...Object.entries(item.min ?? {}).map((bound) => minProblem(type, bound, amounts)),
    ...Object.entries(item.max ?? {}).map((bound) => maxProblem(type, bound, amounts)),
    ...Object.entries(item.maxLimitRequestRatio ?? {}).map((bound) => ratioProblem(type, bound, amounts)),
  ].filter((problem) => problem !== undefined)
}
